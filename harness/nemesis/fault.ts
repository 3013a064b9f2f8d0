/**
 * One interface for all faults: inject → confirm → (it lasts) → heal → confirm healed. `course.ts` takes a fault through these
 * steps and writes each into the history; the fault says how each is done, and what was seen. What it needs is asked before
 * anything starts: a fault that cannot be suffered is refused, never left out.
 */
import type { OperationName } from '../history/record.ts';
import type { Crew, Member } from '../process/crew.ts';
import type { StoreHands } from '../process/store-hands.ts';
import type { Concern } from '../scenario/concern.ts';
import type { FaultName, Faults, Scenario } from '../scenario/scenario.ts';
import type { Declares } from '../store-module/declares.ts';
import type { LiveLeases } from './live-leases.ts';
import type { LiveNotes } from './live-notes.ts';
import type { LiveWrites } from './live-writes.ts';

/** `missed`: the target was gone already; counts for nothing. `failed`: sent, and no effect: a harness error. */
export type FaultOutcome = 'confirmed' | 'missed' | 'failed';

/** What was seen, and what a person should know of it. */
export interface Seen {
  readonly outcome: FaultOutcome;
  readonly detail?: string;
}

export const CONFIRMED: Seen = { outcome: 'confirmed' };
export const missed = (detail: string): Seen => ({ outcome: 'missed', detail });
export const failed = (detail: string): Seen => ({ outcome: 'failed', detail });

export interface Fault {
  readonly name: FaultName;
  /** What is done, in one sentence. */
  readonly does: string;
  /** What it needs of the store, the scenario and the platform, for people. */
  readonly needs: string;
  /** What must be seen before it counts. */
  readonly confirmedBy: string;
  /** How it is undone, and what must be seen then. */
  readonly healedBy: string;
  /** What a run with this fault alone does not show. */
  readonly cannotShow: string;
  /** What else a person should know who uses it; a paragraph for its page. */
  readonly more?: string;
  /** Of those on the store no two are on at one time. */
  readonly target: 'workers' | 'store';
  /** Why it cannot be done here; undefined when it can. Asked only of faults that have a weight. */
  unmet?(situation: Situation): Concern | undefined;
  /** Picks among the members that may be touched now. Undefined when none will do. A fault on the store needs none. */
  choose?(candidates: Candidates, context: FaultContext): readonly Member[] | undefined;
  /** One instance of it, on these targets. Nothing is done yet. */
  begin(targets: readonly Member[], context: FaultContext): Injection;
}

/** One fault under way. Each step is called once, in this order. Nothing may be left behind, also when `context.stop` is aborted. */
export interface Injection {
  /** Does it. False: the target was gone already. */
  inject(): boolean | Promise<boolean>;
  /** What was seen of it. */
  confirm(): Promise<Seen>;
  /** Resolves when it has lasted long enough. Only for what was confirmed. Left out: it is over at once. */
  last?(): Promise<void>;
  /** Undoes it, also what was not confirmed. */
  heal(): void | Promise<void>;
  /** What was seen of that. `missed` has no meaning here. */
  confirmHealed(): Promise<Seen>;
}

/** What decides whether a fault can be done at all. */
export interface Situation {
  readonly scenario: Scenario;
  readonly declares: Declares;
  readonly methods: readonly OperationName[];
  /** The store module can keep every writer out. */
  readonly canHog: boolean;
}

export interface Candidates {
  /** May be touched while `untouched` others are left alone; at most `room` of them at once. */
  readonly members: readonly Member[];
  readonly room: number;
  /** Whoever is up and under no fault, `untouched` or not. */
  readonly free: readonly Member[];
}

export interface FaultContext {
  /** Names this fault in all records. */
  readonly id: number;
  /** How many of its kind were planned before it. */
  readonly nth: number;
  readonly crew: Crew;
  readonly store: StoreHands;
  readonly leases: LiveLeases;
  readonly writes: LiveWrites;
  readonly notes: LiveNotes;
  readonly plan: Faults;
  /** Kinds of calls that the workload makes. */
  readonly operations: readonly OperationName[];
  /** Whether the workload works on leases: then a holder is what to look for. */
  readonly usesLeases: boolean;
  readonly leaseMs: number;
  /** Drawn from the seed, for this fault and this name: the same however often it is asked. In [0, 1). */
  draw(name: string): number;
  /** How long this fault has been looking for a target. */
  readonly waitedMs: number;
  /** Heal now. */
  readonly stop: AbortSignal;
  /** Sleeps, or returns early when `stop` is aborted. */
  sleep(ms: number): Promise<void>;
  /** Waits for what the histories or processes are to show, and goes on waiting when `stop` is aborted. False: the time is up. */
  until(condition: () => boolean, limitMs: number): Promise<boolean>;
}
