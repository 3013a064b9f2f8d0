/** Handing out, renewing and parking (spec/plan.md A4, A5.2-7). Pure. */
import { type PlanDocument, type PlanTask, withTask } from './document.ts';
import { isExhausted, isFree, nextFree } from './eligible.ts';
import { closed, exhausted, held, noPlan, nothingToClaim } from './refusals.ts';
import { accept, findTask, type Limits, type Rule, refuse } from './rules.ts';
import type { ClaimTaskOptions, PlanClaim } from './types.ts';

/** Who gets the task. Of an anonymous claim the owner is a random text that the claimer is not told. */
export interface Claimer {
  readonly owner: string;
  readonly anonymous: boolean;
}

/** Lowest index first. Parks what is used up and goes on: one call hands out a task if there is one. */
export function claimNext(limits: Limits, claimer: Claimer): Rule<PlanClaim> {
  return (plan, nowMs) => {
    if (plan === undefined) return refuse(noPlan());
    const found = nextFree(plan, nowMs, limits);
    const parked = found.exhausted.reduce(
      (before, index) => withTask(before, index, park(taskOf(before, index), limits, nowMs)),
      plan,
    );
    if (found.index === undefined) {
      const none = nothingToClaim(parked, found.exhausted);
      return found.exhausted.length === 0 ? refuse(none) : refuse(none, touched(parked, nowMs));
    }
    return handOut(parked, found.index, limits, claimer, nowMs, found.exhausted);
  };
}

/** One given task. A renewal that is not possible is judged as a plain claim. */
export function claimTask(
  limits: Limits,
  claimer: Claimer,
  index: number,
  expectedText: string,
  options: ClaimTaskOptions,
): Rule<PlanClaim> {
  return (stored, nowMs) => {
    const found = findTask(stored, index, expectedText);
    if (found.refusal !== undefined) return refuse(found.refusal);
    const { plan, task } = found;
    if (task.status !== 'todo' && task.status !== 'claimed') return refuse(closed(index, task));
    if (isFree(task, nowMs, limits)) {
      if (!isExhausted(task, limits)) return handOut(plan, index, limits, claimer, nowMs, []);
      return refuse(exhausted(index, task), touched(withTask(plan, index, park(task, limits, nowMs)), nowMs));
    }
    if (!mayRenew(plan, task, claimer, options)) return refuse(held(index, task.leaseEndsAtMs));
    return grant(plan, index, { ...task, renewed: true }, limits, nowMs, { kind: 'renewed', parked: [] });
  };
}

/** Asked for, by the identified holder of this hand-out, for the first time; that the claim is alive is known by now. */
function mayRenew(
  plan: PlanDocument,
  task: PlanTask,
  claimer: Claimer,
  { renew, generation, epoch }: ClaimTaskOptions,
): boolean {
  return (
    renew === true &&
    !claimer.anonymous &&
    task.anonymous !== true &&
    task.owner === claimer.owner &&
    task.renewed !== true &&
    (generation === undefined || generation === (task.generation ?? 0)) &&
    (epoch === undefined || epoch === (plan.epoch ?? 0))
  );
}

function handOut(
  plan: PlanDocument,
  index: number,
  limits: Limits,
  claimer: Claimer,
  nowMs: number,
  parked: readonly number[],
) {
  const task = taskOf(plan, index);
  const fresh: PlanTask = {
    ...task,
    status: 'claimed',
    owner: claimer.owner,
    anonymous: claimer.anonymous,
    attempts: task.attempts + 1,
    generation: (task.generation ?? 0) + 1,
    renewed: false,
  };
  return grant(plan, index, fresh, limits, nowMs, { kind: 'claimed', parked });
}

/** Counts the lease from now and records when it ends: judges keep to the claimer's deadline, not to their own lease. */
function grant(
  plan: PlanDocument,
  index: number,
  task: PlanTask,
  { leaseMs }: Limits,
  nowMs: number,
  how: Pick<PlanClaim, 'kind' | 'parked'>,
) {
  const leaseEndsAtMs = nowMs + leaseMs;
  const claim: PlanClaim = {
    index,
    text: task.text,
    ...(task.owner === null || task.anonymous === true ? {} : { owner: task.owner }),
    generation: task.generation ?? 0,
    epoch: plan.epoch ?? 0,
    attempts: task.attempts,
    leaseEndsAtMs,
    ...how,
  };
  return accept(touched(withTask(plan, index, { ...task, claimedAtMs: nowMs, leaseEndsAtMs }), nowMs), claim);
}

/** Closes a task whose attempts are used up. What its last failure said stays. */
function park(task: PlanTask, { label }: Limits, nowMs: number): PlanTask {
  return {
    ...task,
    status: 'failed',
    error: task.error ?? `exhausted: handed out ${task.attempts} times, and never closed`,
    owner: null,
    claimedAtMs: null,
    leaseEndsAtMs: null,
    completedAtMs: nowMs,
    closedBy: label,
  };
}

function taskOf(plan: PlanDocument, index: number): PlanTask {
  const task = plan.tasks[index];
  if (task === undefined) throw new Error(`Expected a task at ${index}, found none.`);
  return task;
}

const touched = (plan: PlanDocument, nowMs: number): PlanDocument => ({ ...plan, updatedAtMs: nowMs });
