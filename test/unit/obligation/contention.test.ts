/** O5 contended claims and the open pool behind it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tenuresOf } from '../../../harness/measure/tenures.ts';
import { mainWindow } from '../../../harness/measure/window.ts';
import { openPool } from '../../../harness/obligation/open-pool.ts';
import { type Declares, declaresSchema } from '../../../harness/store-module/declares.ts';
import { ns, refused, Script } from '../../support/records.ts';
import { seen } from './seen.ts';

function contended(keys: readonly string[], change: (script: Script) => void = () => {}) {
  const script = new Script().phase('main', 0);
  const w1 = script.worker('w1');
  const w2 = script.worker('w2');
  w1.enqueue(1, 2, keys);
  change(script);
  w1.grant(10, 14, 'a', 1);
  w2.claim(12, 16, refused('empty'));
  return { script, w1, w2 };
}

describe('O5 contended claims', () => {
  it('counts a claim that meets another process over a small pool', () => {
    expect(seen('O5', contended(['a']).script, { lanes: 2 })).toBe(1);
  });

  it('does not count it while there is plenty to claim', () => {
    expect(seen('O5', contended(['a', 'b', 'c']).script, { lanes: 2 })).toBe(0);
    expect(seen('O5', contended(['a', 'b', 'c']).script, { lanes: 3 })).toBe(1);
  });

  it('does not count it outside main', () => {
    expect(seen('O5', contended(['a'], (s) => s.phase('heal', 5)).script, { lanes: 2 })).toBe(0);
  });

  it('does not count claims of one process, nor claims that follow one another', () => {
    const script = new Script().phase('main', 0);
    const w1 = script.worker('w1').enqueue(1, 2, ['a']);
    w1.claim(10, 14, refused('empty')).claim(12, 16, refused('empty'));
    script.worker('w2').claim(20, 22, refused('empty'));
    expect(seen('O5', script, { lanes: 2 })).toBe(0);
  });

  it('does not count a claim over a pool that is certainly empty', () => {
    const script = new Script().phase('main', 0);
    script
      .worker('w1')
      .enqueue(1, 2, ['a'])
      .grant(3, 4, 'a', 1)
      .complete(5, 6, 'a', 1)
      .claim(10, 14, refused('empty'));
    script.worker('w2').claim(12, 16, refused('empty'));
    expect(seen('O5', script, { lanes: 2 })).toBe(0);
  });

  it('does not count a claim whose process stood still, since it contends with nobody', () => {
    const script = new Script().phase('main', 0);
    const w1 = script.worker('w1').enqueue(1, 2, ['a']);
    script.stop(w1, 11, 300);
    w1.claim(10, 301, refused('empty'));
    script.worker('w2').claim(200, 201, refused('empty'));
    expect(seen('O5', script, { lanes: 2 })).toBe(0);
  });

  it('counts a batch once', () => {
    const script = new Script().phase('main', 0);
    const w1 = script.worker('w1').enqueue(1, 2, ['a', 'b']);
    script.worker('w2').claim(10, 16, refused('empty'));
    w1.grants(12, 14, ['a', 'b'], 1);
    expect(seen('O5', script, { lanes: 4 })).toBe(1);
  });

  it('asks for the same item where claims make the items', () => {
    const meet = (other: string) => {
      const script = new Script().phase('main', 0);
      script.worker('w1').grant(10, 14, 'a', 1, { op: 'claim' });
      script.worker('w2').claim(12, 16, refused('held'), other);
      return seen('O5', script, { declares: { items: 'on-demand' } });
    };
    expect(meet('a')).toBe(1);
    expect(meet('b')).toBe(0);
  });
});

describe('open pool', () => {
  const at = (script: Script, declared: Partial<Declares>, ...instants: number[]) => {
    const history = script.history();
    const evidence = { history, tenures: tenuresOf(history), main: mainWindow(history) };
    const pool = openPool(evidence, declaresSchema.parse(declared));
    return instants.map((ms) => pool(ns(ms)));
  };
  const held = () => {
    const script = new Script();
    return { script, w1: script.worker('w1').enqueue(1, 2, ['a'], 'accepted', 3).grant(10, 14, 'a', 1) };
  };

  it('opens an item when its enqueue is sent and closes it when its grant is answered', () => {
    const { script, w1 } = held();
    w1.complete(50, 51, 'a', 1);
    expect(at(script, {}, 0, 1, 13, 14, 15, 500)).toEqual([0, 1, 1, 1, 0, 0]);
  });

  it('opens it again at the earliest end of its lease, 1 ms of rounding included', () => {
    expect(at(held().script, {}, 50, 108, 109, 500)).toEqual([0, 0, 1, 1]);
  });

  it('opens it again when a release or nack is sent, answered or not', () => {
    for (const answer of ['accepted', 'info', 'open'] as const) {
      const { script, w1 } = held();
      w1.release(30, 31, 'a', 1, answer);
      expect(at(script, {}, 29, 30)).toEqual([0, 1]);
    }
  });

  it('does not open it for a refused release', () => {
    const { script, w1 } = held();
    w1.release(30, 31, 'a', 1, refused('stale'));
    expect(at(script, {}, 30, 40)).toEqual([0, 0]);
  });

  it('does not open it after its last attempt was nacked or lapsed, unless attempts have no limit', () => {
    const last = () => {
      const script = new Script();
      script.worker('w1').enqueue(1, 2, ['a'], 'accepted', 1).grant(10, 14, 'a', 1).nack(30, 31, 'a', 1);
      return script;
    };
    expect(at(last(), {}, 40, 500)).toEqual([0, 0]);
    expect(at(last(), { maxAttempts: false }, 40, 500)).toEqual([1, 1]);
  });

  it('keeps an item open that a claim without an answer may have taken', () => {
    const script = new Script();
    script.worker('w1').enqueue(1, 2, ['a']).claim(10, 11, 'open');
    expect(at(script, {}, 5, 500)).toEqual([1, 1]);
  });

  it('holds one close for each open on a store that grants a finished item', () => {
    const script = new Script();
    script
      .worker('w1')
      .enqueue(1, 2, ['a', 'b'])
      .grant(10, 14, 'a', 1)
      .complete(15, 16, 'a', 1)
      .grant(20, 21, 'a', 2);
    expect(at(script, {}, 5, 18, 25)).toEqual([2, 1, 1]);
  });

  it('knows that a lease with late calls allowed may have been free in between', () => {
    const { script, w1 } = held();
    w1.heartbeat(200, 201, 'a', 1);
    expect(at(script, { lateCalls: 'refused' }, 150)).toEqual([0]);
    expect(at(script, { lateCalls: 'allowed-if-not-superseded' }, 150, 202)).toEqual([1, 0]);
  });

  it('is never below the number of items that a simulated store holds open (property)', () => {
    const step = fc.record({
      gap: fc.integer({ min: 0, max: 60 }),
      act: fc.integer({ min: 0, max: 5 }),
      who: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { script, truth } = simulate(steps);
        const history = script.history();
        const pool = openPool(
          { history, tenures: tenuresOf(history), main: mainWindow(history) },
          declaresSchema.parse({}),
        );
        for (const { at: instant, open } of truth) expect(pool(ns(instant))).toBeGreaterThanOrEqual(open);
      }),
      { numRuns: 300 },
    );
  });
});

/** A correct store of four items in miniature: calls take effect in the middle of their interval. */
function simulate(steps: readonly { gap: number; act: number; who: number }[]) {
  const script = new Script();
  const w1 = script.worker('w1');
  const items = ['a', 'b', 'c', 'd'].map((key) => ({ key, state: 'none', generation: 0, endsAt: 0 }));
  const truth: { at: number; open: number }[] = [];
  let now = 0;
  for (const { gap, act, who } of steps) {
    now += gap + 3;
    const item = items[who]!;
    for (const other of items) if (other.state === 'leased' && other.endsAt <= now) other.state = 'open';
    const [inv, ret] = [now - 1, now + 1];
    const holds = item.state === 'leased';
    if (act === 0 && item.state === 'none') {
      w1.enqueue(inv, ret, [item.key]);
      item.state = 'open';
    } else if (act <= 2 && item.state === 'open') {
      item.generation += 1;
      w1.grant(inv, ret, item.key, item.generation);
      Object.assign(item, { state: 'leased', endsAt: now + 100 });
    } else if (act === 3 && holds) {
      w1.heartbeat(inv, ret, item.key, item.generation);
      item.endsAt = now + 100;
    } else if (act === 4 && holds) {
      w1.release(inv, ret, item.key, item.generation);
      item.state = 'open';
    } else if (act === 5 && holds) {
      w1.complete(inv, ret, item.key, item.generation);
      item.state = 'done';
    }
    truth.push({ at: now, open: items.filter(({ state }) => state === 'open').length });
  }
  return { script, truth };
}
