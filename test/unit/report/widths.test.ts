/** Every report at every width, and nothing of a store that could take hold of the terminal. */
import { describe, expect, it } from 'vitest';
import type { Results } from '../../../harness/report/results.ts';
import { PLAIN } from '../../../harness/report/style.ts';
import { renderText } from '../../../harness/report/text.ts';
import { widthOf } from '../../../src/text/layout.ts';
import { guarantee, obligation, STALE_COMPLETE, TIMELINE, VALID } from './sample.ts';

const LONG = `results/w1/${'part-'.repeat(30)}`;
const wordy = {
  ...STALE_COMPLETE,
  key: LONG,
  statement: `${LONG} was completed under generation 4 after generation 5 had been granted`,
  witness: STALE_COMPLETE.witness.map((one) => ({
    ...one,
    detail: `${one.detail}, result {"by":"5.0.63","note":"${'x'.repeat(90)}"}`,
  })),
};
const BOARD = {
  commits: 12_345,
  conflicts: 1_234,
  conflictRate: 0.12,
  appends: 4_000,
  eventsFollowed: 123_456,
  commit: VALID.numbers.task,
};

const REPORTS: Readonly<Record<string, Results>> = {
  valid: {
    ...VALID,
    numbers: { ...VALID.numbers, board: BOARD },
    guarantees: [...VALID.guarantees, guarantee('S16', 900), guarantee('S22', 400), guarantee('S20', 0)],
    observations: [{ id: 'x', statement: 'first grants passed over an older item', seen: 12, of: 3_000 }],
    notTested: ['S8: the store declares that it has no tokens at all, and nobody can say which is which.'],
  },
  violated: {
    ...VALID,
    verdict: 'violated',
    guarantees: [guarantee('S4', 81, [STALE_COMPLETE])],
    timeline: TIMELINE,
  },
  wordy: {
    ...VALID,
    verdict: 'violated',
    guarantees: [guarantee('S4', 81, [wordy, wordy])],
    timeline: TIMELINE,
  },
  inconclusive: {
    ...VALID,
    verdict: 'inconclusive',
    interrupted: true,
    obligations: [
      obligation('O1', 'killed in lease', 3, 20),
      { ...obligation('O2', 'reclaimed', 3, 3), defaultMin: 10 },
    ],
    reasons: [
      {
        verdict: 'inconclusive',
        code: 'DRAIN',
        message: `Not finished: ${LONG}.`,
        fix: 'Give the drain more time.',
      },
    ],
  },
  'harness-error': {
    ...VALID,
    verdict: 'harness-error',
    guarantees: [guarantee('S4', 81, [{ ...STALE_COMPLETE, confirmedBy: undefined }])],
    reasons: [
      {
        verdict: 'harness-error',
        code: 'X',
        message: 'A worker crashed:\n  TypeError: no\n    at f (/a/b.js:1:2)',
      },
    ],
    timeline: TIMELINE,
  },
};

const cases = [40, 80, 120].flatMap((width) => Object.keys(REPORTS).map((name) => [name, width] as const));

describe('a report', () => {
  it.each(cases)('%s fits %d columns', (name, width) => {
    const directory = 'reports/kill-mid-lease/20261130T192759-3';
    const style = { ...PLAIN, width };
    const text = renderText(REPORTS[name]!, {
      style,
      directory,
      latest: 'reports/latest',
      command: 'npx fencepost',
    });
    // Only a word of a command may be longer: broken in two it could not be typed.
    const tooWide = text
      .split('\n')
      .filter((line) => widthOf(line) > width && line.trim() !== `--item ${LONG}`);
    expect(tooWide).toEqual([]);
    expect(text).not.toMatch(/undefined|NaN|Infinity| +\n|\n\n\n/);
  });

  it('says when less was asked for than usual', () => {
    const text = renderText(REPORTS.inconclusive!, { style: PLAIN, directory: undefined });
    expect(text).toContain('  lowered    by the scenario:   O2 3 instead of 10\n');
    expect(renderText(VALID, { style: PLAIN, directory: undefined })).not.toContain('lowered');
  });

  it('speaks in its headline of what was tested', () => {
    const held = (...ids: Parameters<typeof guarantee>[0][]) =>
      renderText(
        { ...VALID, guarantees: ids.map((id) => guarantee(id, 9)) },
        { style: PLAIN, directory: undefined },
      );
    expect(held('S16', 'S20', 'S22')).toContain('VALID   no update lost · the feed skipped nothing\n');
    expect(held('S5', 'S7', 'S4', 'S16')).toContain(
      'VALID   no item completed twice · no result lost · every stale writer refused\n        no update lost\n',
    );
    expect(held('S13')).toContain('VALID   1 guarantee held\n');
  });

  it('shows what was seen and is not judged', () => {
    const text = renderText(REPORTS.valid!, { style: PLAIN, directory: undefined });
    expect(text).toContain(
      '  seen, not judged\n  – 12 of 3,000 (0.40 %) first grants passed over an older item\n',
    );
  });

  it('shows what would take hold of the terminal', () => {
    const evil = 'a\u001b[2J\u009b31m\u202eb\u0007\u007f';
    const violation = {
      ...STALE_COMPLETE,
      key: evil,
      statement: `${evil} was completed`,
      witness: STALE_COMPLETE.witness.map((one) => ({ ...one, label: evil, detail: `result ${evil}` })),
      because: [evil],
      assumed: [evil],
    };
    const reason = { verdict: 'inconclusive', code: 'X', message: `it said ${evil}`, fix: evil } as const;
    for (const verdict of ['violated', 'inconclusive', 'harness-error'] as const) {
      const results = {
        ...VALID,
        scenario: evil,
        store: evil,
        verdict,
        reasons: [reason],
        notTested: [evil],
        guarantees: [guarantee('S4', 81, [violation])],
        timeline: { zero: 0, events: [{ ...TIMELINE.events[0]!, label: evil, text: `${evil} is stopped` }] },
      };
      const text = renderText(results, { style: PLAIN, directory: `reports/${evil}` });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(text).toContain('\\u001b[2J');
    }
  });

  it('gives the shell a key that it reads as it is', () => {
    const violation = { ...STALE_COMPLETE, key: "it's \u001b" };
    const results: Results = {
      ...VALID,
      verdict: 'violated',
      guarantees: [guarantee('S4', 81, [violation])],
    };
    const text = renderText(results, { style: PLAIN, directory: 'a b' });
    expect(text).toContain("again      fencepost check 'a b' --item $'it\\'s \\u001b'\n");
  });
});
