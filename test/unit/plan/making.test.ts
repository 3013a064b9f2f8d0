/** Making a plan and adding to it: spec/plan.md checks 1-8, 45-47, 57, 59, 60. */
import { describe, expect, it } from 'vitest';
import { FencepostError } from '../../../src/errors.ts';
import { createPlan } from '../../../src/plan/plan.ts';
import { createMemoryStore } from '../../../src/stores/memory/store.ts';
import {
  codeOf,
  ENGINES,
  interrupted,
  KEY,
  no,
  ok,
  PLAN_ID,
  statuses,
  TASKS,
  task,
  taskOf,
  usePlans,
} from './plans.ts';

describe.each(ENGINES)('making a plan on %s', (engine) => {
  const plans = usePlans(engine);

  it('plan 1: another object over the same store sees the same tasks, all todo', async () => {
    const first = await plans.open();
    ok(await first.setPlan('r', TASKS));
    const second = createPlan({ store: first.store, planId: PLAN_ID });
    const seen = await second.snapshot();
    expect(seen?.tasks.map(({ text, status }) => [text, status])).toEqual(
      TASKS.map((text) => [text, 'todo']),
    );
    expect(seen).toMatchObject({ planId: PLAN_ID, reasoning: 'r', complete: false, open: [0, 1, 2] });
  });

  it.each([
    ['blank reasoning', '  ', TASKS],
    ['no tasks', 'r', []],
    ['only blank tasks', 'r', ['', '  ']],
    ['something else than texts', 'r', [1] as unknown as string[]],
  ])('plan 3: setPlan with %s is refused, and nothing is stored', async (_, reasoning, tasks) => {
    const plan = await plans.open();
    const refused = no(await plan.setPlan(reasoning, tasks));
    expect(refused).toMatchObject({ code: 'invalid', message: expect.stringMatching(/^REJECTED/) });
    expect(await plan.snapshot()).toBeUndefined();
    expect(plans.world.events()).toEqual([]);
  });

  it('plan 4: while a task is todo or claimed setPlan is refused, and the answer shows the plan', async () => {
    const plan = await plans.open();
    ok(await plan.setPlan('first', ['only']));
    for (const state of ['todo', 'claimed']) {
      if (state === 'claimed') ok(await plan.claimNext({ owner: 'w1' }));
      const before = await plans.stored();
      const refused = no(await plan.setPlan('second', ['other']));
      expect(refused.code).toBe('in-progress');
      expect(refused.plan).toBe(await plan.getPlan());
      expect(refused.message).toContain('0. only');
      expect(await plans.stored()).toEqual(before);
    }
  });

  it('plan 5: with replace there is a new plan', async () => {
    const plan = await plans.open();
    ok(await plan.setPlan('first', ['only']));
    ok(await plan.setPlan('second', ['  other  ', ' '], { replace: true }));
    expect(await plan.snapshot()).toMatchObject({
      reasoning: 'second',
      epoch: 2,
      tasks: [{ text: 'other' }],
    });
  });

  it('plan 6: a plan whose tasks are all done, failed or cancelled is replaced without being asked', async () => {
    const plan = await plans.open({ maxAttempts: 1 });
    ok(await plan.setPlan('first', ['a', 'b', 'c']));
    ok(await plan.claimNext({ owner: 'w1' }));
    ok(await plan.markDone(0, 'did it'));
    ok(await plan.claimNext({ owner: 'w1' }));
    ok(await plan.markFailed(1, 'broke'));
    ok(await plan.cancelTask(2, 'c', 'no need'));
    expect(await statuses(plan)).toEqual(['done', 'failed', 'cancelled']);
    expect(ok(await plan.setPlan('second', ['d']))).toContain('[ ] 0. d');
    ok(await plan.claimNext({ owner: 'w1' }));
    ok(await plan.markFailed(0, 'broke'));
    expect(codeOf(await plan.setPlan('third', ['e']))).toBe('accepted');
  });

  it('plan 7: of two that create at once one wins, and the other is refused on its second round', async () => {
    const rival = await plans.open();
    const { store } = await plans.open();
    let rounds = 0;
    const slow = await plans.open({
      store: interrupted(store, async (round) => {
        rounds = round;
        if (round === 1) ok(await rival.setPlan('theirs', ['a']));
      }),
    });
    expect(codeOf(await slow.setPlan('mine', ['b']))).toBe('in-progress');
    expect(rounds).toBe(1);
    expect(await rival.snapshot()).toMatchObject({ reasoning: 'theirs', epoch: 1 });
  });

  it('plan 8: without a plan getPlan says so', async () => {
    const plan = await plans.open();
    expect(await plan.getPlan()).toContain('no plan yet');
    expect(await plan.render()).toContain('no plan yet');
    expect(await plan.snapshot()).toBeUndefined();
  });

  it('plan 45: a task is appended at the end, and a claim is not touched by it', async () => {
    const plan = await plans.open();
    ok(await plan.setPlan('r', ['a', 'b']));
    const claimed = ok(await plan.claimNext({ owner: 'w1' }));
    const before = await task(plan, 0);
    ok(await plan.addTasks([' x ', '']));
    expect((await plan.snapshot())?.tasks.map(({ text }) => text)).toEqual(['a', 'b', 'x']);
    expect(await task(plan, 0)).toEqual(before);
    ok(await plan.markDone(0, 'done', claimed));
  });

  it('plan 46: only blanks, or no plan: refused', async () => {
    const plan = await plans.open();
    expect(no(await plan.addTasks(['x'])).message).toMatch(/^REJECTED.*no plan yet/);
    ok(await plan.setPlan('r', ['a']));
    const before = await plans.stored();
    expect(codeOf(await plan.addTasks([' ', '']))).toBe('invalid');
    expect(codeOf(await plan.addTasks([]))).toBe('invalid');
    expect(await plans.stored()).toEqual(before);
  });

  it('plan 47: a complete plan goes on with a new task', async () => {
    const plan = await plans.open();
    ok(await plan.setPlan('r', ['a']));
    ok(await plan.claimNext({ owner: 'w1' }));
    ok(await plan.markDone(0, 'did it'));
    expect((await plan.snapshot())?.complete).toBe(true);
    ok(await plan.addTasks(['b']));
    expect(await plan.snapshot()).toMatchObject({ complete: false, open: [1] });
    expect(taskOf(ok(await plan.claimNext({ owner: 'w2' })))).toEqual([1, 'b']);
  });

  it('plan 57: a verb that loses all its rounds fails, and what the other wrote stays', async () => {
    const rival = await plans.open();
    ok(await rival.setPlan('r', ['a']));
    const { store } = await plans.open();
    let rounds = 0;
    const plan = await plans.open({
      casRetries: 5,
      store: interrupted(store, async (round) => {
        rounds = round;
        ok(await rival.addTasks([`theirs ${round}`]));
      }),
    });
    await expect(plan.addTasks(['mine'])).rejects.toMatchObject({ code: 'PLAN_CONTENDED', definite: true });
    expect(rounds).toBe(5);
    expect((await rival.snapshot())?.tasks.map(({ text }) => text)).toEqual([
      'a',
      ...[1, 2, 3, 4, 5].map((round) => `theirs ${round}`),
    ]);
  });

  it('plan 57: a close is not limited by rounds but by its budget', async () => {
    const rival = await plans.open();
    ok(await rival.setPlan('r', ['a']));
    ok(await rival.claimNext({ owner: 'w1' }));
    const { store } = await plans.open();
    let rounds = 0;
    const busyFor = (most: number) => async (round: number) => {
      rounds = round;
      if (round <= most) ok(await rival.addTasks([`theirs ${round}`]));
    };
    const late = await plans.open({ casRetries: 2, store: interrupted(store, busyFor(50)) });
    ok(await late.markDone(0, 'finished', { owner: 'w1' }));
    expect(rounds).toBe(51);
    ok(await rival.claimNext({ owner: 'w1' }));
    const spent = await plans.open({ closeBudgetMs: 500, store: interrupted(store, busyFor(Infinity)) });
    await expect(spent.markFailed(1, 'broke')).rejects.toMatchObject({ code: 'PLAN_CONTENDED' });
  });

  it('a close waits on for a store that is busy; a claim does not', async () => {
    const plan = await plans.open();
    ok(await plan.setPlan('r', ['a', 'b']));
    ok(await plan.claimNext({ owner: 'w1' }));
    const busy = new FencepostError('STORE_BUSY', 'busy', { definite: true });
    const { store } = await plans.open();
    const failing = (error: Error, most: number) =>
      interrupted(store, async (round) => {
        if (round <= most) throw error;
      });
    const claimer = await plans.open({ store: failing(busy, 1) });
    await expect(claimer.claimNext({ owner: 'w2' })).rejects.toBe(busy);
    const spent = await plans.open({ store: failing(busy, Infinity), closeBudgetMs: 50 });
    await expect(spent.markDone(0, 'did it')).rejects.toBe(busy);
    // Whether this one had an effect is unknown: trying again is the caller's to decide.
    const unknown = new FencepostError('STORE_FAILED', 'broke', { definite: false });
    const broken = await plans.open({ store: failing(unknown, 1) });
    await expect(broken.markDone(0, 'did it')).rejects.toBe(unknown);
    const closer = await plans.open({ store: failing(busy, 3) });
    ok(await closer.markDone(0, 'did it'));
  });

  it('plan 59: records without the newer fields work, show null, and are not rewritten by reading', async () => {
    await plans.store({
      version: 1,
      planId: PLAN_ID,
      reasoning: 'old',
      createdAtMs: 1,
      updatedAtMs: 2,
      tasks: [
        { text: 'a', status: 'claimed', attempts: 1, owner: 'w1', claimedAtMs: 0, result: null, error: null },
        { text: 'b', status: 'todo', attempts: 0 },
      ],
    });
    const before = await plans.stored();
    const plan = await plans.open();
    const seen = await plan.snapshot();
    expect(seen).toMatchObject({ epoch: null, scheduleEvents: [] });
    expect(seen?.tasks[0]).toMatchObject({
      generation: null,
      leaseEndsAtMs: null,
      renewed: null,
      anonymous: null,
      plannedStartAtMs: null,
      dueAtMs: null,
      completedAtMs: null,
      closedBy: null,
      cancelReason: null,
    });
    await plan.getPlan();
    expect(await plans.stored()).toEqual(before);
    expect(ok(await plan.claimTask(0, 'a', { owner: 'w1', renew: true })).kind).toBe('renewed');
    const claimed = ok(await plan.claimNext({ owner: 'w2' }));
    expect(claimed).toMatchObject({ index: 1, generation: 1, epoch: 0, attempts: 1 });
    ok(await plan.markDone(1, 'did it', claimed));
    ok(await plan.setTaskSchedule(0, 'a', { dueAtMs: 5, reason: 'soon' }));
    ok(await plan.markDone(0, 'did it', { owner: 'w1', epoch: 0, generation: 0 }));
  });

  it('a value that is no plan is a failure of its own, and names the place', async () => {
    for (const [value, place] of [
      ['text', /Expected a plan under blackboard:release-7, found a value of type string/],
      [[], /found an array/],
      [{ version: 2 }, /version 1 of a plan as version.*found 2/],
      [{ version: 1, planId: 'x', reasoning: 'r', tasks: [{ text: 1 }] }, /tasks\[0\]/],
    ] as const) {
      await plans.store(value);
      const plan = await plans.open();
      const corrupt = { code: 'PLAN_CORRUPT', definite: true, message: expect.stringMatching(place) };
      await expect(plan.claimNext({ owner: 'w1' })).rejects.toMatchObject(corrupt);
      await expect(plan.getPlan()).rejects.toMatchObject(corrupt);
      await expect(plan.setPlan('r', ['a'], { replace: true })).rejects.toMatchObject(corrupt);
    }
  });

  it('the plan is one entry: no older version is kept', async () => {
    const plan = await plans.open();
    ok(await plan.setPlan('r', TASKS));
    ok(await plan.addTasks(['d']));
    expect(await plan.store.entries.history(KEY, { limit: 10 })).toHaveLength(1);
  });
});

describe('making a plan in a file', () => {
  const plans = usePlans('sqlite');

  it('plan 2: the file closed and opened again shows the same', async () => {
    const first = await plans.open();
    ok(await first.setPlan('r', TASKS));
    const claimed = ok(await first.claimNext({ owner: 'w1' }));
    ok(await first.markDone(claimed.index, 'in NOTES.md', claimed));
    const before = await first.snapshot();
    await first.store.close();
    const second = await plans.open();
    expect(await second.snapshot()).toEqual(before);
    expect(await task(second, 0)).toMatchObject({ status: 'done', result: 'in NOTES.md' });
  });
});

it.each([
  { planId: '' },
  { leaseMs: 0 },
  { leaseMs: -1 },
  { leaseMs: Number.NaN },
  { leaseMs: Number.POSITIVE_INFINITY },
  { maxAttempts: 0 },
  { maxAttempts: 1.5 },
  { casRetries: 0 },
  { closeBudgetMs: 0 },
  { label: 'a b' },
])('plan 60: options %j are invalid', (options) => {
  const store = createMemoryStore();
  expect(() => createPlan({ store, planId: 'p', ...options })).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', definite: true }),
  );
});
