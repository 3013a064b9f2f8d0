/**
 * Draws faults from the seed and injects them, so that some workers are untouched at any time. The plan (gaps, kinds,
 * lengths) depends on the seed alone; the target is whoever holds a lease when the time comes.
 */
import { setMaxListeners } from 'node:events';
import { type HistoryWriter, stamp } from '../history/writer.ts';
import type { Crew, Member } from '../process/crew.ts';
import type { Random } from '../random/random.ts';
import type { FaultName, Faults } from '../scenario/scenario.ts';
import type { FaultContext, FaultOutcome } from './fault.ts';
import type { LiveLeases } from './live-leases.ts';
import type { LiveWrites } from './live-writes.ts';
import type { FaultRegistry } from './registry.ts';

export interface SchedulerOptions {
  readonly registry: FaultRegistry;
  readonly plan: Faults;
  readonly leaseMs: number;
  readonly random: Random;
  readonly crew: Crew;
  readonly leases: LiveLeases;
  readonly writes: LiveWrites;
  /** Whether the workload works on leases. */
  readonly usesLeases: boolean;
  readonly log: HistoryWriter;
  /** Brings the view of who holds what up to date. */
  readonly refresh: () => void;
}

/** One fault of the plan. */
interface Planned {
  readonly kind: FaultName;
  readonly pauseMs: number;
  readonly draw: number;
}

/** While nobody may be touched, it is looked again this often. */
const BUSY_MS = 5;

export class Scheduler {
  /** Confirmed faults by name, for the live display. */
  readonly confirmed: Record<string, number> = {};
  readonly #options: SchedulerOptions;
  readonly #stop = new AbortController();
  readonly #touched = new Set<Member>();
  readonly #running = new Set<Promise<void>>();
  #nextId = 1;
  #loop: Promise<void> | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
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
    const { plan, random, refresh } = this.#options;
    let due = stamp() / 1e6;
    while (!this.#stop.signal.aborted) {
      due += random.exponential(plan.everyMs);
      const planned = this.#draw();
      await this.#sleep(due - stamp() / 1e6);
      const began = stamp();
      while (!this.#stop.signal.aborted) {
        refresh();
        const candidates = this.#candidates();
        const id = this.#nextId;
        const target =
          candidates.length === 0
            ? undefined
            : this.#choose(id, planned, candidates, (stamp() - began) / 1e6);
        if (target) {
          this.#nextId += 1;
          this.#inject(id, planned, target);
          break;
        }
        await this.#sleep(BUSY_MS);
      }
      // A stream that had to wait does not catch up with a burst: that would undo `untouched`.
      due = Math.max(due, stamp() / 1e6 - plan.everyMs);
    }
  }

  #draw(): Planned {
    const { plan, random, leaseMs } = this.#options;
    const { min, max } = plan.pauseLeases;
    return {
      kind: random.pick(plan.weights),
      pauseMs: leaseMs * (min + (max - min) * random.next()),
      draw: random.next(),
    };
  }

  /** Members that may be touched while `untouched` of them are left alone. */
  #candidates(): Member[] {
    const { crew, plan } = this.#options;
    const free = crew.members.filter((member) => member.state === 'up' && !this.#touched.has(member));
    return free.length > plan.untouched ? free : [];
  }

  #choose(id: number, planned: Planned, candidates: readonly Member[], waitedMs: number): Member | undefined {
    return this.#options.registry[planned.kind].choose(
      candidates,
      this.#context(id, planned, undefined, waitedMs),
    );
  }

  #inject(id: number, planned: Planned, target: Member): void {
    const { registry, log } = this.#options;
    const { incarnation, label } = target;
    log.write({ type: 'fault', t: stamp(), id, fault: planned.kind, stage: 'intent', incarnation, label });
    this.#touched.add(target);
    const done = registry[planned.kind]
      .inject(target, this.#context(id, planned, target))
      .catch((error: unknown): FaultOutcome => {
        const detail = `the fault threw: ${(error as Error)?.message ?? String(error)}`;
        log.write({
          type: 'fault',
          t: stamp(),
          id,
          fault: planned.kind,
          stage: 'confirm',
          outcome: 'failed',
          detail,
        });
        return 'failed';
      })
      .then((outcome) => {
        if (outcome === 'confirmed') this.confirmed[planned.kind] = (this.confirmed[planned.kind] ?? 0) + 1;
        this.#touched.delete(target);
        this.#running.delete(done);
      });
    this.#running.add(done);
  }

  #context(id: number, planned: Planned, target?: Member, waitedMs = 0): FaultContext {
    const { crew, leases, writes, usesLeases, leaseMs, log } = this.#options;
    return {
      crew,
      leases,
      writes,
      usesLeases,
      leaseMs,
      pauseMs: planned.pauseMs,
      draw: planned.draw,
      waitedMs,
      stop: this.#stop.signal,
      sleep: (ms) => this.#sleep(ms),
      note: (stage, outcome, detail) =>
        log.write({
          type: 'fault',
          t: stamp(),
          id,
          fault: planned.kind,
          stage,
          ...(target === undefined ? {} : { incarnation: target.incarnation, label: target.label }),
          ...(outcome === undefined ? {} : { outcome }),
          ...(detail === undefined ? {} : { detail }),
        }),
    };
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
