/** What a workload gets to work with: one lane of one worker. */
import type { OperationName, Phase } from '../history/record.ts';
import type { Random } from '../random/random.ts';
import type { LaneRole } from '../scenario/kind.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Declares } from '../store-module/declares.ts';
import type { PlanCalls } from '../worker/plan-calls.ts';
import type { RecordingClient } from '../worker/recording-client.ts';

/** One sequential client. A workload runs one of these to its end: it returns when `ending()` is true and its tasks are done. */
export interface Lane {
  readonly client: RecordingClient;
  /** Durable plans over the store's entries. Their calls are recorded, and every version of them is kept. */
  readonly plans: () => Promise<PlanCalls>;
  readonly random: Random;
  readonly scenario: Scenario;
  readonly declares: Declares;
  readonly methods: ReadonlySet<OperationName>;
  readonly label: string;
  /** Place among the lanes of its worker, from 0: the same in every life of the label. */
  readonly index: number;
  /** What the scenario's kind of workload has this lane do. */
  readonly role: LaneRole;
  readonly phase: () => Phase;
  /** No new claims: finish the task in hand and return. */
  readonly ending: () => boolean;
  /** Milliseconds of the host's monotonic clock, common to all workers. */
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** When the run's first phase began, on the same clock. */
  readonly startedAtMs: number;
  /** A fresh key for an item, unique in the run. `slot` items are claimed by this label only. */
  readonly newKey: (slot: boolean) => string;
  /** Says that there was work, or (drain) that there was none. */
  readonly found: (work: boolean) => void;
}

/** A workload: what one lane does from start to end. A user's own is the default export of a module. */
export type Workload = (lane: Lane) => Promise<void>;

/** Items that anybody claims. */
export const WORK_PREFIX = 'work/';

/** Items that only this label claims, so that a twin meets the old holder (O17). */
export const slotPrefix = (label: string): string => `slot/${label}/`;
