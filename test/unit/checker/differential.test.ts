/**
 * The sweep against the exhaustive oracle, on random small histories. With leases of one length they must agree on every
 * one; with mixed lengths the sweep may only be the milder. A run is about
 * 100,000 histories (16.5 times RUNS, all tests together); `npm run soak -- differential` repeats it with other seeds.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { checkFailures } from '../../../harness/checker/fail-means-nothing.ts';
import { leaseSweep } from '../../../harness/checker/lease-sweep.ts';
import { checkPhantoms } from '../../../harness/checker/phantom.ts';
import { decide } from '../../../harness/model/oracle.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';
import {
  type CaseCall,
  type CaseShape,
  caseArbitrary,
  historyOf,
  scriptOf,
  stepsOf,
} from '../../support/lease-cases.ts';

const RUNS = 6_200;

/** The sweep, and the two that judge a result that no completion explains. */
function accused(calls: readonly CaseCall[], declares: Declares): string[] {
  const history = historyOf(calls);
  const tallies = [
    ...Object.values(leaseSweep(history, declares)),
    checkPhantoms(history, declares),
    checkFailures(history, declares),
  ];
  // S21 looks at refused calls, which the steps leave out: it has a test of its own.
  return tallies.flatMap(({ guarantee, broken }) => (broken > 0 && guarantee !== 'S21' ? [guarantee] : []));
}

const grantSeen = (calls: readonly CaseCall[], { op, generation }: CaseCall): boolean =>
  op === 'claim' ||
  op === 'forceRelease' ||
  op === 'scan' ||
  calls.some(
    (other) => other.op === 'claim' && other.answer === 'accepted' && other.generation === generation,
  );

/**
 * What may have ended a lease that nobody saw granted, where late calls are allowed: the sweep lets it act before the first call
 * under that generation; the oracle, which begins with that call, does not. The sweep is the milder.
 */
const untold = (calls: readonly CaseCall[]): boolean =>
  calls.some((call) => !grantSeen(calls, call)) &&
  calls.some((call) => {
    const ends = call.op === 'release' || call.op === 'nack';
    return call.op === 'forceRelease' || (ends && call.answer === 'info' && !grantSeen(calls, call));
  });

const EVERYTHING: CaseShape = {
  leases: [10],
  forceReleases: true,
  reacquires: true,
  scans: true,
  writes: true,
};
const LATE = ['refused', 'allowed-if-not-superseded'] as const;

describe.each(LATE)('sweep against oracle, late calls %s', { timeout: 180_000 }, (lateCalls) => {
  const bounds = [{ grainMs: 0 }, { grainMs: 1 }, { grainMs: 1, clockStepMs: 1, clockDrift: 0.1 }];
  test.each(bounds)('they agree on every history of one lease length, bounds %o', (bound) => {
    const declares: Declares = { ...DEFAULT_DECLARES, items: 'on-demand', lateCalls, ...bound };
    let impossible = 0;
    fc.assert(
      fc.property(caseArbitrary(EVERYTHING), (calls) => {
        const answer = decide(stepsOf(calls), declares);
        if (answer === 'impossible') impossible += 1;
        const kinds = accused(calls, declares);
        if (kinds.length === 0 && answer === 'impossible' && untold(calls) && lateCalls !== 'refused') return;
        expect({ kinds, answer }).toEqual({ kinds, answer: kinds.length > 0 ? 'impossible' : 'possible' });
      }),
      { numRuns: RUNS },
    );
    // Both answers must be common, or the comparison compares nothing.
    expect(impossible).toBeGreaterThan(RUNS / 10);
    expect(impossible).toBeLessThan((RUNS * 9) / 10);
  });

  test('every accusation is confirmed by the oracle on its own slice', () => {
    const declares: Declares = { ...DEFAULT_DECLARES, items: 'on-demand', lateCalls };
    fc.assert(
      fc.property(caseArbitrary({ ...EVERYTHING, leases: [10, 10, 10, 6], maxCalls: 12 }), (calls) => {
        const { history, records } = scriptOf(calls);
        const judged = judgeHistory(history, declares, undefined, () => records);
        expect({ disagreements: judged.disagreements, crashed: judged.crashed }).toEqual({
          disagreements: [],
          crashed: [],
        });
        for (const finding of judged.findings) {
          for (const violation of finding.violations)
            expect(violation).toMatchObject({ confirmedBy: expect.any(String) });
        }
      }),
      { numRuns: RUNS },
    );
  });

  const milder: Partial<Declares>[] = [
    { tokens: 'opaque' },
    { tokens: 'none' },
    { fencing: 'none' },
    { fencing: 'resource', tokens: 'opaque' },
  ];
  test.each(milder)('rules by pairs never accuse what the oracle allows, %o', (more) => {
    const declares: Declares = { ...DEFAULT_DECLARES, items: 'on-demand', lateCalls, grainMs: 0, ...more };
    let accusations = 0;
    fc.assert(
      fc.property(caseArbitrary({ ...EVERYTHING, leases: [10, 6] }), (all) => {
        // Of a lease that nobody saw granted the oracle believes anything, so it would excuse too much.
        const calls = all.filter((call) => grantSeen(all, call));
        const { history, records } = scriptOf(calls);
        const judged = judgeHistory(history, declares, undefined, () => records);
        expect(judged.disagreements).toEqual([]);
        const kinds = judged.findings.flatMap(({ guarantee, broken }) => (broken > 0 ? [guarantee] : []));
        if (kinds.length === 0) return;
        accusations += 1;
        expect({ kinds, answer: decide(stepsOf(calls, { refusals: true }), declares) }).toEqual({
          kinds,
          answer: 'impossible',
        });
      }),
      { numRuns: RUNS / 4 },
    );
    expect(accusations).toBeGreaterThan(10);
  });

  test('tokens that change with every renewal: rules by pairs never accuse what the oracle allows', () => {
    const declares: Declares = {
      ...DEFAULT_DECLARES,
      items: 'on-demand',
      lateCalls,
      grainMs: 0,
      tokens: 'opaque',
    };
    let accusations = 0;
    fc.assert(
      fc.property(caseArbitrary({ ...EVERYTHING, moving: true }), (all) => {
        const calls = all.filter((call) => grantSeen(all, call));
        const { history, records } = scriptOf(calls);
        const judged = judgeHistory(history, declares, undefined, () => records);
        expect(judged.disagreements).toEqual([]);
        const kinds = judged.findings.flatMap(({ guarantee, broken }) => (broken > 0 ? [guarantee] : []));
        if (kinds.length === 0) return;
        accusations += 1;
        expect({ kinds, answer: decide(stepsOf(calls, { refusals: true }), declares) }).toEqual({
          kinds,
          answer: 'impossible',
        });
      }),
      { numRuns: RUNS / 4 },
    );
    expect(accusations).toBeGreaterThan(10);
  });

  test.each(['ascending', 'opaque'] as const)(
    'a refusal is accused only where the oracle allows none, tokens %s',
    (tokens) => {
      const declares: Declares = { ...DEFAULT_DECLARES, items: 'on-demand', lateCalls, grainMs: 0, tokens };
      const shape = { ...EVERYTHING, leases: [10, 10, 6], moving: tokens === 'opaque', width: 1 };
      let accusations = 0;
      fc.assert(
        fc.property(caseArbitrary(shape), (all) => {
          const calls = all.filter((call) => grantSeen(all, call));
          if (leaseSweep(historyOf(calls), declares).S21.broken === 0) return;
          accusations += 1;
          expect(decide(stepsOf(calls, { refusals: true }), declares)).toBe('impossible');
        }),
        { numRuns: RUNS },
      );
      expect(accusations).toBeGreaterThan(10);
    },
  );

  test('with several lease lengths the sweep never accuses what the oracle allows', () => {
    const declares: Declares = { ...DEFAULT_DECLARES, items: 'on-demand', lateCalls, grainMs: 0 };
    fc.assert(
      fc.property(caseArbitrary({ ...EVERYTHING, leases: [4, 10, 15] }), (calls) => {
        if (decide(stepsOf(calls), declares) === 'possible') expect(accused(calls, declares)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
