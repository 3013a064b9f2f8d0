/** Which tasks can be handed out: one rule for claimNext, claimTask and what the text says is next (spec/plan.md A5.1-3, 17). Pure. */
import type { PlanDocument, PlanTask } from './document.ts';
import type { Limits } from './rules.ts';

/**
 * Whether a claim is over: strictly after its deadline. The deadline is the one that the claimer recorded; only a claim from
 * before deadlines were recorded is judged by the lease of this handle. A claim without an instant counts as over.
 */
export function isExpired(task: PlanTask, nowMs: number, leaseMs: number): boolean {
  if (task.claimedAtMs === null) return true;
  return nowMs > (task.leaseEndsAtMs ?? task.claimedAtMs + leaseMs);
}

/** Todo, or abandoned. No schedule hides or promotes a task. */
export function isFree(task: PlanTask, nowMs: number, { leaseMs }: Pick<Limits, 'leaseMs'>): boolean {
  return task.status === 'todo' || (task.status === 'claimed' && isExpired(task, nowMs, leaseMs));
}

/** A free task that was handed out as often as it may be: the next claim parks it. */
export const isExhausted = (task: PlanTask, { maxAttempts }: Pick<Limits, 'maxAttempts'>): boolean =>
  task.attempts >= maxAttempts;

/** The lowest free task with attempts left, and the free ones before it that have none. */
export function nextFree(
  { tasks }: PlanDocument,
  nowMs: number,
  limits: Pick<Limits, 'leaseMs' | 'maxAttempts'>,
): { readonly index: number | undefined; readonly exhausted: readonly number[] } {
  const exhausted: number[] = [];
  for (const [index, task] of tasks.entries()) {
    if (!isFree(task, nowMs, limits)) continue;
    if (!isExhausted(task, limits)) return { index, exhausted };
    exhausted.push(index);
  }
  return { index: undefined, exhausted };
}
