/** The outbound queue: spec/jobs.md D7. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutboundEntry, OutboundStore } from '../../../src/jobs/outbound/entry.ts';
import { createOutboundQueue } from '../../../src/jobs/outbound/queue.ts';
import type { OutboundQueueOptions } from '../../../src/jobs/outbound/types.ts';
import { createMemoryOutboundData, createMemoryOutboundStore } from '../../../src/stores/memory/outbound.ts';
import { createSqliteOutboundStore } from '../../../src/stores/sqlite/jobs/outbound.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { breakable, ENGINES } from './jobs.ts';

const STALE_MS = 15_000;
const HOURS_6 = 21_600_000;

describe.each(ENGINES)('an outbound queue on %s', (engine) => {
  let clock: FakeClock;
  let folder: string;
  let data = createMemoryOutboundData();
  let stores: OutboundStore[];
  beforeEach(() => {
    clock = createFakeClock({ wallMs: 1_000_000 });
    folder = mkdtempSync(join(tmpdir(), 'fencepost-outbound-'));
    data = createMemoryOutboundData();
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function open(): OutboundStore {
    const store =
      engine === 'memory'
        ? createMemoryOutboundStore({ clock, data })
        : createSqliteOutboundStore({ file: join(folder, 'jobs.db'), clock });
    stores.push(store);
    return store;
  }

  /** A queue of a process of its own, and what it sent. */
  function boot(options: Partial<OutboundQueueOptions> = {}) {
    const got: string[] = [];
    const warnings: string[] = [];
    const link = breakable(open());
    const queue = createOutboundQueue({
      store: link.store,
      clock,
      random: () => 0.5,
      processes: { self: () => undefined, stateOf: () => 'unknown' },
      onWarning: (message) => warnings.push(message),
      ...options,
      send: (entry, context) => {
        got.push(`${entry.key}${entry.possibleDuplicate ? ' again?' : ''}`);
        return options.send?.(entry, context);
      },
    });
    return { queue, got, warnings, crash: link.cut };
  }
  const add = async (queue: ReturnType<typeof boot>['queue'], ...keys: string[]) => {
    for (const key of keys) await queue.enqueue({ key, lane: key.split('/')[0] ?? '', payload: { key } });
  };
  const states = async (queue: ReturnType<typeof boot>['queue']) =>
    (await queue.list()).map(({ key, state }) => `${key} ${state}`);
  const never = () => new Promise(() => {});
  /** A queue in the middle of sending an entry, for longer than a claim may last: `finish` gives the answer. */
  const slowSend = async (key: string) => {
    let finish: (answer: unknown) => void = () => {};
    const { queue } = boot({
      send: () => new Promise((resolve) => (finish = resolve)),
      sendTimeoutMs: 400_000,
      claimStaleAfterMs: 500_000,
    });
    await add(queue, key);
    return { draining: queue.drain(), finish: (answer: unknown) => finish(answer) };
  };

  it('stores, sends in order, marks', async () => {
    const seen: (string | undefined)[] = [];
    const { queue, got } = boot({
      send: async ({ key }) => void seen.push((await queue.get(key))?.state),
    });
    await add(queue, 'a/1', 'b/1', 'a/2');
    expect(await states(queue)).toEqual(['a/1 pending', 'b/1 pending', 'a/2 pending']);
    expect(await queue.drain()).toEqual({ recovered: 0, confirmed: 0, sent: 3, failed: 0 });
    expect([got, seen]).toEqual([
      ['a/1', 'b/1', 'a/2'],
      ['sending', 'sending', 'sending'],
    ]);
    expect(await queue.get('a/1')).toMatchObject({
      state: 'sent',
      attempts: 1,
      sender: null,
      settledAtMs: 1_000_000,
    });
    expect(await queue.drain()).toMatchObject({ sent: 0 });
  });

  it('a key is used once: a second enqueue answers the entry that is there', async () => {
    const { queue, got } = boot();
    const first = await queue.enqueue({ key: 'k', payload: 1 });
    await queue.drain();
    const again = await queue.enqueue({ key: 'k', payload: 2 });
    await queue.drain();
    expect([first.isNew, again.isNew, again.entry.payload, again.entry.state, got]).toEqual([
      true,
      false,
      1,
      'sent',
      ['k'],
    ]);
    await expect(queue.enqueue({ key: '', payload: 1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(queue.enqueue({ key: 'x', payload: Number.NaN })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it.each([
    ['strict', ['a/1', 'b/1'], ['a/1', 'a/2']],
    ['best-effort', ['a/1', 'a/2', 'b/1'], ['a/1']],
  ] as const)('%s: what a failure holds up', async (ordering, first, later) => {
    let isDown = true;
    const { queue, got } = boot({ ordering, send: ({ key }) => key !== 'a/1' || !isDown });
    await add(queue, 'a/1', 'a/2', 'b/1');
    await queue.drain();
    expect(got).toEqual(first);
    isDown = false;
    clock.advance(1999);
    await queue.drain();
    expect(got).toEqual(first);
    clock.advance(1);
    await queue.drain();
    expect(got).toEqual([...first, ...later]);
  });

  it('what a dead sender left may have arrived: it is sent again and says so, also after another failure', async () => {
    const dead = boot({ send: never });
    await add(dead.queue, 'k');
    void dead.queue.drain();
    await clock.advanceAsync(0);
    dead.crash();
    clock.advance(STALE_MS);
    let tries = 0;
    const next = boot({
      send: () => {
        tries += 1;
        return tries > 1;
      },
    });
    expect(await next.queue.drain()).toMatchObject({ recovered: 1, confirmed: 0, failed: 1 });
    clock.advance(10_000);
    expect(await next.queue.drain()).toMatchObject({ recovered: 0, sent: 1 });
    expect(next.got).toEqual(['k again?', 'k again?']);
    expect(await next.queue.get('k')).toMatchObject({ state: 'sent', possibleDuplicate: true, attempts: 3 });
  });

  it('an entry that is confirmed to have arrived is not sent again', async () => {
    const dead = boot({ send: never });
    await add(dead.queue, 'k', 'l');
    void dead.queue.drain();
    await clock.advanceAsync(0);
    dead.crash();
    clock.advance(STALE_MS);
    const asked: string[] = [];
    const next = boot({
      confirm: ({ key, state }: OutboundEntry) => {
        asked.push(`${key} ${state}`);
        return true;
      },
    });
    expect(await next.queue.drain()).toEqual({ recovered: 1, confirmed: 1, sent: 1, failed: 0 });
    expect([asked, next.got]).toEqual([['k recovered'], ['l']]);
  });

  it('what a live process is sending is left alone; a claim that is too old is taken over', async () => {
    const { finish, draining } = await slowSend('k');
    await clock.advanceAsync(300_000);
    const other = boot();
    expect(await other.queue.drain()).toEqual({ recovered: 0, confirmed: 0, sent: 0, failed: 0 });
    await clock.advanceAsync(1);
    expect(await other.queue.drain()).toMatchObject({ recovered: 1, sent: 1 });
    // The first one's failure says nothing about what the second one sent.
    finish(false);
    await draining;
    expect(await other.queue.get('k')).toMatchObject({ state: 'sent', attempts: 2 });
  });

  it('a success counts whoever has the entry now', async () => {
    const { finish, draining } = await slowSend('k');
    await clock.advanceAsync(300_001);
    const other = boot({ send: () => false });
    await other.queue.drain();
    expect(await other.queue.get('k')).toMatchObject({ state: 'failed' });
    finish(true);
    await draining;
    expect(await other.queue.get('k')).toMatchObject({ state: 'sent' });
    clock.advance(100_000);
    expect(await other.queue.drain()).toMatchObject({ sent: 0, failed: 0 });
  });

  it('fails for good when its attempts are used up and it is old, not before; then its lane goes on', async () => {
    const { queue, got } = boot({ send: ({ key }) => key !== 'a/1', maxAttempts: 2 });
    await add(queue, 'a/1');
    for (let i = 0; i < 4; i += 1) {
      await queue.drain();
      clock.advance(60_000);
    }
    expect(await queue.get('a/1')).toMatchObject({ state: 'failed', attempts: 4 });
    clock.advance(HOURS_6);
    await add(queue, 'a/2');
    await queue.drain();
    expect(await states(queue)).toEqual(['a/1 permanent-failure', 'a/2 sent']);
    expect(got).toHaveLength(6);
    await add(queue, 'b/1');
    const refusing = boot({ send: () => ({ giveUp: 'no such address' }) });
    await refusing.queue.drain();
    expect(await queue.get('b/1')).toMatchObject({
      state: 'permanent-failure',
      error: 'no such address',
      attempts: 1,
    });
  });

  it('a receiver may ask for a longer pause, up to a day', async () => {
    const { queue } = boot({
      send: () => Promise.reject(Object.assign(new Error('busy'), { retryAfterMs: 1000 * 2 ** 40 })),
    });
    await add(queue, 'k');
    await queue.drain();
    expect(await queue.get('k')).toMatchObject({
      state: 'failed',
      error: 'busy',
      dueAtMs: 1_000_000 + 86_400_000,
    });
  });

  it('started, it sends what is enqueued and what falls due by itself', async () => {
    const { queue, got } = boot({ send: ({ attempts }) => attempts > 1 });
    await queue.start();
    await add(queue, 'k');
    await clock.advanceAsync(1);
    expect(got).toEqual(['k']);
    await clock.advanceAsync(2000);
    expect([got, await states(queue)]).toEqual([['k', 'k'], ['k sent']]);
    await queue.close();
    expect(clock.timers()).toBe(0);
  });

  it('started, it outlives a store that fails for a while', async () => {
    const store = open();
    let isBroken = false;
    const { queue, got, warnings } = boot({
      store: {
        ...store,
        eligible(...given) {
          if (isBroken) throw new Error('no disk');
          return store.eligible(...given);
        },
      },
    });
    await queue.start();
    isBroken = true;
    await add(queue, 'k');
    await clock.advanceAsync(1);
    expect(warnings.join()).toContain('no disk');
    isBroken = false;
    await clock.advanceAsync(5000);
    expect(got).toEqual(['k']);
    await queue.close();
  });

  it('settled entries go after their time, or when there are too many; what is to be sent never does', async () => {
    const { queue } = boot({
      maxEntries: 3,
      retentionMs: 10_000,
      send: ({ key }) => {
        if (key.startsWith('bad')) return { giveUp: 'x' };
        return !key.startsWith('down');
      },
    });
    await add(queue, 'bad/1', 'good/1', 'down/1');
    await queue.drain();
    expect(await queue.list()).toHaveLength(3);
    clock.advance(1);
    await add(queue, 'good/2', 'down2/1', 'down3/1');
    await queue.drain();
    expect(await states(queue)).toEqual(['down/1 failed', 'down2/1 failed', 'down3/1 failed']);
    clock.advance(10_001);
    const other = boot({ retentionMs: 10_000, maxEntries: 1 });
    await other.queue.drain();
    expect(await states(queue)).toEqual(['down3/1 sent']);
    clock.advance(10_001);
    await other.queue.drain();
    expect(await queue.list()).toEqual([]);
    expect((await queue.enqueue({ key: 'good/1', payload: 1 })).isNew).toBe(true);
  });

  it('of settled entries those that were sent go first', async () => {
    const { queue } = boot({ maxEntries: 2, send: ({ key }) => (key === 'bad' ? { giveUp: 'x' } : true) });
    await add(queue, 'bad', 'one', 'two');
    await queue.drain();
    expect(await states(queue)).toEqual(['bad permanent-failure', 'two sent']);
  });

  it('two queues on one store send nothing twice', async () => {
    const [a, b] = [boot({ send: async () => {} }), boot({ send: async () => {} })];
    await add(a.queue, ...Array.from({ length: 40 }, (_, i) => `l${i % 5}/${i}`));
    const counts = await Promise.all([a.queue.drain(), b.queue.drain()]);
    await a.queue.drain();
    const all = [...a.got, ...b.got];
    expect([all.length, new Set(all).size]).toEqual([40, 40]);
    expect(counts.reduce((sum, { failed }) => sum + failed, 0)).toBe(0);
  });

  it('options that are none are refused', () => {
    for (const options of [
      { maxAttempts: 0 },
      { sendTimeoutMs: 300_000 },
      { retentionMs: 0 },
      { maxEntries: 0.5 },
    ]) {
      expect(() => boot(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    }
  });
});
