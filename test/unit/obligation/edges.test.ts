/** O6, O7 and O11: lost completions, renewals at the edge of a lease, sweeps of the store. */
import { describe, expect, it } from 'vitest';
import { lastMomentRate, seesLastMoments } from '../../../harness/scenario/last-moment.ts';
import { loadScenario } from '../../../harness/scenario/load.ts';
import { refused, Script } from '../../support/records.ts';
import { result, results, seen } from './seen.ts';

const main = (): Script => new Script().phase('main', 0);

describe('O7 renewals at the edge', () => {
  const at = { lastMoment: true, declares: { grainMs: 0 } } as const;
  it('late: accepted, and sent in the last quarter of a lease that was set at the latest', () => {
    const h = main();
    const w1 = h.worker('w1');
    // Leases of 100 ms, set by 2: the last quarter begins at 77.
    w1.grant(1, 2, 'a', 1).heartbeat(76, 78, 'a', 1);
    w1.grant(1, 2, 'b', 1).heartbeat(77, 79, 'b', 1);
    w1.grant(1, 2, 'c', 1).heartbeat(80, 90, 'c', 1, refused('stale'));
    expect(seen('O7.late', h, at)).toBe(1);
    // A renewal before it moves the last quarter; one without an answer may have done so.
    w1.grant(201, 202, 'd', 1).heartbeat(250, 252, 'd', 1).heartbeat(280, 281, 'd', 1);
    w1.grant(201, 202, 'e', 1).heartbeat(250, 252, 'e', 1, 'open').heartbeat(280, 281, 'e', 1);
    expect(seen('O7.late', h, at)).toBe(1);
    w1.heartbeat(356, 357, 'd', 1);
    expect(seen('O7.late', h, at)).toBe(2);
  });
  it('after: answered, and sent when the lease was certainly over', () => {
    const h = main();
    const w1 = h.worker('w1');
    w1.grant(1, 2, 'a', 1).heartbeat(102, 103, 'a', 1);
    w1.grant(1, 2, 'b', 1).heartbeat(103, 104, 'b', 1, refused('expired'));
    w1.grant(1, 2, 'c', 1).heartbeat(103, 104, 'c', 1, 'open');
    expect(seen('O7.after', h, at)).toBe(1);
  });
  it('is not asked of a workload that renews as it likes', () => {
    expect(results(main()).filter(({ id }) => id.startsWith('O7'))).toEqual([]);
  });
  it('the default scenario tries about twenty in its shortest main, and long leases are left alone', () => {
    const scenario = loadScenario(
      new URL('../../../scenarios/kill-mid-lease.yaml', import.meta.url).pathname,
    );
    const { workers, lanes, phases } = scenario;
    expect(lastMomentRate(scenario) * workers * lanes * phases.main.minMs).toBeCloseTo(20);
    expect(seesLastMoments(scenario)).toBe(true);
    const long = { ...scenario, leaseMs: 30_000 };
    expect(lastMomentRate(long) * 1.1 * long.leaseMs).toBeLessThanOrEqual(0.15 + 1e-9);
    expect(seesLastMoments(long)).toBe(false);
  });
});

describe('O11 sweeps of the store', () => {
  const at = { declares: { reapIntervalMs: 50, grainMs: 0 } } as const;
  it('counts stretches from the end of a lease to the next grant that do not overlap', () => {
    const h = main();
    const [w1, w2] = [h.worker('w1'), h.worker('w2')];
    // Over at 101 and back by 150; over at 121 and back by 160: one sweep can have done both.
    w1.grant(1, 2, 'a', 1).grant(21, 22, 'b', 1).grant(80, 81, 'c', 1);
    w2.grant(149, 150, 'a', 2).grant(159, 160, 'b', 2);
    expect(seen('O11', h, at)).toBe(1);
    // Over at 180 and back by 200: another one.
    w2.grant(199, 200, 'c', 2);
    expect(seen('O11', h, at)).toBe(2);
    // Handed back by its holder: no sweep.
    w1.grant(300, 301, 'd', 1).release(302, 303, 'd', 1);
    w2.grant(310, 311, 'd', 2);
    expect(seen('O11', h, at)).toBe(2);
  });
  it('is asked only of a store that sweeps', () => {
    expect(results(main()).some(({ id }) => id === 'O11')).toBe(false);
  });
});

describe('O6 lost completions', () => {
  const at = { faults: ['lose-reply'], declares: { showsRequest: true } } as const;
  it('acted: the final scan shows its request', () => {
    const h = main();
    h.worker('w1').grant(1, 2, 'a', 1).complete(3, 4, 'a', 1, 'info');
    expect(seen('O6.acted', h, at)).toBe(0);
    h.scanner(50).scan(60, 61, [{ key: 'a', state: 'done', completedBy: '1.0.1' }]);
    expect(seen('O6.acted', h, at)).toBe(1);
  });
  it('acted: somebody was told that the item is completed, and no other completion can have done it', () => {
    const h = main();
    const [w1, w2] = [h.worker('w1'), h.worker('w2')];
    w1.grant(1, 2, 'a', 1).complete(3, 4, 'a', 1, 'info');
    w1.grant(1, 2, 'b', 1).complete(3, 4, 'b', 1, 'info').complete(5, 6, 'b', 1);
    w2.claim(10, 11, refused('completed'), 'a').claim(10, 11, refused('completed'), 'b');
    expect(seen('O6.acted', h, at)).toBe(1);
  });
  it('not acted: the item was granted again', () => {
    const h = main();
    const [w1, w2] = [h.worker('w1'), h.worker('w2')];
    w1.grant(1, 2, 'a', 1).complete(3, 4, 'a', 1, 'info');
    expect(seen('O6.not', h, at)).toBe(0);
    w2.grant(120, 121, 'a', 2);
    // A stale one, sent after the later grant.
    w1.grant(1, 2, 'b', 1);
    w2.grant(120, 121, 'b', 2);
    w1.complete(130, 131, 'b', 1, 'info');
    expect(seen('O6.not', h, at)).toBe(2);
    expect(seen('O6.acted', h, at)).toBe(0);
  });
  it('a store that does not fence shows nothing by a later grant', () => {
    const { notTested } = result('O6.not', main(), { ...at, declares: { fencing: 'none' } });
    expect(notTested).toMatch(/fences nobody/);
  });
  it('is asked only where answers are lost', () => {
    expect(results(main()).filter(({ id }) => id.startsWith('O6'))).toEqual([]);
  });
});
