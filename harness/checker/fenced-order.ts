/**
 * S15a: writes of an entry under the leases of an item are accepted in the order of those leases. So a store that does not look at
 * the lease row still fences: an entry that a later holder has written takes nothing from an earlier one.
 *
 * Formal condition. For an entry e and the fenced writes w of e that name the lease of one item k, with generation t(w):
 * violated iff acc(w1) < acc(w2) in real time and t(w1) > t(w2).
 *
 *      w1 ├claim k 4┤                                ├─set e, fenced by 4─┤ accepted
 *      w2              ├claim k 5┤  ├set e, fenced by 5┤ accepted
 *
 * The running maximum, over the writes in the order of their answers, of the generation; O(n log n). Generations of two items are
 * never compared.
 */
import { type History, OUTCOME } from '../history/history.ts';
import { accuse, type Tally, tally } from './draft.ts';
import { guardedWrites } from './lease-rows.ts';
import { duration, generation, seconds } from './words.ts';

/** Judges every entry that was written under leases. */
export function checkFencedOrder(history: History, limit?: number): Tally {
  const found = tally('S15a', limit);
  for (const { lock, rows } of byEntry(history).values()) judge(history, found, lock, rows);
  return found;
}

/** Answered fenced writes of one entry under the leases of one item. */
function byEntry(history: History): Map<number, { readonly lock: number; readonly rows: number[] }> {
  const { ops, keys } = history;
  const groups = new Map<number, { readonly lock: number; readonly rows: number[] }>();
  for (const [row, lock] of guardedWrites(history)) {
    if (ops.outcome[row]! > OUTCOME.refused || Number.isNaN(ops.generation[row]!)) continue;
    const id = ops.item[row]! * keys.length + lock;
    const known = groups.get(id);
    if (known) known.rows.push(row);
    else groups.set(id, { lock, rows: [row] });
  }
  return groups;
}

function judge(history: History, found: Tally, lock: number, rows: readonly number[]): void {
  const { ops, keys } = history;
  const answered = rows
    .filter((row) => ops.outcome[row] === OUTCOME.accepted)
    .sort((a, b) => ops.ret[a]! - ops.ret[b]!);
  let next = 0;
  let newest = -1;
  for (const row of [...rows].sort((a, b) => ops.inv[a]! - ops.inv[b]!)) {
    while (next < answered.length && ops.ret[answered[next]!]! < ops.inv[row]!) {
      const write = answered[next++]!;
      if (newest < 0 || ops.generation[write]! > ops.generation[newest]!) newest = write;
    }
    if (newest < 0 || !(ops.generation[newest]! > ops.generation[row]!)) continue;
    found.opportunities += 1;
    if (ops.outcome[row] !== OUTCOME.accepted) continue;
    const at = ops.ret[row]!;
    const newer = newest;
    const item = ops.item[row]!;
    accuse(found, at, () => ({
      guarantee: 'S15a',
      item,
      accused: row,
      rows: [newer, row],
      links: [],
      at,
      statement: `${keys[item]} was written under ${generation(history, row)} of ${keys[lock]} after it had been written under ${generation(history, newer)}; a stale write must be refused`,
      because: [
        `the write under ${generation(history, newer)} was accepted by ${seconds(history, ops.ret[newer]!)}, ${duration(ops.inv[row]! - ops.ret[newer]!)} before this one was sent`,
      ],
    }));
  }
}
