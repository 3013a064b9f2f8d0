/** What a caller of a plan sees. Types only. */
import type { Clock } from '../clock.ts';
import type { Store } from '../store.ts';
import type { PlanTask, ScheduleEvent } from './document.ts';

/** Options of `createPlan`. */
export interface PlanOptions {
  /** Any store of the contract with entries. */
  readonly store: Store;
  /** Names the plan; the next process that uses the same name goes on with it. */
  readonly planId: string;
  /**
   * How long a claim of this handle is alive, in ms: above the slowest task and above the pause between two wake-ups. The
   * deadline is recorded with the claim, so other handles keep to it. @default 900_000
   */
  readonly leaseMs?: number;
  /** Hand-outs after which a task is parked as failed. @default 3 */
  readonly maxAttempts?: number;
  /** @default 'blackboard:' */
  readonly keyPrefix?: string;
  /** Lost races after which a verb gives up, closes excepted. @default 8 */
  readonly casRetries?: number;
  /** How long a close (`markDone`, `markFailed`) goes on after lost races, in ms: finished work is not thrown away. @default 30_000 */
  readonly closeBudgetMs?: number;
  /** Whether closing an identified claim needs its owner. Without it a caller that names nobody may close any claim. @default false */
  readonly strict?: boolean;
  /** Author of this handle's writes, for the record. @default 'anonymous' */
  readonly label?: string;
  /** For the pauses between lost races. @default the machine's clock */
  readonly clock?: Clock;
  /** Spreads those pauses, 0 <= x < 1. @default `Math.random` */
  readonly random?: () => number;
  /** Makes request ids and anonymous owners: unique for ever. @default `crypto.randomUUID` */
  readonly uniqueId?: () => string;
}

/** Why a verb said no. Stable codes. */
export type PlanRefusalCode =
  | 'invalid' // the caller broke the contract: a blank text, no number, an unknown type
  | 'no-plan' // there is no plan yet
  | 'in-progress' // a task of the plan is still open; `replace` overrides
  | 'unknown-task' // no task has that index
  | 'text-differs' // the task has another text than the caller expects
  | 'held' // the task is claimed, and the claim is alive
  | 'closed' // the task is done, failed or cancelled
  | 'exhausted' // the attempts of the task are used up; it is parked now
  | 'not-claimed' // nobody holds the task
  | 'not-yours' // somebody else holds the task
  | 'owner-missing' // in strict mode an identified claim is closed by its owner only
  | 'stale' // the task was handed out again, or the plan was replaced
  | 'not-cancellable' // the task is claimed or closed
  | 'complete' // every task is closed
  | 'parked' // this call parked what was left, and found nothing to hand out
  | 'no-free-task'; // everything open is held

/** A legal request that the plan does not allow, or an argument that is none. Nothing was written, except that `parked` tasks were. */
export interface PlanRefusal {
  readonly code: PlanRefusalCode;
  /** Begins with `REJECTED`: what was expected, what was found. */
  readonly message: string;
  /** The plan that is in the way, rendered. */
  readonly plan?: string;
  /** Tasks that this call parked. */
  readonly parked?: readonly number[];
  /** Last instant at which the claim that is in the way is alive. */
  readonly heldUntilMs?: number;
}

export type PlanOutcome<T> =
  | { readonly accepted: true; readonly value: T }
  | { readonly accepted: false; readonly refusal: PlanRefusal };

/** A task in somebody's hands. Pass it to `markDone` and `markFailed` as it is. */
export interface PlanClaim {
  readonly index: number;
  readonly text: string;
  /** Absent on an anonymous claim. */
  readonly owner?: string;
  /** Which hand-out of the task this is. */
  readonly generation: number;
  /** Which plan it is a task of. */
  readonly epoch: number;
  readonly attempts: number;
  /** Last instant at which the claim is alive, on the store's clock. */
  readonly leaseEndsAtMs: number;
  /** `renewed`: the same hand-out goes on. */
  readonly kind: 'claimed' | 'renewed';
  /** Tasks that this call parked on the way. */
  readonly parked: readonly number[];
}

/** Who closes, and which hand-out. What is left out is not checked. */
export interface Closer {
  readonly owner?: string;
  readonly generation?: number;
  readonly epoch?: number;
}

/** Who claims. Without an owner the claim is anonymous. */
export interface ClaimOptions {
  readonly owner?: string;
}

/** How one given task is claimed. */
export interface ClaimTaskOptions extends ClaimOptions {
  /** A live claim of this owner may go on for one more lease, once. Permits, does not demand. @default false */
  readonly renew?: boolean;
  /** With `renew`: only this hand-out is renewed. Left out: the owner's. */
  readonly generation?: number;
  /** With `renew`: only of this plan. */
  readonly epoch?: number;
}

/** A new schedule. What is left out is cleared. */
export interface ScheduleOptions {
  readonly plannedStartAtMs?: number;
  readonly dueAtMs?: number;
  readonly reason: string;
}

/** The whole plan as data. */
export interface PlanSnapshot {
  readonly planId: string;
  readonly epoch: number | null;
  readonly reasoning: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly tasks: readonly PlanTask[];
  readonly scheduleEvents: readonly ScheduleEvent[];
  /** At least one task, and all of them done, failed or cancelled. */
  readonly complete: boolean;
  /** Indices of the tasks that are todo or claimed. */
  readonly open: readonly number[];
}

/**
 * A durable plan: a list of tasks in order for workers that wake up, do one task and stop. Any of them may die at any
 * instant; the next one goes on. Work is executed at least once, and at most one result is accepted for each task.
 *
 * Every verb is one compare-and-set of the whole document. A refusal, and every argument that is invalid, comes back as a
 * value. Thrown are failures: `PLAN_CONTENDED`, `PLAN_CORRUPT` and those of the store.
 *
 * The board cannot tell a slow worker from a dead one: a task whose lease ran out is handed out again.
 */
export interface DurablePlan {
  readonly planId: string;

  /** Makes the plan. Refused while another one is in progress, unless `replace` is set. Answers the rendered plan. */
  setPlan(
    reasoning: string,
    tasks: readonly string[],
    options?: { readonly replace?: boolean },
  ): Promise<PlanOutcome<string>>;

  /** The plan as text; `no plan yet` without one. */
  getPlan(): Promise<string>;

  /** The same as `getPlan`. */
  render(): Promise<string>;

  /** The plan as data. Undefined without one. */
  snapshot(): Promise<PlanSnapshot | undefined>;

  /** Appends tasks. No index moves. */
  addTasks(tasks: readonly string[]): Promise<PlanOutcome<string>>;

  /** Gives up a task that is todo or failed. A claimed one is its holder's to fail. */
  cancelTask(index: number, expectedText: string, reason: string): Promise<PlanOutcome<string>>;

  /** Sets both instants and appends one event. Shown only: no task is hidden or promoted by its schedule. */
  setTaskSchedule(
    index: number,
    expectedText: string,
    schedule: ScheduleOptions,
  ): Promise<PlanOutcome<string>>;

  /** Hands out the lowest task that is todo or whose claim lapsed. Parks those on the way whose attempts are used up. */
  claimNext(options?: ClaimOptions): Promise<PlanOutcome<PlanClaim>>;

  /** Hands out one given task, or renews the caller's claim of it. */
  claimTask(index: number, expectedText: string, options?: ClaimTaskOptions): Promise<PlanOutcome<PlanClaim>>;

  /**
   * Stores the result and closes the task. A holder whose lease lapsed may still close as long as nobody took the task.
   * Pass the claim: then neither a successor nor a replaced plan can get this result.
   */
  markDone(index: number, summary: string, by?: Closer): Promise<PlanOutcome<string>>;

  /** Hands the task back after a failure, or closes it as failed when its attempts are used up. */
  markFailed(index: number, error: string, by?: Closer): Promise<PlanOutcome<string>>;
}
