import { describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationName } from '../../../harness/history/record.ts';
import { assertFeasible, feasibility } from '../../../harness/scenario/feasibility.ts';
import { parseScenario } from '../../../harness/scenario/load.ts';
import { neededMean, probabilityBelow } from '../../../harness/scenario/poisson.ts';
import { parseSet } from '../../../harness/scenario/set.ts';
import { UsageError } from '../../../harness/scenario/usage-error.ts';
import { type Declares, declaresSchema } from '../../../harness/store-module/declares.ts';

function judge(
  sets: readonly string[],
  declares: Partial<Declares> = {},
  methods: readonly OperationName[] = OPERATIONS,
) {
  const scenario = parseScenario('name: x', 'x.yaml', { overrides: sets.map(parseSet) });
  return feasibility({ scenario, declares: declaresSchema.parse(declares), methods });
}

describe('neededMean', () => {
  it.each([
    [0, 0],
    [1, 9.5],
    [3, 14],
    [5, 18],
    [10, 26.5],
    [20, 41.5],
    [50, 81],
  ])('%d needs %d', (min, mean) => {
    expect(neededMean(min)).toBe(mean);
  });

  it('is missed in fewer than one run of 10,000, and half less would not do', () => {
    for (const min of [1, 2, 7, 33, 400]) {
      expect(probabilityBelow(min, neededMean(min))).toBeLessThanOrEqual(1e-4);
      expect(probabilityBelow(min, neededMean(min) - 0.5)).toBeGreaterThan(1e-4);
    }
  });
});

describe('feasibility', () => {
  it('has nothing against the default scenario', () => {
    expect(judge([])).toEqual({ refusals: [], warnings: [] });
  });

  it.each<[string, readonly string[], Partial<Declares>, string, string]>([
    ['one worker', ['workers=1'], {}, '`workers` to be at least 2, got 1', '--workers 4'],
    ['a store in one process', [], { sharedBy: 'process' }, 'lives in one process', '--store sqlite'],
    ['faults off', ['faults=off'], {}, 'The faults are off', 'Take `faults: off` out'],
    [
      'faults without weight',
      ['faults={kill: 0, pause: 0, twin: 0}'],
      {},
      'Every fault has the weight 0',
      '`kill`, `pause` or',
    ],
    ['nobody to touch', ['faults.untouched=4'], {}, 'less than `workers` (4), got 4', 'to at most 3'],
    [
      'main upside down',
      ['phases.main.min=50s'],
      {},
      '(50s) to be no longer than `phases.main.max` (40s)',
      '--duration',
    ],
    [
      'a lease of ten minutes',
      ['lease=10m'],
      {},
      '`phases.main.max` (40s), got 10m',
      '`lease` to at most 10s',
    ],
    ['a heartbeat past the lease', ['heartbeat=150ms'], {}, '`lease` (150ms), got 150ms', 'to at most 50ms'],
    [
      'a lease the store does not give',
      [],
      { minLeaseMs: 1000 },
      '1s to any length, got 150ms',
      '`minLeaseMs`',
    ],
    [
      'a lease too long for the store',
      ['lease=2s'],
      { maxLeaseMs: 1000 },
      '1ms to 1s, got 2s',
      '`maxLeaseMs`',
    ],
    ['tasks upside down', ['workload.task={p50: 90ms}'], {}, '(90ms) to be no longer than', 'Swap'],
    [
      'no final call',
      ['workload.finals={complete: 0, release: 0, nack: 0}'],
      {},
      '`workload.finals` is 0',
      '`complete`',
    ],
    [
      'no zombie mode',
      ['workload.zombies={polite: 0, late: 0, stubborn: 0}'],
      {},
      '`workload.zombies` is 0',
      '`late`',
    ],
    ['pauses upside down', ['faults.pauseLeases={min: 3}'], {}, '(3) to be at most `max` (2.5)', 'Swap'],
    [
      'pauses within the lease',
      ['faults.pauseLeases={min: 0.5, max: 1}'],
      {},
      'more than 1, got 1',
      'max: 2.5',
    ],
    ['pauses within the reap interval', [], { reapIntervalMs: 300 }, 'more than 3, got 2.5', 'max: 4.5'],
    [
      'polite zombies',
      ['workload.zombies={late: 0, stubborn: 0}'],
      {},
      'Every zombie is polite',
      '`late` or `stubborn`',
    ],
    ['one attempt', ['workload.maxAttempts=1'], {}, '`workload.maxAttempts` to be at least 2', '50'],
    [
      'no kills',
      ['faults.kill=0'],
      {},
      'can lead to workers killed while they hold a lease',
      '`obligations: { O1: 0 }`',
    ],
    ['rare faults', ['faults.every=2s'], {}, 'At most 7.0 faults (`kill`)', '`phases.main.max` to 238s'],
    [
      'a short main',
      ['phases.main={min: 1s, max: 2s}'],
      {},
      'At most 7.0 faults (`kill`)',
      '`phases.main.max` to 12s',
    ],
    ['a long lease', ['lease=5s'], {}, '(`kill`) can be expected', 'make `faults.every` or `lease` shorter'],
  ])('refuses %s', (_, sets, declares, what, fix) => {
    const [refusal] = judge(sets, declares).refusals;
    expect(refusal?.what).toContain(what);
    expect(refusal?.fix).toContain(fix);
    expect(refusal?.why).toMatch(/^.{20,}[.]$/);
  });

  it('does not refuse what the scenario does not ask for', () => {
    expect(judge(['faults.kill=0', 'obligations={O1: 0, O2: 0}']).refusals).toEqual([]);
    expect(judge(['workload.zombies={late: 0, stubborn: 0}'], { fencing: 'none' }).refusals).toEqual([]);
  });

  it('asks for twins only where no second lane can take their part', () => {
    expect(judge(['faults.twin=0']).refusals).toEqual([]);
    expect(judge(['faults.twin=0', 'lanes=1']).refusals[0]?.why).toContain('O17');
  });

  it.each<[string, readonly string[], readonly OperationName[], string]>([
    ['main that will run on', ['phases.main.min=5s'], OPERATIONS, 'At most 17 faults (`kill`)'],
    [
      'a lease over a quarter of main',
      ['lease=12s', 'obligations={O1: 0, O2: 0, O3: 0, O12: 0}'],
      OPERATIONS,
      'longer than a quarter',
    ],
    [
      'final calls that the store lacks',
      [],
      ['enqueue', 'claim', 'complete', 'scan'],
      'no `release` and no `nack`',
    ],
    ['a store without scan', [], ['enqueue', 'claim', 'complete', 'release', 'nack'], 'no `scan`'],
  ])('warns of %s', (_, sets, methods, what) => {
    const found = judge(sets, {}, methods);
    expect(found.refusals).toEqual([]);
    expect(found.warnings[0]?.what).toContain(what);
  });

  it('becomes a UsageError with every refusal', () => {
    expect(() => assertFeasible(judge([]))).not.toThrow();
    try {
      assertFeasible(judge(['workers=1', 'faults=off']), { file: 'a.yaml', placeIfSet: () => undefined });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      expect((error as UsageError).problems.map((problem) => problem.code)).toEqual(
        Array(2).fill('SCENARIO_NOT_FEASIBLE'),
      );
      expect((error as UsageError).message).toContain('a.yaml');
    }
  });
});
