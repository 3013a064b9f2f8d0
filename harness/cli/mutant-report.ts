/** What became of each mutant of `fencepost mutants`, in sentences. Pure. */
import { commandLines } from '../../src/text/help.ts';
import { wrap } from '../../src/text/layout.ts';
import { visibleLines } from '../../src/text/visible.ts';
import { checkCommand } from '../report/command.ts';
import type { Results } from '../report/results.ts';
import type { Style } from '../report/style.ts';
import type { MutantEntry } from './context.ts';

/**
 * - `caught`: violated, by a guarantee that its entry names.
 * - `missed`: not caught, and no documented limit says why: a hole.
 * - `limit`: not accused, as its documented limit says.
 * - `accused`: violated, though nothing may show it: a false alarm.
 */
export type Fate = 'caught' | 'missed' | 'limit' | 'accused';

/** What became of one mutant. */
export interface MutantResult {
  readonly id: string;
  readonly title: string;
  readonly fate: Fate;
  readonly caught: boolean;
  /** Guarantees that its entry says it breaks, and that were seen broken. */
  readonly by: readonly string[];
  /** Others that were seen broken: what follows from the fault, such as a result that a stale writer overwrote. */
  readonly also: readonly string[];
  readonly verdict: Results['verdict'];
  /** Of a survivor: why it survives. Else why the verdict is what it is. */
  readonly reason: string | undefined;
  /** From the start of main to the last call of the first witness. */
  readonly afterMs: number | undefined;
  /** The whole run, from the probe to the verdict. */
  readonly tookMs: number;
  /** Operations of the smallest and of the largest witness. */
  readonly witness: { readonly least: number; readonly most: number } | undefined;
  readonly seed: number;
  readonly directory: string;
}

/** Caught: violated, and one of the guarantees that this mutant breaks is among those that were seen broken. */
export function resultOf(
  mutant: MutantEntry,
  seed: number,
  results: Results,
  directory: string,
  tookMs: number,
): MutantResult {
  const broken = results.guarantees.filter((one) => one.verdict === 'broken');
  const seen = broken.map((one) => one.guarantee);
  const by = seen.filter((id) => mutant.breaks.includes(id));
  const sizes = broken.flatMap((one) => one.violations.map((violation) => violation.witness.length));
  const fate = fateOf(mutant, results, by.length > 0);
  return {
    id: mutant.id,
    title: mutant.title,
    fate,
    caught: fate === 'caught',
    by,
    also: seen.filter((id) => !by.includes(id)),
    verdict: results.verdict,
    reason: fate === 'limit' ? mutant.limit : results.reasons[0]?.message,
    afterMs: results.firstViolationMs,
    tookMs: Math.round(tookMs),
    witness: sizes.length === 0 ? undefined : { least: Math.min(...sizes), most: Math.max(...sizes) },
    seed,
    directory,
  };
}

function fateOf(mutant: MutantEntry, { verdict }: Results, isNamed: boolean): Fate {
  if (mutant.limit !== undefined && verdict !== 'harness-error')
    return verdict === 'violated' ? 'accused' : 'limit';
  return verdict === 'violated' && isNamed ? 'caught' : 'missed';
}

/** One sentence: caught by what, or what happened instead. */
export function sentence(result: MutantResult, style: Style): string {
  const { by, also, verdict, reason } = result;
  const put = (text: string): string => wrap(visibleLines(text), style.width - 5).join('\n     ');
  switch (result.fate) {
    case 'caught': {
      const others = also.length === 0 ? '' : `; also broken: ${also.join(', ')}`;
      return style.good(put(`${style.mark.ok} caught by ${by.join(', ')}${others}`));
    }
    case 'limit':
      return put(`survives (${verdict}), as it must: ${reason}`);
    case 'accused':
      return style.bad(put(`${style.mark.bad} accused of ${[...by, ...also].join(', ')}: a false alarm`));
    case 'missed': {
      const isViolated = verdict === 'violated';
      const others = isViolated ? `, but only ${also.join(', ')}` : '';
      const because = isViolated || reason === undefined ? '' : `: ${reason}`;
      return style.bad(put(`${style.mark.bad} not caught: ${verdict}${others}${because}`));
    }
  }
}

/** How many were caught, and where to look when one was not. */
export function closing(
  results: readonly MutantResult[],
  holes: readonly MutantResult[],
  command: string,
  width: number,
): string {
  const count = (fate: Fate): number => results.filter((one) => one.fate === fate).length;
  const limits = count('limit');
  const able = results.length - limits;
  const text = `${count('caught')} of ${able} caught${limits === 0 ? '' : `, ${limits} documented limit${limits === 1 ? '' : 's'}`}`;
  const [first] = holes;
  if (first === undefined) return text;
  const next = commandLines(checkCommand({ command, directory: first.directory }), width - 6, '        ');
  return `${text}\nnext: ${next.join('\n')}`;
}
