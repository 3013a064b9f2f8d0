/** Leases that a process certainly held, unexpired, at the moment of its death. Shared by O1 and O2. Pure. */
import { type Incarnation, OP, type Operations, OUTCOME } from '../history/history.ts';
import { type ClockBounds, earliestEnd } from '../measure/lease-bounds.ts';
import { isFinal, type Tenure } from '../measure/tenures.ts';
import type { Evidence } from './rule.ts';

/**
 * When the process can have done its last: once the kernel had taken our SIGKILL it ran none of its own code any more,
 * and an exit by that signal was seen later. Without that, the exit itself, which a busy supervisor sees late.
 */
export function deathOf(life: Incarnation): number | undefined {
  const { exitedAt, exitSignal, signals } = life;
  if (exitedAt === undefined || exitSignal !== 'SIGKILL') return exitedAt;
  return signals.find(({ signal, at }) => signal === 'SIGKILL' && at <= exitedAt)?.sentAt ?? exitedAt;
}

/**
 * Tenures of the process that were certainly held until it was gone: granted before `doomedAt` (the signal), nothing sent
 * that could have ended them, no later grant, and dead before the earliest possible end of the lease.
 */
export function heldAtDeath(
  evidence: Evidence,
  life: Incarnation,
  doomedAt: number,
  bounds: ClockBounds,
): readonly Tenure[] {
  const diedAt = deathOf(life);
  if (diedAt === undefined) return [];
  const { ops } = evidence.history;
  const held: Tenure[] = [];
  for (const tenure of evidence.tenures.byIncarnation.get(life.id) ?? []) {
    const isHeld =
      ops.ret[tenure.grant]! < doomedAt &&
      !tenure.calls.some((row) => isFinal(ops, row)) &&
      tenure.supersededAt > diedAt &&
      diedAt < earliestEnd(ops, tenure, bounds) &&
      !wasForced(evidence, ops, tenure, diedAt);
    if (isHeld) held.push(tenure);
  }
  return held;
}

/** Whether an operator's release can have ended it. */
function wasForced(evidence: Evidence, ops: Operations, tenure: Tenure, before: number): boolean {
  const others = evidence.tenures.others.get(tenure.item) ?? [];
  return others.some(
    (row) =>
      ops.op[row] === OP.forceRelease &&
      (ops.outcome[row] === OUTCOME.accepted || ops.outcome[row] === OUTCOME.info) &&
      ops.ret[row]! >= ops.inv[tenure.grant]! &&
      ops.inv[row]! <= before,
  );
}
