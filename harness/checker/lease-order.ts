/**
 * S1, S2, S4, S14, S15b: what the order of generations alone decides, without any lease time.
 *
 * S1  No two grants of one item carry the same generation.
 *     Violated iff two accepted grants of k by different requests have equal generations.
 * S2  A grant that came after another grant carries the higher generation.
 *     Violated iff g1 < g2 in real time and not generation(g1) < generation(g2).
 * S4  A holder call under an older generation is refused once a newer one was granted.
 *     Violated iff acc(x) under t, a grant g2 of k with generation(g2) > t, and g2 < x in real time.
 * S14 The same for a release. Its consequence, a third grant within the second one's lease, is S3, and told with it.
 * S15b The same for a write of an entry that names the lease as its fence.
 *
 *     S1   w1 ├─claim 4─┤            S2   w1 ├─claim 5─┤                S4   w1 ├─claim 4─┤         ├─complete 4─┤ accepted
 *          w2     ├─claim 4─┤             w2            ├─claim 4─┤          w2             ├claim 5┤
 *
 * `a < b` is ret(a) < inv(b), strictly: equal stamps are concurrent (spec/checking.md 3.1). Refused and failed calls had
 * no effect; a call of unknown outcome is accused only when a read proved that it acted.
 */
import { OP, OUTCOME } from '../history/history.ts';
import { accuse } from './draft.ts';
import { acted, type LeaseContext } from './lease-context.ts';
import { grants, sameRequest } from './token-rows.ts';

/** Judges S1, S2, S4, S14 and S15b on the item that `cx.rows` holds, and strikes stale calls that were accepted. */
export function judgeOrder(cx: LeaseContext, item: number): void {
  if (cx.rows.groups > 1 || cx.rows.ambiguous) {
    unique(cx, item);
    rising(cx, item);
    stale(cx, item);
  }
}

function unique(cx: LeaseContext, item: number): void {
  const { ops, rows } = cx;
  const { S1, S2, S3 } = cx.tallies;
  let seen = 0;
  for (let g = 0; g < rows.groups; g++) {
    const first = rows.grant[g]!;
    if (first < 0) continue;
    for (let i = rows.from[g]!; i < rows.from[g + 1]! && grants(ops.op[rows.rows[i]!]!); i++) {
      const row = rows.rows[i]!;
      if (row !== first && sameRequest(ops, row, first)) continue;
      if (seen > 0) {
        S1.opportunities += 1;
        S2.opportunities += 1;
        S3.opportunities += 1;
      }
      seen += 1;
      if (row === first) continue;
      const at = Math.max(ops.ret[row]!, ops.ret[first]!);
      accuse(S1, at, () => ({ guarantee: 'S1', item, accused: row, rows: [first, row], links: [], at }));
    }
  }
}

function rising(cx: LeaseContext, item: number): void {
  const { ops, rows } = cx;
  for (let g = 0; g < rows.groups; g++) {
    const row = rows.grant[g]!;
    if (row < 0 || !(rows.laterRet[g]! < ops.inv[row]!)) continue;
    const newer = rows.laterRow[g]!;
    for (let i = rows.from[g]!; i < rows.from[g + 1]!; i++) cx.struck[i] = 1;
    const at = ops.ret[row]!;
    accuse(cx.tallies.S2, at, () => ({
      guarantee: 'S2',
      item,
      accused: row,
      rows: [newer, row],
      links: [],
      at,
    }));
  }
}

function stale(cx: LeaseContext, item: number): void {
  const { ops, rows } = cx;
  const { S4, S14, S15b } = cx.tallies;
  for (let g = 0; g < rows.groups; g++) {
    const since = rows.laterRet[g]!;
    if (since === Number.POSITIVE_INFINITY) continue;
    for (let i = rows.from[g]!; i < rows.from[g + 1]!; i++) {
      const row = rows.rows[i]!;
      if (cx.struck[i] === 1 || grants(ops.op[row]!) || !(since < ops.inv[row]!)) continue;
      const found = ops.op[row] === OP.release ? S14 : ops.op[row] === OP.commit ? S15b : S4;
      if (ops.outcome[row] !== OUTCOME.info) found.opportunities += 1;
      if (!acted(cx, row)) continue;
      cx.struck[i] = 1;
      const newer = rows.laterRow[g]!;
      const own = rows.grant[g]!;
      const witness = own < 0 ? [newer, row] : [own, newer, row];
      // An unanswered call that the scan proved has no answer of its own: the proof is the scan.
      const at = Number.isFinite(ops.ret[row]!) ? ops.ret[row]! : ops.inv[row]!;
      const { guarantee } = found;
      accuse(found, at, () => ({ guarantee, item, accused: row, rows: witness, links: [], at }));
    }
  }
}
