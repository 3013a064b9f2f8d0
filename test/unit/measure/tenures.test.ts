/** Who held what when: the index behind obligations and numbers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earliestEnd, latestEnd } from '../../../harness/measure/lease-bounds.ts';
import { tenuresOf } from '../../../harness/measure/tenures.ts';
import { covered, unite } from '../../../harness/measure/window.ts';
import { ns, Script } from '../../support/records.ts';

describe('tenures', () => {
  const shown = (script: Script) => {
    const history = script.history();
    return [...tenuresOf(history).all].map(({ item, grant, incarnation, calls, supersededAt, next }) => ({
      key: history.keys[item],
      generation: history.ops.generation[grant],
      incarnation,
      calls: calls.length,
      supersededAt: supersededAt / 1e6,
      next: next && history.ops.generation[next.grant],
    }));
  };

  it('is empty for an empty history', () => {
    expect(shown(new Script())).toEqual([]);
  });

  it('puts each call under its grant and tells when a later grant was certain', () => {
    const script = new Script();
    const w2 = script.worker('w2').grant(20, 21, 'a', 2).heartbeat(22, 23, 'a', 2);
    script.worker('w1').grant(10, 11, 'a', 1).complete(30, 31, 'a', 1).heartbeat(12, 13, 'a', 1);
    w2.grant(40, 41, 'a', 3);
    const end = Number.POSITIVE_INFINITY;
    expect(shown(script)).toEqual([
      { key: 'a', generation: 1, incarnation: 2, calls: 2, supersededAt: 21, next: 2 },
      { key: 'a', generation: 2, incarnation: 1, calls: 1, supersededAt: 41, next: 3 },
      { key: 'a', generation: 3, incarnation: 1, calls: 0, supersededAt: end, next: undefined },
    ]);
  });

  it('keeps two grants of one generation apart by process, and neither supersedes the other', () => {
    const script = new Script();
    script.worker('w1').grant(10, 11, 'a', 1).complete(12, 13, 'a', 1);
    script.worker('w2').grant(20, 21, 'a', 1).complete(22, 23, 'a', 1);
    const end = Number.POSITIVE_INFINITY;
    expect(
      shown(script).map(({ incarnation, calls, supersededAt }) => [incarnation, calls, supersededAt]),
    ).toEqual([
      [1, 1, end],
      [2, 1, end],
    ]);
  });

  it('orders grants with opaque tokens by time, where time does', () => {
    const script = new Script();
    const w1 = script.worker('w1');
    const grant = (call: number, inv: number, ret: number, token: string) => {
      w1.record({ type: 'invoke', t: ns(inv), lane: 0, call, op: 'claim', key: 'a', leaseMs: 1 });
      w1.record({
        type: 'ok',
        t: ns(ret),
        lane: 0,
        call,
        accepted: true,
        leases: [{ key: 'a', token, leaseMs: 1 }],
      });
    };
    grant(0, 10, 12, 'x');
    grant(1, 11, 14, 'y');
    grant(2, 20, 21, 'z');
    w1.record({ type: 'invoke', t: ns(30), lane: 0, call: 3, op: 'release', key: 'a', token: 'y' });
    expect(shown(script).map(({ calls, supersededAt }) => [calls, supersededAt])).toEqual([
      [0, 21],
      [1, 21],
      [0, Number.POSITIVE_INFINITY],
    ]);
  });
});

describe('lease bounds', () => {
  const exact = { clockDrift: 0, clockStepMs: 0, grainMs: 0 };
  const bounds = (script: Script, declared = exact) => {
    const history = script.history();
    const [tenure] = tenuresOf(history).all;
    return [earliestEnd(history.ops, tenure!, declared), latestEnd(history.ops, tenure!, declared)].map(
      (at) => Math.round(at) / 1e6,
    );
  };

  it('lies a lease after the invoke and after the answer of the last certain setter', () => {
    const script = new Script();
    script.worker('w1').grant(10, 12, 'a', 1).heartbeat(50, 55, 'a', 1);
    expect(bounds(script)).toEqual([150, 155]);
  });

  it('is not moved by a refused heartbeat; an unknown one can only widen it', () => {
    const script = new Script();
    const w1 = script.worker('w1').grant(10, 12, 'a', 1).heartbeat(50, 55, 'a', 1, { refused: 'stale' });
    expect(bounds(script)).toEqual([110, 112]);
    w1.heartbeat(60, 61, 'a', 1, 'info');
    expect(bounds(script)).toEqual([110, Number.POSITIVE_INFINITY]);
  });

  it('is widened by the declared bounds of the clock', () => {
    const script = new Script();
    script.worker('w1').grant(10, 12, 'a', 1);
    expect(bounds(script, { clockDrift: 0.1, clockStepMs: 5, grainMs: 1 })).toEqual([94, 128]);
  });
});

describe('windows', () => {
  it('unites and covers as a naive count does (property)', () => {
    const window = fc
      .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }))
      .map(([from, length]) => ({ from, to: from + length }));
    fc.assert(
      fc.property(
        fc.array(window, { maxLength: 8 }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 10 }),
        (windows, from, length) => {
          const naive = Array.from({ length: length + 1 }, (_, i) => from + i).every((at) =>
            windows.some((w) => at >= w.from && at < w.to),
          );
          expect(covered(unite(windows), from, from + length)).toBe(naive);
        },
      ),
    );
  });
});
