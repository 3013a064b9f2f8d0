/** Lines of a file, whatever the pieces it is read in. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineReader } from '../../../harness/history/line-reader.ts';
import { folder, write } from './files.ts';

/** Texts of the lines, each of which must be what its bytes say. */
function linesOf(path: string): string[] {
  const lines: string[] = [];
  const reader = new LineReader(path);
  const take = (text: string, bytes: Buffer, from: number, to: number): void => {
    expect(bytes.toString('utf8', from, to)).toBe(text);
    lines.push(text);
  };
  while (reader.read(take));
  reader.end(take);
  reader.close();
  return lines;
}

it('gives the lines of any text back, also those that are longer than a piece (property)', () => {
  const path = join(folder(), 'lines');
  const line = fc.oneof(
    fc.string({ maxLength: 30 }).map((text) => text.replaceAll('\n', '')),
    fc.constantFrom('', 'é', '\r', 'x'.repeat(70_000), 'ü'.repeat(300_000), 'y'.repeat(900_000)),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), (lines, isCut) => {
      write(path, lines.join('\n') + (isCut ? '' : '\n'));
      const expected = isCut && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
      expect(linesOf(path)).toEqual(expected.length === 0 && !isCut ? [''] : expected);
    }),
    { numRuns: 30 },
  );
});

it('gives a line once it is whole, while the file grows', () => {
  const path = write(join(folder(), 'lines'), 'one\ntw');
  const reader = new LineReader(path);
  const lines: string[] = [];
  const poll = (): void => {
    while (reader.read((text) => lines.push(text)));
  };
  poll();
  expect([lines, reader.rest]).toEqual([['one'], 2]);
  appendFileSync(path, 'o\n\nthree');
  poll();
  expect(lines).toEqual(['one', 'two', '']);
  reader.end((text) => lines.push(text));
  expect([lines, reader.rest]).toEqual([['one', 'two', '', 'three'], 0]);
  reader.close();
});
