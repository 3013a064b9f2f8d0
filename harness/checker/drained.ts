/**
 * L2: with the faults off, all items come to their end.
 *
 * Violated iff the drain ends with items left, the store said "nothing to do" while there was (L1), and nothing was finished or handed
 * back for max(10 * (L + reapIntervalMs), 30 s) before. Items left without that evidence make the run inconclusive, no more: the
 * drain may have been too short.
 */
import { type History, OP, OUTCOME } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { calmOf } from './calm.ts';
import { accuse, type Tally, tally } from './draft.ts';
import { duration } from './words.ts';

const LEAST_NS = 30e9;

/** `reclaim` is what L1 found. */
export function checkDrained(history: History, declares: Declares, reclaim: Tally): Tally {
  const found = tally('L2');
  const calm = calmOf(history);
  const { ops, keys } = history;
  if (!calm || !Number.isFinite(calm.to)) return found;
  found.opportunities = 1;
  let last = calm.from;
  let leaseMs = 0;
  for (let row = 0; row < ops.length; row++) {
    const op = ops.op[row];
    if (ops.outcome[row] !== OUTCOME.accepted) continue;
    if ((op === OP.claim || op === OP.claimNext) && ops.leaseMs[row]! > leaseMs) leaseMs = ops.leaseMs[row]!;
    if ((op === OP.complete || op === OP.nack) && ops.ret[row]! <= calm.to && ops.ret[row]! > last)
      last = ops.ret[row]!;
  }
  const silence = calm.to - last;
  const draft = reclaim.drafts[0];
  if (!draft || silence < Math.max(LEAST_NS, 10 * (leaseMs + declares.reapIntervalMs) * 1e6)) return found;
  accuse(found, draft.at, () => ({
    ...draft,
    guarantee: 'L2',
    statement: `nothing was finished for the last ${duration(silence)} of drain, and ${keys[draft.item]} was open; with the faults off all work must come to an end`,
  }));
  return found;
}
