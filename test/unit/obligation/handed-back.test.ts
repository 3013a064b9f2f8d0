import { expect, test } from 'vitest';
import { tenuresOf } from '../../../harness/measure/tenures.ts';
import { mainWindow } from '../../../harness/measure/window.ts';
import type { ObligationContext } from '../../../harness/obligation/context.ts';
import { OBLIGATIONS } from '../../../harness/obligation/registry.ts';
import { refused, Script } from '../../support/records.ts';

function seen(id: string, script: Script): number {
  const history = script.history();
  const rule = OBLIGATIONS.find((one) => one.id === id)!;
  return rule.count(
    { history, tenures: tenuresOf(history), main: mainWindow(history) },
    {} as ObligationContext,
  );
}

test('O14.again counts what was given back by an accepted call in main, and granted again', () => {
  const script = new Script().phase('main', 0);
  const w1 = script.worker('w1');
  w1.enqueue(1, 2, ['a', 'b', 'c']);
  w1.grant(3, 4, 'a', 1).release(5, 6, 'a', 1).grant(7, 8, 'a', 2);
  w1.grant(9, 10, 'b', 1).nack(11, 12, 'b', 1, refused('stale')).grant(200, 201, 'b', 2);
  w1.grant(13, 14, 'c', 1).nack(15, 16, 'c', 1);
  expect(seen('O14.again', script)).toBe(1);
});

test('O14.dead counts items whose last allowed grant was handed back', () => {
  const script = new Script().phase('main', 0);
  const w1 = script.worker('w1');
  w1.enqueue(1, 2, ['a', 'b', 'c'], 'accepted', 2).enqueue(1, 2, ['d']);
  for (const key of ['a', 'd'])
    w1.grant(3, 4, key, 1).nack(5, 6, key, 1).grant(7, 8, key, 2).nack(9, 10, key, 2);
  w1.grant(11, 12, 'b', 1).nack(13, 14, 'b', 1);
  w1.grant(15, 16, 'c', 1).nack(17, 18, 'c', 1).grant(19, 20, 'c', 2).complete(21, 22, 'c', 2);
  expect(seen('O14.dead', script)).toBe(1);
});
