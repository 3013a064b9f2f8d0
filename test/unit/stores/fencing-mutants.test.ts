/** Stores whose token or fence is wrong are wrong in the way they say. */
import { afterEach, describe, expect, it } from 'vitest';
import * as m01 from '../../../scenarios/mutants/m01-complete-without-fence.ts';
import * as m02 from '../../../scenarios/mutants/m02-older-token-accepted.ts';
import * as m03 from '../../../scenarios/mutants/m03-fence-by-owner-name.ts';
import { forgetfulRules } from '../../../scenarios/mutants/m05-token-in-memory.ts';
import { clockRules } from '../../../scenarios/mutants/m06-token-from-the-clock.ts';
import * as m07 from '../../../scenarios/mutants/m07-token-not-bumped.ts';
import { bumping } from '../../../scenarios/mutants/m08-token-bumped-on-renew.ts';
import * as m11 from '../../../scenarios/mutants/m11-count-ignored.ts';
import * as m15 from '../../../scenarios/mutants/m15-renew-revives.ts';
import * as m16 from '../../../scenarios/mutants/m16-renew-unfenced.ts';
import * as m17 from '../../../scenarios/mutants/m17-release-by-key.ts';
import * as m43 from '../../../scenarios/mutants/m43-complete-swallowed.ts';
import * as m53 from '../../../scenarios/mutants/m53-complete-after-expiry.ts';
import { brokenStores, KEY } from '../../support/broken-store.ts';
import { codeOf, itemOf, ok, worker } from '../../support/world.ts';

const stores = brokenStores();
afterEach(() => stores.end());

describe('M01', () => {
  it('a stale complete, a second complete, a complete of nobody are all accepted', async () => {
    const { clock, store, lease, w1, w2 } = await stores.leased({ rules: m01.rules });
    clock.advance(100);
    const successor = ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('accepted');
    expect(codeOf(await w2.complete(successor, 'new'))).toBe('accepted');
    expect(codeOf(await w1.complete({ ...lease, owner: 'w9', token: '' }, 'x'))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done' });
    expect(codeOf(await w1.heartbeat(lease))).toBe('stale');
  });

  it('around a sound store: a stale complete finishes the item in the name of its holder', async () => {
    const { clock, store, lease, w1, w2 } = await stores.leased({}, m01.decorate);
    clock.advance(100);
    ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done', result: 'old' });
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('stale');
  });
});

describe('M02', () => {
  it('an older token passes, a newer one does not, and the end of the lease still counts', async () => {
    const { clock, lease, w1, w2 } = await stores.leased({ rules: m02.rules });
    expect(codeOf(await w1.heartbeat({ ...lease, token: '2' }))).toBe('stale');
    clock.advance(100);
    expect(codeOf(await w1.complete(lease, 'late'))).toBe('expired');
    ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.heartbeat(lease))).toBe('accepted');
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('accepted');
  });
});

describe('M03', () => {
  it('an older attempt of the same name passes, another name does not', async () => {
    const { clock, lease, w1, w2 } = await stores.leased({ rules: m03.rules });
    clock.advance(100);
    ok(await w1.claim(KEY, 100));
    expect(codeOf(await w2.complete({ ...lease, owner: 'w2' }, 'x'))).toBe('stale');
    expect(codeOf(await w1.heartbeat(lease))).toBe('accepted');
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('accepted');
  });

  it('the end of the lease is still tested', async () => {
    const { clock, lease, w1 } = await stores.leased({ rules: m03.rules });
    clock.advance(100);
    expect(codeOf(await w1.complete(lease, 'late'))).toBe('expired');
  });

  it('around a sound store: only the same name passes', async () => {
    const { clock, lease, w1, w2 } = await stores.leased({}, m03.decorate);
    clock.advance(100);
    const second = ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('stale');
    ok(await w2.release(second));
    ok(await w1.claim(KEY, 100));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('accepted');
  });
});

describe('tokens', () => {
  it('M05: each process counts its own grants of an item', async () => {
    const { clock, open } = stores.file();
    const [one, other] = [await open({ rules: forgetfulRules() }), await open({ rules: forgetfulRules() })];
    await one.work.enqueue([{ key: KEY, payload: null }], { request: 'r' });
    expect(ok(await worker(one, 'w1').claim(KEY, 100)).generation).toBe(1n);
    clock.advance(100);
    expect(ok(await worker(other, 'w2').claim(KEY, 100)).generation).toBe(1n);
    clock.advance(100);
    expect(ok(await worker(one, 'w1').claim(KEY, 100))).toMatchObject({ generation: 2n, token: '2' });
  });

  it('M06: the token is the reading of the clock, also when that went back or stood still', async () => {
    let wallMs = 5000.7;
    const { clock, lease, w2 } = await stores.leased({ rules: clockRules(() => wallMs) });
    expect(lease).toMatchObject({ generation: 5000n, token: '5000' });
    wallMs = 4000;
    clock.advance(100);
    const second = ok(await w2.claim(KEY, 100));
    expect(second.generation).toBe(4000n);
    ok(await w2.release(second));
    expect(ok(await w2.claim(KEY, 100)).generation).toBe(4000n);
  });

  it('M07: a reclaim carries the old generation, a fresh claim a new one', async () => {
    const { clock, w1, w2 } = await stores.leased({ rules: m07.rules });
    clock.advance(100);
    const successor = ok(await w2.claim(KEY, 100));
    expect(successor).toMatchObject({ generation: 1n, token: '1', kind: 'reclaimed' });
    ok(await w2.release(successor));
    expect(ok(await w1.claim(KEY, 100)).generation).toBe(2n);
  });

  it('M08: after its second heartbeat the holder is stale', async () => {
    const { store, lease, w1 } = await stores.leased({ statements: bumping(2) });
    expect(codeOf(await w1.heartbeat(lease))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'leased', generation: 1n });
    const renewed = ok(await w1.heartbeat(lease));
    expect(renewed.token).toBe('1');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'leased', generation: 2n });
    expect(codeOf(await w1.complete(renewed, 'x'))).toBe('stale');
  });
});

describe('calls that change nothing', () => {
  it('M11: every call of a former holder is answered as accepted and does nothing', async () => {
    const { clock, store, lease, w1, w2 } = await stores.leased({}, m11.decorate);
    clock.advance(100);
    const successor = ok(await w2.claim(KEY, 100));
    expect(ok(await w1.heartbeat(lease))).toMatchObject({ token: '1', expiresAtMs: 200 });
    for (const answer of [await w1.complete(lease, 'old'), await w1.nack(lease), await w1.release(lease)])
      expect(codeOf(answer)).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'leased', generation: 2n, owner: 'w2' });
    ok(await w2.complete(successor, 'new'));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done', result: 'new' });
  });

  it('M43: a superseded complete is answered as accepted and does nothing; other calls are refused', async () => {
    const { clock, store, lease, w1, w2 } = await stores.leased({}, m43.decorate);
    clock.advance(100);
    expect(codeOf(await w1.complete(lease, 'late'))).toBe('expired');
    const successor = ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'leased', generation: 2n });
    expect(codeOf(await w1.heartbeat(lease))).toBe('stale');
    expect(codeOf(await w2.complete(successor, 'new'))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done', result: 'new' });
  });
});

describe('one call without its fence', () => {
  it('M15: the heartbeat of a superseded lease puts its holder back', async () => {
    const { clock, store, lease, w1, w2 } = await stores.leased({ rules: m15.rules });
    clock.advance(100);
    expect(codeOf(await w1.heartbeat(lease))).toBe('expired');
    const successor = ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.heartbeat(lease))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ owner: 'w1', generation: 1n, expiresAtMs: 200 });
    expect(codeOf(await w2.complete(successor, 'new'))).toBe('stale');
  });

  it('M16: a heartbeat of anybody extends the lease that stands; a complete is still fenced', async () => {
    const { clock, store, lease, w1, w2 } = await stores.leased({ rules: m16.rules });
    clock.advance(100);
    ok(await w2.claim(KEY, 100));
    clock.advance(50);
    expect(codeOf(await w1.heartbeat(lease))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ owner: 'w2', expiresAtMs: 250 });
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('stale');
  });

  it('M17: a release of anybody frees the item; a complete is still fenced', async () => {
    const { clock, store, lease, w1, w2, w3 } = await stores.leased({ rules: m17.rules });
    clock.advance(100);
    ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('stale');
    expect(codeOf(await w1.release(lease))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'open' });
    expect(ok(await w3.claim(KEY, 100)).generation).toBe(3n);
  });

  it('M53: a complete after the end of the lease passes while nobody else has the item', async () => {
    const { clock, lease, w1, w2 } = await stores.leased({ rules: m53.rules });
    clock.advance(100);
    expect(codeOf(await w1.heartbeat(lease))).toBe('expired');
    expect(codeOf(await w2.complete({ ...lease, owner: 'w2' }, 'x'))).toBe('stale');
    expect(codeOf(await w1.complete(lease, 'late'))).toBe('accepted');
    expect(codeOf(await w1.complete(lease, 'late'))).toBe('completed');
  });
});
