/** What the supervisor can do to the store from outside, without being a client of it. */
import { rmSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type HistoryWriter, stamp } from '../history/writer.ts';
import type { StoreModuleRef } from '../store-module/ref.ts';
import { Child } from './child.ts';
import type { Ledger } from './ledger.ts';

/** Loading the module and waiting for the lock. */
const HOLD_MS = 15_000;
/** A hog that nobody tells to let go does so by itself. */
const LIMIT_MS = 30_000;
const EXIT_MS = 5_000;
const CHUNK_BYTES = 1 << 20;
/** Below this many free blocks nothing of any use can be written. */
const NO_ROOM_BLOCKS = 2;

export interface StoreHandsOptions {
  readonly store: StoreModuleRef;
  readonly namespace: string;
  readonly location: string;
  readonly ledger: Ledger;
  readonly log: HistoryWriter;
  readonly logFd: number;
}

export class StoreHands {
  readonly #o: StoreHandsOptions;

  constructor(options: StoreHandsOptions) {
    this.#o = options;
  }

  /** Starts a process that takes the store's write lock. */
  startHog(id: number): Hog {
    return new Hog(id, this.#o);
  }

  /** Writes until there is no room left. */
  async fillDisk(id: number): Promise<void> {
    const filler = await open(this.#filler, 'w');
    try {
      // Ever smaller pieces, until not even a byte goes in.
      for (let size = CHUNK_BYTES; size >= 1; ) {
        const hasFit = await filler.write(Buffer.alloc(size)).then(
          ({ bytesWritten }) => bytesWritten === size,
          () => false,
        );
        if (!hasFit) size = Math.floor(size / 2);
      }
    } finally {
      await filler.close();
    }
    this.#note(id, true);
  }

  /** Makes room again. */
  emptyDisk(id: number): void {
    this.#note(id, false);
    rmSync(this.#filler, { force: true });
  }

  hasRoom(): boolean {
    return statfsSync(this.#o.location).bavail > NO_ROOM_BLOCKS;
  }

  get #filler(): string {
    return join(this.#o.location, 'fencepost-filler');
  }

  #note(id: number, held: boolean): void {
    this.#o.log.write({ type: 'hold', t: stamp(), id, fault: 'disk-full', held });
  }
}

/** A process that has hold of the store's write lock. */
export class Hog {
  readonly #child: Child;
  readonly #note: (held: boolean) => void;
  /** Resolves with why it has not, or undefined. */
  readonly #held: Promise<string | undefined>;

  constructor(id: number, { store, namespace, location, ledger, log, logFd }: StoreHandsOptions) {
    const child = Child.fork(store, ledger, 'hog', logFd);
    this.#child = child;
    this.#note = (held) => log.write({ type: 'hold', t: stamp(), id, fault: 'hog', held });
    this.#held = new Promise((resolve) => {
      const timer = setTimeout(() => resolve(`no answer for ${HOLD_MS / 1000} s`), HOLD_MS);
      const end = (problem?: string): void => {
        clearTimeout(timer);
        resolve(problem);
      };
      child.on('message', (message) => {
        if (message.type === 'crash') end(message.message);
        if (message.type !== 'hold') return;
        if (message.problem !== undefined) return end(message.problem);
        if (message.held) this.#note(true);
        end();
      });
      child.once('exit', () => end('its process ended'));
    });
    child.send({ type: 'job', job: { kind: 'hog', store, namespace, location, limitMs: LIMIT_MS } });
  }

  /** Resolves once it has the lock, with undefined; else with why it has not. */
  held(): Promise<string | undefined> {
    return this.#held;
  }

  /** Tells it to let go. Noted before: from here on it may have. */
  release(): void {
    this.#note(false);
    this.#child.send({ type: 'release' });
  }

  /** Waits for its end; one that does not go is ended. */
  async gone(): Promise<boolean> {
    if (await this.#child.waitForExit(EXIT_MS)) return true;
    this.#child.signal('SIGKILL');
    return this.#child.waitForExit(EXIT_MS);
  }
}
