import { describe, expect, it } from 'vitest';
import { STORE_OPERATIONS } from '../../../harness/history/record.ts';
import { type Declares, declaresSchema } from '../../../harness/store-module/declares.ts';
import { probe } from '../../../harness/store-module/probe.ts';
import type { Store } from '../../../src/store.ts';
import { fakeBoard, fakeStore } from './fake-store.ts';

const run = (store: Store, declares: Partial<Declares> = {}) =>
  probe(store, declaresSchema.parse(declares), { callLimitMs: 60 });

async function problem(store: Store, declares: Partial<Declares> = {}): Promise<string> {
  const { problems } = await run(store, declares);
  expect(problems.length).toBe(1);
  const [{ what, why, fix }] = problems as [(typeof problems)[0]];
  for (const text of [what, why, fix]) expect(text).toMatch(/^\S.{10,}[.?]$/s);
  return what;
}

describe('probe', () => {
  it('passes a whole store', async () => {
    expect(await run(fakeStore({}, fakeBoard()))).toEqual({ methods: STORE_OPERATIONS, problems: [] });
  });

  it('passes a store that has only claimNext and complete', async () => {
    const none = {
      claim: undefined,
      heartbeat: undefined,
      nack: undefined,
      release: undefined,
      forceRelease: undefined,
    };
    expect(await run(fakeStore({ ...none, scan: undefined }))).toEqual({
      methods: ['enqueue', 'claimNext', 'complete'],
      problems: [],
    });
  });

  it('does not judge guarantees: a store without any fence passes', async () => {
    const lease = (key: string) => ({ key, owner: 'x', token: 't', generation: 1n, leaseMs: 5 });
    const ok = { accepted: true, value: undefined };
    const careless = {
      claim: (key: string) => ({ accepted: true, value: lease(key) }),
      enqueue: () => ok,
      complete: () => ok,
      release: () => ok,
      nack: () => ok,
      heartbeat: (held: object) => ({ accepted: true, value: held }),
    };
    expect((await run(fakeStore(careless))).problems).toEqual([]);
  });

  it('waits for a queue that shows new items a little later', async () => {
    let asked = 0;
    const real = fakeStore();
    const late = fakeStore({
      claim: undefined,
      enqueue: real.work!.enqueue!,
      complete: real.work!.complete!,
      heartbeat: real.work!.heartbeat!,
      claimNext: (prefix: string, by: never) => {
        asked += 1;
        return asked % 2 === 1
          ? { accepted: false, refusal: { code: 'empty', message: '' } }
          : real.work!.claimNext!(prefix, by);
      },
      release: undefined,
      nack: undefined,
    });
    expect((await run(late)).problems).toEqual([]);
  });

  it.each<[string, Store, string]>([
    [
      'claims that answer a text',
      fakeStore({ claim: () => 'yes' }),
      'claim() must answer { accepted, value | refusal }, got "yes"',
    ],
    ['no work', fakeStore({}, { work: undefined }), 'The store has no `work` facet.'],
    ['no claim', fakeStore({ claim: undefined, claimNext: undefined }), 'neither `claim` nor `claimNext`'],
    ['no enqueue', fakeStore({ enqueue: undefined }), 'no `enqueue`'],
    ['a method that is none', fakeStore({ complete: 5 }), '`work.complete` must be a method'],
    [
      'a clock that is none',
      fakeStore({}, { nowMs: () => 'now' }),
      'nowMs() must answer a number of milliseconds',
    ],
    [
      'leftovers',
      fakeStore({ scan: () => [{ key: 'old', state: 'done' }] }),
      'is not empty: scan() shows `old`',
    ],
    [
      'a throw',
      fakeStore({
        enqueue: () => {
          throw new Error('no table');
        },
      }),
      'enqueue() threw Error: no table',
    ],
    [
      'a rejection',
      fakeStore({ heartbeat: () => Promise.reject(new Error('gone')) }),
      'heartbeat() threw Error: gone',
    ],
    ['a hang', fakeStore({ claim: () => new Promise(() => {}) }), 'claim() did not finish within 0.06 s'],
    [
      'a refusal for no reason',
      fakeStore({ complete: () => ({ accepted: false, refusal: { code: 'expired', message: 'late' } }) }),
      'complete() refused the holder of `probe/a`: expired, "late"',
    ],
    [
      'an accepted claimNext without a lease',
      fakeStore({ claim: undefined, claimNext: () => ({ accepted: true, value: [] }) }),
      'claimNext() `value` must be at least one lease',
    ],
  ])('reports %s', async (_, store, what) => {
    expect(await problem(store)).toContain(what);
  });

  it('asks for a generation where tokens are ordered, as they are by default', async () => {
    const bare = (key: string) => ({ accepted: true, value: { key, owner: 'x', token: 't', leaseMs: 5 } });
    expect(await problem(fakeStore({ claim: bare }))).toContain('`value.generation`');
    expect(
      (
        await run(
          fakeStore({
            claim: bare,
            heartbeat: undefined,
            complete: undefined,
            release: undefined,
            nack: undefined,
          }),
          { tokens: 'opaque' },
        )
      ).problems,
    ).toEqual([]);
  });

  it('takes a store without enqueue whose items are made by the first claim', async () => {
    const store = fakeStore({ enqueue: undefined });
    expect(await problem(store, { items: 'on-demand' })).toContain(
      'claim() refused the free item `probe/a`: unknown-item',
    );
  });
});
