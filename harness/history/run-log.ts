/** What the supervisor's file tells: lives of processes, phases, faults, clocks, and which files there must be. */
import type { FaultNote, Incarnation } from './history.ts';
import type { HeaderRecord, ManifestFile, Phase, SupervisorRecord } from './record.ts';
import { RecordError } from './record-error.ts';

type Run = Extract<SupervisorRecord, { type: 'run' }>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Life = Mutable<Omit<Incarnation, 'signals' | 'stopped'>> & {
  readonly signals: { signal: string; at: number; sentAt?: number }[];
  readonly stopped: { from: number; to: number }[];
  saidRecords: number | undefined;
};

export class RunLog {
  run: Run | undefined;
  /** What the store declares, and the file that says so: the supervisor's, or else the first header with declarations. */
  declared: { readonly declares: unknown; readonly file: string } | undefined;
  manifest: { readonly files: readonly ManifestFile[]; readonly interrupted: boolean } | undefined;
  readonly phases: { phase: Phase; at: number }[] = [];
  readonly faults: FaultNote[] = [];
  readonly holds: { id: number; fault: string; from: number; to: number }[] = [];
  readonly clockSamples: { at: number; bootMs: number; wallMs: number }[] = [];
  readonly notes: { at: number; text: string }[] = [];
  readonly #lives = new Map<number, Life>();
  /** What the first file calls the run. */
  #id: string | undefined;

  incarnations(): ReadonlyMap<number, Incarnation> {
    return this.#lives;
  }

  exitOf(incarnation: number): number | undefined {
    return this.#lives.get(incarnation)?.exitedAt;
  }

  /** Records that the process said it wrote before its end record; undefined when it did not end in order. */
  saidRecords(incarnation: number): number | undefined {
    return this.#lives.get(incarnation)?.saidRecords;
  }

  /** Every file says which run it is of: the stamps and numbers of two runs mean nothing to one another. */
  belongs(run: string): void {
    this.#id ??= run;
    if (run !== this.#id)
      throw new RecordError(
        `Expected a file of the run ${JSON.stringify(this.#id)}, as the files before it, got one of ${JSON.stringify(run)}`,
      );
  }

  header(record: HeaderRecord, file: string): void {
    const life = this.#life(record.incarnation);
    life.label = record.label;
    life.role = record.role;
    life.file = file;
    life.pid ??= record.pid;
    if (record.declares !== undefined) this.declared ??= { declares: record.declares, file };
  }

  ended(incarnation: number, records: number): void {
    this.#life(incarnation).saidRecords = records;
  }

  /** A process wrote that it kills itself now, as it was ordered: from here on it runs none of its own code. */
  killedItself(incarnation: number, at: number): void {
    this.#life(incarnation).signals.push({ signal: 'SIGKILL', at, sentAt: at });
  }

  supervisor(record: SupervisorRecord, file: string): void {
    switch (record.type) {
      case 'run':
        if (this.run) throw new RecordError('Expected one supervisor of a run, got a second one');
        this.belongs(record.run);
        this.run = record;
        this.declared = { declares: record.declares ?? {}, file };
        return;
      case 'phase':
        this.phases.push({ phase: record.phase, at: record.t });
        return;
      case 'spawn': {
        const life = this.#life(record.incarnation);
        life.label = record.label;
        life.role = record.role;
        life.pid = record.pid;
        life.file = record.file;
        life.why = record.why;
        life.replaces = record.replaces;
        life.spawnedAt = record.t;
        return;
      }
      case 'ready':
        this.#life(record.incarnation).readyAt = record.t;
        return;
      case 'signal':
        this.#life(record.incarnation).signals.push({ signal: record.signal, at: record.t });
        return;
      case 'sent': {
        const last = this.#life(record.incarnation).signals.at(-1);
        if (last?.signal === record.signal) last.sentAt = record.t;
        return;
      }
      case 'state':
        return this.#state(this.#life(record.incarnation), record.state, record.t);
      case 'exit': {
        const life = this.#life(record.incarnation);
        life.exitedAt = record.t;
        life.exitCode = record.code;
        life.exitSignal = record.signal;
        this.#state(life, 'running', record.t);
        return;
      }
      case 'fault':
        this.faults.push({
          id: record.id,
          fault: record.fault,
          stage: record.stage,
          at: record.t,
          incarnation: record.incarnation,
          label: record.label,
          outcome: record.outcome,
          detail: record.detail,
        });
        return;
      case 'hold': {
        const { id, fault, held, t } = record;
        const open = this.holds.find((hold) => hold.id === id && hold.to === Number.POSITIVE_INFINITY);
        if (held) this.holds.push({ id, fault, from: t, to: Number.POSITIVE_INFINITY });
        else if (open) open.to = t;
        return;
      }
      case 'clock':
        this.clockSamples.push({ at: record.t, bootMs: record.bootMs, wallMs: record.wallMs });
        return;
      case 'note':
        this.notes.push({ at: record.t, text: record.text });
        return;
      case 'manifest':
        this.manifest = { files: record.files, interrupted: record.interrupted ?? false };
        return;
    }
  }

  #state(life: Life, state: 'stopped' | 'running', at: number): void {
    const last = life.stopped.at(-1);
    const isStopped = last !== undefined && last.to === Number.POSITIVE_INFINITY;
    if (state === 'stopped' && !isStopped) life.stopped.push({ from: at, to: Number.POSITIVE_INFINITY });
    if (state === 'running' && isStopped) last.to = at;
  }

  #life(id: number): Life {
    let life = this.#lives.get(id);
    if (!life) {
      life = {
        id,
        label: '',
        role: 'worker',
        file: '',
        pid: undefined,
        why: undefined,
        replaces: undefined,
        spawnedAt: undefined,
        readyAt: undefined,
        exitedAt: undefined,
        exitCode: undefined,
        exitSignal: undefined,
        signals: [],
        stopped: [],
        saidRecords: undefined,
      };
      this.#lives.set(id, life);
    }
    return life;
  }
}
