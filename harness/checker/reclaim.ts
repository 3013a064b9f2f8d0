/**
 * L1: an item whose lease is over is handed out again. Judged by evidence (L1e, spec/checking.md 3.6), with no timing of ours: the
 * store itself said "nothing to do" while there was.
 *
 * T = the latest possible end of every lease of k (its grants, and unanswered claims that may have taken it) + reapIntervalMs +
 * grace; for an item that was never granted, the answer of its enqueue + the same. Violated iff, with all faults confirmed off, two
 * claims whose filter matches k, by different processes, sent a reap interval or more apart and both after T, were both
 * answered *empty* (by key: *held*), while k was certainly neither granted nor finished, and no claim was in flight across them.
 *
 *      w1 ├claim 4, lease L┤ dies
 *         └──────── L ────────┘ + reap interval   w2 ├claimNext┤ empty      w3 ├claimNext┤ empty
 *
 * A slow harness only sends the claims later, so that starvation cannot make this accusation.
 */
import { type History, OP, OUTCOME, REFUSALS } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { boundsOf } from './bounds.ts';
import { calmOf } from './calm.ts';
import { accuse, type Tally, tally } from './draft.ts';
import { OpenItems } from './open-items.ts';
import { generation, labelOf, seconds } from './words.ts';

/** Beside the declared bounds: what a claim itself may take to see that a lease is over. */
export const GRACE_NS = 20e6;
const EMPTY = REFUSALS.indexOf('empty');
const HELD = REFUSALS.indexOf('held');

export function checkReclaim(history: History, declares: Declares, limit?: number): Tally {
  const found = tally('L1', limit);
  const calm = calmOf(history);
  if (!calm) return found;
  const items = openItems(history, declares, calm.from);
  for (let item = 0; item < history.keys.length; item++)
    if (items.wasReclaimedInCalm(item)) found.opportunities += 1;
  const asked = emptyClaims(history, calm);
  if (asked.length === 0) return found;
  for (let item = 0; item < history.keys.length; item++) {
    if (!items.isOpen(item)) continue;
    const from = items.from(item);
    const pair = evidence(history, declares, asked, item, from);
    if (!pair) continue;
    found.opportunities += 1;
    const [first, second] = pair;
    const by = items.by(item);
    const at = history.ops.ret[second]!;
    accuse(found, at, () => ({
      guarantee: 'L1',
      item,
      accused: second,
      rows: [by, first, second],
      links: [],
      at,
      statement: `${history.keys[item]} was open, and the claims of ${labelOf(history, first)} and of ${labelOf(history, second)} found nothing; an item whose lease is over must be handed out again`,
      because: [
        history.ops.op[by] === OP.enqueue
          ? `it was enqueued and never granted, so from ${seconds(history, from)} on a claim had to find it`
          : `the lease of ${generation(history, by)} was over, and the item due again, by ${seconds(history, from)}`,
        'all faults were off, and nobody can have held the item or ended it',
      ],
    }));
  }
  return found;
}

/** Everything that bounds when an item is open again for good. */
function openItems(history: History, declares: Declares, calmFrom: number): OpenItems {
  const { ops, keys, prefixes, notBefore } = history;
  const { atMost } = boundsOf(declares);
  const dueNs = declares.reapIntervalMs * 1e6 + GRACE_NS;
  const items = new OpenItems(keys.length);
  const longestMs = longestLease(history);
  /** Unanswered claims that name no item, by prefix: when the last lease that one of them took is over. */
  const unknown = new Map<string, { calls: number; until: number }>();
  for (let row = 0; row < ops.length; row++) {
    const outcome = ops.outcome[row]!;
    if (outcome === OUTCOME.refused || outcome === OUTCOME.fail) continue;
    const op = ops.op[row]!;
    const item = ops.item[row]!;
    // A renewal without an answer does not tell for how long: as long as any lease of the history.
    const over = (leaseMs: number): number =>
      ops.ret[row]! + atMost(Number.isNaN(leaseMs) ? longestMs : leaseMs) + dueNs;
    if (op === OP.claim || op === OP.claimNext) {
      const until = over(ops.leaseMs[row]!);
      if (item < 0) {
        const prefix = prefixes.get(row) ?? '';
        const known = unknown.get(prefix) ?? { calls: 0, until: Number.NEGATIVE_INFINITY };
        unknown.set(prefix, { calls: known.calls + 1, until: Math.max(known.until, until) });
        continue;
      }
      items.granted(item, outcome === OUTCOME.accepted, ops.inv[row]! >= calmFrom);
      items.until(item, until, row);
    } else if (op === OP.heartbeat && item >= 0) {
      items.until(item, over(ops.leaseMs[row]!), row);
    } else if (op === OP.complete && item >= 0) {
      items.closed(item);
    } else if (op === OP.enqueue) {
      items.enqueued(item, outcome === OUTCOME.accepted, ops.attempt[row]!);
      if (notBefore.has(row)) items.closed(item);
      items.until(item, ops.ret[row]! + dueNs, row);
    }
  }
  if (unknown.size === 0) return items;
  for (let item = 0; item < keys.length; item++) {
    for (const [prefix, { calls, until }] of unknown)
      if (keys[item]!.startsWith(prefix)) items.mayBeTaken(item, calls, until);
  }
  return items;
}

function longestLease({ ops }: History): number {
  let longest = 0;
  for (let row = 0; row < ops.length; row++) if (ops.leaseMs[row]! > longest) longest = ops.leaseMs[row]!;
  return longest;
}

/** Claims of the calm that found nothing, in the order in which they were sent. */
function emptyClaims({ ops }: History, calm: { readonly from: number; readonly to: number }): number[] {
  const rows: number[] = [];
  for (let row = 0; row < ops.length; row++) {
    if (ops.outcome[row]! > OUTCOME.refused || ops.inv[row]! < calm.from || !(ops.ret[row]! <= calm.to))
      continue;
    const nothing = ops.outcome[row] === OUTCOME.accepted ? ops.item[row] === -1 : ops.code[row] === EMPTY;
    if (ops.op[row] === OP.claimNext ? nothing : ops.op[row] === OP.claim && ops.code[row] === HELD)
      rows.push(row);
  }
  return rows.sort((a, b) => ops.inv[a]! - ops.inv[b]!);
}

/** Two claims that should have found the item, and did not. */
function evidence(
  history: History,
  declares: Declares,
  asked: readonly number[],
  item: number,
  from: number,
): readonly [number, number] | undefined {
  if (!Number.isFinite(from)) return undefined;
  const { ops, keys, prefixes } = history;
  const matches = (row: number): boolean =>
    ops.op[row] === OP.claim ? ops.item[row] === item : keys[item]!.startsWith(prefixes.get(row) ?? '');
  const apart = declares.reapIntervalMs * 1e6;
  let low = 0;
  for (let high = asked.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (ops.inv[asked[middle]!]! > from) high = middle;
    else low = middle + 1;
  }
  let first = -1;
  for (let i = low; i < asked.length; i++) {
    const row = asked[i]!;
    if (!matches(row)) continue;
    if (first < 0) {
      first = row;
      continue;
    }
    const later = ops.inv[row]! >= ops.inv[first]! + apart && ops.ret[first]! < ops.inv[row]!;
    if (!later || ops.incarnation[row] === ops.incarnation[first]) continue;
    if (!inFlightAcross(history, ops.ret[first]!, ops.inv[row]!)) return [first, row];
    first = row;
  }
  return undefined;
}

/** A claim that was under way from one instant to the other may have kept the item to itself meanwhile. */
function inFlightAcross({ ops }: History, from: number, to: number): boolean {
  for (let row = 0; row < ops.length; row++) {
    const op = ops.op[row];
    if ((op === OP.claim || op === OP.claimNext) && ops.inv[row]! <= from && ops.ret[row]! >= to) return true;
  }
  return false;
}
