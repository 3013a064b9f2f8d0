/** The table of guarantees: how often each could have been broken, how often it was, and what that is worth. Pure. */
import { wrap } from '../../src/text/layout.ts';
import { table } from '../../src/text/table.ts';
import { count, percent } from './numbers.ts';
import type { GuaranteeResult, Results } from './results.ts';
import type { Style } from './style.ts';

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
    { head: style.faint, width: style.width },
  );
  const untested = notTested(results);
  if (untested.length === 0) return lines;
  const wrapped = untested.flatMap((text) =>
    wrap(text, style.width - 4).map((line, index) => `  ${index === 0 ? style.mark.none : ' '} ${line}`),
  );
  return [...lines, '', `  ${style.faint('not tested')}`, ...wrapped];
}

/** What was not tested, one line a reason: `no result lost, no enqueue lost: the final scan was not read`. */
function notTested(results: Results): string[] {
  const names = new Map<string, string>(results.guarantees.map((one) => [one.guarantee, one.name]));
  // Where nobody worked on a plan, one word stands for all that could be said of plans.
  const ofPlans = results.guarantees.filter((one) => one.guarantee.startsWith('P'));
  if (ofPlans.every((one) => one.verdict === 'not tested' && one.notTested === ofPlans[0]?.notTested))
    for (const one of ofPlans) names.set(one.guarantee, 'plans');
  const sentences = [
    ...results.guarantees.flatMap((one) =>
      one.verdict === 'not tested' ? [`${one.guarantee}: ${one.notTested ?? 'not judged'}`] : [],
    ),
    ...results.notTested,
  ];
  const byReason = new Map<string, Set<string>>();
  for (const sentence of sentences) {
    const [, id = '', reason = ''] = /^(?:([\w.]+): )?(.*?)\.?$/s.exec(sentence) ?? [];
    const subjects = byReason.get(reason) ?? new Set();
    byReason.set(reason, id === '' ? subjects : subjects.add(names.get(id) ?? id));
  }
  return [...byReason].map(([reason, subjects]) =>
    subjects.size === 0 ? reason : `${[...subjects].join(', ')}: ${reason}`,
  );
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
