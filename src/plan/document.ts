/**
 * The stored plan: one JSON document under one key, replaced as a whole (spec/plan.md A3). Instants are in ms on the store's
 * clock. Pure.
 */

export type TaskStatus = 'todo' | 'claimed' | 'done' | 'failed' | 'cancelled';

/** One task. Its index in the plan never changes. */
export interface PlanTask {
  readonly text: string;
  readonly status: TaskStatus;
  readonly result: string | null;
  /** What the last failure said. A success clears it, a cancellation keeps it. */
  readonly error: string | null;
  readonly cancelReason: string | null;
  /** Hand-outs so far. Renewing is none. */
  readonly attempts: number;
  /** Label of the holder; of an anonymous one a random text that nobody is told. */
  readonly owner: string | null;
  readonly anonymous: boolean | null;
  /** Rises with every hand-out and is never reset: a label is not an identity. */
  readonly generation: number | null;
  readonly claimedAtMs: number | null;
  /** The last instant at which the claim is alive, as the claimer recorded it. */
  readonly leaseEndsAtMs: number | null;
  readonly renewed: boolean | null;
  readonly plannedStartAtMs: number | null;
  readonly dueAtMs: number | null;
  /** When the task became done, failed or cancelled. */
  readonly completedAtMs: number | null;
  /** Label of whoever closed it. */
  readonly closedBy: string | null;
}

/** One accepted change of a schedule. Never edited. */
export interface ScheduleEvent {
  readonly index: number;
  readonly plannedStartAtMs: number | null;
  readonly dueAtMs: number | null;
  readonly reason: string;
  readonly atMs: number;
}

export interface PlanDocument {
  readonly version: 1;
  readonly planId: string;
  /** Rises whenever the plan is replaced; index 0 of another epoch is another job. */
  readonly epoch: number | null;
  readonly reasoning: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly tasks: readonly PlanTask[];
  readonly scheduleEvents: readonly ScheduleEvent[];
}

/** A task that nobody has touched. */
export function newTask(text: string): PlanTask {
  return {
    text,
    status: 'todo',
    result: null,
    error: null,
    cancelReason: null,
    attempts: 0,
    owner: null,
    anonymous: null,
    generation: 0,
    claimedAtMs: null,
    leaseEndsAtMs: null,
    renewed: null,
    plannedStartAtMs: null,
    dueAtMs: null,
    completedAtMs: null,
    closedBy: null,
  };
}

/** Whether a task can still come to something. */
export const isOpen = ({ status }: PlanTask): boolean => status === 'todo' || status === 'claimed';

/** At least one task, and all of them closed. A lapsed claim is not closed. */
export const isComplete = ({ tasks }: PlanDocument): boolean => tasks.length > 0 && !tasks.some(isOpen);

/** The plan with one task replaced. */
export function withTask(plan: PlanDocument, index: number, task: PlanTask): PlanDocument {
  return { ...plan, tasks: plan.tasks.with(index, task) };
}
