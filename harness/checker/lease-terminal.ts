/**
 * S4c, S5, S7, S10: what one accepted completion forbids, without any lease time.
 *
 * S4c  The accepted completion carries the greatest generation ever granted. A later grant would have come either before
 *      it (then it was fenced out) or after it (then the item was finished): no timing is needed. Violated iff acc(x)
 *      completes k under t and a grant of k carries a generation above t. A grant that certainly came after is S10.
 * S5   At most one completion of an item is accepted. Violated iff two completions of k by different requests acted.
 * S7   What was accepted is what the final scan shows. Violated iff acc complete(k, v) < read(k) and the read shows
 *      another state or another value, or the whole scan lacks k.
 * S10  A finished item stays finished. Violated iff acc complete(k) < grant(k).
 *
 *      S4c  w1 ├claim 4┤   ├───complete 4───┤ accepted      S5   w1 ├complete 4┤ accepted
 *           w2            ├──claim 5──┤                          w2      ├complete 5┤ accepted
 *
 *      S7   w1 ├complete v┤ accepted                        S10  w1 ├complete 4┤ accepted
 *           scan              ├─open, or done w─┤                w2               ├─claim 5─┤
 *
 * No call of the contract resets a finished item (a force release ends a lease, nothing else), so nothing excuses these
 * but a declared finite retention; items that may have been retired are not judged at all (`epoch.ts`).
 */
import { OP, OUTCOME, type ScanRow } from '../history/history.ts';
import { accuse } from './draft.ts';
import { writerOf } from './evidence.ts';
import { acted, actedBy, type LeaseContext, shownOf } from './lease-context.ts';

/** Finds what the final scan proves of the item's completions; before any other rule runs. */
export function proveByScan(cx: LeaseContext, item: number): void {
  cx.proven = -1;
  const { completions } = cx.rows;
  if (completions.length === 0) return;
  cx.proven = writerOf(cx.history, shownOf(cx, item), completions, cx.declares.showsRequest);
}

/** Judges S4c, S5, S7 and S10 on the item that `cx.rows` holds; `order[start..end]` are all its rows. */
export function judgeTerminal(
  cx: LeaseContext,
  item: number,
  order: Uint32Array,
  start: number,
  end: number,
): void {
  const { ops, rows } = cx;
  staleAttempts(cx);
  if (rows.completions.length === 0) return;
  const shown = shownOf(cx, item);
  const done = rows.completions.filter((row) => acted(cx, row));
  if (done.length === 0) return;
  const retOf = (row: number): number => actedBy(cx, item, row);
  done.sort((a, b) => retOf(a) - retOf(b) || a - b);
  once(cx, item, done, retOf);
  for (const row of done) newest(cx, item, row, retOf(row));
  for (const row of done) if (ops.outcome[row] === OUTCOME.accepted) kept(cx, item, row, shown);
  absorbed(cx, item, done[0]!, retOf(done[0]!), order, start, end);
}

/** S4c's opportunities: answered completions under a generation that was not the last. */
function staleAttempts(cx: LeaseContext): void {
  const { ops, rows } = cx;
  for (let g = 0; g < rows.groups; g++) {
    if (rows.laterRow[g] === -1) continue;
    for (let i = rows.from[g]!; i < rows.from[g + 1]!; i++) {
      const row = rows.rows[i]!;
      if (ops.op[row] === OP.complete && ops.outcome[row]! <= OUTCOME.refused)
        cx.tallies.S4c.opportunities += 1;
    }
  }
}

function once(cx: LeaseContext, item: number, done: readonly number[], retOf: (row: number) => number): void {
  const { S5 } = cx.tallies;
  S5.opportunities += done.length;
  const first = done[0]!;
  for (let i = 1; i < done.length; i++) {
    const row = done[i]!;
    strike(cx, row);
    const at = retOf(row);
    accuse(S5, at, () => ({ guarantee: 'S5', item, accused: row, rows: [first, row], links: [], at }));
  }
}

function newest(cx: LeaseContext, item: number, row: number, ret: number): void {
  const { ops, rows } = cx;
  const generation = ops.generation[row]!;
  for (let g = rows.groups - 1; g >= 0; g--) {
    const newer = rows.witnessOf(ops, g);
    if (newer < 0) continue;
    if (!(ops.generation[newer]! > generation)) return;
    if (newer === rows.grant[g] && ret < ops.inv[newer]!) continue; // granted after the end: S10
    strike(cx, row);
    const at = Math.max(ret, ops.ret[newer]!);
    accuse(cx.tallies.S4c, at, () => ({
      guarantee: 'S4c',
      item,
      accused: row,
      rows: [newer, row],
      links: [],
      at,
    }));
    return;
  }
}

function kept(cx: LeaseContext, item: number, row: number, shown: ScanRow | undefined): void {
  const { ops, history } = cx;
  const { scan } = history;
  if (!scan || cx.tallies.S7.notTested !== undefined) return;
  if (shown === undefined) {
    if (!scan.complete || !(ops.ret[row]! < scan.startedAt)) return;
    cx.tallies.S7.opportunities += 1;
    if (cx.declares.retentionMs !== 'forever') return;
    const at = cx.scanEnd;
    accuse(cx.tallies.S7, at, () => ({
      guarantee: 'S7',
      item,
      accused: row,
      rows: [row],
      links: [],
      read: 'absent',
      at,
    }));
    return;
  }
  if (!(ops.ret[row]! < ops.inv[shown.row]!)) return;
  cx.tallies.S7.opportunities += 1;
  const same = shown.value < 0 || ops.value[row]! < 0 || shown.value === ops.value[row];
  if (shown.state === 'done' && same) return;
  const at = ops.ret[shown.row]!;
  accuse(cx.tallies.S7, at, () => ({
    guarantee: 'S7',
    item,
    accused: row,
    // Whoever wrote what is shown instead belongs to the story.
    rows: cx.proven >= 0 && cx.proven !== row ? [cx.proven, row] : [row],
    links: [],
    read: shown,
    at,
  }));
}

function absorbed(
  cx: LeaseContext,
  item: number,
  row: number,
  ret: number,
  order: Uint32Array,
  start: number,
  end: number,
): void {
  const { ops, rows } = cx;
  const { S10 } = cx.tallies;
  if (ret < cx.lastClaim) S10.opportunities += 1;
  for (let i = start; i < end; i++) {
    const call = order[i]!;
    const op = ops.op[call]!;
    const onItem = op >= OP.claim && op <= OP.forceRelease;
    if (onItem && ops.outcome[call]! <= OUTCOME.refused && ret < ops.inv[call]!) S10.opportunities += 1;
  }
  for (let g = 0; g < rows.groups; g++) {
    const grant = rows.grant[g]!;
    if (grant < 0 || !(ret < ops.inv[grant]!)) continue;
    for (let i = rows.from[g]!; i < rows.from[g + 1]!; i++) cx.struck[i] = 1;
    const at = ops.ret[grant]!;
    accuse(S10, at, () => ({ guarantee: 'S10', item, accused: grant, rows: [row, grant], links: [], at }));
  }
}

function strike(cx: LeaseContext, row: number): void {
  const { rows } = cx;
  for (let i = 0; i < rows.count; i++) if (rows.rows[i] === row) cx.struck[i] = 1;
}
