/** Correct stores of entries and events, however oddly they answer, are never accused. FENCEPOST_SOAK=N multiplies the histories. */
import { describe, expect, test } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';
import { type BoardCrowdOptions, boardCrowd } from '../../support/correct-board.ts';

const SOAK = Number(process.env.FENCEPOST_SOAK ?? 1);
const HISTORIES = 150 * SOAK;

const judged = (options: BoardCrowdOptions, more: Partial<Declares> = {}) => {
  const { embedded = false } = options;
  const h = boardCrowd(options);
  return judgeHistory(h.history({ embedded }), { ...DEFAULT_DECLARES, embedded, ...more }, undefined, () =>
    h.records(),
  );
};

const accusations = (options: BoardCrowdOptions, more?: Partial<Declares>) => {
  const { findings, disagreements, crashed } = judged(options, more);
  const said = findings.flatMap(({ violations }) => violations.map(({ statement }) => statement));
  return { seed: options.seed, said, disagreements, crashed };
};

describe.each([false, true])('embedded %s', { timeout: 60_000 * SOAK }, (embedded) => {
  const kinds: [string, Partial<BoardCrowdOptions>][] = [
    ['every answer comes', { lost: 0 }],
    ['one answer in five is lost', { lost: 0.2 }],
    ['two answers in five are lost (I14)', { lost: 0.4 }],
    ['three calls in ten fail for certain (I11)', { busy: 0.3 }],
    ['the feed is trimmed', { trims: true }],
    ['one hot key', { keys: 1, calls: 120 }],
    ['many keys, few calls each', { keys: 40 }],
  ];
  test.each(kinds)('%s - valid', (_, kind) => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const options = { seed, embedded, ...kind };
      expect(accusations(options)).toEqual({ seed, said: [], disagreements: [], crashed: [] });
    }
  });

  test('reads declared monotonic or eventual - valid', () => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      for (const reads of ['monotonic', 'eventual'] as const) {
        const clean = { seed, said: [], disagreements: [], crashed: [] };
        expect(accusations({ seed, embedded, lost: 0.3 }, { reads })).toEqual(clean);
      }
    }
  });
});

test('the crowd gives every guarantee of the board an opportunity', () => {
  const { findings } = judged({ seed: 7, calls: 1000 });
  const board = findings.filter(({ guarantee }) => ['S16', 'S20', 'S22'].includes(guarantee));
  expect(board.map(({ opportunities }) => opportunities > 100)).toEqual([true, true, true]);
});

test('a long history of one hot key is judged in well under a second', () => {
  const h = boardCrowd({ seed: 3, keys: 1, calls: 20_000, lost: 0.01, embedded: true });
  const history = h.history({ embedded: true });
  const started = performance.now();
  const { findings } = judgeHistory(history, { ...DEFAULT_DECLARES, embedded: true }, undefined);
  expect(findings.every(({ broken }) => broken === 0)).toBe(true);
  expect(performance.now() - started).toBeLessThan(2000);
});
