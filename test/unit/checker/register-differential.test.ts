/**
 * S16 against a search over all orders, on random small histories of one key. Where every call was answered they must agree
 * on every one; with unknown outcomes the checker may only be the milder, and seldom: one unknown call may excuse two things
 * that it cannot have done both. FENCEPOST_SOAK=N multiplies the number of histories.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { checkRegister } from '../../../harness/checker/register.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';
import { isPossible, type RegisterCall, registerCalls, scriptOf } from '../../support/register-search.ts';

const SOAK = Number(process.env.FENCEPOST_SOAK ?? 1);
const RUNS = 10_000 * SOAK;
const EMBEDDED: Declares = { ...DEFAULT_DECLARES, embedded: true };

const accused = (calls: readonly RegisterCall[], declares = EMBEDDED): string[] =>
  checkRegister(scriptOf(calls).history({ embedded: declares.embedded }), declares).drafts.map(
    ({ statement }) => statement ?? '',
  );

describe('S16 against every order', { timeout: 120_000 * SOAK }, () => {
  test.each([{ deletes: false }, { deletes: true }])('they agree where all is known, %o', ({ deletes }) => {
    let impossible = 0;
    fc.assert(
      fc.property(registerCalls({ maxCalls: 6, infos: false, deletes }), (calls) => {
        const possible = isPossible(calls);
        if (!possible) impossible += 1;
        const said = accused(calls);
        expect({ said, possible: said.length === 0 }).toEqual({ said, possible });
      }),
      { numRuns: RUNS },
    );
    // Both answers must be common, or the comparison compares nothing.
    expect(impossible).toBeGreaterThan(RUNS / 10);
    expect(impossible).toBeLessThan((RUNS * 9) / 10);
  });

  test.each([{ deletes: false }, { deletes: true }])(
    'with unknown outcomes, %o: never a false alarm',
    ({ deletes }) => {
      let impossible = 0;
      let missed = 0;
      fc.assert(
        fc.property(registerCalls({ maxCalls: 6, infos: true, deletes }), (calls) => {
          const possible = isPossible(calls);
          const said = accused(calls);
          if (possible) expect(said).toEqual([]);
          else impossible += 1;
          if (!possible && said.length === 0) missed += 1;
        }),
        { numRuns: RUNS },
      );
      expect(impossible).toBeGreaterThan(RUNS / 10);
      expect(missed).toBeLessThan(impossible / 50);
    },
  );

  test.each(['monotonic', 'eventual'] as const)('reads declared %s: only ever milder', (reads) => {
    let accusations = 0;
    fc.assert(
      fc.property(registerCalls({ maxCalls: 6, infos: true, deletes: true }), (calls) => {
        const said = accused(calls, { ...EMBEDDED, reads });
        if (said.length > 0) accusations += 1;
        if (isPossible(calls)) expect(said).toEqual([]);
      }),
      { numRuns: RUNS / 4 },
    );
    expect(accusations).toBeGreaterThan(10);
  });

  test('every accusation is confirmed by the second count', () => {
    fc.assert(
      fc.property(registerCalls({ maxCalls: 9, infos: true, deletes: true }), (calls) => {
        const h = scriptOf(calls);
        const judged = judgeHistory(h.history({ embedded: true }), EMBEDDED, undefined, () => h.records());
        const { disagreements, crashed } = judged;
        expect({ disagreements, crashed }).toEqual({ disagreements: [], crashed: [] });
        for (const { violations } of judged.findings) {
          for (const { confirmedBy, witness } of violations) {
            expect(confirmedBy).toBe('recount');
            expect(witness.length).toBeLessThanOrEqual(4);
          }
        }
      }),
      { numRuns: RUNS / 5 },
    );
  });
});
