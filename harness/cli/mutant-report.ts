/** What `fencepost mutants` found, as a table and in sentences. Pure. */
import { wrap } from '../report/layout.ts';
import { milliseconds } from '../report/numbers.ts';
import type { Results } from '../report/results.ts';
import type { Style } from '../report/style.ts';
import { table } from '../report/table.ts';
import type { MutantEntry } from './context.ts';

/** What became of one mutant. */
export interface MutantResult {
  readonly id: string;
  readonly title: string;
  readonly caught: boolean;
  /** Guarantees that its entry says it breaks, and that were seen broken. */
  readonly by: readonly string[];
  /** Others that were seen broken: what follows from the fault, such as a result that a stale writer overwrote. */
  readonly also: readonly string[];
  readonly verdict: Results['verdict'];
  /** Why the verdict is what it is. */
  readonly reason: string | undefined;
  /** From the start of main to the last call of the first witness. */
  readonly afterMs: number | undefined;
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
): MutantResult {
  const broken = results.guarantees.filter((one) => one.verdict === 'broken');
  const seen = broken.map((one) => one.guarantee);
  const by = seen.filter((id) => mutant.breaks.includes(id));
  const sizes = broken.flatMap((one) => one.violations.map((violation) => violation.witness.length));
  return {
    id: mutant.id,
    title: mutant.title,
    caught: results.verdict === 'violated' && by.length > 0,
    by,
    also: seen.filter((id) => !by.includes(id)),
    verdict: results.verdict,
    reason: results.reasons[0]?.message,
    afterMs: results.firstViolationMs,
    witness: sizes.length === 0 ? undefined : { least: Math.min(...sizes), most: Math.max(...sizes) },
    seed,
    directory,
  };
}

/** One sentence: caught by what, or what happened instead. */
export function sentence(result: MutantResult, style: Style): string {
  if (result.caught)
    return style.good(
      `${style.mark.ok} caught by ${result.by.join(', ')}${result.also.length === 0 ? '' : `; also broken: ${result.also.join(', ')}`}`,
    );
  const isViolated = result.verdict === 'violated';
  const others = isViolated ? `, but only ${result.also.join(', ')}` : '';
  const reason = isViolated || result.reason === undefined ? '' : `: ${result.reason}`;
  const text = `${style.mark.bad} not caught: ${result.verdict}${others}${reason}`;
  return style.bad(wrap(text, style.width - 5).join('\n     '));
}

/** Mutant, what is broken, caught by, after, witness. */
export function mutantTable(results: readonly MutantResult[], style: Style): string[] {
  const columns = [
    { head: 'mutant' },
    { head: 'what is broken' },
    { head: 'caught by' },
    { head: 'after', align: 'right' },
    { head: 'witness', align: 'right' },
  ] as const;
  const rows = results.map((one) => [
    one.id,
    one.title.length > 38 ? `${one.title.slice(0, 37)}${style.mark.more}` : one.title,
    one.caught ? one.by.join(' ') : `${style.mark.bad} ${one.verdict}`,
    // Some show before the faults are on.
    one.afterMs !== undefined && one.afterMs < 0 ? 'lead-in' : milliseconds(one.afterMs, style.mark.none),
    one.witness === undefined ? style.mark.none : range(one.witness),
  ]);
  return table(columns, rows, { head: style.faint });
}

const range = ({ least, most }: { readonly least: number; readonly most: number }): string =>
  least === most ? String(least) : `${least}-${most}`;

/** How many were caught, and where to look when one was not. */
export function closing(results: readonly MutantResult[], survivors: readonly MutantResult[]): string {
  const [first] = survivors;
  if (first === undefined) return `${results.length} of ${results.length} caught`;
  return `${results.length - survivors.length} of ${results.length} caught; next: fencepost check ${first.directory}`;
}
