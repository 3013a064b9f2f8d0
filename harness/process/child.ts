/** One child process of a run: forked, watched, signalled, and seen to end. */
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StoreModuleRef } from '../store-module/ref.ts';
import { type FromChild, PRELOAD_VARIABLE, type ToChild } from '../worker/job.ts';
import type { Ledger } from './ledger.ts';
import { isAlive, processFacts } from './proc.ts';

/** How often a process state is read while waiting for it to change. */
const POLL_MS = 2;

interface ChildEvents {
  message: [FromChild];
  exit: [code: number | null, signal: NodeJS.Signals | null];
}

export class Child extends EventEmitter<ChildEvents> {
  readonly pid: number;
  readonly startTime: string;
  exit: { readonly code: number | null; readonly signal: NodeJS.Signals | null } | undefined;
  /** Set when we are about to end it: its exit by SIGKILL is then ours. */
  expected = false;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, startTime: string) {
    super();
    this.#process = process;
    this.pid = process.pid!;
    this.startTime = startTime;
    process.on('message', (message) => this.emit('message', message as FromChild));
    process.once('exit', (code, signal) => {
      this.exit = { code, signal };
      this.emit('exit', code, signal);
    });
    process.on('error', () => {}); // A message to a child that has just died; its exit says the rest.
  }

  /**
   * Forks the compiled child entry; it loads the store module and waits for its job. Its output goes to `logFd`: an
   * unread pipe would block it and look like a store that hangs (trap F16).
   */
  static fork(
    store: StoreModuleRef,
    ledger: Ledger,
    what: string,
    logFd: number | 'ignore',
    env: Readonly<Record<string, string>> = {},
  ): Child {
    const entry = fileURLToPath(new URL('../worker/entry.js', import.meta.url));
    const child = fork(entry, [], {
      env: { ...process.env, ...env, [PRELOAD_VARIABLE]: store.url },
      stdio: ['ignore', logFd, logFd, 'ipc'],
      execArgv: [],
      // A Ctrl-C goes to the whole group of the terminal; one that is just starting would die of it, and not by our hand.
      detached: true,
    });
    if (child.pid === undefined) throw new Error(`The operating system refused to start ${what}`);
    return new Child(child, ledger.add(child.pid, what));
  }

  send(message: ToChild): void {
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  /** Sends the signal if the pid is still this process (trap F17). Returns false when it is gone. */
  signal(signal: NodeJS.Signals): boolean {
    if (this.exit || !isAlive(this.pid, this.startTime)) return false;
    try {
      process.kill(this.pid, signal);
      return true;
    } catch {
      return false;
    }
  }

  /** Resolves true once the kernel shows the state, false when the process is gone or the time is up. */
  async waitForState(state: 'stopped' | 'running', limitMs: number): Promise<boolean> {
    for (let waited = 0; waited <= limitMs; waited += POLL_MS) {
      if (this.exit) return false;
      if (processFacts(this.pid)?.state === state) return true;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return false;
  }

  /** Resolves true once the exit was seen, false when the time is up. */
  async waitForExit(limitMs: number): Promise<boolean> {
    if (this.exit) return true;
    const timeout = AbortSignal.timeout(limitMs);
    try {
      await once(this, 'exit', { signal: timeout });
      return true;
    } catch {
      return this.exit !== undefined;
    }
  }
}
