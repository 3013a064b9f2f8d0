/** O1 killed in lease, O2 reclaimed, O12 respawned: what a death must look like to count. */
import { describe, expect, it } from 'vitest';
import { refused, Script, type ScriptedWorker } from '../../support/records.ts';
import { result, results, seen } from './seen.ts';

/** A worker that is granted `a` at 10 (lease 100) and killed at 50; main is on from 0. */
type Workers = Readonly<Record<'w1' | 'w2', ScriptedWorker>>;

function killed(change: (script: Script, workers: Workers) => void = () => {}) {
  const script = new Script().phase('main', 0);
  const workers = { w1: script.worker('w1'), w2: script.worker('w2') };
  change(script, workers);
  return { script, ...workers };
}

describe('O1 killed in lease', () => {
  it('counts a SIGKILL of ours to a process that held an unexpired lease', () => {
    const { script } = killed((s, { w1 }) => {
      w1.grant(9, 10, 'a', 1);
      s.kill(w1, 50, 52);
    });
    expect(seen('O1', script)).toBe(1);
  });

  it('counts a process once, however many leases it held', () => {
    const { script } = killed((s, { w1 }) => {
      w1.grants(9, 10, ['a', 'b', 'c'], 1);
      s.kill(w1, 50, 52);
    });
    expect(seen('O1', script)).toBe(1);
  });

  it('counts a lease that a heartbeat had kept alive', () => {
    const { script } = killed((s, { w1 }) => {
      w1.grant(9, 10, 'a', 1).heartbeat(80, 81, 'a', 1);
      s.kill(w1, 150, 152);
    });
    expect(seen('O1', script)).toBe(1);
  });

  const innocents: readonly [string, Parameters<typeof killed>[0]][] = [
    ['no lease', (s, { w1 }) => s.kill(w1, 50, 52)],
    [
      'lease over before the exit was seen',
      (s, { w1 }) => {
        w1.grant(9, 10, 'a', 1);
        s.kill(w1, 105, 109);
      },
    ],
    [
      'lease ended by a release',
      (s, { w1 }) => {
        w1.grant(9, 10, 'a', 1).release(20, 21, 'a', 1);
        s.kill(w1, 50, 52);
      },
    ],
    [
      'a final call under way',
      (s, { w1 }) => {
        w1.grant(9, 10, 'a', 1).complete(49, 50, 'a', 1, 'open');
        s.kill(w1, 50, 52);
      },
    ],
    [
      'grant never answered',
      (s, { w1 }) => {
        w1.claim(9, 10, 'open');
        s.kill(w1, 50, 52);
      },
    ],
    [
      'killed by somebody else',
      (s, { w1 }) => {
        w1.grant(9, 10, 'a', 1);
        s.exit(w1, 52, null, 'SIGKILL');
      },
    ],
    [
      'ended by another signal',
      (s, { w1 }) => {
        w1.grant(9, 10, 'a', 1);
        s.signal(w1, 'SIGTERM', 50).exit(w1, 52, null, 'SIGTERM');
      },
    ],
    [
      'signal sent, exit not seen',
      (s, { w1 }) => {
        w1.grant(9, 10, 'a', 1);
        s.signal(w1, 'SIGKILL', 50);
      },
    ],
    [
      'exit before the signal',
      (s, { w1 }) => {
        w1.grant(9, 10, 'a', 1);
        s.exit(w1, 40, null, 'SIGKILL').signal(w1, 'SIGKILL', 50);
      },
    ],
    [
      'killed after main',
      (s, { w1 }) => {
        w1.grant(9, 10, 'a', 1);
        s.phase('heal', 40).kill(w1, 50, 52);
      },
    ],
  ];
  it.each(innocents)('does not count: %s', (_situation, change) => {
    expect(seen('O1', killed(change).script)).toBe(0);
  });

  it('counts nothing when a fault claims a kill that nobody saw (H03)', () => {
    const { script } = killed((s, { w1 }) => {
      w1.grant(9, 10, 'a', 1);
      for (let i = 0; i < 30; i++) s.fault('kill', 50 + i);
    });
    expect(
      results(script)
        .filter(({ id }) => ['O1', 'O2', 'O3', 'O12', 'O17'].includes(id))
        .map(({ seen }) => seen),
    ).toEqual([0, 0, 0, 0, 0]);
  });

  it('is met at its minimum, and a scenario can set that', () => {
    const { script } = killed((s, { w1 }) => {
      w1.grant(9, 10, 'a', 1);
      s.kill(w1, 50, 52);
    });
    expect(result('O1', script)).toMatchObject({ min: 20, met: false });
    expect(result('O1', script, { minima: { O1: 1 } })).toMatchObject({ min: 1, met: true });
    expect(result('O1', script, { minima: { O1: 2 } })).toMatchObject({ min: 2, met: false });
  });
});

describe('O2 reclaimed', () => {
  const reclaim = (claimedAt: number, generation = 2) =>
    killed((s, { w1, w2 }) => {
      w1.grant(9, 10, 'a', 1);
      s.kill(w1, 50, 52);
      w2.grant(claimedAt, claimedAt + 1, 'a', generation);
    }).script;

  it('counts a lease that was granted again after its holder died', () => {
    expect(seen('O2', reclaim(120))).toBe(1);
  });

  it('does not count a claim that was sent before the exit was seen', () => {
    expect(seen('O2', reclaim(51))).toBe(0);
  });

  it('does not count a grant under the same generation', () => {
    expect(seen('O2', reclaim(120, 1))).toBe(0);
  });

  it('counts each lost lease', () => {
    const { script } = killed((s, { w1, w2 }) => {
      w1.grants(9, 10, ['a', 'b', 'c'], 1);
      s.kill(w1, 50, 52);
      w2.grant(120, 121, 'a', 2).grant(121, 122, 'b', 2);
    });
    expect(seen('O2', script)).toBe(2);
  });

  it('does not count an item whose holder had handed it back', () => {
    const { script } = killed((s, { w1, w2 }) => {
      w1.grant(9, 10, 'a', 1).nack(20, 21, 'a', 1);
      s.kill(w1, 50, 52);
      w2.grant(120, 121, 'a', 2);
    });
    expect(seen('O2', script)).toBe(0);
  });
});

describe('O12 respawned', () => {
  it('counts processes that took a place and had a call accepted', () => {
    const { script } = killed((s, { w1 }) => {
      s.worker('w1', { at: 60, why: 'respawn', replaces: w1 }).grant(70, 71, 'a', 1);
      s.worker('w1', { at: 60, why: 'twin', replaces: w1 }).enqueue(70, 71, ['b']);
      s.worker('w1', { at: 60, why: 'respawn', replaces: w1 });
      s.worker('w1', { at: 60, why: 'respawn', replaces: w1 }).claim(70, 71, refused('empty'));
      w1.grant(9, 10, 'c', 1);
    });
    expect(seen('O12', script)).toBe(2);
  });
});
