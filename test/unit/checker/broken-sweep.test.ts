/**
 * The checkers themselves broken on purpose (spec/mutants.md 4.2): a copy with one expression replaced is compared with the
 * oracle, and the comparison must notice.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { decide } from '../../../harness/model/oracle.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';
import { type Break, brokenCopies } from '../../support/broken-copy.ts';
import { caseArbitrary, historyOf, stepsOf } from '../../support/lease-cases.ts';

type Sweep = typeof import('../../../harness/checker/lease-sweep.ts');

const copies = brokenCopies();
afterAll(() => copies.remove());

const BREAKS: readonly (Omit<Break, 'folder'> & { readonly name: string })[] = [
  {
    name: 'H09 equal stamps count as before (S4)',
    file: 'lease-order.ts',
    from: '!(since < ops.inv[row]!)',
    to: '!(since <= ops.inv[row]!)',
  },
  {
    name: 'H09 equal stamps count as before (S3)',
    file: 'lease-placement.ts',
    from: 'ops.ret[grant]! < placed.lo',
    to: 'ops.ret[grant]! <= placed.lo',
  },
  {
    name: 'H09 equal stamps count as before (S11)',
    file: 'lease-late.ts',
    from: '!(last.until < ops.inv[row]!)',
    to: '!(last.until <= ops.inv[row]!)',
  },
  {
    name: 'H10 the earliest placement starts from the answer',
    file: 'placed.ts',
    from: 'NEVER : ops.inv[grant]!',
    to: 'NEVER : ops.ret[grant]!',
  },
  {
    name: 'H10 the latest reach starts from the invoke',
    file: 'lease-late.ts',
    from: 'let by = ops.ret[rows.grant[g]!]!',
    to: 'let by = ops.inv[rows.grant[g]!]!',
  },
  {
    name: 'H05 an unknown call counts as accepted',
    file: 'lease-context.ts',
    from: 'cx.ops.outcome[row] === OUTCOME.accepted ||',
    to: 'cx.ops.outcome[row] !== OUTCOME.refused ||',
  },
  {
    name: 'H04 an unknown call counts as failed',
    file: 'token-rows.ts',
    from: 'if (outcome === OUTCOME.fail) return;',
    to: 'if (outcome >= OUTCOME.fail) return;',
  },
  {
    name: 'a release does not end the lease',
    file: 'placed.ts',
    from: '(op === OP.release || op === OP.nack) && acted',
    to: 'op === OP.nack && acted',
  },
  {
    name: 'a reacquiring owner has to wait',
    file: 'placed.ts',
    from: 'reacquires ? before.after : before.end',
    to: 'grant < 0 ? before.after : before.end',
  },
  {
    name: 'renewals do not count for the next grant',
    file: 'placed.ts',
    from: 'op === OP.heartbeat && (setter < 0 || inv > set)',
    to: 'op === OP.heartbeat && setter < 0',
  },
];

describe('a broken sweep is noticed', () => {
  test.each(BREAKS)('$name', async (change) => {
    const { leaseSweep: sweep } = await copies.load<Sweep>(
      { folder: 'checker', ...change },
      'lease-sweep.ts',
    );
    const shape = { leases: [10], forceReleases: false, reacquires: true, scans: false };
    const noticed = (['refused', 'allowed-if-not-superseded'] as const).some((lateCalls) => {
      const declares: Declares = { ...DEFAULT_DECLARES, items: 'on-demand', grainMs: 0, lateCalls };
      const run = fc.check(
        fc.property(caseArbitrary(shape), (calls) => {
          const accused = Object.values(sweep(historyOf(calls), declares)).some((found) => found.broken > 0);
          return accused === (decide(stepsOf(calls), declares) === 'impossible');
        }),
        { numRuns: 3000, seed: 4711, endOnFailure: true },
      );
      return run.failed;
    });
    expect(noticed).toBe(true);
  });
});
