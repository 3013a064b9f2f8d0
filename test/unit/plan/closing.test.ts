/** Closing, failing, cancelling: spec/plan.md checks 17, 34-42, 44, 48-50. */
import { describe, expect, it } from 'vitest';
import { codeOf, ENGINES, interrupted, LEASE_MS, no, ok, statuses, task, usePlans } from './plans.ts';

describe.each(ENGINES)('closing on %s', (engine) => {
  const plans = usePlans(engine);
  const made = async (tasks = ['a'], options = {}) => {
    const plan = await plans.open(options);
    ok(await plan.setPlan('r', tasks));
    return plan;
  };
  const lapse = () => plans.world.clock.advance(LEASE_MS + 1);

  it('plan 17: two attempts, both failed: the task is failed', async () => {
    const plan = await made(['a'], { maxAttempts: 2 });
    ok(await plan.markFailed(0, 'first', ok(await plan.claimNext({ owner: 'w1' }))));
    expect(await task(plan, 0)).toMatchObject({ status: 'todo', attempts: 1, completedAtMs: null });
    plans.world.clock.advance(7);
    ok(await plan.markFailed(0, 'second', ok(await plan.claimNext({ owner: 'w2' }))));
    expect(await task(plan, 0)).toMatchObject({
      status: 'failed',
      attempts: 2,
      error: 'second',
      completedAtMs: 7,
      closedBy: 'w2',
    });
    expect(codeOf(await plan.claimNext({ owner: 'w3' }))).toBe('complete');
  });

  it('plan 34: the holder closes with its result', async () => {
    const plan = await made();
    const claimed = ok(await plan.claimNext({ owner: 'w1' }));
    plans.world.clock.advance(5);
    expect(ok(await plan.markDone(0, 'in NOTES.md', claimed))).toContain('[x] 0. a → in NOTES.md');
    expect(await task(plan, 0)).toMatchObject({
      status: 'done',
      result: 'in NOTES.md',
      error: null,
      owner: null,
      claimedAtMs: null,
      completedAtMs: 5,
      closedBy: 'w1',
    });
  });

  it('plan 35: a blank summary or error is refused', async () => {
    const plan = await made();
    const claimed = ok(await plan.claimNext({ owner: 'w1' }));
    const before = await plans.stored();
    expect(codeOf(await plan.markDone(0, ' ', claimed))).toBe('invalid');
    expect(codeOf(await plan.markFailed(0, '', claimed))).toBe('invalid');
    expect(await plans.stored()).toEqual(before);
  });

  it('plan 36: a task that is todo cannot be closed', async () => {
    const plan = await made();
    const before = await plans.stored();
    expect(codeOf(await plan.markDone(0, 'x', { owner: 'w1' }))).toBe('not-claimed');
    expect(codeOf(await plan.markFailed(0, 'x'))).toBe('not-claimed');
    expect(await plans.stored()).toEqual(before);
  });

  it('plan 37: the second close is refused, and the first result stays', async () => {
    const plan = await made();
    const claimed = ok(await plan.claimNext({ owner: 'w1' }));
    ok(await plan.markDone(0, 'first', claimed));
    expect(codeOf(await plan.markDone(0, 'second', claimed))).toBe('not-claimed');
    expect(codeOf(await plan.markFailed(0, 'second'))).toBe('not-claimed');
    expect(await task(plan, 0)).toMatchObject({ status: 'done', result: 'first' });
  });

  it('plan 38, plan 39: after a takeover the old holder is refused, before and after the successor closes', async () => {
    const plan = await made();
    const a = ok(await plan.claimNext({ owner: 'A' }));
    lapse();
    const b = ok(await plan.claimNext({ owner: 'B' }));
    expect(codeOf(await plan.markDone(0, 'by A', a))).toBe('not-yours');
    expect(codeOf(await plan.markDone(0, 'by A', { owner: 'A' }))).toBe('not-yours');
    expect(await task(plan, 0)).toMatchObject({ status: 'claimed', owner: 'B' });
    ok(await plan.markDone(0, 'by B', b));
    expect(no(await plan.markDone(0, 'by A', a)).code).toBe('not-claimed');
    expect(await task(plan, 0)).toMatchObject({ status: 'done', result: 'by B' });
  });

  it('plan 40: a holder whose lease lapsed may close while nobody took the task', async () => {
    const plan = await made();
    const a = ok(await plan.claimNext({ owner: 'A' }));
    lapse();
    ok(await plan.markDone(0, 'late', a));
    expect(await task(plan, 0)).toMatchObject({ status: 'done', result: 'late', attempts: 1 });
  });

  it('plan 40: in a race of a late close and a claim exactly one wins', async () => {
    const plan = await made();
    const a = ok(await plan.claimNext({ owner: 'A' }));
    lapse();
    const { store } = await plans.open();
    const late = await plans.open({
      store: interrupted(store, async (round) => {
        if (round === 1) ok(await plan.claimNext({ owner: 'B' }));
      }),
    });
    expect(codeOf(await late.markDone(0, 'late', a))).toBe('not-yours');
    expect(await task(plan, 0)).toMatchObject({ status: 'claimed', owner: 'B', result: null });
  });

  it('plan 41: the same label with the generation of its former claim is refused', async () => {
    const plan = await made();
    const g1 = ok(await plan.claimNext({ owner: 'w1' }));
    lapse();
    const g2 = ok(await plan.claimNext({ owner: 'w1' }));
    expect([g1.generation, g2.generation]).toEqual([1, 2]);
    expect(no(await plan.markDone(0, 'old', g1))).toMatchObject({
      code: 'stale',
      message: expect.stringMatching(/generation 1.*generation 2/),
    });
    ok(await plan.markDone(0, 'new', g2));
    expect(await task(plan, 0)).toMatchObject({ result: 'new' });
  });

  it('plan 42: a close of a plan that was replaced is refused', async () => {
    const plan = await made(['a', 'b']);
    ok(await plan.claimNext({ owner: 'w1' }));
    const old = ok(await plan.claimNext({ owner: 'w1' }));
    ok(await plan.setPlan('new', ['other'], { replace: true }));
    expect(no(await plan.markDone(1, 'old', old))).toMatchObject({ code: 'stale' });
    ok(await plan.claimNext({ owner: 'w1' }));
    expect(no(await plan.markDone(0, 'old', { ...old, index: 0 } as typeof old))).toMatchObject({
      code: 'stale',
      message: expect.stringMatching(/epoch 1.*epoch 2/),
    });
    expect(await task(plan, 0)).toMatchObject({ status: 'claimed', result: null });
  });

  it('plan 44: a failure hands the task back, and a later success clears its error', async () => {
    const plan = await made();
    ok(await plan.markFailed(0, 'broke', ok(await plan.claimNext({ owner: 'w1' }))));
    expect(await task(plan, 0)).toMatchObject({
      status: 'todo',
      error: 'broke',
      completedAtMs: null,
      owner: null,
    });
    const again = ok(await plan.claimNext({ owner: 'w2' }));
    expect(again).toMatchObject({ attempts: 2, generation: 2 });
    expect(await task(plan, 0)).toMatchObject({ error: 'broke', completedAtMs: null });
    ok(await plan.markDone(0, 'mended', again));
    expect(await task(plan, 0)).toMatchObject({ status: 'done', error: null });
  });

  it('plan 48: todo and failed tasks can be cancelled; a failed one keeps its error', async () => {
    const plan = await made(['a', 'b'], { maxAttempts: 1, label: 'ann' });
    ok(await plan.markFailed(0, 'broke', ok(await plan.claimNext({ owner: 'w1' }))));
    plans.world.clock.advance(9);
    ok(await plan.cancelTask(0, 'a', 'no need'));
    ok(await plan.cancelTask(1, 'b', 'no need either'));
    expect(await task(plan, 0)).toMatchObject({
      status: 'cancelled',
      error: 'broke',
      cancelReason: 'no need',
      completedAtMs: 9,
    });
    expect(await task(plan, 1)).toMatchObject({ status: 'cancelled', completedAtMs: 9, closedBy: 'ann' });
  });

  it('plan 49: claimed, lapsed, done and cancelled tasks, a blank reason and a wrong text are refused', async () => {
    const plan = await made(['a', 'b', 'c', 'd']);
    ok(await plan.claimTask(0, 'a', { owner: 'w1' }));
    ok(await plan.claimTask(1, 'b', { owner: 'w1' }));
    ok(await plan.markDone(1, 'did it'));
    ok(await plan.cancelTask(2, 'c', 'no need'));
    const before = await plans.stored();
    const tried = async () => [
      codeOf(await plan.cancelTask(0, 'a', 'r')),
      codeOf(await plan.cancelTask(1, 'b', 'r')),
      codeOf(await plan.cancelTask(2, 'c', 'r')),
      codeOf(await plan.cancelTask(3, 'd', ' ')),
      codeOf(await plan.cancelTask(3, 'D', 'r')),
    ];
    const expected = ['not-cancellable', 'not-cancellable', 'not-cancellable', 'invalid', 'text-differs'];
    expect(await tried()).toEqual(expected);
    lapse();
    expect(await tried()).toEqual(expected);
    expect(await plans.stored()).toEqual(before);
  });

  it('plan 50: one done and one cancelled make a complete plan, and the text counts them', async () => {
    const plan = await made(['a', 'b']);
    ok(await plan.markDone(0, 'did it', ok(await plan.claimNext({ owner: 'w1' }))));
    const text = ok(await plan.cancelTask(1, 'b', 'no need'));
    expect(text).toMatch(/plan complete: 1 done, 1 cancelled$/);
    expect(await statuses(plan)).toEqual(['done', 'cancelled']);
    expect((await plan.snapshot())?.complete).toBe(true);
  });

  it('an anonymous claim is closed by its generation, or by whoever names nobody', async () => {
    const plan = await made(['a', 'b']);
    const first = ok(await plan.claimNext());
    expect(first.owner).toBeUndefined();
    expect(codeOf(await plan.markDone(0, 'x', { owner: 'w1' }))).toBe('not-yours');
    ok(await plan.markDone(0, 'x', first));
    ok(await plan.claimNext());
    ok(await plan.markDone(1, 'x'));
  });

  it('in strict mode an identified claim needs its owner', async () => {
    const plan = await made(['a', 'b'], { strict: true });
    const claimed = ok(await plan.claimNext({ owner: 'w1' }));
    ok(await plan.claimNext());
    expect(codeOf(await plan.markDone(0, 'x'))).toBe('owner-missing');
    expect(codeOf(await plan.markFailed(0, 'x', { generation: 1 }))).toBe('owner-missing');
    ok(await plan.markDone(0, 'x', claimed));
    ok(await plan.markDone(1, 'x'));
  });
});
