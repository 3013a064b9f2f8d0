/** Renewing a claim, once: spec/plan.md checks 25-33. */
import { describe, expect, it } from 'vitest';
import { codeOf, ENGINES, interrupted, LEASE_MS, no, ok, task, taskOf, usePlans } from './plans.ts';

describe.each(ENGINES)('renewing on %s', (engine) => {
  const plans = usePlans(engine);
  const claimed = async (owner?: string) => {
    const plan = await plans.open();
    ok(await plan.setPlan('r', ['a']));
    ok(await plan.claimNext(owner === undefined ? {} : { owner }));
    plans.world.clock.advance(1000);
    return plan;
  };
  const lapse = () => plans.world.clock.advance(LEASE_MS + 1);
  const renew = (owner: string) => ({ owner, renew: true });

  it('plan 25: the holder that does not ask to renew is refused like anybody else', async () => {
    const plan = await claimed('w1');
    const before = await plans.stored();
    expect(codeOf(await plan.claimTask(0, 'a', { owner: 'w1' }))).toBe('held');
    expect(codeOf(await plan.claimTask(0, 'a', { owner: 'w1', renew: false }))).toBe('held');
    expect(await plans.stored()).toEqual(before);
  });

  it('plan 26, plan 27: it renews once, and the second time is refused', async () => {
    const plan = await claimed('w1');
    const before = await task(plan, 0);
    const renewed = ok(await plan.claimTask(0, 'a', renew('w1')));
    expect(taskOf(renewed)).toEqual([0, 'a']);
    expect(renewed).toMatchObject({ kind: 'renewed', attempts: 1, generation: 1 });
    const after = await task(plan, 0);
    expect(after).toEqual({
      ...before,
      renewed: true,
      claimedAtMs: (before.claimedAtMs ?? 0) + 1000,
      leaseEndsAtMs: (before.leaseEndsAtMs ?? 0) + 1000,
    });
    const stored = await plans.stored();
    expect(codeOf(await plan.claimTask(0, 'a', renew('w1')))).toBe('held');
    expect(await plans.stored()).toEqual(stored);
    plans.world.clock.advance(LEASE_MS);
    expect(codeOf(await plan.claimNext({ owner: 'w2' }))).toBe('no-free-task');
    plans.world.clock.advance(1);
    expect(ok(await plan.claimNext({ owner: 'w2' })).attempts).toBe(2);
  });

  it('plan 28: of two renewals at once one is accepted and one refused', async () => {
    const plan = await claimed('w1');
    const { store } = await plans.open();
    const twin = await plans.open({
      store: interrupted(store, async (round) => {
        if (round === 1) ok(await plan.claimTask(0, 'a', renew('w1')));
      }),
    });
    expect(codeOf(await twin.claimTask(0, 'a', renew('w1')))).toBe('held');
    const both = await claimedAgain(plan);
    const answers = await Promise.all([both, both].map((one) => one.claimTask(0, 'a', renew('w2'))));
    expect(answers.map(codeOf).sort()).toEqual(['accepted', 'held']);
  });

  async function claimedAgain(plan: Awaited<ReturnType<typeof claimed>>) {
    lapse();
    ok(await plan.claimNext({ owner: 'w2' }));
    return plan;
  }

  it('plan 29: another owner cannot renew', async () => {
    const plan = await claimed('w1');
    const before = await plans.stored();
    expect(no(await plan.claimTask(0, 'a', renew('w2'))).code).toBe('held');
    expect(await plans.stored()).toEqual(before);
  });

  it('plan 30: an anonymous claim cannot be renewed by anonymous callers', async () => {
    const plan = await claimed();
    const before = await plans.stored();
    expect(codeOf(await plan.claimTask(0, 'a', { renew: true }))).toBe('held');
    expect(await plans.stored()).toEqual(before);
    // Not even by somebody who read the random owner out of the store.
    const { owner } = await task(plan, 0);
    expect(codeOf(await plan.claimTask(0, 'a', renew(owner ?? '')))).toBe('held');
  });

  it('plan 31: after the lease lapsed a renewal is a fresh claim, which may be renewed once again', async () => {
    const plan = await claimed('w1');
    ok(await plan.claimTask(0, 'a', renew('w1')));
    lapse();
    expect(ok(await plan.claimTask(0, 'a', renew('w1')))).toMatchObject({
      kind: 'claimed',
      attempts: 2,
      generation: 2,
    });
    expect(ok(await plan.claimTask(0, 'a', renew('w1'))).kind).toBe('renewed');
    expect(codeOf(await plan.claimTask(0, 'a', renew('w1')))).toBe('held');
  });

  it('plan 32: whoever takes over a renewed claim may renew once as well', async () => {
    const plan = await claimed('w1');
    ok(await plan.claimTask(0, 'a', renew('w1')));
    lapse();
    ok(await plan.claimNext({ owner: 'w2' }));
    expect(ok(await plan.claimTask(0, 'a', renew('w2'))).kind).toBe('renewed');
  });

  it('plan 33: a stale holder cannot renew', async () => {
    const plan = await claimed('w1');
    lapse();
    ok(await plan.claimNext({ owner: 'w2' }));
    expect(codeOf(await plan.claimTask(0, 'a', renew('w1')))).toBe('held');
  });

  it('a stale holder under the same label cannot renew the claim of its successor when it names its own', async () => {
    const plan = await claimed('w1');
    lapse();
    ok(await plan.claimNext({ owner: 'w1' }));
    expect(codeOf(await plan.claimTask(0, 'a', { ...renew('w1'), generation: 1 }))).toBe('held');
    expect(codeOf(await plan.claimTask(0, 'a', { ...renew('w1'), epoch: 7 }))).toBe('held');
    expect(ok(await plan.claimTask(0, 'a', { ...renew('w1'), generation: 2, epoch: 1 })).kind).toBe(
      'renewed',
    );
  });

  it('renew on a task that is todo is a plain claim', async () => {
    const plan = await plans.open();
    ok(await plan.setPlan('r', ['a']));
    expect(ok(await plan.claimTask(0, 'a', renew('w1')))).toMatchObject({ kind: 'claimed', attempts: 1 });
    expect(codeOf(await plan.claimTask(0, 'a', { renew: 1 as unknown as boolean }))).toBe('invalid');
  });
});
