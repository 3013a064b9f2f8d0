/** A planned fault that nobody can suffer does not hold up those after it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HistoryWriter } from '../../../harness/history/writer.ts';
import type { Fault } from '../../../harness/nemesis/fault.ts';
import type { FaultRegistry } from '../../../harness/nemesis/registry.ts';
import { Scheduler, type SchedulerOptions } from '../../../harness/nemesis/scheduler.ts';
import { FAULT_NAMES, type FaultName } from '../../../harness/scenario/scenario.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('is skipped after a while, on record as missed', async () => {
  const notes: Record<string, unknown>[] = [];
  const log = { write: (record: Record<string, unknown>) => notes.push(record) } as unknown as HistoryWriter;
  const done = { inject: () => true, confirm: async () => ({ outcome: 'confirmed' }) } as const;
  const heals = { heal: () => undefined, confirmHealed: async () => ({ outcome: 'confirmed' }) } as const;
  const fault = (name: FaultName): Fault =>
    ({
      name,
      target: 'workers',
      // Nobody ever fits the one; the other takes whoever comes first.
      choose: ({ free }: { free: readonly unknown[] }) => (name === 'twin' ? undefined : free.slice(0, 1)),
      begin: () => ({ ...done, ...heals }),
    }) as unknown as Fault;
  const registry = Object.fromEntries(FAULT_NAMES.map((name) => [name, fault(name)])) as FaultRegistry;
  const weights = Object.fromEntries(FAULT_NAMES.map((name) => [name, 0])) as Record<FaultName, number>;
  const plan = { everyMs: 50, untouched: 0, steered: false, weights: { ...weights, kill: 50, twin: 50 } };
  const members = ['w1', 'w2'].map((label, i) => ({ label, incarnation: i + 1, state: 'up' }));
  const scheduler = new Scheduler({
    registry,
    plan,
    leaseMs: 150,
    seed: 1,
    crew: { members },
    log,
    missing: () => [],
    refresh: () => undefined,
  } as unknown as SchedulerOptions);
  scheduler.start();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await scheduler.stop(1_000)).toBe(true);
  const missed = notes.filter(({ outcome }) => outcome === 'missed');
  expect(missed.length).toBeGreaterThan(2);
  expect(missed[0]).toMatchObject({
    fault: 'twin',
    stage: 'confirm',
    detail: 'skipped: for 2000 ms there was nobody to do it to',
  });
  expect(scheduler.confirmed.kill).toBeGreaterThan(2);
  expect(scheduler.confirmed.twin).toBeUndefined();
});
