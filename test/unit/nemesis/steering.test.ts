/** What is still missing chooses the next kind of fault. */
import { describe, expect, it } from 'vitest';
import { steer } from '../../../harness/nemesis/steering.ts';
import type { ObligationResult } from '../../../harness/obligation/obligation.ts';
import { OBLIGATIONS } from '../../../harness/obligation/registry.ts';
import { missingOf, sourcesOf } from '../../../harness/obligation/sources.ts';
import { FAULT_NAMES, type FaultName } from '../../../harness/scenario/scenario.ts';

const weights = (some: Partial<Record<FaultName, number>>): Record<FaultName, number> =>
  Object.fromEntries(FAULT_NAMES.map((name) => [name, some[name] ?? 0])) as Record<FaultName, number>;

const PLAN = weights({ kill: 35, pause: 35, twin: 30 });

describe('steer', () => {
  it('leaves the weights alone when nothing is missing', () => {
    expect(steer(PLAN, [])).toEqual(PLAN);
  });

  it('sends more of what can give the missing evidence, and goes on with the others', () => {
    const steered = steer(PLAN, [{ share: 0.4, sources: ['twin'] }]);
    expect(steered.twin).toBe(240);
    expect(steered.kill).toBe(35);
    expect(steered.pause).toBe(35);
  });

  it('prefers what gives most of what is missing', () => {
    const steered = steer(PLAN, [
      { share: 1, sources: ['kill'] },
      { share: 0.25, sources: ['pause'] },
    ]);
    expect(steered.kill / PLAN.kill).toBeGreaterThan(steered.pause / PLAN.pause);
    expect(steered.pause / PLAN.pause).toBeGreaterThan(1);
    expect(steered.twin).toBe(PLAN.twin);
  });

  it('never turns a fault on that the scenario has off', () => {
    expect(steer(PLAN, [{ share: 1, sources: ['skew'] }])).toEqual(PLAN);
    expect(steer(PLAN, [{ share: 1, sources: ['skew', 'kill'] }]).skew).toBe(0);
  });
});

const result = (change: Partial<ObligationResult>): ObligationResult => ({
  id: 'O1',
  name: 'killed in lease',
  statement: '',
  seen: 5,
  min: 20,
  defaultMin: 20,
  met: false,
  advice: '',
  ...change,
});

describe('missingOf', () => {
  it('tells the share that is not there yet, and what can give it', () => {
    expect(missingOf([result({})])).toEqual([{ share: 0.75, sources: ['kill', 'crash-point'] }]);
  });

  it('passes over what is met, what cannot be shown, and what comes by itself', () => {
    expect(missingOf([result({ seen: 20, met: true })])).toEqual([]);
    expect(missingOf([result({ notTested: 'the store has no `complete`' })])).toEqual([]);
    expect(missingOf([result({ id: 'O5', min: 50 })])).toEqual([]);
  });

  it('knows every fault as a source of something', () => {
    const sources = new Set(OBLIGATIONS.flatMap(({ id }) => sourcesOf(id)));
    expect(FAULT_NAMES.filter((name) => !sources.has(name))).toEqual([]);
  });
});
