/** A violation as a person reads it: what happened, in order, and which call should have been refused. Pure. */

import { wrap } from '../../src/text/layout.ts';
import type { Violation, WitnessOperation } from '../checker/finding.ts';
import { commandBeside } from './command.ts';
import { besideLabel, labelled } from './layout.ts';
import { happened } from './story-lines.ts';
import type { Style } from './style.ts';
import { incarnationOf, type Timeline } from './timeline.ts';

/** The lines of one violation: headline, the operations with what happened in between, because, assumed, again. */
export function story(
  violation: Violation,
  timeline: Timeline,
  style: Style,
  again: string | undefined,
): string[] {
  const named = labels(violation.witness);
  // What the second oracle did not confirm is no violation: the run is then a harness error.
  const word = violation.confirmedBy === undefined ? 'UNCONFIRMED' : 'VIOLATED';
  const indent = ' '.repeat(word.length + 3);
  const headline = wrap(violation.statement, style.width - indent.length);
  const head = `${style.bad(style.strong(word))}   `;
  const beside = besideLabel(style.width);
  const list = (label: string, texts: readonly string[]) =>
    labelled(
      label,
      texts.flatMap((text) => wrap(text, beside)),
    );
  return [
    ...headline.map((line, index) => `${index === 0 ? head : indent}${line}`),
    '',
    ...happened(violation, timeline, style, named),
    '',
    ...list('because', violation.because),
    ...list('assumed', violation.assumed.length === 0 ? [] : [violation.assumed.join('; ')]),
    ...list('confirmed', violation.confirmedBy === undefined ? [] : [CONFIRMED[violation.confirmedBy]]),
    ...(again === undefined ? [] : commandBeside('again', again, style)),
  ];
}

const CONFIRMED = {
  oracle: 'no order of these operations keeps the rule (exhaustive search)',
  recount: 'counted a second time, over the raw records',
} as const;

/** Worker names; two processes of one label are told apart by the number of their incarnation. */
function labels(witness: readonly WitnessOperation[]): ReadonlyMap<number, string> {
  const lives = new Map<string, Set<number>>();
  for (const one of witness) {
    const known = lives.get(one.label) ?? new Set();
    lives.set(one.label, known.add(incarnationOf(one.request)));
  }
  return new Map(
    [...lives].flatMap(([label, ids]) =>
      [...ids].map((id) => [id, ids.size > 1 ? `${label}/${id}` : label] as const),
    ),
  );
}
