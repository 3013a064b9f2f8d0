/** What `--power` found: which bug classes the scenario would have noticed, and what it lacks for the others. Pure. */
import { pad, wrap } from '../../src/text/layout.ts';
import { visibleLines } from '../../src/text/visible.ts';
import { milliseconds, seconds } from '../report/numbers.ts';
import type { Results } from '../report/results.ts';
import type { Style } from '../report/style.ts';
import type { MutantEntry } from './context.ts';

/** One way in which a store can be broken. */
export interface BugClass {
  readonly id: string;
  readonly title: string;
  /**
   * - `noticed`: the run on the broken store was violated.
   * - `missed`: it was not.
   * - `not tried`: this scenario cannot show it, or there was no time.
   */
  readonly fate: 'noticed' | 'missed' | 'not tried';
  /** Guarantees that were seen broken. */
  readonly by: readonly string[];
  /** From the start of main to the last call of the first witness. */
  readonly afterMs: number | undefined;
  /** What is missing to notice it, a sentence each. Empty when it was noticed. */
  readonly missing: readonly string[];
}

export interface PowerReport {
  readonly interrupted: boolean;
  readonly tookMs: number;
  readonly classes: readonly BugClass[];
}

/** Why no run on this bug can say anything: the green run gave no chance to any guarantee that it breaks. */
export function opportunity({ breaks }: MutantEntry, green: Results): string | undefined {
  const judged = green.guarantees.filter(({ guarantee }) => breaks.includes(guarantee));
  if (judged.some(({ opportunities }) => opportunities > 0)) return undefined;
  const [first] = judged;
  const name = first === undefined ? breaks.join(', ') : `${first.guarantee} ${first.name}`;
  const why = first?.notTested;
  return why === undefined
    ? `this scenario gives \`${name}\` no opportunity to break`
    : `\`${name}\` is not tested: ${why}`;
}

export const untried = ({ id, title }: MutantEntry, why: string): BugClass => ({
  id,
  title,
  fate: 'not tried',
  by: [],
  afterMs: undefined,
  missing: [why],
});

/** What the run on the broken store says. Whatever was broken by it counts: the user's own store had nothing broken. */
export function noticed(mutant: MutantEntry, results: Results, green: Results): BugClass {
  const { id, title } = mutant;
  const by = results.guarantees.filter(({ verdict }) => verdict === 'broken').map((one) => one.guarantee);
  if (results.verdict === 'violated')
    return { id, title, fate: 'noticed', by, afterMs: results.firstViolationMs, missing: [] };
  return { id, title, fate: 'missed', by: [], afterMs: undefined, missing: missing(mutant, results, green) };
}

function missing({ power, needs }: MutantEntry, results: Results, green: Results): string[] {
  const wanted = power?.evidence ?? [];
  const isWanted = (id: string): boolean => wanted.some((part) => id === part || id.startsWith(`${part}.`));
  const asked = green.obligations.filter(({ id }) => isWanted(id));
  const lacking = asked.flatMap(({ id, name, min, advice, notTested }) => {
    if (notTested !== undefined) return [`${id} ${name} cannot be had: ${notTested}.`];
    const seen = results.obligations.find((one) => one.id === id)?.seen ?? 0;
    return seen >= min && seen > 0 ? [] : [`${id} ${name}: ${seen} of ${Math.max(1, min)} seen. ${advice}`];
  });
  const unasked = wanted.filter((part) => !asked.some(({ id }) => id === part || id.startsWith(`${part}.`)));
  const parts = [...lacking, ...unasked.map((part) => `${part} is no part of this scenario.`)];
  return parts.length > 0 ? parts : [`All evidence was there, and it did not show. It needs: ${needs}`];
}

/** Some show before the faults are on. */
const when = ({ afterMs }: BugClass, style: Style): string =>
  afterMs !== undefined && afterMs < 0 ? 'in the lead-in' : `after ${milliseconds(afterMs, style.mark.none)}`;

/** For people, in at most 80 columns. */
export function powerText({ classes, interrupted, tookMs }: PowerReport, style: Style): string[] {
  const of = (fate: BugClass['fate']) => classes.filter((one) => one.fate === fate);
  const [caught, missed, rest] = [of('noticed'), of('missed'), of('not tried')];
  const width = Math.min(style.width, 80);
  const tried = caught.length + missed.length;
  const cut = interrupted ? ', interrupted' : '';
  /** A first line, and what belongs to it further in. */
  const block = (first: string, more: readonly string[]): string[] => [
    ...wrap(first, width - 8).map((line, index) => `${pad('', index === 0 ? 4 : 8)}${line}`),
    ...more.flatMap((text) => wrap(visibleLines(text), width - 10)).map((line) => `${pad('', 10)}${line}`),
  ];
  const row = (one: BugClass): string[] =>
    block(`${style.mark.ok} ${one.id} ${one.title}`, [`${one.by.join(' ')}, ${when(one, style)}`]);
  const lacking = (one: BugClass): string[] => block(`${style.mark.bad} ${one.id} ${one.title}`, one.missing);
  const skipped = (one: BugClass): string[] => block(`${one.id} ${one.title}`, one.missing);
  const headed = (name: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [style.strong(`  ${name}`), ...lines];
  return [
    `${style.strong('POWER')}   ${caught.length} of ${tried} bug classes would have been noticed (${seconds(tookMs)}${cut})`,
    '',
    ...headed('noticed', caught.flatMap(row)),
    ...headed('not noticed, and what is missing', missed.flatMap(lacking)),
    ...headed('not tried', rest.flatMap(skipped)),
  ];
}
