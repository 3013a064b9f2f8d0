/** One connection to a file of background jobs, and what every store on it has: the clock, the waiting line, the instances. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { type Clock, systemClock } from '../../../clock.ts';
import { invalidArgument } from '../../../errors.ts';
import type { InstanceStore } from '../../../jobs/store.ts';
import type { Awaitable } from '../../../store.ts';
import { anchoredNow } from '../clock.ts';
import { closedError, engineError } from '../errors.ts';
import { type Rank, WaitingLine } from '../line.ts';
import { type Durability, finishOpening, IN_MEMORY, openDatabase } from '../open.ts';
import { createTransactions, type PausePoint, tryRead } from '../transaction.ts';
import { JOBS_FORMAT } from './format.ts';
import { type InstanceStatements, prepareInstances } from './instances.ts';

const BUDGET_MS = 5000;

/** Options of the stores on a file of background jobs. */
export interface SqliteJobStoreOptions {
  /** The database file, or `:memory:` for one that dies with this object. Made when it is not there, its folder too. */
  readonly file: string;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** What survives. @default 'process-crash' */
  readonly durability?: Durability;
  /** Called inside each write transaction, at `begun` and at `written`; for tests that stop a process there. */
  readonly pausePoint?: PausePoint | undefined;
}

export interface JobsConnection {
  readonly db: Database.Database;
  readonly now: () => number;
  readonly instances: InstanceStatements;
  readonly instanceStore: InstanceStore;
  /** A write transaction that waits for the lock. Heartbeats stand before everything else. */
  write<T>(body: () => T, rank?: Rank): Awaitable<T>;
  read<T>(body: () => T): Awaitable<T>;
  close(): void;
}

/** @throws FencepostError `STORE_FOREIGN`, `STORE_NEWER`, `STORE_CORRUPT`, `STORE_FAILED`, `INVALID_ARGUMENT` */
export function openJobsFile(options: SqliteJobStoreOptions): JobsConnection {
  const { file, clock = systemClock, durability = 'process-crash', pausePoint } = options;
  if (typeof file !== 'string' || file === '') throw invalidArgument('file', 'the path of a file', file);
  if (file !== IN_MEMORY) makeFolder(dirname(file));
  const db = openDatabase(file, durability, JOBS_FORMAT);
  try {
    const now = anchoredNow(db, clock, JOBS_FORMAT);
    finishOpening(db);
    const instances = prepareInstances(db);
    const attempt = createTransactions(db, pausePoint);
    const line = new WaitingLine(clock, file);
    const budget = () => BUDGET_MS;
    const write = <T>(body: () => T, rank: Rank = 'claim') => line.run(rank, budget, () => attempt(body));
    const read = <T>(body: () => T) => line.read(budget, () => tryRead(body));
    return {
      db,
      now,
      instances,
      instanceStore: {
        sharedBy: file === IN_MEMORY ? 'process' : 'host',
        nowMs() {
          if (!db.open) throw closedError(file);
          return now();
        },
        beat: (by) => write(() => instances.beat(by, now()), 'holder'),
        end: (id) => write(() => instances.end(id)),
        instance: (id) => read(() => instances.find(id)),
      },
      write,
      read,
      close() {
        line.close();
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw engineError(error, `Opening ${file}`, true);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw engineError(error, `Making the folder ${folder}`, true);
  }
}
