/** Who does what in each kind of workload, and what is demanded of a run of it. */
import { describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationName } from '../../../harness/history/record.ts';
import { workloadOperations } from '../../../harness/obligation/context.ts';
import { feasibility } from '../../../harness/scenario/feasibility.ts';
import { laneRoles, WORKLOAD_KINDS, type WorkloadKind } from '../../../harness/scenario/kind.ts';
import { parseScenario } from '../../../harness/scenario/load.ts';
import { parseSet } from '../../../harness/scenario/set.ts';
import { DEFAULT_DECLARES } from '../../../harness/store-module/declares.ts';

const scenarioOf = (...sets: string[]) =>
  parseScenario('name: x', 'x.yaml', { overrides: sets.map(parseSet) });
const judge = (...sets: string[]) =>
  feasibility({ scenario: scenarioOf(...sets), declares: DEFAULT_DECLARES, methods: OPERATIONS });

describe('roles', () => {
  const roles = (kind: WorkloadKind, lanes: number, followers = 1, hasFeed = true) =>
    laneRoles({ kind, lanes, followers, hasFeed }).join(' ');

  it.each<[WorkloadKind, number, string]>([
    ['work', 2, 'work work'],
    ['register', 2, 'register register'],
    ['log', 1, 'log'],
    ['feed', 2, 'write follow'],
    ['feed', 3, 'write write follow'],
    ['mixed', 1, 'work'],
    ['mixed', 2, 'work write'],
    ['mixed', 3, 'work write follow'],
    ['mixed', 4, 'work work write follow'],
    ['mixed', 5, 'work work write write follow'],
  ])('%s with %d lanes: %s', (kind, lanes, expected) => {
    expect(roles(kind, lanes)).toBe(expected);
  });

  it('nobody follows a feed that is not there, or when nobody shall', () => {
    expect(roles('mixed', 4, 1, false)).toBe('work work write write');
    expect(roles('feed', 2, 0)).toBe('write write');
    expect(roles('mixed', 4, 3)).toBe('work write follow follow');
  });
});

describe('calls of a workload', () => {
  const calls = (kind: WorkloadKind, methods: readonly OperationName[] = OPERATIONS, lanes = 4) =>
    workloadOperations(methods, DEFAULT_DECLARES, scenarioOf(`workload.kind=${kind}`, `lanes=${lanes}`)).join(
      ' ',
    );
  const LEASES = 'enqueue claim claimNext heartbeat complete nack release';

  it('are those of its lanes', () => {
    expect(calls('work')).toBe(LEASES);
    expect(calls('register')).toBe('commit get');
    expect(calls('log')).toBe('commit list history');
    expect(calls('feed')).toBe('commit get since');
    expect(calls('mixed')).toBe(`${LEASES} commit get since`);
    expect(calls('mixed', OPERATIONS, 2)).toBe(`${LEASES} commit get`);
    expect(
      calls(
        'mixed',
        OPERATIONS.filter((method) => method !== 'since'),
      ),
    ).toBe(`${LEASES} commit get`);
  });

  it('are all that the store has, where no scenario is known', () => {
    expect(workloadOperations(OPERATIONS, DEFAULT_DECLARES, undefined).join(' ')).toBe(
      `${LEASES} commit get list history since`,
    );
  });
});

describe('feasibility of kinds', () => {
  it.each(WORKLOAD_KINDS)('has nothing against %s with its defaults', (kind) => {
    expect(judge(`workload.kind=${kind}`, 'workload.followers=1').refusals).toEqual([]);
  });

  it('asks nothing about leases where nothing is leased', () => {
    const lease = [
      'heartbeat=150ms',
      'workload.maxAttempts=1',
      'workload.zombies={ polite: 1, late: 0, stubborn: 0 }',
    ];
    expect(judge('workload.kind=register', ...lease).refusals).toEqual([]);
    expect(judge('workload.kind=mixed', ...lease).refusals.length).toBeGreaterThan(0);
  });

  it.each([
    [['workload.kind=feed', 'workload.followers=0'], 'Nobody would read the feed'],
    [['workload.kind=feed', 'lanes=1'], 'nobody would write what is followed'],
    [['workload.kind=register', 'faults.kill=0'], 'workers killed that had written'],
    [['workload.kind=log', 'faults.pause=0', 'faults.twin=0'], 'workers that wrote on after a stop'],
  ])('refuses %j', (sets, expected) => {
    const said = judge(...sets).refusals.map(({ what, why }) => `${what} ${why}`);
    expect(said.join('\n')).toContain(expected);
  });

  it('takes a minimum of the whole obligation for its parts', () => {
    const sets = ['workload.kind=register', 'faults.kill=0', 'obligations.O12=0'];
    expect(judge(...sets, 'obligations.O18=0').refusals).toEqual([]);
  });
});

it('names the kinds when it is given another', () => {
  expect(() => scenarioOf('workload.kind=registers')).toThrow(
    /one of `work`, `register`, `log`, `feed`, `mixed`/,
  );
});
