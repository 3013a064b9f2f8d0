/**
 * Every innocent but odd store of spec/mutants.md 4.3: whatever it does, nobody may be accused. FENCEPOST_SOAK=N multiplies the
 * histories, FENCEPOST_FIRST_SEED=N begins elsewhere; `npm run soak -- innocents` judges 1,000 of each.
 */
import { describe, expect, test } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';
import { type OddOptions, oddCrowd } from '../../support/odd-store.ts';

const SOAK = Number(process.env.FENCEPOST_SOAK ?? 1);
const FIRST_SEED = Number(process.env.FENCEPOST_FIRST_SEED ?? 1);
const HISTORIES = 25 * SOAK;

type Odd = Partial<OddOptions>;
const LATE: Odd = { late: 'allowed-if-not-superseded' };

/** Name, oddity, and what the store declares of it. */
const INNOCENTS: readonly (readonly [string, Odd, Partial<Declares>])[] = [
  ['I01 generations jump', { jump: 1000 }, {}],
  ['I03 done twice, accepted once', { renews: false, items: 2 }, {}],
  ['I04 late completions accepted, as declared', { ...LATE, renews: false }, {}],
  ['I05 late completions refused, as declared', { renews: false }, {}],
  ['I06 grants in any order', { batches: true, items: 12 }, {}],
  ['I08 a completion without an answer, later seen done', { lost: 0.3, items: 8 }, {}],
  ['I09 a stale write before the successor wrote', { resource: true, writes: true }, { fencing: 'resource' }],
  ['I10 leases longer than asked for', { roundUpMs: 7 }, {}],
  ['I11 three calls in ten fail for certain', { busy: 0.3 }, {}],
  ['I12 lapsed leases wait for the next claim', { items: 30, calls: 120 }, {}],
  ['I13 keys used anew after the retention', { retentionMs: 60, calls: 500 }, { retentionMs: 60 }],
  ['I14 two answers in five never come', { lost: 0.4 }, {}],
  ['I15 clock steps within what is declared', { stepMs: 4 }, { clock: 'store-wall', clockStepMs: 4 }],
  ['I16 the whole store stands still for a while', { stallMs: 60 }, {}],
  ['I18 fewer items than asked for', { batches: true, items: 20 }, { batch: 4 }],
  [
    'all at once',
    { ...LATE, jump: 50, batches: true, roundUpMs: 3, stepMs: 2, stallMs: 40, busy: 0.1, lost: 0.25 },
    { clock: 'store-wall', clockStepMs: 2, batch: 4 },
  ],
];

const judged = (options: OddOptions, declares: Partial<Declares>) => {
  const h = oddCrowd(options);
  const all: Declares = { ...DEFAULT_DECLARES, grainMs: 0, batch: 4, lateCalls: options.late, ...declares };
  return judgeHistory(h.history(), all, undefined, () => h.records());
};

describe('is not accused', { timeout: 60_000 * SOAK }, () => {
  test.each(INNOCENTS)('%s - valid', (_, odd, declares) => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      const { findings, disagreements, crashed } = judged({ late: 'refused', ...odd, seed }, declares);
      const said = findings.flatMap(({ violations }) => violations.map(({ statement }) => statement));
      expect({ seed, said, disagreements, crashed }).toEqual({
        seed,
        said: [],
        disagreements: [],
        crashed: [],
      });
    }
  });
});

/** The same histories against declarations that they break: an oddity that is never met would prove nothing. */
describe('is accused when it does not declare its oddity', () => {
  const broken = (odd: Odd, declares: Partial<Declares> = {}): ReadonlySet<string> => {
    const found = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) {
      const { findings } = judged({ late: 'refused', lost: 0, ...odd, seed }, declares);
      for (const finding of findings) if (finding.broken > 0) found.add(finding.guarantee);
    }
    return found;
  };

  test('I04 without its declaration: late call refused', () => {
    expect(broken({ ...LATE, renews: false }, { lateCalls: 'refused' })).toContain('S11');
  });
  test('I13: a result that is gone', () => {
    expect(broken({ retentionMs: 60, calls: 500 })).toContain('S5');
  });
  test('I15: a lease that ended too early', () => {
    expect(broken({ stepMs: 8 })).toContain('S3');
  });
});

test('the crowd gives every lease guarantee an opportunity', () => {
  const { findings } = judged({ seed: 7, late: 'refused', calls: 3000, items: 40 }, {});
  const idle = findings.filter(
    ({ opportunities, notTested }) => opportunities === 0 && notTested === undefined,
  );
  expect(idle.map(({ guarantee }) => guarantee)).toEqual([]);
});
