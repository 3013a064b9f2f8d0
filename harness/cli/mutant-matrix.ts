/** The matrix of `fencepost mutants`: which guarantee was seen broken by which mutant, and when. Pure. */
import { pad, widthOf, wrap } from '../../src/text/layout.ts';
import { table } from '../../src/text/table.ts';
import { visibleJson, visibleLines } from '../../src/text/visible.ts';
import { GUARANTEE_IDS } from '../checker/guarantee.ts';
import { milliseconds, seconds } from '../report/numbers.ts';
import type { Style } from '../report/style.ts';
import type { MutantEntry } from './context.ts';
import type { MutantResult } from './mutant-report.ts';

const MARK = { named: 'x', also: '+', none: '.' } as const;
const ID_WIDTH = 5;
const TIME_WIDTH = 9;

/** For programs. Fields are added, never changed in meaning, within one `schemaVersion`. */
export function renderMatrix(results: readonly MutantResult[], waiting: readonly MutantEntry[]): string {
  const guarantees = firedIn(results);
  const matrix = results.map(({ by, also, ...one }) => ({
    ...one,
    by,
    also,
    broken: Object.fromEntries(guarantees.map((id) => [id, markOf({ by, also }, id) !== MARK.none])),
  }));
  const notRun = waiting.map(({ id, title, waitsFor }) => ({ id, title, waitsFor }));
  return visibleJson(JSON.stringify({ schemaVersion: 1, guarantees, mutants: matrix, notRun }, null, 2));
}

/** For people: one row a mutant, one column a guarantee that was seen broken at all, its id written downwards. */
export function matrixText(
  results: readonly MutantResult[],
  waiting: readonly MutantEntry[],
  style: Style,
): string[] {
  return [
    ...seen(results, style),
    ...section('survivors', survivors(results), style),
    ...section('not run', waiting.map(waitingText), style),
  ];
}

/** The matrix, or a list where it is wider than a line. */
function seen(results: readonly MutantResult[], style: Style): string[] {
  const guarantees = firedIn(results);
  const rows = results.map((one) => {
    const marks = guarantees.map((id) => markOf(one, id)).join(' ');
    const line = `  ${pad(one.id, ID_WIDTH)}${marks}${pad(afterOf(one), TIME_WIDTH, 'right')}${pad(seconds(one.tookMs), TIME_WIDTH, 'right')}`;
    return one.fate === 'caught' ? line : `${line}  ${one.fate}`;
  });
  const legend = `  ${MARK.named}  broken, as its entry says     ${MARK.also}  broken as well: it follows from the first`;
  const matrix = [...heads(guarantees), ...rows, '', legend];
  return matrix.every((line) => widthOf(line) <= style.width) ? matrix : list(results, style);
}

const afterOf = ({ afterMs }: MutantResult): string =>
  afterMs !== undefined && afterMs < 0 ? 'lead-in' : milliseconds(afterMs, '');

function list(results: readonly MutantResult[], style: Style): string[] {
  const columns = [
    { head: 'mutant' },
    { head: '' },
    { head: 'broken' },
    { head: 'also' },
    { head: 'after', align: 'right' },
    { head: 'run', align: 'right' },
  ] as const;
  const rows = results.map((one) => [
    one.id,
    one.fate,
    one.by.join(' '),
    one.also.join(' '),
    afterOf(one),
    seconds(one.tookMs),
  ]);
  return table(columns, rows, { head: (text) => text, width: style.width });
}

/** In the order of the report, and only those that say something. */
const firedIn = (results: readonly MutantResult[]): readonly string[] =>
  GUARANTEE_IDS.filter((id) => results.some((one) => markOf(one, id) !== MARK.none));

function markOf({ by, also }: Pick<MutantResult, 'by' | 'also'>, id: string): string {
  if (by.includes(id)) return MARK.named;
  return also.includes(id) ? MARK.also : MARK.none;
}

/** Ids downwards, one letter a line: twenty columns fit half a line. */
function heads(guarantees: readonly string[]): string[] {
  const height = Math.max(1, ...guarantees.map(widthOf));
  return Array.from({ length: height }, (_, row) => {
    const letters = guarantees.map((id) => id[row] ?? ' ').join(' ');
    const last = row === height - 1;
    const times = last ? pad('after', TIME_WIDTH, 'right') + pad('run', TIME_WIDTH, 'right') : '';
    return `  ${pad('', ID_WIDTH)}${letters}${times}`.trimEnd();
  });
}

const survivors = (results: readonly MutantResult[]): string[] =>
  results
    .filter(({ fate }) => fate !== 'caught')
    .map(({ id, title, fate, reason = 'no reason was given' }) =>
      fate === 'accused'
        ? `${id} ${title}: accused, which is a false alarm.`
        : `${id} ${title}. ${fate === 'limit' ? 'Documented limit' : 'Hole'}: ${reason}`,
    );

const waitingText = ({ id, title, waitsFor }: MutantEntry): string =>
  `${id} ${title}: waits for ${waitsFor}.`;

function section(name: string, sentences: readonly string[], style: Style): string[] {
  if (sentences.length === 0) return [];
  const put = (text: string): string[] =>
    wrap(visibleLines(text), Math.min(style.width, 80) - 9).map(
      (line, index) => `${index === 0 ? '    ' : '        '}${line}`,
    );
  return ['', `  ${name}`, ...sentences.flatMap(put)];
}
