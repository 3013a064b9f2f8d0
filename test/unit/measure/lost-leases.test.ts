/** How leases were lost, and how long two believed in one. */
import { expect, test } from 'vitest';
import { numbersOf } from '../../../harness/measure/numbers.ts';
import { ns, refused, Script } from '../../support/records.ts';

test('leases are told apart by what became of their holder', () => {
  const h = new Script().phase('main', 0);
  const [dies, stops, starves, forgets, next] = ['w1', 'w2', 'w3', 'w4', 'w5'].map((label) =>
    h.worker(label),
  );
  for (const [i, worker] of [dies, stops, starves, forgets].entries()) {
    worker!.grant(10, 11, `item ${i}`, 1);
    next!.grant(200 + i, 201 + i, `item ${i}`, 2);
  }
  h.kill(dies!, 50, 52);
  h.stop(stops!, 60, 180);
  // A quarter of the lease of 100 ms is 25: the second that ended before the grant does not count, nor does a short lag.
  starves!.record({ type: 'loop', t: ns(5), p99Ms: 1, maxMs: 400 });
  starves!.record({ type: 'loop', t: ns(150), p99Ms: 1, maxMs: 26 });
  forgets!.record({ type: 'loop', t: ns(5), p99Ms: 1, maxMs: 400 });
  forgets!.record({ type: 'loop', t: ns(150), p99Ms: 1, maxMs: 25 });
  const { reclaims, leasesLost } = numbersOf(h.history());
  expect(reclaims).toBe(4);
  expect(leasesLost).toEqual({ died: 1, stopped: 1, starved: 1, otherwise: 1 });
});

test('two believe in a lease until the former holder is told', () => {
  const h = new Script().phase('main', 0);
  const [w1, w2] = [h.worker('w1'), h.worker('w2')];
  // Sent at 150 and refused: it believed for 40 ms after the next grant; what it sends when it knows does not count.
  w1.grant(1, 2, 'a', 1)
    .complete(150, 151, 'a', 1, refused('stale'))
    .release(170, 171, 'a', 1, refused('stale'));
  w2.grant(109, 110, 'a', 2);
  // It had its last word before.
  w1.grant(1, 2, 'b', 1).release(5, 6, 'b', 1);
  w2.grant(109, 110, 'b', 2);
  expect(numbersOf(h.history()).believedByTwo).toMatchObject({ count: 1, max: 40 });
});
