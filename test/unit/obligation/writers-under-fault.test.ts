/** O18: writers of entries that were killed, and that were stopped and went on. */
import { expect, it } from 'vitest';
import type { OperationName } from '../../../harness/history/record.ts';
import { obligationContext } from '../../../harness/obligation/context.ts';
import { evaluateObligations } from '../../../harness/obligation/evaluate.ts';
import { declaresSchema } from '../../../harness/store-module/declares.ts';
import { ns, Script, type ScriptedWorker } from '../../support/records.ts';

const METHODS: readonly OperationName[] = ['commit', 'get', 'list'];

function count(id: string, script: Script, methods = METHODS): number | undefined {
  const history = script.history();
  const declares = declaresSchema.parse({ embedded: true });
  const context = obligationContext({ history, declares, methods, scenario: undefined });
  return evaluateObligations(history, context).find((one) => one.id === id)?.seen;
}

let calls = 0;
function commit(worker: ScriptedWorker, inv: number, ret: number, accepted = true): void {
  calls += 1;
  const id = { lane: 0, call: calls };
  const writes = [{ key: 'k', op: 'set', value: String(calls) }] as const;
  worker.record({ type: 'invoke', t: ns(inv), ...id, op: 'commit', writes });
  if (!accepted) worker.record({ type: 'ok', t: ns(ret), ...id, accepted, code: 'conflict' });
  else worker.record({ type: 'ok', t: ns(ret), ...id, accepted, entries: [{ key: 'k', version: calls }] });
}

const started = (): Script => new Script().phase('main', 10);

it('counts a kill after an accepted commit, in main', () => {
  const script = started();
  const [writer, idle, refused, late] = ['w1', 'w2', 'w3', 'w4'].map((label) => script.worker(label));
  commit(writer!, 11, 12);
  commit(refused!, 11, 12, false);
  commit(late!, 11, 12);
  script.kill(writer!, 20, 21).kill(idle!, 20, 21).kill(refused!, 20, 21);
  script.phase('heal', 100).kill(late!, 110, 111);
  expect(count('O18.killed', script)).toBe(1);
});

it('counts no death that was not by our signal', () => {
  const script = started();
  const worker = script.worker('w1');
  commit(worker, 11, 12);
  script.exit(worker, 21, null, 'SIGKILL');
  expect(count('O18.killed', script)).toBe(0);
});

it('counts a stop between an accepted commit and another answer, refused or not', () => {
  const script = started();
  const [on, refused, silent, fresh] = ['w1', 'w2', 'w3', 'w4'].map((label) => script.worker(label));
  for (const worker of [on!, refused!, silent!]) commit(worker, 11, 12);
  for (const worker of [on!, refused!, silent!, fresh!]) script.stop(worker, 20, 40);
  commit(on!, 41, 42);
  commit(refused!, 41, 42, false);
  commit(fresh!, 41, 42);
  expect(count('O18.stopped', script)).toBe(2);
});

it('is not asked where items are worked on, or nothing is written', () => {
  expect(count('O18.killed', started(), ['claim', 'commit'])).toBeUndefined();
  expect(count('O18.stopped', started(), ['get'])).toBeUndefined();
});
