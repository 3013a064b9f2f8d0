/** Rows of the final scan come back as they went in, whatever their requests look like. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ScanRow } from '../../../harness/history/history.ts';
import { ScanRows } from '../../../harness/history/scan-rows.ts';

const request = fc.option(
  fc.oneof(
    fc.constantFrom(
      '1.0.3',
      '0.0.0',
      '01.0.3',
      '1.0',
      '4294967295.0.1',
      '4294967294.1.1',
      '1.0.3.4',
      '',
      'é',
    ),
    fc.string(),
    fc.tuple(fc.nat(), fc.nat(), fc.nat()).map((parts) => parts.join('.')),
  ),
  { nil: undefined },
);
const row: fc.Arbitrary<ScanRow> = fc.record({
  item: fc.nat(),
  state: fc.constantFrom('open', 'leased', 'done', 'dead'),
  generation: fc.oneof(fc.constant(Number.NaN), fc.nat(), fc.integer({ min: -9, max: -1 })),
  attempts: fc.option(fc.nat(), { nil: undefined }),
  value: fc.integer({ min: -1 }),
  completedBy: request,
  enqueuedBy: request,
  row: fc.nat(),
});

const plain = (shown: ScanRow): ScanRow => ({
  item: shown.item,
  state: shown.state,
  generation: shown.generation,
  attempts: shown.attempts,
  value: shown.value,
  completedBy: shown.completedBy,
  enqueuedBy: shown.enqueuedBy,
  row: shown.row,
});

it('reads back every row (property)', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 600, size: 'max' }), (rows) => {
      const kept = new ScanRows();
      for (const one of rows) kept.add(one);
      expect([kept.length, Array.from(kept, plain)]).toEqual([rows.length, rows]);
      expect(rows.map((_, i) => plain(kept.at(i)!))).toEqual(rows);
      expect(kept.at(rows.length)).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});
