/**
 * The harness itself broken on purpose (spec/mutants.md 4.2): which test of ours notices it. The table is held to be true: each test
 * that it names must be there. Those that are not injected elsewhere are injected in `injected.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Noticed {
  readonly id: string;
  readonly broken: string;
  /** File below test/, and a piece of the name of the test in it. */
  readonly by: readonly (readonly [file: string, name: string])[];
}

const HERE = 'unit/harness-mutants/injected.test.ts';
const SWEEP = 'unit/checker/broken-sweep.test.ts';

const TABLE: readonly Noticed[] = [
  {
    id: 'H01',
    broken: 'the test for duplicates is reversed',
    by: [
      [HERE, 'H01'],
      ['unit/cli/cli.test.ts', 'exits 1 with a survivor'],
    ],
  },
  { id: 'H02', broken: 'a verdict is tested for truth', by: [[HERE, 'H02']] },
  {
    id: 'H03',
    broken: 'a fault fakes its confirmation and sends nothing',
    by: [
      ['process/inconclusive.test.ts', 'H03: faults that claim success and do nothing'],
      ['unit/obligation/deaths.test.ts', 'counts nothing when a fault claims a kill that nobody saw (H03)'],
    ],
  },
  { id: 'H04', broken: 'unknown is taken for failed', by: [[SWEEP, 'H04 an unknown call counts as failed']] },
  {
    id: 'H05',
    broken: 'unknown is taken for accepted',
    by: [[SWEEP, 'H05 an unknown call counts as accepted']],
  },
  {
    id: 'H06',
    broken: 'a signal goes to a wrapper, or to a pid that somebody else has by now',
    by: [
      [HERE, 'H06'],
      ['process/ledger.test.ts', 'leaves a process alone that only has the pid of a listed one (F8, F17)'],
    ],
  },
  {
    id: 'H07',
    broken: 'the final scan is left out, or has no answer',
    by: [['unit/run/judge.test.ts', 'no final scan (F6, H07)']],
  },
  {
    id: 'H08',
    broken: 'the invoke is recorded after the call was sent',
    by: [
      [HERE, 'H08'],
      ['unit/worker/recording-client.test.ts', 'has the invoke record on disk before the call is made'],
      ['process/recorder-kill.test.ts', 'loses no record that was written'],
    ],
  },
  {
    id: 'H09',
    broken: 'equal stamps count as before',
    by: [[SWEEP, 'H09 equal stamps count as before (S4)']],
  },
  {
    id: 'H10',
    broken: 'the earliest placement starts from the answer',
    by: [[SWEEP, 'H10 the earliest placement starts from the answer']],
  },
  {
    id: 'H11',
    broken: 'the file of one worker is not read',
    by: [
      [HERE, 'H11'],
      ['unit/history/directory-reader.test.ts', 'misses a file that the run had'],
    ],
  },
  { id: 'H12', broken: 'an obligation counts attempts', by: [[HERE, 'H12']] },
  { id: 'H13', broken: 'percentiles drop what is above a ceiling', by: [[HERE, 'H13']] },
  {
    id: 'H14',
    broken: 'a run against M01 is green',
    by: [['process/mutants.test.ts', 'every mutant is violated']],
  },
];

describe('every mutant of the harness', () => {
  it('is in the table', () => {
    const ids = Array.from({ length: 14 }, (_, i) => `H${String(i + 1).padStart(2, '0')}`);
    expect(TABLE.map(({ id }) => id)).toEqual(ids);
  });

  it.each(TABLE)('$id $broken: the tests that notice it exist', ({ by }) => {
    for (const [file, name] of by)
      expect(readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8'), file).toContain(name);
  });
});
