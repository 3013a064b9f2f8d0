/** The order of verdicts and the words around it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VERDICTS } from '../../../harness/report/results.ts';
import { ruleOfThree } from '../../../harness/run/strength.ts';
import { firstFew, worst, worstFirst } from '../../../harness/run/verdict.ts';

describe('worst', () => {
  it('is valid without any reason', () => {
    expect(worst([])).toBe('valid');
  });

  it('takes the worst, in the order valid, inconclusive, violated, harness-error', () => {
    expect(VERDICTS).toEqual(['valid', 'inconclusive', 'violated', 'harness-error']);
    expect(worst(['inconclusive', 'violated'])).toBe('violated');
    expect(worst(['violated', 'harness-error', 'inconclusive'])).toBe('harness-error');
  });

  it('does not depend on order or grouping (property)', () => {
    const verdicts = fc.array(fc.constantFrom(...VERDICTS));
    fc.assert(
      fc.property(verdicts, verdicts, (a, b) => {
        expect(worst([...b, ...a])).toBe(worst([...a, ...b]));
        expect(worst([worst(a), worst(b)])).toBe(worst([...a, ...b]));
      }),
    );
  });
});

describe('words', () => {
  it('puts the worst reasons first and keeps the order of the others', () => {
    const reason = (verdict: 'inconclusive' | 'violated' | 'harness-error', code: string) => ({
      verdict,
      code,
      message: '',
    });
    const sorted = worstFirst([
      reason('inconclusive', 'A'),
      reason('violated', 'B'),
      reason('inconclusive', 'C'),
      reason('harness-error', 'D'),
    ]);
    expect(sorted.map(({ code }) => code)).toEqual(['D', 'B', 'A', 'C']);
  });

  it('shortens long lists', () => {
    expect(firstFew(['a', 'b'])).toBe('a, b');
    expect(firstFew(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
  });

  it('bounds the failure rate by three over N, never above 1', () => {
    expect([0, 1, 3, 300].map(ruleOfThree)).toEqual([undefined, 1, 1, 0.01]);
  });
});
