/**
 * Innocent but odd histories (spec/mutants.md 4.3): a correct store whose answers get lost, whose holders are late, whose
 * generations jump. Whatever happens, nobody may be accused.
 */
import { describe, expect, test } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';
import { type CrowdOptions, crowd } from '../../support/correct-store.ts';

const SOAK = Number(process.env.FENCEPOST_SOAK ?? 1);
const HISTORIES = 60 * SOAK;

function judged(options: CrowdOptions, declares: Partial<Declares> = {}) {
  const h = crowd(options);
  const all: Declares = { ...DEFAULT_DECLARES, grainMs: 0, lateCalls: options.late, ...declares };
  return judgeHistory(h.history(), all, undefined, () => h.records());
}

const accusations = (options: CrowdOptions, declares?: Partial<Declares>) => {
  const { findings, disagreements, crashed } = judged(options, declares);
  const said = findings.flatMap(({ violations }) => violations.map(({ statement }) => statement));
  return { seed: options.seed, said, disagreements, crashed };
};

const LATE = ['refused', 'allowed-if-not-superseded'] as const;

describe.each(LATE)('late calls %s', { timeout: 60_000 * SOAK }, (late) => {
  const kinds: [string, Partial<CrowdOptions>][] = [
    ['every answer comes', { lost: 0 }],
    ['one answer in five is lost (I08)', { lost: 0.2 }],
    ['two answers in five are lost (I14)', { lost: 0.4 }],
    ['generations jump (I01)', { jump: 1000 }],
    ['three calls in ten fail for certain (I11)', { busy: 0.3 }],
    ['many items, few calls each', { items: 40, calls: 300 }],
    ['items die at their limit', { maxAttempts: 3, lost: 0.2, items: 12 }],
    ['items die at their limit, every answer comes', { maxAttempts: 2, lost: 0, items: 12 }],
    ['one hot item', { items: 1, calls: 500 }],
  ];
  test.each(kinds)('%s - valid', (_, kind) => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const options = { seed, late, ...kind };
      expect(accusations(options)).toEqual({ seed, said: [], disagreements: [], crashed: [] });
    }
  });

  test('tokens declared opaque, or no fencing declared: milder rules - valid', () => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const options = { seed, late, lost: 0.3 };
      for (const declares of [{ tokens: 'opaque' }, { tokens: 'none' }, { fencing: 'none' }] as const) {
        expect(accusations(options, declares)).toEqual({ seed, said: [], disagreements: [], crashed: [] });
      }
    }
  });
});

test('the crowd gives every lease guarantee an opportunity', () => {
  const { findings } = judged({ seed: 7, late: 'refused', calls: 3000, items: 30 });
  const without = findings.filter(
    (finding) => finding.opportunities === 0 && finding.notTested === undefined,
  );
  expect(without.map(({ guarantee }) => guarantee)).toEqual([]);
});

test('a store that accepts late calls is accused when it declares that it refuses them (I04 against I05)', () => {
  const broken = new Set<string>();
  for (let seed = 1; seed <= 20; seed++) {
    const { findings, disagreements } = judged(
      { seed, late: 'allowed-if-not-superseded', lost: 0 },
      { lateCalls: 'refused' },
    );
    expect(disagreements).toEqual([]);
    for (const finding of findings) if (finding.broken > 0) broken.add(finding.guarantee);
  }
  expect([...broken]).toContain('S11');
});
