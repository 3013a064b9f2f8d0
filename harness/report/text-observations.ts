/** The part of the text report with what was counted and is judged by nobody, since the store promises nothing about it. Pure. */
import { wrap } from '../../src/text/layout.ts';
import { count, percent } from './numbers.ts';
import type { Observation } from './results.ts';
import type { Style } from './style.ts';

/** One sentence an observation; nothing where nothing could be counted. */
export function observed(observations: readonly Observation[], style: Style): string[] {
  const counted = observations.filter(({ of }) => of > 0);
  if (counted.length === 0) return [];
  const lines = counted.flatMap(({ statement, seen, of }) => {
    const text = `${count(seen)} of ${count(of)} (${percent(seen / of)}) ${statement}`;
    return wrap(text, style.width - 4).map(
      (line, index) => `  ${index === 0 ? style.mark.none : ' '} ${line}`,
    );
  });
  return [`  ${style.faint('seen, not judged')}`, ...lines];
}
