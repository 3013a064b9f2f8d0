/**
 * Draws faults from the seed and injects them, so that some workers are untouched at any time. Gaps and lengths depend on the seed
 * alone; so do the kinds, unless they are steered by the evidence that is still missing. The target is whoever holds a lease
 * when the time comes.
 */
import { setMaxListeners } from 'node:events';
import type { OperationName } from '../history/record.ts';
import { type HistoryWriter, stamp } from '../history/writer.ts';
import type { Missing } from '../obligation/sources.ts';
import type { Crew, Member } from '../process/crew.ts';
import type { StoreHands } from '../process/store-hands.ts';
import { type Random, randomStream } from '../random/random.ts';
import type { FaultName, Faults } from '../scenario/scenario.ts';
import { runCourse } from './course.ts';
import { type Candidates, type FaultContext, missed } from './fault.ts';
import type { LiveLeases } from './live-leases.ts';
import type { LiveNotes } from './live-notes.ts';
import type { LiveWrites } from './live-writes.ts';
import type { FaultRegistry } from './registry.ts';
import { steer } from './steering.ts';

export interface SchedulerOptions {
  readonly registry: FaultRegistry;
  readonly plan: Faults;
  readonly leaseMs: number;
  readonly seed: number;
  readonly crew: Crew;
  readonly store: StoreHands;
  readonly leases: LiveLeases;
  readonly writes: LiveWrites;
  readonly notes: LiveNotes;
  /** Kinds of calls that the workload makes. */
  readonly operations: readonly OperationName[];
  /** Whether the workload works on leases. */
  readonly usesLeases: boolean;
  readonly log: HistoryWriter;
  /** Evidence that is not there yet: it chooses the kind of the next fault, where the plan is steered. */
  readonly missing: () => readonly Missing[];
  /** Brings the view of who holds what up to date. */
  readonly refresh: () => void;
}

/** One fault of the plan. */
interface Planned {
  readonly kind: FaultName;
  readonly id: number;
  /** How many of its kind were planned before it. */
  readonly nth: number;
}

/** While nobody may be touched, and while something is to be seen, it is looked again this often. */
const LOOK_MS = 5;
/** A fault that is planned waits at least so long for a target. */
const LEAST_PATIENCE_MS = 2_000;

export class Scheduler {
  /** Confirmed faults by name, for the live display. */
  readonly confirmed: Record<string, number> = {};
  readonly #options: SchedulerOptions;
  readonly #random: Random;
  readonly #stop = new AbortController();
  readonly #touched = new Set<Member>();
  readonly #running = new Set<Promise<void>>();
  readonly #planned = new Map<FaultName, number>();
  #isStoreHeld = false;
  #nextId = 1;
  #loop: Promise<void> | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#random = randomStream(options.seed, 'nemesis');
    // Each fault under way sleeps on it; how many there are is bounded by the workers.
    setMaxListeners(0, this.#stop.signal);
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** No new faults; those under way heal now. Resolves once all have, or the time is up (then false). */
  async stop(limitMs: number): Promise<boolean> {
    this.#stop.abort();
    const all = (async (): Promise<true> => {
      await this.#loop;
      await Promise.all(this.#running);
      return true;
    })();
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), limitMs);
    });
    const healed = await Promise.race([all, limit]);
    clearTimeout(timer);
    return healed;
  }

  async #run(): Promise<void> {
    const { plan, refresh } = this.#options;
    let due = stamp() / 1e6;
    while (!this.#stop.signal.aborted) {
      due += this.#random.exponential(plan.everyMs);
      const planned = this.#draw();
      await this.#sleep(due - stamp() / 1e6);
      const began = stamp();
      while (!this.#stop.signal.aborted) {
        refresh();
        const context = this.#context(planned, (stamp() - began) / 1e6);
        const targets = this.#choose(planned, context);
        if (targets) {
          this.#inject(planned, targets, context);
          break;
        }
        if (stamp() - began > this.#patienceMs * 1e6) {
          this.#skip(planned);
          break;
        }
        await this.#sleep(LOOK_MS);
      }
      // A stream that had to wait does not catch up with a burst: that would undo `untouched`.
      due = Math.max(due, stamp() / 1e6 - plan.everyMs);
    }
  }

  #draw(): Planned {
    const { plan, missing } = this.#options;
    const kind = this.#random.pick(plan.steered ? steer(plan.weights, missing()) : plan.weights);
    const nth = this.#planned.get(kind) ?? 0;
    this.#planned.set(kind, nth + 1);
    const id = this.#nextId;
    this.#nextId += 1;
    return { kind, id, nth };
  }

  #choose({ kind }: Planned, context: FaultContext): readonly Member[] | undefined {
    const fault = this.#options.registry[kind];
    if (fault.target === 'store') return this.#isStoreHeld ? undefined : [];
    const candidates = this.#candidates();
    return candidates.free.length === 0 ? undefined : fault.choose?.(candidates, context);
  }

  /** One that nobody can suffer must not hold up those after it. Faults that wait for a moment of a lease have their time. */
  get #patienceMs(): number {
    const { plan, leaseMs } = this.#options;
    return Math.max(LEAST_PATIENCE_MS, 10 * plan.everyMs, 6 * leaseMs);
  }

  /** It is on record as missed: it counts for nothing, and is no failure. */
  #skip({ kind, id }: Planned): void {
    const seen = missed(`skipped: for ${Math.round(this.#patienceMs)} ms there was nobody to do it to`);
    for (const stage of ['intent', 'confirm'] as const) {
      const outcome = stage === 'confirm' ? seen : {};
      this.#options.log.write({ type: 'fault', t: stamp(), id, fault: kind, stage, ...outcome });
    }
  }

  /** Members that may be touched while `untouched` of them are left alone. */
  #candidates(): Candidates {
    const { crew, plan } = this.#options;
    const free = crew.members.filter((member) => member.state === 'up' && !this.#touched.has(member));
    const room = Math.max(0, free.length - plan.untouched);
    return { members: room > 0 ? free : [], room, free };
  }

  #inject({ kind, id }: Planned, targets: readonly Member[], context: FaultContext): void {
    const { registry, log } = this.#options;
    const fault = registry[kind];
    const isOnStore = fault.target === 'store';
    for (const target of targets) this.#touched.add(target);
    if (isOnStore) this.#isStoreHeld = true;
    const done = runCourse(() => fault.begin(targets, context), { id, name: kind, targets, log }).then(
      (outcome) => {
        if (outcome === 'confirmed') this.confirmed[kind] = (this.confirmed[kind] ?? 0) + 1;
        for (const target of targets) this.#touched.delete(target);
        if (isOnStore) this.#isStoreHeld = false;
        this.#running.delete(done);
      },
    );
    this.#running.add(done);
  }

  #context({ id, nth }: Planned, waitedMs: number): FaultContext {
    const { crew, store, leases, writes, notes, plan, operations, usesLeases, leaseMs, seed } = this.#options;
    return {
      id,
      nth,
      crew,
      store,
      leases,
      writes,
      notes,
      plan,
      operations,
      usesLeases,
      leaseMs,
      waitedMs,
      draw: (name) => randomStream(seed, `nemesis/${id}/${name}`).next(),
      stop: this.#stop.signal,
      sleep: (ms) => this.#sleep(ms),
      until: (condition, limitMs) => this.#until(condition, limitMs),
    };
  }

  async #until(condition: () => boolean, limitMs: number): Promise<boolean> {
    const until = stamp() + limitMs * 1e6;
    for (;;) {
      this.#options.refresh();
      if (condition()) return true;
      if (stamp() >= until) return false;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Sleeps, or returns at once when the nemesis is told to stop. */
  #sleep(ms: number): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
    });
  }
}
