/** The workload `plan` over the memory store: what it does with plans, and how it comes to an end. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PLAN_VERBS } from '../../../harness/history/record.ts';
import { planWork } from '../../../harness/workload/plan.ts';
import type { Store } from '../../../src/store.ts';
import { createMemoryStore } from '../../../src/stores/memory/store.ts';
import { laneOf, runUntil, type TestLane } from './lanes.ts';

let store: Store;
let test: TestLane;
beforeEach(() => {
  store = createMemoryStore();
  test = laneOf(store, 'plan', 'w1', 1, ['workload.kind=plan', 'workload.plans=2']);
});
afterEach(async () => {
  test.remove();
  await store.close();
});

const verbs = () => test.calls().filter(({ op }) => op === 'plan');

it('calls every verb, on every plan, and stands around the calls that it makes', async () => {
  const called = () => new Set(verbs().map(({ plan }) => plan!.verb));
  await runUntil(test, planWork(test.lane), () => called().size === PLAN_VERBS.length);
  expect(new Set(verbs().map(({ plan }) => plan!.key))).toEqual(new Set(['plan/0', 'plan/1']));
  const commits = test.calls().filter(({ op }) => op === 'commit');
  expect(commits.length).toBeGreaterThan(0);
  const lanesOf = (calls: readonly { readonly lane: number }[]) => new Set(calls.map(({ lane }) => lane));
  const [verbLanes, callLanes] = [lanesOf(verbs()), lanesOf(commits)];
  expect([...verbLanes].some((lane) => callLanes.has(lane))).toBe(false);
  // What is kept as its latest version only could not be judged version by version.
  expect(commits.flatMap(({ writes }) => writes ?? []).some(({ keep }) => keep !== undefined)).toBe(false);
});

it('each version names the commit and the verb that made it', async () => {
  await runUntil(test, planWork(test.lane), () => verbs().length > 100);
  const versions = await store.entries!.history('plan/0', { limit: 10_000 });
  expect(versions.length).toBeGreaterThan(10);
  const made = new Map(test.calls().map((call) => [`1.${call.lane}.${call.call}`, call]));
  for (const { value, request } of versions) {
    const { by, verb } = value as { by: string; verb: string };
    expect([by, made.get(by)?.op, made.get(verb)?.op]).toEqual([request, 'commit', 'plan']);
  }
});

it('works everything off in drain, then says that there is nothing', async () => {
  const working = planWork(test.lane);
  for (let turn = 0; turn < 20_000 && verbs().length < 60; turn++)
    await new Promise((resolve) => setImmediate(resolve));
  test.phase = 'drain';
  await runUntil(test, working, () => test.foundWork === false && isComplete());
  function isComplete(): boolean {
    const codes = verbs()
      .slice(-2)
      .map(({ answer }) => answer?.code);
    return codes.length === 2 && codes.every((code) => code === 'complete' || code === 'no-plan');
  }
});
