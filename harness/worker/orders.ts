/**
 * Carries out what the supervisor orders this worker to do to itself, and writes down when it begins and when it is over.
 * The order comes over IPC; what confirms it are these records, and what clients and the kernel show beside them.
 */
import { type HistoryWriter, stamp } from '../history/writer.ts';
import { randomStream } from '../random/random.ts';
import type { CallHooks } from './call-hooks.ts';
import { CrashPoints } from './crash-points.ts';
import { Interference } from './interference.ts';
import type { FaultOrder, WorkerJob } from './job.ts';
import { skewWallClock } from './wall-clock.ts';

/** Faults that are done inside of workers; without any of them a worker runs as if there were no orders at all. */
const INSIDE = ['starve', 'skew', 'slow', 'lose-reply', 'stall', 'crash-point'] as const;
/** Those that come between recorder and store. */
const ON_CALLS = ['slow', 'lose-reply', 'crash-point', 'stall'] as const;
/** The wall clock is read once a second, and whenever it was changed. */
const READ_WALL_MS = 1_000;

export class Orders {
  readonly #writer: HistoryWriter;
  readonly #interference: Interference;
  readonly #crashPoints: CrashPoints;
  /** Orders that are on, by id. */
  readonly #on = new Map<number, FaultOrder['fault']>();
  readonly #wallTimer: NodeJS.Timeout | undefined;
  /** Undefined where nothing comes between recorder and store. */
  readonly hooks: CallHooks | undefined;

  constructor(job: WorkerJob, writer: HistoryWriter) {
    this.#writer = writer;
    this.#interference = new Interference(randomStream(job.seed, `${job.label}/${job.life}/interference`));
    this.#crashPoints = new CrashPoints(writer);
    const weights = job.scenario.faults?.weights;
    if (ON_CALLS.some((name) => (weights?.[name] ?? 0) > 0)) this.hooks = this.#callHooks();
    if ((weights?.skew ?? 0) > 0) {
      this.#readWall();
      this.#wallTimer = setInterval(() => this.#readWall(), READ_WALL_MS);
    }
  }

  /** Undefined for a scenario in which no worker is ordered to do anything. */
  static of(job: WorkerJob, writer: HistoryWriter): Orders | undefined {
    const weights = job.scenario.faults?.weights;
    return INSIDE.some((name) => (weights?.[name] ?? 0) > 0) ? new Orders(job, writer) : undefined;
  }

  /** What the store calls inside its transactions. */
  get pausePoint(): (name: string) => void {
    return this.#crashPoints.pausePoint;
  }

  /** `flushLoop`: writes down how late the event loop ran until now. */
  obey(order: FaultOrder, flushLoop: () => void): void {
    switch (order.fault) {
      case 'starve':
        this.#note(order.id, order.fault, 'begin');
        blockLoop(order.ms);
        this.#note(order.id, order.fault, 'end');
        flushLoop();
        return;
      case 'skew':
        this.#begin(order);
        skewWallClock(order.offsetMs, order.rate);
        this.#readWall();
        return;
      case 'slow':
      case 'lose-reply':
        this.#begin(order);
        this.#interference.begin(order);
        return;
      case 'stall':
      case 'crash-point':
        this.#begin(order);
        this.#crashPoints.arm(order);
    }
  }

  /** Undoes an order; says nothing of one that it never had, or that is over. */
  async heal(id: number): Promise<void> {
    const fault = this.#on.get(id);
    if (fault === undefined) return;
    this.#on.delete(id);
    let calls: number | undefined;
    if (fault === 'skew') {
      skewWallClock(0, 0);
      this.#readWall();
    } else if (fault === 'stall' || fault === 'crash-point') this.#crashPoints.disarm(id);
    else calls = await this.#interference.end(id);
    this.#note(id, fault, 'end', calls);
  }

  stop(): void {
    clearInterval(this.#wallTimer);
  }

  /** Written before it is done. The same order may come again in another form: a clock that steps twice. */
  #begin(order: FaultOrder): void {
    if (this.#on.has(order.id)) return;
    this.#on.set(order.id, order.fault);
    this.#note(order.id, order.fault, 'begin');
  }

  #note(id: number, fault: string, stage: 'begin' | 'end', calls?: number): void {
    this.#writer.write({
      type: 'order',
      t: stamp(),
      id,
      fault,
      stage,
      ...(calls === undefined ? {} : { calls }),
    });
  }

  #readWall(): void {
    this.#writer.write({ type: 'wall', t: stamp(), wallMs: Date.now() });
  }

  #callHooks(): CallHooks {
    const points = this.#crashPoints;
    const interference = this.#interference;
    return {
      around(name, send) {
        points.reach('before-send', name);
        const answer = interference.around(() => points.within(name, send));
        points.reach('after-send', name);
        return answer;
      },
      answered: (name) => points.reach('after-reply', name),
    };
  }
}

/** Nothing else of this process runs meanwhile: no heartbeat, no timer, no answer. */
function blockLoop(ms: number): void {
  const until = stamp() + ms * 1e6;
  while (stamp() < until);
}
