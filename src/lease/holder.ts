/** What the holder of a lease may do with it, and what the operator may. Pure. */
import type { Decision, WorkEvent, WorkEventKind } from './change.ts';
import { die } from './claim.ts';
import type { Fence, LeaseClaim } from './fence.ts';
import * as refuse from './refusals.ts';
import { type ItemRow, isUsedUp } from './row.ts';

/** The holder extends. Never shortens; a lease that is over stays over (spec/board.md B5.4). */
export function decideHeartbeat(
  fence: Fence,
  row: ItemRow,
  call: { readonly lease: LeaseClaim; readonly extendMs: number | undefined },
  nowMs: number,
): Decision {
  const refusal = fence(row, call.lease, nowMs);
  if (refusal !== undefined) return { refusal };
  const asked = nowMs + (call.extendMs ?? row.leaseMs ?? 0);
  const expiresAtMs = Math.max(row.expiresAtMs ?? asked, asked);
  return { change: { kind: 'extended', heartbeatAtMs: nowMs, expiresAtMs, events: [] } };
}

/** Result and end of the lease in one step. */
export function decideComplete(
  fence: Fence,
  row: ItemRow,
  call: { readonly lease: LeaseClaim; readonly result: string; readonly request: string },
  nowMs: number,
): Decision {
  const refusal = fence(row, call.lease, nowMs);
  if (refusal !== undefined) return { refusal };
  return {
    change: {
      kind: 'completed',
      result: call.result,
      completedBy: call.request,
      events: [by(call.lease, row, 'completed')],
    },
  };
}

/** Back to open at the end of the line, or dead when that was the last attempt. */
export function decideNack(
  fence: Fence,
  row: ItemRow,
  call: { readonly lease: LeaseClaim; readonly error: string },
  nowMs: number,
): Decision {
  const refusal = fence(row, call.lease, nowMs);
  if (refusal !== undefined) return { refusal };
  const nacked = by(call.lease, row, 'nacked');
  if (isUsedUp(row)) {
    const death = die(row, call.error);
    return { change: { ...death, events: [nacked, ...death.events] } };
  }
  return { change: { kind: 'opened', eligibleAtMs: nowMs, error: call.error, events: [nacked] } };
}

/** Back to open in its old place. The fence of a release lets a lease that ran out pass (spec/board.md B5.5). */
export function decideRelease(
  fence: Fence,
  row: ItemRow,
  call: { readonly lease: LeaseClaim },
  nowMs: number,
): Decision {
  const refusal = fence(row, call.lease, nowMs);
  if (refusal !== undefined) return { refusal };
  return { change: open(row, by(call.lease, row, 'released')) };
}

/** Ends whatever lease stands, live or not. The generation stays, so the former holder is fenced out. */
export function decideForceRelease(row: ItemRow, call: { readonly by: string }): Decision {
  switch (row.state) {
    case 'done':
      return { refusal: refuse.completed(row) };
    case 'dead':
      return { refusal: refuse.dead(row) };
    case 'open':
      return { refusal: refuse.notHeld(row) };
    case 'leased':
      return {
        change: open(row, { kind: 'force-released', author: call.by, generation: row.generation }),
      };
  }
}

function open(row: ItemRow, event: WorkEvent) {
  return { kind: 'opened', eligibleAtMs: row.eligibleAtMs, error: row.error, events: [event] } as const;
}

function by(lease: LeaseClaim, row: ItemRow, kind: WorkEventKind): WorkEvent {
  return { kind, author: lease.owner, generation: row.generation };
}
