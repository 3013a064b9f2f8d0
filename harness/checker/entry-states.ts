/** What a version of a key can have been: a value, a deletion, or still to come. "Unknown" excuses, it never accuses. Pure. */
import type { EntryWrite } from './entry-accesses.ts';
import type { KeyOrder } from './entry-order.ts';

export type { Bound, KeyOrder } from './entry-order.ts';

/** Whether the key can have been absent at this version, with what acted until `by`. */
export function mayBeAbsent(order: KeyOrder, version: number, by: number): boolean {
  if (version === 0) return true;
  const known = isLive(order, version);
  if (known !== undefined) return !known;
  return order.open.some((write) => write.deletes && write.inv <= by && mayMake(order, write, version));
}

/** Whether the key can have had a value at this version, with what acted until `by`. */
export function mayBeLive(order: KeyOrder, version: number, by: number): boolean {
  if (version === 0) return false;
  const known = isLive(order, version);
  if (known !== undefined) return known;
  return order.open.some((write) => !write.deletes && write.inv <= by && mayMake(order, write, version));
}

/** Whether something may have made a version beyond all that are known, until `by`. */
export function mayGoOn(order: KeyOrder, by: number, deletes?: boolean): boolean {
  const { open, newest } = order;
  const since = order.earliest(newest + 1);
  return open.some(
    (write) =>
      (deletes === undefined || write.deletes === deletes) &&
      write.inv <= by &&
      write.ret >= since &&
      (write.expected === undefined || write.expected === 0 || write.expected >= newest),
  );
}

/** Whether a call of unknown outcome can have made this version. */
export function mayMake(order: KeyOrder, write: EntryWrite, version: number): boolean {
  const { maker, shown } = order;
  if (maker.has(version)) return false;
  if (write.inv > (order.latest(version)?.ret ?? Number.POSITIVE_INFINITY)) return false;
  if (write.ret < order.earliest(version)) return false;
  const value = shown.get(version)?.value ?? -1;
  if (value >= 0 && write.value >= 0 && value !== write.value) return false;
  const live = isLive(order, version);
  if (live !== undefined && live === write.deletes) return false;
  if (write.expected === undefined) return true;
  if (write.expected > 0) return write.expected === version - 1 && isLive(order, version - 1) !== false;
  if (version === 1) return true;
  const before = isLive(order, version - 1);
  return before === undefined ? order.open.some(({ deletes }) => deletes) : !before;
}

/** True: a value; false: a deletion; undefined: not known. */
export function isLive({ maker, shown, followed }: KeyOrder, version: number): boolean | undefined {
  const write = maker.get(version);
  if (write) return !write.deletes;
  const sight = shown.get(version);
  if (sight?.live) return true;
  return followed.get(version);
}
