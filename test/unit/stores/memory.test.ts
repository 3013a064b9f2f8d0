/** What is particular to the memory store: handles share its content, and everything is all or nothing. */
import { describe, expect, it } from 'vitest';
import { leaseRules } from '../../../src/lease/rules.ts';
import { createMemoryStore } from '../../../src/stores/memory/store.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { enqueue, itemOf, ok, worker } from '../../support/world.ts';

describe('a memory store', () => {
  it('answers at once', async () => {
    const store = createMemoryStore({ clock: createFakeClock() });
    await enqueue(store, 'k');
    expect(worker(store, 'w1').claim('k', 10)).toHaveProperty('accepted', true);
  });

  it('without a clock takes that of the machine', () => {
    const before = Date.now();
    const now = createMemoryStore().nowMs();
    expect(now).toBeGreaterThanOrEqual(before - 1);
    expect(now).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('is closed for one handle and open for the others', async () => {
    const first = createMemoryStore({ clock: createFakeClock() });
    const second = createMemoryStore({ clock: createFakeClock(), data: first.data });
    await enqueue(first, 'k');
    await first.close();
    expect(() => worker(first, 'w1').claim('k', 10)).toThrow(
      expect.objectContaining({ code: 'STORE_CLOSED', definite: true }),
    );
    expect(() => first.nowMs()).toThrow(expect.objectContaining({ code: 'STORE_CLOSED' }));
    ok(await worker(second, 'w1').claim('k', 10));
  });

  it('takes back everything when a rule throws in the middle', async () => {
    let claims = 0;
    const store = createMemoryStore({
      clock: createFakeClock(),
      rules: {
        ...leaseRules,
        claim(row, call, nowMs) {
          claims += 1;
          if (claims === 3) throw new Error('a broken rule');
          return leaseRules.claim(row, call, nowMs);
        },
      },
    });
    await enqueue(store, 'k1', 'k2', 'k3');
    const before = { items: await store.work.scan({ limit: 9 }), counters: await store.counters() };
    expect(() => worker(store, 'w1').claimNext('', 10, 3)).toThrow('a broken rule');
    expect({ items: await store.work.scan({ limit: 9 }), counters: await store.counters() }).toEqual(before);
    expect(store.data.events).toHaveLength(3);
  });

  it('keeps no tie to the objects that were handed in', async () => {
    const store = createMemoryStore({ clock: createFakeClock() });
    const payload = { list: [1] };
    ok(await store.work.enqueue([{ key: 'k', payload }], { request: 'r' }));
    payload.list.push(2);
    const lease = ok(await worker(store, 'w1').claim('k', 10));
    expect(lease.payload).toEqual({ list: [1] });
    const result = { list: ['a'] };
    ok(await store.work.complete(lease, { request: 'r', result }));
    result.list.push('b');
    expect(await itemOf(store, 'k')).toMatchObject({ result: { list: ['a'] } });
  });
});
