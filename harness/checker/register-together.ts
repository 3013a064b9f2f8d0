/**
 * S16 (h): the writes of one commit happen together, or none does.
 *
 * Violated iff for two writes of one commit, to different keys, no instant is left at which both can have happened: one was
 * certainly there before the other can have been. The window of a write that made version v runs from the latest invoke among
 * accesses that met a lower version to the earliest answer among accesses that met v or a higher one. Of a commit of unknown
 * outcome that was seen on one key, the write to another must be able to have made some version that nobody else made.
 *
 *      w1   ├set k and l ──────────────────────────┤ made 4 and 7
 *      w2        ├get k┤ shows 4   ├get l┤ shows 6
 */
import type { History } from '../history/history.ts';
import type { Tally } from './draft.ts';
import type { EntryWrite } from './entry-accesses.ts';
import { accuseEntry, requestText } from './entry-accusation.ts';
import { type KeyOrder, mayMake } from './entry-states.ts';

interface Part {
  readonly order: KeyOrder;
  readonly write: EntryWrite;
  /** The version that it made; undefined: it is not known. */
  readonly version: number | undefined;
}

/** When a write can have happened. */
interface Span {
  readonly from: number;
  readonly to: number;
  /** Row of the access that proves `to`. */
  readonly by: number;
}

export function checkTogether(history: History, orders: readonly KeyOrder[], found: Tally): void {
  for (const parts of commits(orders)) {
    const spans = parts.map(spanOf);
    let earliest = -1;
    let latest = -1;
    spans.forEach((span, i) => {
      if (span === undefined || span.from > span.to) return;
      if (earliest < 0 || span.to < spans[earliest]!.to) earliest = i;
      if (latest < 0 || span.from > spans[latest]!.from) latest = i;
    });
    if (earliest < 0) continue;
    const first = parts[earliest]!;
    const { to, by } = spans[earliest]!;
    if (spans[latest]!.from > to) {
      const second = parts[latest]!;
      if (second.order !== first.order) apart(history, first, by, second, spans[latest]!.from, found);
      continue;
    }
    const missing = parts.find(
      (part) => part.version === undefined && part.order !== first.order && !canHaveMade(part, to),
    );
    if (missing) half(history, first, by, missing, found);
  }
}

/** The writes of every commit to several keys of which one is known to have happened. */
function commits(orders: readonly KeyOrder[]): Iterable<readonly Part[]> {
  const byCall = new Map<number, Part[]>();
  const add = (part: Part): void => {
    const known = byCall.get(part.write.call);
    if (known) known.push(part);
    else byCall.set(part.write.call, [part]);
  };
  for (const order of orders) {
    const twice = madeTwice(order);
    for (const [version, write] of order.maker) if (!twice.has(version)) add({ order, write, version });
    for (const write of order.open) add({ order, write, version: undefined });
  }
  return [...byCall.values()].filter(
    (parts) =>
      parts.some(({ version }) => version !== undefined) &&
      parts.some(({ order }) => order !== parts[0]!.order),
  );
}

/** Of these it is not known whose they are; (b) tells of them. */
function madeTwice({ key }: KeyOrder): ReadonlySet<number> {
  const once = new Set<number>();
  const twice = new Set<number>();
  for (const { version } of key.made) (once.has(version) ? twice : once).add(version);
  return twice;
}

function spanOf({ order, write, version }: Part): Span | undefined {
  if (version === undefined) return undefined;
  const latest = order.latest(version);
  const from = Math.max(write.inv, order.earliest(version));
  return latest && latest.ret < write.ret
    ? { from, to: latest.ret, by: latest.row }
    : { from, to: write.ret, by: write.row };
}

/** Whether a write of unknown version can have happened by then. */
function canHaveMade({ order, write }: Part, to: number): boolean {
  // Behind all that is known: then no access that met something known can have been sent later.
  if (order.ceiling(to) === undefined) return true;
  for (let version = 1; version <= order.newest; version++) {
    if (order.maker.has(version) || !mayMake(order, write, version)) continue;
    const latest = order.latest(version)?.ret ?? Number.POSITIVE_INFINITY;
    if (Math.max(write.inv, order.earliest(version)) <= Math.min(latest, to)) return true;
  }
  return false;
}

/** Seen on one key before it can have been on the other. */
function apart(history: History, first: Part, by: number, second: Part, from: number, found: Tally): void {
  const { keys } = history;
  const { key } = second.order;
  const met = lastBelow(second, from);
  accuseEntry(history, found, {
    item: key.item,
    accused: second.write.row,
    beside: [first.write.row, by, ...(met === undefined ? [] : [met])],
    part: 'commit in pieces (h)',
    what: `a commit had made version ${first.version} of ${keys[first.order.key.item]} before it can have made version ${second.version} of this key; the writes of a commit must happen together`,
    because: `${requestText(history, by)} was answered with the one before ${met === undefined ? 'the other access' : requestText(history, met)} was sent, which met the key without the other`,
  });
}

/** The access that met a lower version and was sent last. */
function lastBelow({ order, version }: Part, from: number): number | undefined {
  const { made, sights } = order.key;
  return [...made, ...sights, ...order.maker.values()].find(
    (one) => one.inv === from && !(one.version >= version!),
  )?.row;
}

/** Seen on one key, and the other shows that it never was there. */
function half(history: History, first: Part, by: number, missing: Part, found: Tally): void {
  const { keys } = history;
  const after = missing.order.ceiling(history.ops.ret[by]!);
  accuseEntry(history, found, {
    item: missing.order.key.item,
    accused: missing.write.row,
    beside: [first.write.row, by, ...(after ? [after.row] : [])],
    part: 'commit in pieces (h)',
    what: `a commit without an answer made version ${first.version} of ${keys[first.order.key.item]}, and its write to this key cannot have happened; the writes of a commit must happen together`,
    because: 'every version of this key that can have been made by then was made by somebody else',
  });
}
