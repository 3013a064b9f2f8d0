/**
 * One store of either engine under a fake clock, with as many handles as a test opens. Tests of the lease rules run the
 * same table on every engine: `describe.each(ENGINES)`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from '../../src/clock.ts';
import type { EntryOptions } from '../../src/entries/entries.ts';
import type { WorkOptions } from '../../src/lease/work.ts';
import type { EntryStore, Feed, Item, Lease, NewItem, Outcome, Store, WorkStore } from '../../src/store.ts';
import { createMemoryData } from '../../src/stores/memory/data.ts';
import { createMemoryStore } from '../../src/stores/memory/store.ts';
import { createSqliteStore } from '../../src/stores/sqlite/store.ts';
import { createFakeClock, type FakeClock, type FakeClockOptions } from './fake-clock.ts';

export const ENGINES = ['memory', 'sqlite'] as const;
export type Engine = (typeof ENGINES)[number];

export type Handle = Store & {
  readonly work: Required<WorkStore>;
  readonly entries: EntryStore;
  readonly feed: Required<Feed>;
  counters: NonNullable<Store['counters']>;
};

export interface SeenEvent {
  readonly id: number;
  readonly atMs: number;
  readonly kind: string;
  readonly key: string;
  readonly author: string;
  readonly generation: number | null;
}

export interface World {
  readonly clock: FakeClock;
  open(options?: WorkOptions & EntryOptions & { readonly clock?: Clock }): Promise<Handle>;
  events(): readonly SeenEvent[];
  /** The file of an SQLite world. */
  readonly file: string;
  /** Closes every handle and removes the file. */
  end(): void;
}

export function createWorld(engine: Engine, options: FakeClockOptions = {}): World {
  const clock = createFakeClock(options);
  return engine === 'memory' ? memoryWorld(clock) : sqliteWorld(clock);
}

function memoryWorld(clock: FakeClock): World {
  const data = createMemoryData();
  return {
    clock,
    file: '',
    open: async (options) => createMemoryStore({ clock, ...options, data }),
    events: () => data.events.map(({ version: _, ...event }) => event),
    end() {},
  };
}

function sqliteWorld(clock: FakeClock): World {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-test-'));
  const file = join(folder, 'store.db');
  const handles: Handle[] = [];
  return {
    clock,
    file,
    async open(options) {
      const handle = await createSqliteStore({ clock, ...options, file });
      handles.push(handle);
      return handle;
    },
    events() {
      const db = new Database(file, { readonly: true });
      try {
        const columns = 'id, at_ms AS atMs, kind, key, author, generation';
        return db.prepare<[], SeenEvent>(`SELECT ${columns} FROM events ORDER BY id`).all();
      } finally {
        db.close();
      }
    },
    end() {
      for (const handle of handles) void handle.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let requests = 0;

/** A request id that no other call has. */
export function request(): string {
  requests += 1;
  return `r${requests}`;
}

/** The value of an accepted answer. */
export function ok<T>(outcome: Outcome<T>): T {
  if (outcome.accepted) return outcome.value;
  throw new Error(`Expected an accepted answer, got ${outcome.refusal.code}: ${outcome.refusal.message}`);
}

/** `accepted`, or the code of the refusal. */
export function codeOf(outcome: Outcome<unknown>): string {
  return outcome.accepted ? 'accepted' : outcome.refusal.code;
}

/** One worker: a handle and a label, in the words of the tests. */
export function worker(store: Handle, owner: string) {
  const { work } = store;
  return {
    claim: (key: string, leaseMs: number, reacquire?: boolean) =>
      work.claim(key, {
        owner,
        leaseMs,
        request: request(),
        ...(reacquire === undefined ? {} : { reacquire }),
      }),
    claimNext: (prefix: string, leaseMs: number, limit?: number) =>
      work.claimNext(prefix, {
        owner,
        leaseMs,
        request: request(),
        ...(limit === undefined ? {} : { limit }),
      }),
    heartbeat: (lease: Lease, extendMs?: number) =>
      work.heartbeat(lease, { request: request(), ...(extendMs === undefined ? {} : { extendMs }) }),
    complete: (lease: Lease, result: string) => work.complete(lease, { request: request(), result }),
    nack: (lease: Lease, error = 'failed') => work.nack(lease, { request: request(), error }),
    release: (lease: Lease) => work.release(lease, { request: request() }),
  };
}

/** Adds items. */
export async function enqueue(store: Handle, ...items: (string | Omit<NewItem, 'payload'>)[]): Promise<void> {
  const full = items.map((item) => ({ payload: null, ...(typeof item === 'string' ? { key: item } : item) }));
  ok(await store.work.enqueue(full, { request: request() }));
}

/** The item as a scan shows it. */
export async function itemOf(store: Handle, key: string): Promise<Item | undefined> {
  const items = await store.work.scan({ limit: 1000 });
  return items.find((item) => item.key === key);
}
