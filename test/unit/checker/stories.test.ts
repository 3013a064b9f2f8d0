/**
 * What a person reads: for each of the six mutants of the canary set, a hand-made history as it breaks it, and the story. The
 * story names the item, both generations (for M53 the one, and the end of its lease), the order and the rule.
 */
import { expect, test } from 'vitest';
import type { Judgement } from '../../../harness/checker/compose.ts';
import { judgeSituation, type Situation } from '../../support/guarantee-table.ts';

const KEY = 'claims/item-17';
const L = 150;

function stories(situation: Omit<Situation, 'name'>): string {
  const judged: Judgement = judgeSituation({ name: '', declares: { grainMs: 1 }, ...situation });
  expect(judged.disagreements).toEqual([]);
  return judged.findings
    .flatMap(({ violations }) => violations)
    .map(({ guarantee, statement, witness, because, assumed, confirmedBy }) => {
      const lines = witness.map(
        ({ label, op, detail, outcome, inv, ret, accused }) =>
          `  ${inv / 1e6}-${ret / 1e6} ${label} ${op} ${detail} ${outcome}${accused ? ' <<' : ''}`,
      );
      const reasons = because.map((one) => `  because ${one}`);
      return [
        `${guarantee} ${statement}`,
        ...lines,
        ...reasons,
        `  assumed ${assumed.join('; ')} (${confirmedBy})`,
      ].join('\n');
    })
    .join('\n\n');
}

test('M01: completed without any token check', () => {
  const story = stories({
    write: ({ w1, w3 }) => {
      w3.claim(KEY, { at: [12001, 12002], generation: 4, leaseMs: L });
      w1.claim(KEY, { at: [12229, 12230], generation: 5, leaseMs: L });
      w3.complete(KEY, { at: [12402, 12403], generation: 4, value: '{"by":"3.0.2"}' });
    },
  });
  expect(story).toMatchInlineSnapshot(`
    "S4 claims/item-17 was completed under generation 4 after generation 5 had been granted; a stale writer must be refused
      12001-12002 w3 claim generation 4, lease 150 ms accepted
      12229-12230 w1 claim generation 5, lease 150 ms accepted
      12402-12403 w3 complete generation 4, result {"by":"3.0.2"} accepted <<
      because generation 5 was granted by 12.230 s, 172 ms before this call was sent
      assumed one host clock; the store declares lock fencing (oracle)

    S4c claims/item-17 was completed under generation 4 although generation 5 was granted as well; only the newest generation may complete an item
      12229-12230 w1 claim generation 5, lease 150 ms accepted
      12402-12403 w3 complete generation 4, result {"by":"3.0.2"} accepted <<
      because granted before the completion, generation 5 fenced it out; granted after it, the item was finished: there is no third way
      assumed the store declares lock fencing; finished items stay for ever (oracle)"
  `);
});

test('M03: the fence compares the name of the owner, and a twin bears the same', () => {
  const story = stories({
    write: ({ h, w1 }) => {
      const twin = h.worker('w1');
      w1.claim(KEY, { at: [12001, 12002], generation: 4, leaseMs: L });
      twin.claim(KEY, { at: [12229, 12230], generation: 5, leaseMs: L });
      w1.complete(KEY, { at: [12402, 12403], generation: 4, value: '{"by":"1.0.2"}' });
    },
  });
  expect(story).toMatchInlineSnapshot(`
    "S4 claims/item-17 was completed under generation 4 after generation 5 had been granted; a stale writer must be refused
      12001-12002 w1 claim generation 4, lease 150 ms accepted
      12229-12230 w1 claim generation 5, lease 150 ms accepted
      12402-12403 w1 complete generation 4, result {"by":"1.0.2"} accepted <<
      because generation 5 was granted by 12.230 s, 172 ms before this call was sent
      assumed one host clock; the store declares lock fencing (oracle)

    S4c claims/item-17 was completed under generation 4 although generation 5 was granted as well; only the newest generation may complete an item
      12229-12230 w1 claim generation 5, lease 150 ms accepted
      12402-12403 w1 complete generation 4, result {"by":"1.0.2"} accepted <<
      because granted before the completion, generation 5 fenced it out; granted after it, the item was finished: there is no third way
      assumed the store declares lock fencing; finished items stay for ever (oracle)"
  `);
});

test('M07: the token is not bumped on reclaim', () => {
  const story = stories({
    write: ({ w1, w3 }) => {
      w3.claim(KEY, { at: [12001, 12002], generation: 1, leaseMs: L });
      w1.claim(KEY, { at: [12229, 12230], generation: 1, leaseMs: L });
    },
  });
  expect(story).toMatchInlineSnapshot(`
    "S1 claims/item-17 was granted under generation 1 twice, to w3 and to w1; every grant must carry a new generation
      12001-12002 w3 claim generation 1, lease 150 ms accepted
      12229-12230 w1 claim generation 1, lease 150 ms accepted <<
      because requests 3.0.1 and 1.0.1 were both answered with generation 1
      assumed the store declares ascending tokens (oracle)"
  `);
});

test('M12: the lease ends at half its time', () => {
  const story = stories({
    write: ({ w1, w3 }) => {
      w3.claim(KEY, { at: [12001, 12002], generation: 4, leaseMs: L });
      w3.heartbeat(KEY, { at: [12050, 12051], generation: 4, leaseMs: L });
      w1.claim(KEY, { at: [12129, 12130], generation: 5, leaseMs: L });
    },
  });
  expect(story).toMatchInlineSnapshot(`
    "S3 claims/item-17 was granted under generation 5 before the lease of generation 4 can have ended; an item has one holder at a time
      12050-12051 w3 heartbeat generation 4, lease 150 ms accepted
      12129-12130 w1 claim generation 5, lease 150 ms accepted <<
      because generation 5 cannot have been granted before 12.199 s: the lease of generation 4 was renewed at 12.050 s at the earliest and stands 150 ms, give or take 1 ms
      because yet generation 5 was granted by 12.130 s
      assumed one host clock; leases end by a store-monotonic clock that rounds by at most 1 ms; the store declares lock fencing; late calls are refused (oracle)"
  `);
});

test('M43: a superseded completion is answered as accepted, and ignored', () => {
  const story = stories({
    write: ({ h, w1, w3 }) => {
      w3.claim(KEY, { at: [12001, 12002], generation: 4, leaseMs: L });
      w1.claim(KEY, { at: [12229, 12230], generation: 5, leaseMs: L });
      w3.complete(KEY, { at: [12402, 12403], generation: 4, value: '{"by":"3.0.2"}' });
      w1.complete(KEY, { at: [12330, 12331], generation: 5, value: '{"by":"1.0.2"}' });
      h.scan([20000, 20001], [{ key: KEY, state: 'done', generation: 5, value: '{"by":"1.0.2"}' }]);
    },
  });
  expect(story).toMatchInlineSnapshot(`
    "S4 claims/item-17 was completed under generation 4 after generation 5 had been granted; a stale writer must be refused
      12001-12002 w3 claim generation 4, lease 150 ms accepted
      12229-12230 w1 claim generation 5, lease 150 ms accepted
      12402-12403 w3 complete generation 4, result {"by":"3.0.2"} accepted <<
      because generation 5 was granted by 12.230 s, 172 ms before this call was sent
      assumed one host clock; the store declares lock fencing (oracle)

    S4c claims/item-17 was completed under generation 4 although generation 5 was granted as well; only the newest generation may complete an item
      12229-12230 w1 claim generation 5, lease 150 ms accepted
      12402-12403 w3 complete generation 4, result {"by":"3.0.2"} accepted <<
      because granted before the completion, generation 5 fenced it out; granted after it, the item was finished: there is no third way
      assumed the store declares lock fencing; finished items stay for ever (oracle)

    S5 claims/item-17 was completed under generation 4 and under generation 5; one completion may be accepted
      12330-12331 w1 complete generation 5, result {"by":"1.0.2"} accepted
      12402-12403 w3 complete generation 4, result {"by":"3.0.2"} accepted <<
      because requests 1.0.2 and 3.0.2 were both accepted
      assumed the store declares lock fencing; finished items stay for ever (oracle)

    S7 claims/item-17 was completed under generation 4, and the final scan shows done, result {"by":"1.0.2"}; an accepted result must stay
      12330-12331 w1 complete generation 5, result {"by":"1.0.2"} accepted
      12402-12403 w3 complete generation 4, result {"by":"3.0.2"} accepted <<
      20000-20001 scan scan shows done, result {"by":"1.0.2"} accepted
      because the completion was answered by 12.403 s, before the final scan read the item
      assumed one host clock; the store declares reads linearizable; finished items stay for ever (oracle)"
  `);
});

test('M53: the end of the lease is not tested in complete', () => {
  const story = stories({
    write: ({ w3 }) => {
      w3.claim(KEY, { at: [12001, 12002], generation: 4, leaseMs: L });
      w3.heartbeat(KEY, { at: [12050, 12051], generation: 4, leaseMs: L });
      w3.complete(KEY, { at: [12402, 12403], generation: 4, value: '{"by":"3.0.2"}' });
    },
  });
  expect(story).toMatchInlineSnapshot(`
    "S11 claims/item-17 was completed under generation 4 after its lease had ended, at 12.202 s at the latest; a late call must be refused
      12050-12051 w3 heartbeat generation 4, lease 150 ms accepted
      12402-12403 w3 complete generation 4, result {"by":"3.0.2"} accepted <<
      because the lease of generation 4 was renewed by 12.051 s at the latest and stands 150 ms, so it was over by 12.202 s, give or take 1 ms
      because yet this call was sent at 12.402 s and accepted
      assumed one host clock; leases end by a store-monotonic clock that rounds by at most 1 ms; the store declares lock fencing; late calls are refused (oracle)"
  `);
});

test('a chain over three generations', () => {
  const story = stories({
    write: ({ w1, w2, w3 }) => {
      w1.claim(KEY, { at: [1000, 1000], generation: 1, leaseMs: L });
      w2.claim(KEY, { at: [1075, 1225], generation: 2, leaseMs: L });
      w3.claim(KEY, { at: [1240, 1240], generation: 3, leaseMs: L });
    },
  });
  expect(story).toMatchInlineSnapshot(`
    "S3 claims/item-17 was granted under generation 3 before the lease of generation 2 can have ended; an item has one holder at a time
      1000-1000 w1 claim generation 1, lease 150 ms accepted
      1075-1225 w2 claim generation 2, lease 150 ms accepted
      1240-1240 w3 claim generation 3, lease 150 ms accepted <<
      because generation 2 cannot have been granted before 1.149 s: the lease of generation 1 was granted at 1.000 s at the earliest and stands 150 ms, give or take 1 ms
      because generation 3 cannot have been granted before 1.298 s: the lease of generation 2 was granted at 1.149 s at the earliest and stands 150 ms, give or take 1 ms
      because yet generation 3 was granted by 1.240 s
      assumed one host clock; leases end by a store-monotonic clock that rounds by at most 1 ms; the store declares lock fencing; late calls are refused (oracle)"
  `);
});

test('a renewal of a lease that earlier renewals cannot have kept', () => {
  const story = stories({
    write: ({ w1 }) => {
      w1.claim(KEY, { at: [0, 75], generation: 1, leaseMs: L });
      w1.heartbeat(KEY, { at: [90, 270], generation: 1, leaseMs: L });
      w1.heartbeat(KEY, { at: [420, 420], generation: 1, leaseMs: L });
    },
  });
  expect(story).toMatchInlineSnapshot(`
    "S11 claims/item-17 was renewed under generation 1 after its lease had ended, at 0.377 s at the latest; a late call must be refused
      0-75 w1 claim generation 1, lease 150 ms accepted
      90-270 w1 heartbeat generation 1, lease 150 ms accepted
      420-420 w1 heartbeat generation 1, lease 150 ms accepted <<
      because the lease of generation 1 was granted by 0.075 s at the latest and stands 150 ms, so it was over by 0.226 s, give or take 1 ms
      because the lease of generation 1 was renewed by 0.226 s at the latest and stands 150 ms, so it was over by 0.377 s, give or take 1 ms
      because yet this call was sent at 0.420 s and accepted
      assumed one host clock; leases end by a store-monotonic clock that rounds by at most 1 ms; the store declares lock fencing; late calls are refused (oracle)"
  `);
});
