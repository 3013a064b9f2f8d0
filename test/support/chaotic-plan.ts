/**
 * One step of a chaotic worker on a plan: takes, renews, closes, fails, cancels, schedules, adds, and now and then sends a close that is
 * too late or not its own. On a fake clock, in one process; real processes run the workload `plan`.
 */
import type { DurablePlan, PlanClaim, PlanOutcome } from '../../src/plan/types.ts';

/** What was acknowledged to the worker. */
export interface Acknowledged {
  readonly planId: string;
  readonly epoch: number;
  readonly index: number;
  readonly result: string;
}

export interface PlanWorker {
  readonly plan: DurablePlan;
  readonly owner: string;
  /** 0 <= x < 1. */
  readonly random: () => number;
  /** Unique for ever. */
  readonly unique: () => string;
  readonly acknowledged: (ack: Acknowledged) => void;
  /** Called with the verb and what came of it. */
  readonly tell?: (verb: string, code: string) => void;
  /** Claims in hand, oldest first; also those that are over. */
  readonly hand: PlanClaim[];
}

/** Tasks of a plan beyond which none is added. */
const TASKS_MAX = 24;
/** Claims in hand beyond which the oldest is forgotten. */
const HAND_MAX = 4;

export async function chaoticStep(worker: PlanWorker): Promise<void> {
  const { plan, owner, random, unique, hand, tell = () => {} } = worker;
  const told = <T>(verb: string, outcome: PlanOutcome<T>): PlanOutcome<T> => {
    tell(verb, outcome.accepted ? 'accepted' : outcome.refusal.code);
    return outcome;
  };
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const anyTask = async () => {
    const tasks = (await plan.snapshot())?.tasks ?? [];
    const index = Math.floor(random() * tasks.length);
    return { index, text: tasks[index]?.text ?? '', tasks };
  };
  const keep = (outcome: PlanOutcome<PlanClaim>) => {
    if (!outcome.accepted) return;
    hand.push(outcome.value);
    if (hand.length > HAND_MAX) hand.shift();
  };
  const close = async (claim: PlanClaim) => {
    const result = unique();
    const { index, epoch } = claim;
    const outcome = told('markDone', await plan.markDone(index, result, claim));
    if (outcome.accepted) worker.acknowledged({ planId: plan.planId, epoch, index, result });
  };

  const dice = random();
  if (dice < 0.34) return keep(told('claimNext', await plan.claimNext({ owner })));
  if (dice < 0.54) {
    const claim = pick(hand);
    return claim === undefined ? undefined : close(claim);
  }
  if (dice < 0.62) {
    const claim = pick(hand);
    if (claim !== undefined) told('markFailed', await plan.markFailed(claim.index, 'broke', claim));
    return;
  }
  if (dice < 0.74) {
    const claim = pick(hand);
    if (claim === undefined) return;
    return keep(told('renew', await plan.claimTask(claim.index, claim.text, { owner, renew: true })));
  }
  if (dice < 0.8) {
    const { index, text } = await anyTask();
    return keep(told('claimTask', await plan.claimTask(index, text, { owner })));
  }
  if (dice < 0.84) {
    const { index, text } = await anyTask();
    told('cancelTask', await plan.cancelTask(index, text, 'no need'));
    return;
  }
  if (dice < 0.92) {
    const { index, text } = await anyTask();
    const dueAtMs = Math.floor(random() * 1000);
    const schedule =
      random() < 0.5 ? { reason: unique() } : { dueAtMs, plannedStartAtMs: dueAtMs / 2, reason: unique() };
    told('setTaskSchedule', await plan.setTaskSchedule(index, text, schedule));
    return;
  }
  const { tasks } = await anyTask();
  if (tasks.length === 0 || (tasks.length >= TASKS_MAX && random() < 0.3)) {
    const texts = Array.from({ length: 4 }, unique);
    told('setPlan', await plan.setPlan('r', texts, { replace: random() < 0.2 }));
  } else if (tasks.length < TASKS_MAX) {
    told('addTasks', await plan.addTasks([unique()]));
  }
}
