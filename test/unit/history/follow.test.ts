/** Following files while they grow comes to the same history as reading them at once, however the bytes arrive. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HistoryBuilder } from '../../../harness/history/builder.ts';
import { HistoryFile } from '../../../harness/history/file-reader.ts';
import type { History } from '../../../harness/history/history.ts';
import { folder, header, lines, records, write } from './files.ts';

const whole = Buffer.from(lines([header(), ...records]).join(''));

/** What can be compared of a history. */
function picture(history: History) {
  const { ops, keys, texts, owners, records: count, problems, loop } = history;
  const columns = Object.entries(ops).map(([name, column]) => [
    name,
    typeof column === 'number' ? column : Array.from(column),
  ]);
  return {
    columns,
    keys,
    texts: [...texts],
    owners,
    count,
    problems,
    loop,
    tokens: [...history.tokens],
    errors: [...history.errors],
  };
}

function follow(parts: readonly Buffer[]) {
  const path = write(join(folder(), 'w1-1.ndjson'), '');
  const builder = new HistoryBuilder();
  const file = new HistoryFile(path, builder);
  for (const part of parts) {
    appendFileSync(path, part);
    file.poll();
  }
  file.finish();
  file.close();
  return picture(builder.snapshot({ embedded: false }));
}

it('gives the same history for any split of the bytes (property)', () => {
  const cuts = fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 12 });
  const length = fc.integer({ min: 1, max: whole.length });
  fc.assert(
    fc.property(cuts, length, (at, end) => {
      const bytes = whole.subarray(0, end);
      const places = [0, ...at.filter((cut) => cut < end).sort((a, b) => a - b), end];
      const parts = places.slice(1).map((to, i) => bytes.subarray(places[i], to));
      expect(follow(parts)).toEqual(follow([bytes]));
    }),
    { numRuns: 200 },
  );
});

it('does not take a record before its last byte is there', () => {
  const path = write(join(folder(), 'w1-1.ndjson'), '');
  const builder = new HistoryBuilder();
  const file = new HistoryFile(path, builder);
  const first = lines([header(), ...records])
    .slice(0, 2)
    .join('');
  appendFileSync(path, first.slice(0, -5));
  file.poll();
  expect(builder.columns.length).toBe(0);
  appendFileSync(path, first.slice(-5));
  file.poll();
  expect(builder.columns.length).toBe(2);
  expect(builder.snapshot({ embedded: false }).problems).toEqual([]);
  file.close();
});
