/** What is counted of a store that promises nothing about it. */
import { describe, expect, it } from 'vitest';
import { observationsOf } from '../../../harness/measure/observations.ts';
import { tenuresOf } from '../../../harness/measure/tenures.ts';
import { type Declares, declaresSchema } from '../../../harness/store-module/declares.ts';
import { refused, Script } from '../../support/records.ts';

function observed(script: Script, id: string, declares: Partial<Declares>) {
  const history = script.history();
  const all = observationsOf(history, tenuresOf(history), declaresSchema.parse(declares));
  return all.find((one) => one.id === id);
}

describe('stale calls accepted', () => {
  const script = () => {
    const made = new Script();
    const old = made.worker('w1').grant(0, 1, 'a', 1);
    made.worker('w2').grant(200, 201, 'a', 2);
    // Before the new grant was certain; accepted; refused; of unknown outcome.
    old.heartbeat(200.5, 202, 'a', 1).complete(210, 211, 'a', 1).nack(220, 221, 'a', 1, refused('stale'));
    old.release(230, 231, 'a', 1, 'info');
    return made;
  };

  it('is counted where the store declares no fence', () => {
    expect(observed(script(), 'stale-calls-accepted', { fencing: 'none' })).toMatchObject({ seen: 1, of: 2 });
    const { statement } = observed(script(), 'stale-calls-accepted', { fencing: 'resource' })!;
    expect(statement).toContain('fencing `resource`');
  });

  it('is judged, and not counted, where there is one', () => {
    expect(observed(script(), 'stale-calls-accepted', { fencing: 'lock' })).toBeUndefined();
  });
});

describe('late calls accepted', () => {
  const late = { lateCalls: 'allowed-if-not-superseded', grainMs: 1 } as const;
  const count = (script: Script) => {
    const { seen, of } = observed(script, 'late-calls-accepted', late)!;
    return [seen, of];
  };
  /** Lease of 100 ms: over by 102 at the latest, grain included. */
  const holder = (script: Script) => script.worker('w1').grant(0, 1, 'a', 1);

  it('is not counted where it is judged', () => {
    expect(observed(new Script(), 'late-calls-accepted', { lateCalls: 'refused' })).toBeUndefined();
  });

  it('counts what was certainly sent after the end', () => {
    const script = new Script();
    holder(script).heartbeat(101, 103, 'a', 1).complete(250, 251, 'a', 1);
    expect(count(script)).toEqual([1, 1]);
  });

  it('counts refusals among all, and takes heartbeats of unknown outcome as having worked', () => {
    const script = new Script();
    holder(script).nack(110, 111, 'a', 1, refused('expired'));
    const other = script.worker('w2').grant(0, 1, 'b', 1);
    other.heartbeat(50, 60, 'b', 1, 'info').complete(140, 141, 'b', 1);
    expect(count(script)).toEqual([0, 1]);
  });

  it('leaves out what came once somebody else may have had it, or after the holder ended it', () => {
    const script = new Script();
    holder(script).complete(110, 120, 'a', 1, refused('stale'));
    script.worker('w2').grant(115, 116, 'a', 2).release(130, 131, 'a', 2).complete(300, 301, 'a', 2);
    expect(count(script)).toEqual([0, 0]);
  });
});

describe('grants out of order', () => {
  const count = (script: Script) => {
    const { seen, of } = observed(script, 'grants-out-of-order', { order: 'none' })!;
    return [seen, of];
  };

  it('counts a grant that passed over an older item of its pool', () => {
    const script = new Script();
    const w1 = script
      .worker('w1')
      .enqueue(0, 1, ['open/a'])
      .enqueue(2, 3, ['open/b'])
      .enqueue(4, 5, ['slot/c']);
    w1.grant(10, 11, 'open/b', 1).grant(12, 13, 'open/a', 1).grant(14, 15, 'slot/c', 1);
    expect(count(script)).toEqual([1, 3]);
  });

  it('not where the two may have been put in, or handed out, in the right order', () => {
    const script = new Script();
    const w1 = script.worker('w1').enqueue(0, 5, ['p/a']);
    script.worker('w2').enqueue(2, 3, ['p/b']).grant(10, 11, 'p/b', 1);
    w1.grant(20, 21, 'p/a', 1);
    w1.enqueue(30, 31, ['q/a']).enqueue(32, 33, ['q/b']).grant(40, 50, 'q/b', 1);
    script.worker('w3').grant(45, 46, 'q/a', 1);
    expect(count(script)).toEqual([0, 4]);
  });

  it('counts an item that was never granted as passed over', () => {
    const script = new Script();
    script.worker('w1').enqueue(0, 1, ['a']).enqueue(2, 3, ['b']).grant(10, 11, 'b', 1);
    expect(count(script)).toEqual([1, 1]);
    expect(observed(script, 'grants-out-of-order', { order: 'fifo' })).toBeUndefined();
  });
});
