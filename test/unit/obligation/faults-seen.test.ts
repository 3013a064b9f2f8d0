/** O8, O13 and O19: what each fault really did; what it says of itself counts for nothing. */
import { describe, expect, it } from 'vitest';
import { FAULT_NAMES } from '../../../harness/scenario/scenario.ts';
import { ns, Script, type ScriptedWorker } from '../../support/records.ts';
import { seen } from './seen.ts';

const setting = {
  faults: FAULT_NAMES,
  crashWindows: ['before-send', 'in-transaction', 'after-send', 'after-reply'],
  leaseMs: 100,
  slowMs: 50,
} as const;
const count = (id: string, script: Script): number => seen(id, script, setting);

const inMain = (): Script => new Script().phase('main', 0);
const order = (worker: ScriptedWorker, fault: string, from: number, to: number): void => {
  worker.record({ type: 'order', t: ns(from), id: 1, fault, stage: 'begin' });
  worker.record({ type: 'order', t: ns(to), id: 1, fault, stage: 'end' });
};

describe('a worker that was drained', () => {
  const drained = (signal: string, code: number | null, at = 10): Script => {
    const script = inMain();
    const w1 = script.worker('w1');
    return script
      .phase('heal', 50)
      .signal(w1, signal, at)
      .exit(w1, at + 5, code);
  };

  it('counts when it was asked in main and ended in order', () => {
    expect(count('O19.drain', drained('SIGTERM', 0))).toBe(1);
  });

  it.each([
    ['it was not asked', drained('SIGCONT', 0)],
    ['it ended otherwise', drained('SIGTERM', 70)],
    ['main was over', drained('SIGTERM', 0, 60)],
  ])('does not count when %s', (_why, script) => {
    expect(count('O19.drain', script)).toBe(0);
  });
});

describe('a blocked event loop', () => {
  const starved = (maxMs: number, at = 220): Script => {
    const script = inMain();
    const w1 = script.worker('w1');
    order(w1, 'starve', 10, 200);
    w1.record({ type: 'loop', t: ns(at), p99Ms: 1, maxMs });
    return script;
  };

  it('counts when the loop record shows it', () => {
    expect(count('O19.starve', starved(190))).toBe(1);
  });

  it('does not count by the word of the worker alone', () => {
    expect(count('O19.starve', starved(3))).toBe(0);
    expect(count('O19.starve', starved(190, 150))).toBe(0);
  });
});

describe('calls', () => {
  it('count as delayed when they took long while calls were delayed', () => {
    const script = inMain();
    const w1 = script.worker('w1');
    w1.enqueue(1, 80, ['before']);
    order(w1, 'slow', 100, 300);
    w1.enqueue(110, 180, ['late']).enqueue(200, 203, ['quick']);
    w1.enqueue(310, 390, ['after']);
    expect(count('O19.slow', script)).toBe(1);
  });

  it('count as unanswered when the answer was lost, and not for another error', () => {
    const script = inMain();
    const w1 = script.worker('w1');
    w1.record({ type: 'invoke', t: ns(5), lane: 7, call: 0, op: 'release', key: 'a', generation: 1 });
    const error = { code: 'REPLY_LOST', message: 'lost' };
    w1.record({ type: 'info', t: ns(6), lane: 7, call: 0, error });
    w1.release(10, 11, 'a', 1, 'info');
    expect(count('O19.lose-reply', script)).toBe(1);
  });
});

describe('a hold of the lock', () => {
  it('counts when writes were sent and none went through', () => {
    const script = inMain();
    script.worker('w1').enqueue(20, 120, ['waits']);
    expect(count('O19.hog', script.hold('hog', 10, 100))).toBe(1);
  });

  it('does not count when a write went through, nobody wrote, or main was over', () => {
    const through = inMain();
    through.worker('w1').enqueue(20, 120, ['waits']).enqueue(30, 40, ['through']);
    expect(count('O19.hog', through.hold('hog', 10, 100))).toBe(0);
    expect(count('O19.hog', inMain().hold('hog', 10, 100))).toBe(0);
    const late = inMain().phase('heal', 5);
    late.worker('w1').enqueue(20, 120, ['waits']);
    expect(count('O19.hog', late.hold('hog', 10, 100))).toBe(0);
  });

  it('counts for a worker that is stopped inside its transaction', () => {
    const stalled = (isOrdered: boolean): Script => {
      const script = inMain();
      const w1 = script.worker('w1');
      script.worker('w2').enqueue(20, 120, ['waits']);
      if (isOrdered) {
        const at = { type: 'at', id: 1, fault: 'stall', boundary: 'in-transaction', cut: 'stop' } as const;
        w1.record({ ...at, t: ns(9) });
      }
      return script.stop(w1, 10, 100);
    };
    expect(count('O19.stall', stalled(true))).toBe(1);
    expect(count('O19.stall', stalled(false))).toBe(0);
  });

  it('counts for a full disk when a write failed', () => {
    const script = inMain();
    script.worker('w1').release(20, 30, 'a', 1, 'fail').enqueue(40, 50, ['through']);
    expect(count('O19.disk-full', script.hold('disk-full', 10, 100))).toBe(1);
    const spared = inMain();
    spared.worker('w1').enqueue(40, 50, ['through']);
    expect(count('O19.disk-full', spared.hold('disk-full', 10, 100))).toBe(0);
  });
});

describe('wall clocks', () => {
  const clocks = (offsetMs: number, exitAt?: number): Script => {
    const script = inMain();
    const [w1, w2] = [script.worker('w1'), script.worker('w2')];
    w1.record({ type: 'wall', t: ns(5), wallMs: 1_000_005 });
    if (exitAt !== undefined) script.exit(w1, exitAt);
    w2.record({ type: 'wall', t: ns(20), wallMs: 1_000_020 + offsetMs });
    return script;
  };

  it('are apart when they differ by more than a lease at one time', () => {
    expect(count('O8', clocks(101))).toBe(1);
    expect(count('O8', clocks(-101))).toBe(1);
  });

  it('are not apart within a lease, or when the other is gone', () => {
    expect(count('O8', clocks(100))).toBe(0);
    expect(count('O8', clocks(500, 10))).toBe(0);
  });
});

describe('a crash window', () => {
  const cutAt = (cut: 'kill' | 'stop', exit: 'SIGKILL' | null): Script => {
    const script = inMain();
    const w1 = script.worker('w1');
    const at = { type: 'at', id: 1, fault: 'crash-point', boundary: 'after-send', cut } as const;
    w1.record({ ...at, t: ns(5) });
    return exit === null ? script : script.exit(w1, 8, null, exit);
  };

  it('is hit by a kill that was seen', () => {
    expect(count('O13.after-send', cutAt('kill', 'SIGKILL'))).toBe(1);
    expect(count('O13.before-send', cutAt('kill', 'SIGKILL'))).toBe(0);
  });

  it('is not hit by a stop, or by the word of a worker that lives', () => {
    expect(count('O13.after-send', cutAt('stop', null))).toBe(0);
    expect(count('O13.after-send', cutAt('kill', null))).toBe(0);
  });

  it('is one cell of the matrix, which is whole when each was hit', () => {
    const cell = { op: 'complete', boundary: 'after-send', cut: 'kill' } as const;
    const whole = (...cells: readonly { op: 'complete' | 'nack' }[]): number => {
      const script = inMain();
      const w1 = script.worker('w1');
      w1.record({ type: 'at', t: ns(5), id: 1, fault: 'crash-point', ...cell });
      script.exit(w1, 8, null, 'SIGKILL');
      const crashCells = cells.map((one) => ({ ...cell, ...one }));
      return seen('O13.matrix', script, { ...setting, crashCells });
    };
    expect(whole({ op: 'complete' })).toBe(1);
    expect(whole({ op: 'complete' }, { op: 'nack' })).toBe(0);
  });

  it('tells a death of its own kind from one by a foreign hand', () => {
    const life = cutAt('kill', 'SIGKILL').history().incarnations.get(1);
    expect(life?.signals).toEqual([{ signal: 'SIGKILL', at: ns(5), sentAt: ns(5) }]);
  });
});
