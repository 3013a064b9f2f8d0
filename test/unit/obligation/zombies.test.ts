/** O3 zombies, O4 stale calls refused, O17 twins. */
import { describe, expect, it } from 'vitest';
import { type Answer, refused, Script, type ScriptedWorker } from '../../support/records.ts';
import { result, results, seen } from './seen.ts';

interface Zombie {
  readonly stop?: readonly [number, number?];
  readonly regrantAt?: number;
  readonly callAt?: number;
  readonly answer?: Answer;
  readonly label?: string;
}

/** w1 holds `a` from 10 on (lease 100), is stopped from 20 to 300; w2 is granted `a` at 200; w1 calls at 310. */
function zombie({
  stop = [20, 300],
  regrantAt = 200,
  callAt = 310,
  answer = refused('stale'),
  label = 'w2',
}: Zombie = {}) {
  const script = new Script().phase('main', 0);
  const w1 = script.worker('w1').grant(9, 10, 'a', 1);
  const w2 = script.worker(label, label === 'w1' ? { why: 'twin', replaces: w1 } : {});
  script.stop(w1, ...stop);
  w2.grant(regrantAt - 1, regrantAt, 'a', 2);
  w1.complete(callAt, callAt + 1, 'a', 1, answer);
  return { script, w1, w2 };
}

describe('O3 zombies', () => {
  it('counts a holder that slept through the end of its lease, whatever the answer to its call', () => {
    expect(seen('O3', zombie().script)).toBe(1);
    expect(seen('O3', zombie({ answer: 'accepted' }).script)).toBe(1);
  });

  it('counts a lease once, however often the holder calls', () => {
    const { script, w1 } = zombie();
    w1.release(320, 321, 'a', 1, refused('stale')).heartbeat(330, 331, 'a', 1, refused('stale'));
    expect(seen('O3', script)).toBe(1);
  });

  const innocents: readonly [string, Zombie][] = [
    ['stopped for less than the lease had left', { stop: [20, 90], regrantAt: 120, callAt: 130 }],
    ['never continued', { stop: [20] }],
    ['the call was never answered', { answer: 'info' }],
    ['the call certainly had no effect', { answer: 'fail' }],
    ['nobody had taken the item when it called', { regrantAt: 320 }],
    ['the call was sent before it was stopped', { callAt: 15 }],
    ['stopped before it held anything', { stop: [1, 8], callAt: 310 }],
  ];
  it.each(innocents)('does not count: %s', (_situation, setting) => {
    expect(seen('O3', zombie(setting).script)).toBe(0);
  });

  it('does not count a fault that says it paused somebody', () => {
    const script = new Script().phase('main', 0);
    const w1 = script.worker('w1').grant(9, 10, 'a', 1);
    script.worker('w2').grant(199, 200, 'a', 2);
    script.fault('pause', 20);
    w1.complete(310, 311, 'a', 1, refused('stale'));
    expect(seen('O3', script)).toBe(0);
  });

  it('is dropped for a store without holder calls', () => {
    const { script } = zombie();
    expect(result('O3', script, { methods: ['claim', 'scan'] }).notTested).toContain('`heartbeat`');
  });
});

describe('O4 stale calls refused', () => {
  const stale = (calls: (w1: ScriptedWorker) => void) => {
    const script = new Script().phase('main', 0);
    const w1 = script.worker('w1').grant(9, 10, 'a', 1);
    script.worker('w2').grant(199, 200, 'a', 2);
    calls(w1);
    return results(script)
      .filter(({ id }) => id.startsWith('O4.'))
      .map((part) => part.seen);
  };

  it('counts each kind of call, release and nack together', () => {
    const counts = stale((w1) => {
      w1.complete(210, 211, 'a', 1, refused('stale')).complete(220, 221, 'a', 1, refused('completed'));
      w1.heartbeat(230, 231, 'a', 1, refused('stale'));
      w1.release(240, 241, 'a', 1, refused('stale')).nack(250, 251, 'a', 1, refused('stale'));
    });
    expect(counts).toEqual([2, 1, 2]);
  });

  it('does not count accepted ones, unknown ones, and those sent before the grant was certain', () => {
    const counts = stale((w1) => {
      w1.complete(210, 211, 'a', 1)
        .complete(220, 221, 'a', 1, 'info')
        .complete(199.5, 230, 'a', 1, refused('stale'));
    });
    expect(counts).toEqual([0, 0, 0]);
  });

  it('does not count the holder of the newest generation', () => {
    const script = new Script().phase('main', 0);
    script.worker('w1').grant(9, 10, 'a', 1);
    script.worker('w2').grant(199, 200, 'a', 2).complete(400, 401, 'a', 2, refused('expired'));
    expect(seen('O4.complete', script)).toBe(0);
  });

  it('is dropped where a method is missing, and where the store declares no fencing', () => {
    const { script } = zombie();
    const without = results(script, { methods: ['claimNext', 'complete', 'nack'] });
    const reason = (id: string) => without.find((part) => part.id === id)?.notTested;
    expect(reason('O4.heartbeat')).toBe('the store has no `heartbeat`');
    expect(reason('O4.release')).toBeUndefined();
    expect(reason('O4.complete')).toBeUndefined();
    const unfenced = results(script, { declares: { fencing: 'none' } });
    expect(unfenced.filter(({ notTested }) => notTested?.includes('fencing')).map(({ id }) => id)).toEqual([
      'O4.complete',
      'O4.heartbeat',
      'O4.release',
      'O17',
    ]);
  });

  it('takes a minimum for all its parts', () => {
    const { script } = zombie();
    const parts = results(script, { minima: { O4: 1, 'O4.heartbeat': 0 } }).filter(({ id }) =>
      id.startsWith('O4.'),
    );
    expect(parts.map(({ min, met }) => [min, met])).toEqual([
      [1, true],
      [0, true],
      [1, false],
    ]);
  });
});

describe('O17 twins', () => {
  it('counts an older attempt that met its own name', () => {
    expect(seen('O17', zombie({ label: 'w1' }).script)).toBe(1);
  });

  it('counts another lane of the same worker', () => {
    const script = new Script().phase('main', 0);
    const w1 = script.worker('w1').grant(9, 10, 'a', 1, { lane: 0 }).grant(199, 200, 'a', 2, { lane: 1 });
    w1.complete(210, 211, 'a', 1, refused('stale'));
    expect(seen('O17', script)).toBe(1);
  });

  it('does not count another name, a silent older attempt, and one that called before', () => {
    expect(seen('O17', zombie().script)).toBe(0);
    expect(seen('O17', zombie({ label: 'w1', answer: 'info' }).script)).toBe(0);
    expect(seen('O17', zombie({ label: 'w1', callAt: 150 }).script)).toBe(0);
  });
});
