/**
 * Items that may have been retired and made anew. A store with a finite retention may forget a finished item; a later
 * enqueue or claim of its key then starts another life, about which the rules of the former say nothing (I13).
 */
import { OP, OUTCOME } from '../history/history.ts';
import type { LeaseContext } from './lease-context.ts';

const NS_PER_MS = 1e6;

/** Whether something could have happened to the item after its earliest possible retirement. */
export function mayHaveRetired(cx: LeaseContext, order: Uint32Array, start: number, end: number): boolean {
  const { ops, declares } = cx;
  const { retentionMs } = declares;
  if (retentionMs === 'forever') return false;
  let finished = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let i = start; i < end; i++) {
    const row = order[i]!;
    const outcome = ops.outcome[row]!;
    if (outcome === OUTCOME.fail || outcome === OUTCOME.refused) continue;
    const op = ops.op[row];
    // A dead item is finished too: a nack may have used the attempts up, or a claim whose lease lapsed, which a later claim buries.
    const isGrant = op === OP.claim || op === OP.claimNext;
    const mayFinish = op === OP.complete || op === OP.nack || (isGrant && declares.maxAttempts);
    if (mayFinish && ops.inv[row]! < finished) finished = ops.inv[row]!;
    // An answer of infinity would never let an item be judged; what an unanswered call does later is not judged either.
    const until = Number.isFinite(ops.ret[row]!) ? ops.ret[row]! : ops.inv[row]!;
    if (until > last) last = until;
  }
  const slackMs = declares.clockStepMs + declares.grainMs;
  return last >= finished + Math.max(0, retentionMs * (1 - declares.clockDrift) - slackMs) * NS_PER_MS;
}
