/** Handing out, lapsing and parking: spec/plan.md checks 9-16, 18-24. */
import { describe, expect, it } from 'vitest';
import { codeOf, ENGINES, LEASE_MS, no, ok, statuses, TASKS, task, taskOf, usePlans } from './plans.ts';

describe.each(ENGINES)('claiming on %s', (engine) => {
  const plans = usePlans(engine);
  const made = async (tasks = TASKS, options = {}) => {
    const plan = await plans.open(options);
    ok(await plan.setPlan('r', tasks));
    return plan;
  };
  const lapse = () => plans.world.clock.advance(LEASE_MS + 1);

  it('plan 9: the first claim hands out task 0', async () => {
    const plan = await made();
    const claimed = ok(await plan.claimNext({ owner: 'w1' }));
    expect(taskOf(claimed)).toEqual([0, TASKS[0]]);
    expect(claimed).toMatchObject({ kind: 'claimed', owner: 'w1', attempts: 1, generation: 1, epoch: 1 });
    expect(await task(plan, 0)).toMatchObject({
      status: 'claimed',
      attempts: 1,
      owner: 'w1',
      renewed: false,
    });
  });

  it('plan 10: four claims on three tasks hand out 0, 1, 2 and nothing', async () => {
    const plan = await made();
    for (const index of [0, 1, 2]) {
      expect(ok(await plan.claimNext({ owner: `w${index}` })).index).toBe(index);
    }
    expect(no(await plan.claimNext({ owner: 'w3' }))).toMatchObject({
      code: 'no-free-task',
      message: expect.stringContaining('no free task'),
    });
  });

  it('plan 12: no plan, or a complete one: nothing, and the reason differs', async () => {
    const plan = await plans.open();
    expect(codeOf(await plan.claimNext({ owner: 'w1' }))).toBe('no-plan');
    ok(await plan.setPlan('r', ['a']));
    ok(await plan.cancelTask(0, 'a', 'no need'));
    expect(no(await plan.claimNext({ owner: 'w1' }))).toMatchObject({
      code: 'complete',
      message: expect.stringContaining('plan complete'),
    });
  });

  it('plan 13: at exactly the end of the lease the task is still held', async () => {
    const plan = await made(['a']);
    const { leaseEndsAtMs } = ok(await plan.claimNext({ owner: 'w1' }));
    plans.world.clock.advance(LEASE_MS);
    expect(await plan.store.nowMs()).toBe(leaseEndsAtMs);
    expect(codeOf(await plan.claimNext({ owner: 'w2' }))).toBe('no-free-task');
    expect(no(await plan.claimTask(0, 'a', { owner: 'w2' }))).toMatchObject({
      code: 'held',
      heldUntilMs: leaseEndsAtMs,
    });
    plans.world.clock.advance(1);
    expect(codeOf(await plan.claimNext({ owner: 'w2' }))).toBe('accepted');
  });

  it('plan 14: past the lease another worker gets the same task', async () => {
    const plan = await made();
    ok(await plan.claimNext({ owner: 'w1' }));
    lapse();
    const claimed = ok(await plan.claimNext({ owner: 'w2' }));
    expect(claimed).toMatchObject({ index: 0, attempts: 2, generation: 2, owner: 'w2', kind: 'claimed' });
  });

  it('plan 15: an abandoned early task comes before a fresh one', async () => {
    const plan = await made(['a']);
    ok(await plan.claimNext({ owner: 'w1' }));
    lapse();
    ok(await plan.addTasks(['b']));
    expect(await plan.getPlan()).toContain('next claimable: 0');
    expect(ok(await plan.claimNext({ owner: 'w2' })).index).toBe(0);
  });

  it('plan 16: a handle with a short lease keeps to the deadline of a claim with a long one', async () => {
    const long = await made(['a'], { leaseMs: 600_000 });
    const short = await plans.open({ leaseMs: 1 });
    ok(await long.claimNext({ owner: 'w1' }));
    plans.world.clock.advance(5);
    expect(codeOf(await short.claimNext({ owner: 'w2' }))).toBe('no-free-task');
    plans.world.clock.advance(600_000);
    ok(await short.claimNext({ owner: 'w2' }));
    plans.world.clock.advance(2);
    // And the other way round: the short claim is over for the handle with the long lease as well.
    expect(ok(await long.claimNext({ owner: 'w3' })).attempts).toBe(3);
  });

  it('plan 18: the last attempt lapses: nothing is handed out, and the task is parked', async () => {
    const plan = await made(['a'], { maxAttempts: 1 });
    ok(await plan.claimNext({ owner: 'w1' }));
    lapse();
    expect(await plan.getPlan()).toMatch(/no free task: the next claim parks 0/);
    expect((await plan.snapshot())?.complete).toBe(false);
    expect(no(await plan.claimNext({ owner: 'w2' }))).toMatchObject({ code: 'parked', parked: [0] });
    expect(await task(plan, 0)).toMatchObject({
      status: 'failed',
      attempts: 1,
      owner: null,
      claimedAtMs: null,
      completedAtMs: await plan.store.nowMs(),
      error: expect.stringContaining('exhausted'),
    });
  });

  it('plan 19: one call parks what is used up and hands out the next', async () => {
    const plan = await made(['a', 'b'], { maxAttempts: 2 });
    ok(await plan.claimNext({ owner: 'w1' }));
    lapse();
    ok(await plan.claimNext({ owner: 'w1' }));
    ok(await plan.claimNext({ owner: 'w1' }));
    lapse();
    const claimed = ok(await plan.claimNext({ owner: 'w2' }));
    expect(taskOf(claimed)).toEqual([1, 'b']);
    expect(claimed.parked).toEqual([0]);
    expect(await task(plan, 0)).toMatchObject({ status: 'failed', attempts: 2 });
  });

  it('plan 20: parking leaves the others claimable, and the plan can be completed', async () => {
    const plan = await made(['a', 'b'], { maxAttempts: 1 });
    ok(await plan.claimNext({ owner: 'w1' }));
    lapse();
    const claimed = ok(await plan.claimNext({ owner: 'w2' }));
    ok(await plan.markDone(1, 'did it', claimed));
    expect((await plan.snapshot())?.complete).toBe(true);
    expect(await plan.getPlan()).toMatch(/plan complete: 1 done, 1 failed$/);
  });

  it('plan 21: a given task is handed out although earlier ones are todo', async () => {
    const plan = await made();
    expect(taskOf(ok(await plan.claimTask(2, 'publish', { owner: 'w1' })))).toEqual([2, 'publish']);
    expect(await statuses(plan)).toEqual(['todo', 'todo', 'claimed']);
  });

  it('plan 22: a text that differs by one space is refused', async () => {
    const plan = await made();
    const before = await plans.stored();
    expect(codeOf(await plan.claimTask(2, 'publish ', { owner: 'w1' }))).toBe('text-differs');
    expect(await plans.stored()).toEqual(before);
  });

  it.each([-1, 3, 1.5, Number.NaN, '0' as unknown as number])(
    'plan 23: index %s is refused, and nothing changes',
    async (index) => {
      const plan = await made();
      const before = await plans.stored();
      const code = codeOf(await plan.claimTask(index, TASKS[0] ?? '', { owner: 'w1' }));
      expect(code).toBe(index === 3 ? 'unknown-task' : 'invalid');
      expect(await plans.stored()).toEqual(before);
    },
  );

  it('plan 24: done, failed and cancelled tasks are not handed out', async () => {
    const plan = await made(['a', 'b', 'c'], { maxAttempts: 1 });
    ok(await plan.markDone(0, 'did it', ok(await plan.claimNext({ owner: 'w1' }))));
    ok(await plan.markFailed(1, 'broke', ok(await plan.claimNext({ owner: 'w1' }))));
    ok(await plan.cancelTask(2, 'c', 'no need'));
    const before = await plans.stored();
    for (const [index, text] of ['a', 'b', 'c'].entries()) {
      expect(codeOf(await plan.claimTask(index, text, { owner: 'w1', renew: true }))).toBe('closed');
    }
    expect(await plans.stored()).toEqual(before);
  });

  it('claimTask parks a task whose attempts are used up, and says so', async () => {
    const plan = await made(['a', 'b'], { maxAttempts: 1 });
    ok(await plan.claimNext({ owner: 'w1' }));
    lapse();
    expect(no(await plan.claimTask(0, 'a', { owner: 'w1', renew: true }))).toMatchObject({
      code: 'exhausted',
      parked: [0],
    });
    expect(await statuses(plan)).toEqual(['failed', 'todo']);
  });

  it('a claim without an instant counts as lapsed', async () => {
    await plans.store({
      version: 1,
      planId: 'p',
      reasoning: 'r',
      createdAtMs: 0,
      updatedAtMs: 0,
      tasks: [{ text: 'a', status: 'claimed', attempts: 1, owner: 'w1' }],
    });
    const plan = await plans.open();
    expect(ok(await plan.claimNext({ owner: 'w2' }))).toMatchObject({ index: 0, attempts: 2 });
  });

  it('an owner is a label; an empty one is invalid', async () => {
    const plan = await made();
    const before = await plans.stored();
    for (const owner of ['', 'a b', 'a/b', '*', 7 as unknown as string]) {
      expect(codeOf(await plan.claimNext({ owner }))).toBe('invalid');
      expect(codeOf(await plan.markDone(0, 'x', { owner }))).toBe('invalid');
    }
    expect(await plans.stored()).toEqual(before);
  });

  it('A10: the dead worker’s task is had by the next poll past its lease, and the plan can complete', async () => {
    const plan = await made(['T'], { leaseMs: 1000 });
    ok(await plan.claimNext({ owner: 'W1' }));
    let granted:
      | { readonly atMs: number; readonly generation: number; readonly attempts: number }
      | undefined;
    for (let atMs = 100; granted === undefined && atMs <= 2000; atMs += 100) {
      plans.world.clock.advance(100);
      const outcome = await plan.claimNext({ owner: 'W2' });
      if (outcome.accepted) granted = { atMs, ...outcome.value };
    }
    expect(granted).toMatchObject({ atMs: 1100, generation: 2, attempts: 2 });
    ok(await plan.markDone(0, 'did it', { owner: 'W2', generation: 2 }));
    expect((await plan.snapshot())?.complete).toBe(true);
  });

  it('A11: what aged in the local line is refused at the close, and attempts count claims', async () => {
    const tasks = ['a', 'b', 'c', 'd', 'e'];
    const plan = await made(tasks, { leaseMs: 1000 });
    const line = [];
    for (const _ of tasks) line.push(ok(await plan.claimNext({ owner: 'W1' })));
    const started: number[] = [];
    for (const claimed of line) {
      // The rule for a local line: test the lease before each start, and skip what it lost.
      if ((await plan.store.nowMs()) > claimed.leaseEndsAtMs) {
        expect(codeOf(await plan.markDone(claimed.index, 'late', claimed))).toMatch(/stale|not-/);
        continue;
      }
      started.push(claimed.index);
      plans.world.clock.advance(400);
      if ((await plan.store.nowMs()) > 1000) {
        for (let next = await plan.claimNext({ owner: 'W2' }); next.accepted; ) {
          ok(await plan.markDone(next.value.index, 'by W2', next.value));
          next = await plan.claimNext({ owner: 'W2' });
        }
      }
      await plan.markDone(claimed.index, 'by W1', claimed);
    }
    expect(started).toEqual([0, 1, 2]);
    const after = (await plan.snapshot())?.tasks;
    expect(after?.map(({ result, attempts }) => [result, attempts])).toEqual([
      ['by W1', 1],
      ['by W1', 1],
      ['by W2', 2],
      ['by W2', 2],
      ['by W2', 2],
    ]);
  });
});
