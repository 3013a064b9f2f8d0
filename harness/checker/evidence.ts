/**
 * What the final scan proves about one item. A read that shows a request proves that it took effect, and when at the
 * latest (spec/checking.md 3.4). Not being shown proves nothing here: that is what S6 and S7 judge.
 */
import { type History, OP, OUTCOME, requestOf, type ScanRow } from '../history/history.ts';

/** Item → index into `history.scan.rows`; -1 where the scan does not show the item. */
export function scanIndex(history: History): Int32Array {
  const index = new Int32Array(history.keys.length).fill(-1);
  let i = 0;
  for (const { item } of history.scan?.rows ?? []) {
    if (index[item] === -1) index[item] = i;
    i += 1;
  }
  return index;
}

/**
 * The completion that wrote what a row shows: by its request id where the store shows one, else the only possible
 * completion with that value, else the only possible completion at all. -1 where that is open.
 */
export function writerOf(
  history: History,
  shown: ScanRow | undefined,
  completions: readonly number[],
  showsRequest: boolean,
): number {
  if (shown?.state !== 'done') return -1;
  const { ops } = history;
  if (completions.length === 1 && !(showsRequest && shown.completedBy !== undefined)) {
    const row = completions[0]!;
    const alike = shown.value < 0 || ops.value[row]! < 0 || ops.value[row] === shown.value;
    return alike && ops.inv[row]! <= ops.ret[shown.row]! ? row : -1;
  }
  const possible = completions.filter((row) => ops.inv[row]! <= ops.ret[shown.row]!);
  if (showsRequest && shown.completedBy !== undefined)
    return possible.find((row) => requestOf(ops, row) === shown.completedBy) ?? -1;
  const alike =
    shown.value < 0
      ? possible
      : possible.filter((row) => ops.value[row] === shown.value || ops.value[row]! < 0);
  return alike.length === 1 ? alike[0]! : -1;
}

/** Row of the last answered page of the final scan; -1 without one. */
export function lastPage(history: History): number {
  const { ops } = history;
  let last = -1;
  for (let row = 0; row < ops.length; row++) {
    if (
      ops.op[row] === OP.scan &&
      ops.outcome[row] === OUTCOME.accepted &&
      (last < 0 || ops.ret[row]! > ops.ret[last]!)
    )
      last = row;
  }
  return last;
}
