/**
 * O15, conflicting writers: writes under compare-and-set were refused because another writer had been there, and some of
 * them were under way at the same time as the one that won.
 *
 * Counted per commit, from answers alone. Without conflicts a store that never looks at a version would pass.
 */
import { FLAG, OP, type Operations, OUTCOME, REFUSALS } from '../history/history.ts';
import { within } from '../measure/window.ts';
import type { ObligationContext } from './context.ts';
import { type Evidence, lacks, type ObligationRule } from './rule.ts';

/** Who reads before it writes, writes under a condition. A log only appends. */
const asked = ({ workload }: ObligationContext): boolean =>
  workload.includes('commit') && workload.includes('get');

const advice =
  'Use more workers or lanes (`workers`, `lanes`), so that more writers meet, or run longer (`phases.main.max`).';

export const conflicts: ObligationRule = {
  id: 'O15.conflicts',
  name: 'conflicts refused',
  statement: 'A write under compare-and-set was refused in main because the version was another.',
  min: 10,
  advice,
  asked,
  notTested: (context) => lacks(context, 'commit'),
  count: (evidence) => losers(evidence).length,
};

export const overlappingWriters: ObligationRule = {
  id: 'O15.overlap',
  name: 'conflicting writers met',
  statement:
    'A write was refused as conflict in main while a write of another process to the same key, which was accepted, was under way.',
  min: 10,
  advice,
  asked,
  notTested: (context) => lacks(context, 'commit'),
  count: (evidence) => {
    const { ops } = evidence.history;
    const lost = new Set(losers(evidence));
    /** Writes of each key by invoke: those that lost, and those that were accepted. */
    const byKey = new Map<number, number[]>();
    for (let row = 0; row < ops.length; row++) {
      if (ops.op[row] !== OP.commit || ops.item[row]! < 0) continue;
      if (ops.outcome[row] !== OUTCOME.accepted && !lost.has(firstRow(ops, row))) continue;
      const known = byKey.get(ops.item[row]!);
      if (known) known.push(row);
      else byKey.set(ops.item[row]!, [row]);
    }
    const met = new Set<number>();
    for (const rows of byKey.values()) meetings(ops, rows, met);
    return met.size;
  },
};

/** First rows of the commits that lost: refused as conflict, and sent in main. */
function losers({ history: { ops, ifVersions }, main }: Evidence): number[] {
  const conflict = REFUSALS.indexOf('conflict');
  const rows: number[] = [];
  for (let row = 0; row < ops.length; row++) {
    if (ops.op[row] !== OP.commit || ops.outcome[row] !== OUTCOME.refused || ops.code[row] !== conflict)
      continue;
    if (!within(main, ops.inv[row]!)) continue;
    // Of a commit of several writes any may be the conditional one.
    let asks = ifVersions.has(row);
    for (let next = row + 1; !asks && next < ops.length && firstRow(ops, next) === row; next++) {
      asks = ifVersions.has(next);
    }
    if (asks) rows.push(row);
  }
  return rows;
}

/** The rows of one commit stand next to one another. */
function firstRow(ops: Operations, row: number): number {
  let first = row;
  while (
    first > 0 &&
    (ops.flags[first]! & FLAG.batch) !== 0 &&
    ops.call[first - 1] === ops.call[row] &&
    ops.lane[first - 1] === ops.lane[row] &&
    ops.incarnation[first - 1] === ops.incarnation[row]
  )
    first -= 1;
  return first;
}

/** Adds the first rows of losers that were under way together with a winner of another process. */
function meetings(ops: Operations, rows: number[], met: Set<number>): void {
  rows.sort((a, b) => ops.inv[a]! - ops.inv[b]!);
  let flying: number[] = [];
  for (const row of rows) {
    flying = flying.filter((other) => ops.ret[other]! > ops.inv[row]!);
    for (const other of flying) {
      if (ops.incarnation[other] === ops.incarnation[row] || ops.outcome[other] === ops.outcome[row])
        continue;
      met.add(firstRow(ops, ops.outcome[row] === OUTCOME.refused ? row : other));
    }
    flying.push(row);
  }
}
