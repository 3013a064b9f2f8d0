/** The table of guarantees: how often each could have been broken, how often it was, and what that is worth. Pure. */
import { wrap } from './layout.ts';
import { count, percent } from './numbers.ts';
import type { GuaranteeResult, Results } from './results.ts';
import type { Style } from './style.ts';
import { table } from './table.ts';

/** One row a guarantee, then what was not tested and why. */
export function guaranteeTable(results: Results, style: Style): string[] {
  const judged = results.guarantees.filter((one) => one.verdict !== 'not tested');
  if (judged.length === 0) return [];
  const rows = judged.map((one) => row(one, style));
  const lines = table(
    [
      { head: 'guarantee' },
      { head: 'opportunities', align: 'right' },
      { head: 'broken', align: 'right' },
      { head: 'at most, 95 %', align: 'right' },
      { head: '' },
    ],
    rows,
    { head: style.faint },
  );
  const notTested = [
    ...results.guarantees
      .filter((one) => one.verdict === 'not tested')
      .map((one) => `${one.name}: ${one.notTested ?? 'not judged'}`),
    ...results.notTested,
  ];
  if (notTested.length === 0) return lines;
  const unique = [...new Set(notTested.map((text) => text.replace(/\.$/, '')))];
  const wrapped = unique.flatMap((text) =>
    wrap(text, style.width - 4).map((line, index) => `  ${index === 0 ? style.mark.none : ' '} ${line}`),
  );
  return [...lines, '', `  ${style.faint('not tested')}`, ...wrapped];
}

function row(one: GuaranteeResult, style: Style): string[] {
  const opportunities = count(one.opportunities);
  const broken = count(one.broken);
  switch (one.verdict) {
    case 'broken':
      return [one.name, opportunities, style.bad(broken), style.mark.none, style.bad(style.mark.bad)];
    case 'no opportunity':
      return [one.name, opportunities, style.mark.none, 'never tried', style.doubt(style.mark.doubt)];
    default:
      return [
        one.name,
        opportunities,
        broken,
        percent(one.atMost, style.mark.none),
        style.good(style.mark.ok),
      ];
  }
}
