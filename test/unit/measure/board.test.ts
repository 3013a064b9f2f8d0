/** Numbers of entries and the feed. */
import { expect, it } from 'vitest';
import { numbersOf } from '../../../harness/measure/numbers.ts';
import { ns, Script, type ScriptedWorker } from '../../support/records.ts';

type Op = 'append' | 'set';

function commit(
  worker: ScriptedWorker,
  call: number,
  at: number,
  keys: readonly string[],
  op: Op,
  ok = true,
) {
  const id = { lane: 0, call };
  const writes = keys.map((key, n) => ({ key, op, value: `${call}.${n}` }));
  worker.record({ type: 'invoke', t: ns(at), ...id, op: 'commit', writes });
  const entries = keys.map((key) => ({ key, version: call + 1 }));
  if (ok) worker.record({ type: 'ok', t: ns(at + 2), ...id, accepted: true, entries });
  else worker.record({ type: 'ok', t: ns(at + 2), ...id, accepted: false, code: 'conflict' });
}

it('counts calls once and appends each, in main', () => {
  const script = new Script();
  const worker = script.worker('w1');
  commit(worker, 0, 1, ['a'], 'set');
  script.phase('main', 10);
  commit(worker, 1, 11, ['a', 'b'], 'append');
  commit(worker, 2, 14, ['a'], 'set');
  commit(worker, 3, 17, ['a', 'b'], 'set', false);
  worker.record({ type: 'invoke', t: ns(20), lane: 0, call: 4, op: 'since', cursor: 0, limit: 5 });
  const events = [1, 2, 3].map((id) => ({ id, kind: 'set', key: 'a' }));
  worker.record({ type: 'ok', t: ns(21), lane: 0, call: 4, accepted: true, events, cursor: 3 });
  script.phase('heal', 100);
  commit(worker, 5, 101, ['a'], 'append');
  const { board, conflictRate } = numbersOf(script.history());
  expect(board).toMatchObject({ commits: 2, conflicts: 1, appends: 2, eventsFollowed: 3 });
  expect(board?.conflictRate).toBeCloseTo(1 / 3);
  expect(board?.commit.count).toBe(2);
  // Reads are no calls that somebody could have stood in the way of.
  expect(conflictRate).toBeCloseTo(1 / 3);
});

it('says nothing of a run without entries, and has no rate without answers', () => {
  expect(numbersOf(new Script().history())).not.toHaveProperty('board');
  const script = new Script().phase('main', 0);
  const id = { lane: 0, call: 0 };
  const writes = [{ key: 'a', op: 'set', value: '1' }] as const;
  script.worker('w1').record({ type: 'invoke', t: ns(1), ...id, op: 'commit', writes });
  const { board } = numbersOf(script.history());
  expect(board).toMatchObject({ commits: 0, conflictRate: undefined });
});
