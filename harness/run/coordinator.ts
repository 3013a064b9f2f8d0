/**
 * The coordinator of one run: takes it through its phases, each with a deadline, and leaves nothing behind.
 *
 *   start → lead-in (there is acknowledged work to lose) → main (faults on) → heal (every fault confirmed off)
 *         → drain (no new items, work to the end) → dismiss → scan (the whole truth, once) → manifest
 *
 * It is never a client of the store while it judges: it forks, signals, confirms and waits, and reads the history files as
 * they grow. Try it: `fencepost run scenarios/kill-mid-lease.yaml`.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationName, Phase } from '../history/record.ts';
import { type HistoryWriter, stamp } from '../history/writer.ts';
import type { FaultRegistry } from '../nemesis/registry.ts';
import { Scheduler } from '../nemesis/scheduler.ts';
import { workloadOperations } from '../obligation/context.ts';
import { Crew, type Member } from '../process/crew.ts';
import type { Ledger } from '../process/ledger.ts';
import { StoreHands } from '../process/store-hands.ts';
import { holdsClaims, worksOnLeases } from '../scenario/kind.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Declares } from '../store-module/declares.ts';
import type { StoreModuleRef } from '../store-module/ref.ts';
import type { Progress, WorkerLight } from './api.ts';
import { LiveHistory } from './live-history.ts';
import { Meters } from './meters.ts';
import type { RunDirectory } from './run-directory.ts';

export interface CoordinatorOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly store: StoreModuleRef;
  readonly namespace: string;
  readonly directory: RunDirectory;
  readonly ledger: Ledger;
  readonly log: HistoryWriter;
  readonly declares: Declares;
  readonly methods: readonly OperationName[];
  readonly faults: FaultRegistry;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly untilViolation: boolean;
}

const LOOK_EVERY_MS = 25;
const PROGRESS_EVERY_MS = 250;
const READY_MS = 20_000;
/** Workers finish the task in hand before they go; a task that waits for the store may take this long. */
const DISMISS_MS = 15_000;

export class Coordinator {
  readonly #o: CoordinatorOptions;
  readonly #crew: Crew;
  readonly #live: LiveHistory;
  readonly #meters: Meters;
  #scheduler: Scheduler | undefined;
  #phase: Phase = 'prepare';
  #phaseBegan = 0;
  #phaseLimitMs = 0;
  #progressAt = 0;

  constructor(options: CoordinatorOptions) {
    this.#o = options;
    const { scenario, seed, store, namespace, directory, declares, methods, ledger, log } = options;
    this.#meters = new Meters(options);
    this.#live = new LiveHistory(directory.history, declares.embedded);
    const startedAtMs = stamp() / 1e6;
    this.#crew = new Crew({
      store,
      log,
      ledger,
      logFd: directory.logFd,
      skewable: (scenario.faults?.weights.skew ?? 0) > 0,
      onFile: (name) => this.#live.follow(name),
      job: ({ incarnation, label, life }, phase) => ({
        kind: 'worker',
        store,
        namespace,
        location: directory.store,
        run: directory.run,
        incarnation,
        label,
        life,
        historyDirectory: directory.history,
        declares,
        methods,
        scenario,
        seed,
        phase,
        startedAtMs,
        workloadUrl: scenario.workload.module,
      }),
    });
    this.#live.follow('supervisor.ndjson');
  }

  /** Runs all phases. Whatever happens, no process of the run is alive afterwards. */
  async run(): Promise<void> {
    try {
      await this.#start();
      await this.#leadIn();
      await this.#main();
      await this.#heal();
      if (!this.#over) await this.#drain();
      await this.#dismiss();
      if (!this.#over) await this.#scan();
      this.#enter('done', 0);
    } finally {
      await this.#endAll();
      this.#manifest();
      this.#live.close();
    }
  }

  get #interrupted(): boolean {
    return this.#o.signal.aborted;
  }

  /** Something has decided the run already: there is nothing to be gained by going on. */
  get #over(): boolean {
    return this.#interrupted || this.#crew.unexpected !== undefined || this.#o.log.failure !== undefined;
  }

  async #start(): Promise<void> {
    this.#enter('prepare', READY_MS);
    for (let i = 1; i <= this.#o.scenario.workers; i++) this.#crew.spawn(`w${i}`, 'start');
    await this.#until(() => this.#crew.members.every((member) => member.state !== 'starting'), READY_MS);
  }

  async #leadIn(): Promise<void> {
    const { minCompletes, maxMs } = this.#o.scenario.phases.leadIn;
    this.#enter('lead-in', maxMs);
    const acknowledged = (): number => this.#live.counts[this.#usesLeases ? 'completes' : 'commits'];
    await this.#until(() => acknowledged() >= minCompletes, maxMs);
  }

  get #usesLeases(): boolean {
    return worksOnLeases(this.#o.scenario.workload.kind);
  }

  async #main(): Promise<void> {
    const { scenario, seed, faults, log, declares, methods, store, namespace, ledger, directory } = this.#o;
    const { minMs, maxMs } = scenario.phases.main;
    if (this.#over) return;
    this.#enter('main', maxMs);
    if (scenario.faults) {
      this.#scheduler = new Scheduler({
        registry: faults,
        plan: scenario.faults,
        leaseMs: scenario.leaseMs,
        seed,
        crew: this.#crew,
        store: new StoreHands({
          store,
          namespace,
          location: directory.store,
          ledger,
          log,
          logFd: directory.logFd,
        }),
        leases: this.#live.leases,
        writes: this.#live.writes,
        notes: this.#live.notes,
        operations: workloadOperations(methods, declares, scenario),
        usesLeases: holdsClaims(scenario.workload.kind),
        log,
        missing: () => this.#meters.missing,
        refresh: () => this.#live.refresh(),
      });
      this.#scheduler.start();
    }
    const enough = (): boolean =>
      this.#o.untilViolation ? this.#meters.violationSeen : this.#phaseMs >= minMs && this.#meters.complete;
    await this.#until(enough, maxMs);
  }

  async #heal(): Promise<void> {
    const { healMaxMs } = this.#o.scenario.phases;
    this.#enter('heal', healMaxMs);
    const healed = (await this.#scheduler?.stop(healMaxMs)) ?? true;
    const running = await this.#crew.resumeAll();
    if (!healed || !running) this.#note('heal: a fault did not come to its end in time');
  }

  async #drain(): Promise<void> {
    const { drainMaxMs } = this.#o.scenario.phases;
    this.#enter('drain', drainMaxMs);
    const quiet = (): boolean => {
      const workers = this.#crew.present.filter((member) => member.state === 'up');
      return workers.every((member) => member.quiet);
    };
    await this.#until(quiet, drainMaxMs);
  }

  async #dismiss(): Promise<void> {
    const members = this.#crew.present;
    for (const member of members) this.#crew.retire(member);
    const killed = await this.#crew.seeGone(members, DISMISS_MS);
    if (killed > 0)
      this.#note(`dismiss: ${killed} workers did not finish within ${DISMISS_MS} ms and were ended`);
  }

  async #scan(): Promise<void> {
    const { scanMaxMs } = this.#o.scenario.phases;
    this.#enter('scan', scanMaxMs);
    const readable = (['scan', 'list', 'since'] as const).some((read) => this.#o.methods.includes(read));
    if (!readable) return;
    const scanner: Member = this.#crew.spawnScanner();
    await this.#until(
      () => scanner.state === 'down',
      scanMaxMs,
      () => this.#interrupted,
    );
  }

  /** Ends whatever is left, in whatever state. */
  async #endAll(): Promise<void> {
    this.#crew.endSpares();
    for (const member of this.#crew.present) this.#crew.signal(member, 'SIGKILL');
    await Promise.all(this.#crew.members.map((member) => member.child.waitForExit(5_000)));
  }

  #manifest(): void {
    const files = this.#crew.members.flatMap(({ incarnation, label }) => {
      const file = `${label}-${incarnation}.ndjson`;
      const stat = statSync(join(this.#o.directory.history, file), { throwIfNoEntry: false });
      return stat ? [{ file, incarnation, bytes: stat.size }] : [];
    });
    this.#o.log.write({ type: 'manifest', t: stamp(), files, interrupted: this.#interrupted });
  }

  #enter(phase: Phase, limitMs: number): void {
    this.#phase = phase;
    this.#phaseBegan = stamp();
    this.#phaseLimitMs = limitMs;
    this.#crew.phase = phase;
    this.#progressAt = 0;
  }

  get #phaseMs(): number {
    return (stamp() - this.#phaseBegan) / 1e6;
  }

  /** Waits for the condition, the end of the time, or a reason to give up. The histories are followed meanwhile. */
  async #until(
    condition: () => boolean,
    limitMs: number,
    giveUp: () => boolean = () => this.#over,
  ): Promise<void> {
    while (this.#phaseMs < limitMs && !giveUp()) {
      const asOf = stamp();
      this.#live.refresh();
      if (this.#phase === 'lead-in' || this.#phase === 'main') this.#crew.keepSpares();
      if (this.#phase === 'main') this.#meters.read(() => this.#live.snapshot(), asOf);
      this.#tellProgress();
      if (condition()) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  #tellProgress(): void {
    if (stamp() - this.#progressAt < PROGRESS_EVERY_MS * 1e6) return;
    this.#progressAt = stamp();
    this.#o.onProgress({
      phase: this.#phase,
      phaseMs: this.#phaseMs,
      limitMs: this.#phaseLimitMs,
      ...this.#live.counts,
      faults: { ...this.#scheduler?.confirmed },
      obligations: this.#meters.obligations,
      workers: this.#lights(),
    });
  }

  #lights(): WorkerLight[] {
    const newest = new Map<string, WorkerLight>();
    for (const { label, state } of this.#crew.members) {
      if (label === 'scan') continue;
      newest.set(label, { label, state: state === 'retiring' ? 'up' : state });
    }
    return [...newest.values()];
  }

  #note(text: string): void {
    this.#o.log.write({ type: 'note', t: stamp(), text });
  }
}
