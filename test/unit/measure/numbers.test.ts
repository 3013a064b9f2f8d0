/** Each number of docs/numbers.md on a history small enough to count by hand. */
import { describe, expect, it } from 'vitest';
import { faultCounts } from '../../../harness/measure/faults.ts';
import { numbersOf } from '../../../harness/measure/numbers.ts';
import { phaseDurations } from '../../../harness/measure/phases.ts';
import { ns, refused, Script } from '../../support/records.ts';

const NONE = { count: 0, p50: undefined, p95: undefined, p99: undefined, max: undefined };

/** main from 100 to 1000. */
function main() {
  const script = new Script().phase('lead-in', 0).phase('main', 100);
  return {
    script,
    w1: script.worker('w1'),
    w2: script.worker('w2'),
    numbers: () => numbersOf(script.phase('heal', 1000).history()),
  };
}

describe('numbers', () => {
  it('says nothing where nothing was seen', () => {
    const numbers = numbersOf(new Script().history());
    expect(numbers).toEqual({
      mainMs: undefined,
      claims: 0,
      completes: 0,
      heartbeats: 0,
      reclaims: 0,
      conflictRate: undefined,
      reclaimRate: undefined,
      workDoneTwice: 0,
      leasesLost: { died: 0, stopped: 0, starved: 0, otherwise: 0 },
      believedByTwo: NONE,
      staleRefused: { complete: 0, heartbeat: 0, release: 0, nack: 0 },
      latency: { claim: NONE, heartbeat: NONE, complete: NONE },
      task: NONE,
      reclaimDelay: NONE,
      loopLag: NONE,
    });
  });

  it('counts accepted calls of main, a granted item each', () => {
    const { w1, numbers } = main();
    w1.grant(50, 51, 'early', 1)
      .grants(110, 112, ['a', 'b'], 1)
      .claim(113, 114, refused('empty'))
      .claim(115, 116, 'info');
    w1.heartbeat(120, 121, 'a', 1).complete(130, 131, 'a', 1).complete(140, 141, 'b', 1, refused('stale'));
    w1.complete(1100, 1101, 'b', 1);
    expect(numbers()).toMatchObject({
      mainMs: 900,
      claims: 2,
      heartbeats: 1,
      completes: 1,
      reclaims: 0,
      reclaimRate: 0,
    });
  });

  it('takes files without phases whole', () => {
    const script = new Script();
    script.worker('w1').grant(50, 51, 'a', 1).complete(60, 61, 'a', 1);
    expect(numbersOf(script.history())).toMatchObject({ mainMs: undefined, claims: 1, completes: 1 });
  });

  it('divides refusals because of somebody else by definite answers other than empty', () => {
    const { w1, w2, numbers } = main();
    w1.grant(110, 111, 'a', 1); // an answer
    w2.claim(112, 113, refused('held'), 'a'); // an answer, a conflict
    w2.claim(114, 115, refused('empty')).claim(116, 117, 'fail').claim(118, 119, 'info'); // none
    w2.claim(120, 121, refused('unknown-item'), 'z'); // an answer
    w1.complete(122, 123, 'a', 1).complete(124, 125, 'a', 1, refused('completed')); // two answers; its own doing
    w1.grant(130, 131, 'b', 1); // an answer
    w2.grant(300, 301, 'b', 2).complete(302, 303, 'b', 2); // two answers
    w1.complete(310, 311, 'b', 1, refused('completed')); // somebody else's doing
    expect(numbers().conflictRate).toBe(2 / 9);
  });

  describe('reclaims', () => {
    it('counts grants after a lease that ran out', () => {
      const { w1, w2, numbers } = main();
      w1.grant(110, 111, 'a', 1).grant(112, 113, 'b', 1);
      w2.grant(240, 241, 'a', 2).complete(250, 251, 'a', 2);
      expect(numbers()).toMatchObject({ claims: 3, reclaims: 1, reclaimRate: 1 / 3 });
    });

    it('does not count items that were handed back', () => {
      const { w1, w2, numbers } = main();
      w1.grant(110, 111, 'a', 1).release(120, 121, 'a', 1).grant(130, 131, 'b', 1).nack(140, 141, 'b', 1);
      w2.grant(240, 241, 'a', 2).grant(242, 243, 'b', 2);
      expect(numbers().reclaims).toBe(0);
    });

    it('believes the store where the last call of the former holder has no answer', () => {
      const { w1, w2, numbers } = main();
      for (const key of ['a', 'b']) w1.grant(110, 111, key, 1).release(120, 121, key, 1, 'info');
      w2.grant(240, 241, 'a', 2, { kind: 'reclaimed' }).grant(242, 243, 'b', 2, { kind: 'fresh' });
      expect(numbers().reclaims).toBe(1);
    });

    it('measures from the end of the lease, kept alive by heartbeats, to the next answer', () => {
      const { w1, w2, numbers } = main();
      w1.grant(110, 111, 'a', 1).heartbeat(150, 151, 'a', 1);
      w2.grant(280, 281, 'a', 2);
      expect(numbers().reclaimDelay).toEqual({ count: 1, p50: 30, p95: 30, p99: 30, max: 30 });
    });

    it('is never below zero, and leaves out leases whose end is not known', () => {
      const { script, w1, w2, numbers } = main();
      w1.grant(110, 119, 'a', 1);
      w2.grant(214, 215, 'a', 2);
      w1.grant(110, 111, 'b', 1).heartbeat(150, 151, 'b', 1, 'info');
      w2.grant(290, 291, 'b', 2);
      script.stop(w1, 400, 500);
      w1.grant(399, 501, 'c', 1);
      w2.grant(700, 701, 'c', 2);
      expect(numbers()).toMatchObject({ reclaims: 3, reclaimDelay: { count: 1, max: 0 } });
    });
  });

  it('counts items whose work was run to its end under two generations', () => {
    const { w1, w2, numbers } = main();
    for (const key of ['a', 'b', 'c']) {
      w1.grant(110, 111, key, 1);
      w2.grant(240, 241, key, 2);
    }
    w1.complete(250, 251, 'a', 1, refused('stale')).release(250, 251, 'b', 1, refused('stale'));
    w1.complete(250, 251, 'c', 1, 'info').complete(252, 253, 'c', 1, refused('stale'));
    for (const key of ['a', 'b', 'c']) w2.complete(260, 261, key, 2);
    expect(numbers()).toMatchObject({ completes: 3, workDoneTwice: 2 });
  });

  it('counts stale calls that were refused, by kind, in the whole run', () => {
    const { w1, w2, numbers } = main();
    w1.grant(110, 111, 'a', 1);
    w2.grant(240, 241, 'a', 2);
    w1.complete(250, 251, 'a', 1, refused('stale')).heartbeat(252, 253, 'a', 1, refused('stale'));
    w1.release(1254, 1255, 'a', 1, refused('stale')).nack(1256, 1257, 'a', 1, refused('stale'));
    w1.nack(1258, 1259, 'a', 1, 'fail');
    expect(numbers().staleRefused).toEqual({ complete: 1, heartbeat: 1, release: 1, nack: 1 });
  });

  it('times accepted calls of main, each once, stops of the caller left out', () => {
    const { script, w1, numbers } = main();
    w1.grants(110, 112, ['a', 'b'], 1).claim(113, 163, refused('empty'));
    w1.heartbeat(120, 123, 'a', 1).complete(130, 134, 'a', 1).complete(140, 190, 'b', 1, refused('stale'));
    script.stop(w1, 401, 800);
    w1.complete(400, 801, 'b', 1);
    const { claim, heartbeat, complete } = numbers().latency;
    expect([claim.count, claim.max, heartbeat.count, heartbeat.max, complete.count, complete.max]).toEqual([
      1, 2, 1, 3, 1, 4,
    ]);
  });

  it('times tasks from the answer of the grant to the first final call, stopped ones left out', () => {
    const { script, w1, numbers } = main();
    w1.grant(110, 112, 'a', 1)
      .heartbeat(120, 121, 'a', 1)
      .complete(132, 133, 'a', 1, 'info')
      .release(150, 151, 'a', 1);
    w1.grant(200, 201, 'b', 1).nack(241, 242, 'b', 1).grant(250, 251, 'unfinished', 1);
    w1.grant(400, 401, 'c', 1);
    script.stop(w1, 410, 700);
    w1.complete(701, 702, 'c', 1, refused('stale'));
    expect(numbers().task).toMatchObject({ count: 2, max: 40 });
  });

  it('takes the worst loop lag of each second, seconds with a stop left out', () => {
    const { script, w1, numbers } = main();
    script.stop(w1, 250, 450);
    for (const [at, maxMs] of [
      [200, 3],
      [500, 300],
      [700, 5],
      [1200, 70],
    ] as const) {
      w1.record({ type: 'loop', t: ns(at), p99Ms: 1, maxMs });
    }
    expect(numbers().loopLag).toMatchObject({ count: 2, max: 5 });
  });

  it('holds no NaN and no Infinity, whatever is missing', () => {
    const { script, w1, w2, numbers } = main();
    w1.claim(110, 111, 'open')
      .grant(112, 113, 'a', 1, { leaseMs: Number.NaN })
      .heartbeat(114, 115, 'a', 1, 'open');
    w2.grant(240, 241, 'a', 2).complete(250, 251, 'a', 2, 'fail');
    w1.record({ type: 'loop', t: ns(300), p99Ms: Number.NaN, maxMs: Number.NaN });
    script.stop(w2, 300);
    const values: unknown[] = [];
    JSON.stringify(numbers(), (_key, value: unknown) => {
      values.push(value);
      return value;
    });
    expect(values.filter((value) => typeof value === 'number' && !Number.isFinite(value))).toEqual([]);
  });
});

describe('faults and phases', () => {
  it('counts each fault once by its outcome, a failed heal as failed', () => {
    const script = new Script();
    script
      .fault('kill', 1)
      .fault('kill', 2, 'missed')
      .fault('pause', 3)
      .fault('pause', 4, 'confirmed', 'failed')
      .fault('pause', 5, 'failed');
    expect(faultCounts(script.history())).toEqual([
      { fault: 'kill', confirmed: 1, missed: 1, failed: 0 },
      { fault: 'pause', confirmed: 1, missed: 0, failed: 2 },
    ]);
  });

  it('gives the length of each phase that ended', () => {
    const script = new Script().phase('prepare', 0).phase('main', 20).phase('done', 50);
    expect(phaseDurations(script.history())).toEqual([
      { phase: 'prepare', ms: 20 },
      { phase: 'main', ms: 30 },
    ]);
    expect(phaseDurations(new Script().phase('main', 20).history(), ns(30))).toEqual([
      { phase: 'main', ms: 10 },
    ]);
  });
});
