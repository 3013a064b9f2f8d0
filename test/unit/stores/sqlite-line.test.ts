/** The waiting line, with a second connection that holds the write lock of the file for as long as a test wants. */
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lease } from '../../../src/store.ts';
import { createSqliteStore, type SqliteStore } from '../../../src/stores/sqlite/store.ts';
import { codeOf, createWorld, enqueue, ok, request, type World, worker } from '../../support/world.ts';

const BUDGET_MS = 200;

let world: World;
let store: SqliteStore;
let other: Database.Database;
let w1: ReturnType<typeof worker>;

beforeEach(async () => {
  world = createWorld('sqlite');
  store = await createSqliteStore({ file: world.file, clock: world.clock, claimBudgetMs: BUDGET_MS });
  other = new Database(world.file);
  w1 = worker(store, 'w1');
  await enqueue(store, 'k1', 'k2', 'k3');
});
afterEach(() => {
  store.close();
  other.close();
  world.end();
});

const lock = () => other.exec('BEGIN IMMEDIATE');
const unlock = () => other.exec('COMMIT');

/** Notes how a call ends, without waiting for it. */
function watch(call: unknown): { end: string } {
  const seen = { end: 'waits' };
  Promise.resolve(call as PromiseLike<{ accepted: boolean }>).then(
    (outcome) => {
      seen.end = outcome.accepted ? 'accepted' : 'refused';
    },
    (error: { code: string; definite: boolean }) => {
      seen.end = `${error.code}${error.definite ? ' definite' : ''}`;
    },
  );
  return seen;
}

/** Lets fake time pass in small steps, so that every retry has its turn. */
async function pass(ms: number): Promise<void> {
  await world.clock.advanceAsync(ms);
}

describe('the lock is free', () => {
  it('every call answers at once, without a promise', async () => {
    const lease = w1.claim('k1', 1000);
    expect(lease).toHaveProperty('accepted', true);
    expect(w1.claimNext('', 1000)).toHaveProperty('accepted', true);
    expect(w1.heartbeat(ok(await lease))).toHaveProperty('accepted', true);
    expect(w1.complete(ok(await lease), 'x')).toHaveProperty('accepted', true);
    expect(store.work.scan({ limit: 1 })).toHaveLength(1);
    expect(world.clock.timers()).toBe(0);
  });
});

describe('the lock is taken', () => {
  it('a call waits by timer and goes through once the lock is free', async () => {
    lock();
    const call = watch(w1.claim('k1', 1000));
    await pass(50);
    expect(call.end).toBe('waits');
    unlock();
    await pass(10);
    expect(call.end).toBe('accepted');
    expect(world.clock.timers()).toBe(0);
  });

  it('the event loop goes on meanwhile', async () => {
    lock();
    const call = watch(w1.claim('k1', 1000));
    let turns = 0;
    for (let i = 0; i < 100; i += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    expect(turns).toBe(100);
    expect(call.end).toBe('waits');
    unlock();
    await pass(10);
  });

  it('reads do not wait', () => {
    lock();
    expect(store.work.scan({ limit: 9 })).toHaveLength(3);
    unlock();
  });

  it('a lease counts from the instant of the grant, not from that of the call', async () => {
    lock();
    const call = Promise.resolve(w1.claim('k1', 1000));
    await pass(100);
    unlock();
    await pass(10);
    const lease = ok(await call);
    expect(lease.acquiredAtMs).toBeGreaterThanOrEqual(100);
    expect(lease.expiresAtMs).toBe((lease.acquiredAtMs ?? 0) + 1000);
  });

  it('a claim that meets a lease which ran out during its wait gets the item', async () => {
    ok(await w1.claim('k1', 30));
    lock();
    const call = Promise.resolve(worker(store, 'w2').claim('k1', 10));
    await pass(50);
    unlock();
    await pass(10);
    expect(ok(await call)).toMatchObject({ generation: 2n, kind: 'reclaimed' });
  });

  it('two claims held up for 6 s (case A04): one is granted, and its lease counts from the grant', async () => {
    const options = { file: world.file, clock: world.clock, claimBudgetMs: 10_000 };
    const handles = [await createSqliteStore(options), await createSqliteStore(options)];
    lock();
    const answers = handles.map((handle, i) =>
      Promise.resolve(worker(handle, `w${i + 1}`).claim('k1', 5000)),
    );
    await pass(6000);
    unlock();
    await pass(10);
    const outcomes = await Promise.all(answers);
    expect(outcomes.map(codeOf).sort()).toEqual(['accepted', 'held']);
    const granted = outcomes.find((outcome) => outcome.accepted);
    const expiresAtMs = granted?.accepted ? granted.value.expiresAtMs : undefined;
    expect(expiresAtMs).toBeGreaterThanOrEqual(11_000);
    expect(expiresAtMs).toBeLessThanOrEqual(11_010);
    for (const handle of handles) handle.close();
  });

  it('a holder call whose lease ran out during its wait is refused as expired', async () => {
    const lease = ok(await w1.claim('k1', 30));
    lock();
    const call = Promise.resolve(w1.complete(lease, 'x'));
    await pass(50);
    unlock();
    await pass(10);
    expect(codeOf(await call)).toBe('expired');
  });
});

describe('the order of the line', () => {
  let leases: readonly Lease[];
  beforeEach(async () => {
    leases = ok(await w1.claimNext('', 1000, 2));
  });

  it('holder calls go before claims, each in the order of their coming', async () => {
    lock();
    const [first, second] = leases;
    if (first === undefined || second === undefined) throw new Error('two leases expected');
    const order: string[] = [];
    const note = (name: string, call: unknown) => void Promise.resolve(call).then(() => order.push(name));
    note('claim 1', w1.claimNext('', 10));
    note('enqueue', store.work.enqueue([{ key: 'k9', payload: null }], { request: request() }));
    note('complete', w1.complete(first, 'x'));
    note('claim 2', w1.claimNext('', 10));
    note('heartbeat', w1.heartbeat(second));
    await pass(20);
    expect(order).toEqual([]);
    unlock();
    await pass(20);
    expect(order).toEqual(['complete', 'heartbeat', 'claim 1', 'enqueue', 'claim 2']);
  });

  it('nobody overtakes while the lock is free again and the line has not moved yet', async () => {
    lock();
    const claim = watch(w1.claim('k3', 10));
    unlock();
    const late = watch(worker(store, 'w2').claim('k3', 10));
    await pass(10);
    expect([claim.end, late.end]).toEqual(['accepted', 'refused']);
  });

  it('a holder call does not wait behind waiting claims', async () => {
    lock();
    const claim = watch(w1.claim('k3', 10));
    unlock();
    const lease = leases[0];
    if (lease === undefined) throw new Error('a lease expected');
    expect(w1.complete(lease, 'x')).toHaveProperty('accepted', true);
    expect(claim.end).toBe('waits');
    await pass(10);
    expect(claim.end).toBe('accepted');
  });
});

describe('the end of patience', () => {
  it('a claim ends in a definite STORE_BUSY after its budget, and had no effect', async () => {
    lock();
    const calls = [
      watch(w1.claim('k1', 10)),
      watch(w1.claimNext('', 10)),
      watch(store.work.enqueue([{ key: 'k9', payload: null }], { request: request() })),
    ];
    await pass(BUDGET_MS - 1);
    expect(calls.map((call) => call.end)).toEqual(['waits', 'waits', 'waits']);
    await pass(20);
    expect(calls.map((call) => call.end)).toEqual(Array(3).fill('STORE_BUSY definite'));
    expect(world.clock.timers()).toBe(0);
    unlock();
    expect((await store.work.scan({ limit: 9 })).map((item) => item.state)).toEqual(['open', 'open', 'open']);
    expect(w1.claim('k1', 10)).toHaveProperty('accepted', true);
  });

  it('says for how long it waited, and for what', async () => {
    lock();
    const call = Promise.resolve(w1.claim('k1', 10)).catch((error: Error) => error.message);
    await pass(BUDGET_MS + 20);
    expect(await call).toBe(
      `Expected the write lock of ${world.file} within 200 ms, found it taken at every try. The call had no effect: try again.`,
    );
    unlock();
  });

  it('a holder call waits up to the end of its lease', async () => {
    const lease = ok(await w1.claim('k1', 5000));
    lock();
    const call = watch(w1.heartbeat(lease));
    await pass(4990);
    expect(call.end).toBe('waits');
    await pass(30);
    expect(call.end).toBe('STORE_BUSY definite');
    unlock();
  });

  it('a holder call of a lease that is over still waits a second for its refusal', async () => {
    const lease = ok(await w1.claim('k1', 10));
    world.clock.advance(10);
    lock();
    const patient = watch(w1.complete(lease, 'x'));
    await pass(990);
    expect(patient.end).toBe('waits');
    unlock();
    await pass(10);
    expect(patient.end).toBe('refused');
  });

  it('a budget that passed while the process was stopped does not fail the call when the lock is free', async () => {
    lock();
    const call = watch(w1.claim('k1', 10));
    unlock();
    world.clock.advance(10 * BUDGET_MS);
    await pass(0);
    expect(call.end).toBe('accepted');
  });
});

describe('close', () => {
  it('refuses what waits as definitely without effect', async () => {
    lock();
    const lease = { key: 'k1', owner: 'w1', token: '1', leaseMs: 10 };
    const calls = [watch(w1.claim('k1', 10)), watch(w1.release(lease))];
    store.close();
    await pass(0);
    expect(calls.map((call) => call.end)).toEqual(['STORE_CLOSED definite', 'STORE_CLOSED definite']);
    expect(world.clock.timers()).toBe(0);
    unlock();
  });

  it('refuses every call after it, and may be called twice', () => {
    store.close();
    store.close();
    const closed = expect.objectContaining({ code: 'STORE_CLOSED', definite: true });
    expect(() => w1.claim('k1', 10)).toThrow(closed);
    expect(() => store.work.scan({ limit: 1 })).toThrow(closed);
    expect(() => store.nowMs()).toThrow(closed);
  });
});
