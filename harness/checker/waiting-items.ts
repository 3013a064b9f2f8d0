/** Items from their enqueue to the first claim that can have taken them (S17). Pure. */
import { type History, OP, OUTCOME } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';

export interface Waiting {
  readonly item: number;
  /** Row of its enqueue: the only one that can have made it. */
  readonly enqueue: number;
  /** Its place in the order is known: the enqueue was accepted, and it was due at once. */
  readonly places: boolean;
  /** The earliest instant at which a claim can have taken it, ns; +Infinity: none can. */
  readonly takenFrom: number;
}

type Draft = { -readonly [K in keyof Waiting]: Waiting[K] } & {
  /** Enqueues that may have made it. */
  makers: number;
  /** The accepted claim that was sent first, and whether it said that it was the first attempt. */
  grant: number;
  first: boolean;
};

/** Every item with one enqueue that may have made it. */
export function waitingItems(history: History, declares: Declares): ReadonlyMap<number, Waiting> {
  const { ops, notBefore } = history;
  const countsAttempts = declares.maxAttempts && !declares.releaseRefundsAttempt;
  const items = new Map<number, Draft>();
  for (let row = 0; row < ops.length; row++) {
    if (ops.op[row] !== OP.enqueue) continue;
    const outcome = ops.outcome[row]!;
    if (outcome === OUTCOME.refused || outcome === OUTCOME.fail) continue;
    const item = ops.item[row]!;
    const known = items.get(item);
    if (known) known.makers += 1;
    else {
      const places = outcome === OUTCOME.accepted && !notBefore.has(row);
      const takenFrom = Number.POSITIVE_INFINITY;
      items.set(item, { item, enqueue: row, places, takenFrom, makers: 1, grant: -1, first: false });
    }
  }
  for (let row = 0; row < ops.length; row++) {
    if (!isClaim(ops.op[row]!) || ops.outcome[row] !== OUTCOME.accepted) continue;
    const known = items.get(ops.item[row]!);
    if (!known || ops.inv[row]! >= known.takenFrom) continue;
    known.takenFrom = ops.inv[row]!;
    known.grant = row;
    known.first = countsAttempts && ops.attempt[row] === 1;
  }
  unknownTakers(history, items);
  for (const [item, { makers }] of items) if (makers > 1) items.delete(item);
  return items;
}

/** Claims of unknown outcome: each may have taken what it asked for, as long as its process lived. */
function unknownTakers({ ops, keys, prefixes }: History, items: Map<number, Draft>): void {
  const byPrefix = new Map<string, number[]>();
  for (let row = 0; row < ops.length; row++) {
    if (!isClaim(ops.op[row]!) || ops.outcome[row] !== OUTCOME.info) continue;
    const known = items.get(ops.item[row]!);
    if (known) {
      if (!known.first && ops.inv[row]! < known.takenFrom) known.takenFrom = ops.inv[row]!;
    } else if (ops.item[row]! < 0) {
      const prefix = prefixes.get(row) ?? '';
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), row]);
    }
  }
  for (const [prefix, rows] of byPrefix) {
    rows.sort((a, b) => ops.ret[b]! - ops.ret[a]!);
    const earliest = firstsOf(rows, (a, b) => ops.inv[a]! < ops.inv[b]!);
    for (const one of items.values()) {
      if (one.first || !keys[one.item]!.startsWith(prefix)) continue;
      let low = 0;
      for (let high = rows.length; low < high; ) {
        const middle = (low + high) >> 1;
        if (ops.ret[rows[middle]!]! >= ops.inv[one.enqueue]!) low = middle + 1;
        else high = middle;
      }
      const taker = earliest[low - 1];
      if (taker !== undefined && ops.inv[taker]! < one.takenFrom) one.takenFrom = ops.inv[taker]!;
    }
  }
}

/** At each place the best one of a list up to there. */
export function firstsOf<T>(list: readonly T[], isBetter: (a: T, b: T) => boolean): T[] {
  const out: T[] = [];
  for (const one of list) {
    const best = out.at(-1);
    out.push(best === undefined || isBetter(one, best) ? one : best);
  }
  return out;
}

const isClaim = (op: number): boolean => op === OP.claim || op === OP.claimNext;
