/**
 * The worker processes of a run and what the supervisor knows of them. Everything seen (spawn, ready, signal, kernel state, exit)
 * goes into the supervisor's history file the moment it is seen: obligations count these records, never what a fault
 * says of itself.
 */
import type { Phase } from '../history/record.ts';
import { type HistoryWriter, stamp } from '../history/writer.ts';
import type { StoreModuleRef } from '../store-module/ref.ts';
import { type ScannerJob, SKEWABLE_VARIABLE, type ToChild, type WorkerJob } from '../worker/job.ts';
import { Child } from './child.ts';
import type { Ledger } from './ledger.ts';

/** Longest wait for a signal to take effect; beyond it the fault failed (DESIGN.md "A run"). */
export const CONFIRM_MS = 5_000;
/** Processes that wait with everything loaded, so that a killed worker is replaced at once on a busy machine too. */
const SPARES = 2;

export type MemberState = 'starting' | 'up' | 'stopped' | 'retiring' | 'down';

/** One incarnation. */
export interface Member {
  readonly incarnation: number;
  readonly label: string;
  readonly child: Child;
  state: MemberState;
  /** It said so once; it may have been stopped or killed since. */
  ready: boolean;
  /** In drain: it has found nothing for longer than any lease can last. */
  quiet: boolean;
  /** Uncaught error of our own, told before it died. */
  crash: string | undefined;
}

export interface CrewOptions {
  readonly store: StoreModuleRef;
  readonly log: HistoryWriter;
  readonly ledger: Ledger;
  /** Descriptor that takes whatever the children print. */
  readonly logFd: number;
  /** The job of a new incarnation. */
  readonly job: (member: { incarnation: number; label: string; life: number }, phase: Phase) => WorkerJob;
  /** The wall clocks of the workers are to be skewed. */
  readonly skewable: boolean;
  /** Told of each history file that will appear. */
  readonly onFile: (name: string) => void;
}

export class Crew {
  readonly members: Member[] = [];
  readonly #options: CrewOptions;
  readonly #lives = new Map<string, number>();
  #nextIncarnation = 1;
  #phase: Phase = 'prepare';
  #spares: Child[] = [];
  /** What must end the run early: a worker that died, and not by our hand. */
  unexpected: string | undefined;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  /** The members that are not gone, the newest of each label last. */
  get present(): Member[] {
    return this.members.filter((member) => member.state !== 'down');
  }

  set phase(phase: Phase) {
    this.#phase = phase;
    this.#options.log.write({ type: 'phase', t: stamp(), phase });
    for (const member of this.present) member.child.send({ type: 'phase', phase });
  }

  /** Forks a new incarnation of a label. */
  spawn(label: string, why: 'start' | 'respawn' | 'twin', replaces?: Member): Member {
    const life = this.#lives.get(label) ?? 0;
    this.#lives.set(label, life + 1);
    const job = this.#options.job({ incarnation: this.#nextIncarnation, label, life }, this.#phase);
    return this.#start(job, why, replaces);
  }

  /** Forks the process that does the final read. */
  spawnScanner(): Member {
    const job = this.#options.job(
      { incarnation: this.#nextIncarnation, label: 'scan', life: 0 },
      this.#phase,
    );
    return this.#start({ ...job, kind: 'scanner' });
  }

  #start(job: WorkerJob | ScannerJob, why?: 'start' | 'respawn' | 'twin', replaces?: Member): Member {
    const { incarnation, label, kind: role } = job;
    this.#nextIncarnation += 1;
    const { log, onFile } = this.#options;
    const file = `${label}-${incarnation}.ndjson`;
    const child = this.#spares.shift() ?? this.#fork();
    log.write({
      type: 'spawn',
      t: stamp(),
      incarnation,
      label,
      role,
      pid: child.pid,
      file,
      ...(replaces === undefined ? {} : { replaces: replaces.incarnation }),
      ...(why === undefined ? {} : { why }),
    });
    const member: Member = {
      incarnation,
      label,
      child,
      state: 'starting',
      ready: false,
      quiet: false,
      crash: undefined,
    };
    this.members.push(member);
    child.on('message', (message) => {
      if (message.type === 'ready') {
        log.write({ type: 'ready', t: stamp(), incarnation });
        member.ready = true;
        if (member.state === 'starting') member.state = 'up';
        // It may have been forked in one phase and be ready in the next.
        child.send({ type: 'phase', phase: this.#phase });
      } else if (message.type === 'quiet') member.quiet = message.quiet;
      else if (message.type === 'crash') member.crash = message.message;
    });
    child.once('exit', (code, signal) => this.#exited(member, code, signal));
    child.send({ type: 'job', job });
    onFile(file);
    return member;
  }

  /** Fills up the spares; a spare that died meanwhile is replaced. */
  keepSpares(): void {
    this.#spares = this.#spares.filter((child) => !child.exit);
    while (this.#spares.length < SPARES) this.#spares.push(this.#fork());
  }

  /** Ends the processes that were never given a job. */
  endSpares(): void {
    for (const child of this.#spares) child.signal('SIGKILL');
    this.#spares = [];
  }

  #fork(): Child {
    const { store, ledger, logFd, skewable } = this.#options;
    return Child.fork(store, ledger, 'worker', logFd, skewable ? { [SKEWABLE_VARIABLE]: '1' } : {});
  }

  #exited(member: Member, code: number | null, signal: NodeJS.Signals | null): void {
    const ours = member.state === 'retiring' || member.child.expected;
    member.state = 'down';
    this.#options.log.write({ type: 'exit', t: stamp(), incarnation: member.incarnation, code, signal });
    if (code === 0 || (signal !== null && ours)) return;
    const how = signal === null ? `with exit code ${code}` : `by ${signal}, which we did not send`;
    this.unexpected ??= `${member.label} (incarnation ${member.incarnation}) ended ${how}`;
  }

  /** Notes the signal and sends it. Returns false when the process was gone already. */
  signal(member: Member, signal: NodeJS.Signals): boolean {
    if (member.child.exit) return false;
    this.#options.log.write({ type: 'signal', t: stamp(), incarnation: member.incarnation, signal });
    if (signal === 'SIGKILL') member.child.expected = true;
    const sent = member.child.signal(signal);
    if (sent) this.#options.log.write({ type: 'sent', t: stamp(), incarnation: member.incarnation, signal });
    return sent;
  }

  /** Waits until the kernel shows the process stopped, and records that it did. */
  async seeStopped(member: Member): Promise<boolean> {
    const seen = await member.child.waitForState('stopped', CONFIRM_MS);
    if (seen) {
      this.#options.log.write({
        type: 'state',
        t: stamp(),
        incarnation: member.incarnation,
        state: 'stopped',
      });
      member.state = 'stopped';
    }
    return seen;
  }

  /** Continues a stopped process, waits until the kernel shows it running, and records that it does. */
  async resume(member: Member): Promise<boolean> {
    // The record goes first: from here on the process may run again.
    this.#options.log.write({ type: 'state', t: stamp(), incarnation: member.incarnation, state: 'running' });
    this.signal(member, 'SIGCONT');
    const seen = await member.child.waitForState('running', CONFIRM_MS);
    if (member.state === 'stopped') member.state = 'up';
    return seen || member.child.exit !== undefined;
  }

  /** Tells a worker to do something to itself, or to undo it. */
  order(member: Member, message: Extract<ToChild, { type: 'order' | 'heal' }>): void {
    member.child.send(message);
  }

  /** Asks a member to finish its tasks and go. */
  retire(member: Member): void {
    if (member.state !== 'down') member.state = 'retiring';
    member.child.send({ type: 'retire' });
  }

  /** Waits for members to go; those still there at the end of the time are ended by SIGKILL. Returns how many that were. */
  async seeGone(members: readonly Member[], limitMs: number): Promise<number> {
    const gone = await Promise.all(members.map((member) => member.child.waitForExit(limitMs)));
    const left = members.filter((_, index) => !gone[index]);
    for (const member of left) this.signal(member, 'SIGKILL');
    await Promise.all(left.map((member) => member.child.waitForExit(CONFIRM_MS)));
    return left.length;
  }

  /** Waits until a member says that it is ready. False when it died or the time is up. */
  async seeReady(member: Member, limitMs: number): Promise<boolean> {
    const until = stamp() + limitMs * 1e6;
    while (!member.ready && !member.child.exit && stamp() < until) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return member.ready;
  }

  /** The road of last resort out of every fault: continues whatever is still stopped. False when something stays so. */
  async resumeAll(): Promise<boolean> {
    const stopped = this.present.filter((member) => member.state === 'stopped');
    const seen = await Promise.all(stopped.map((member) => this.resume(member)));
    return seen.every(Boolean);
  }
}
