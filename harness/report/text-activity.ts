/** The part of the text report that says what went on: main, faults, evidence. Pure. */

import { flow, widthOf, wrap } from '../../src/text/layout.ts';
import type { ObligationResult } from '../obligation/obligation.ts';
import { besideLabel, labelled } from './layout.ts';
import { count, plural, seconds } from './numbers.ts';
import type { Results } from './results.ts';
import type { Style } from './style.ts';

const GAP = '   ';

/** Three short paragraphs beside their labels. */
export function activity(results: Results, style: Style): string[] {
  const { numbers } = results;
  const width = besideLabel(style.width);
  const main = [
    ...(numbers.mainMs === undefined ? [] : [seconds(numbers.mainMs)]),
    ...(leasesIn(numbers)
      ? [
          `claims ${count(numbers.claims)}`,
          `completes ${count(numbers.completes)}`,
          `reclaims ${count(numbers.reclaims)}`,
        ]
      : []),
    ...(numbers.plans === undefined
      ? []
      : [`tasks handed out ${count(numbers.plans.handOuts)}`, `results ${count(numbers.plans.results)}`]),
    ...(numbers.board === undefined ? [] : [`commits ${count(numbers.board.commits)}`]),
  ];
  return [
    ...labelled('main', flow(main, width, GAP)),
    ...labelled('faults', flow(faults(results), width, GAP)),
    ...labelled('evidence', evidence(results.obligations, style, width)),
    ...labelled('lowered', lowered(results.obligations, width)),
    ...labelled(
      'warned',
      results.warnings.flatMap((text) => wrap(text, width)),
    ),
  ];
}

/** Whether there is anything to say of leases: in a run that only wrote entries there is not. */
export const leasesIn = ({ claims, board }: Results['numbers']): boolean => claims > 0 || board === undefined;

function faults(results: Results): string[] {
  const parts = results.faults.map((fault) => {
    const beside = [
      ...(fault.missed > 0 ? [`${fault.missed} missed`] : []),
      ...(fault.failed > 0 ? [`${fault.failed} failed`] : []),
    ];
    return `${fault.fault} ${count(fault.confirmed)}${beside.length === 0 ? '' : ` (${beside.join(', ')})`}`;
  });
  return [
    ...(parts.length === 0 ? ['none'] : parts),
    plural(results.workers.incarnations, 'process', 'processes'),
  ];
}

/** One obligation: `killed in lease 33/20 ✔`. */
export function evidencePart(one: ObligationResult, style: Style): string {
  const mark = one.met ? style.good(style.mark.ok) : style.bad(style.mark.bad);
  return `${one.name} ${count(one.seen)}/${count(one.min)} ${mark}`;
}

/** Minima below the defaults: whoever reads the verdict has to know that less was asked for. */
function lowered(obligations: readonly ObligationResult[], width: number): string[] {
  const parts = obligations
    .filter((one) => one.notTested === undefined && one.min < one.defaultMin)
    .map((one) => `${one.id} ${count(one.min)} instead of ${count(one.defaultMin)}`);
  return parts.length === 0 ? [] : flow(['by the scenario:', ...parts], width, GAP);
}

/** One line when all is there; else every unmet one first, since that is what a person has to look at. */
function evidence(obligations: readonly ObligationResult[], style: Style, width: number): string[] {
  const asked = obligations.filter((one) => one.notTested === undefined);
  if (asked.length === 0) return ['none was asked for'];
  const unmet = asked.filter((one) => !one.met);
  const met = asked.filter((one) => one.met);
  if (unmet.length > 0) {
    const summary = `${unmet.length} of ${asked.length} not met, see below`;
    return flow([...unmet.map((one) => evidencePart(one, style)), style.doubt(summary)], width, GAP);
  }
  const summary = `${style.mark.more} all ${met.length} met`;
  const shown: string[] = [];
  // That every call was made says the least, so it comes last.
  const isCall = (one: ObligationResult): boolean => one.id.startsWith('O10.');
  const telling = [...met.filter((one) => !isCall(one)), ...met.filter(isCall)];
  for (const part of telling.map((one) => evidencePart(one, style))) {
    if (widthOf([...shown, part, summary].join(GAP)) > width) break;
    shown.push(part);
  }
  return flow([...shown, summary], width, GAP);
}
