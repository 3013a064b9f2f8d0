/** The kill matrix: what became of each call that was cut off at each step. Pure. */
import type { Violation } from '../checker/finding.ts';
import { type CutNote, type History, OP } from '../history/history.ts';
import { cutsThatStruck } from '../measure/cuts.ts';
import { workloadOperations } from '../obligation/context.ts';
import type { KillCell } from '../report/results.ts';
import { crashCells } from '../scenario/crash-cells.ts';
import type { JudgeInput } from './judge-input.ts';

/** One row for each combination that the scenario asks for; undefined where it has no crash points. */
export function killMatrix(
  { history, scenario, declares, methods }: JudgeInput,
  violations: readonly Violation[],
): readonly KillCell[] | undefined {
  const options = scenario?.faults?.options['crash-point'];
  if (!options || !methods || (scenario.faults?.weights['crash-point'] ?? 0) === 0) return undefined;
  const struck = cutsThatStruck(history);
  const touched = itemsOf(history, struck);
  return crashCells(options, workloadOperations(methods, declares, scenario)).map((cell) => {
    const hits = struck.filter(
      ({ op, boundary, cut }) => op === cell.op && boundary === cell.boundary && cut === cell.cut,
    );
    const broken = violations.filter(({ key, witness }) =>
      hits.some(
        (hit) =>
          (key !== undefined && touched.get(nameOf(hit))?.has(key)) ||
          witness.some(({ request }) => request === nameOf(hit)),
      ),
    );
    const verdict = broken.length > 0 ? 'broken' : hits.length > 0 ? 'held' : 'not hit';
    return { ...cell, hits: hits.length, violations: broken.length, verdict };
  });
}

const nameOf = ({ incarnation, lane, call }: CutNote): string => `${incarnation}.${lane}.${call}`;

/** The items of each call that was cut off. */
function itemsOf({ ops, keys }: History, cuts: readonly CutNote[]): ReadonlyMap<string, Set<string>> {
  const items = new Map(cuts.map((cut) => [nameOf(cut), new Set<string>()]));
  const kinds = new Set(cuts.map(({ op }) => (op === undefined ? -1 : OP[op])));
  for (let row = 0; row < ops.length; row++) {
    if (!kinds.has(ops.op[row]!) || ops.item[row]! < 0) continue;
    items.get(`${ops.incarnation[row]}.${ops.lane[row]}.${ops.call[row]}`)?.add(keys[ops.item[row]!]!);
  }
  return items;
}
