/** Texts as numbers: the same as a `Map` would give, for any texts, however they are kept. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Interner } from '../../../harness/history/interner.ts';
import { TextArena } from '../../../harness/history/text-arena.ts';

const listed = (table: Interner | TextArena): string[] =>
  table instanceof Interner ? table.all : [...table];

describe.each([
  ['as strings', () => new Interner()],
  ['as bytes', () => new TextArena()],
])('%s', (_how, fresh) => {
  it('gives each distinct text one number, in the order of their coming (property)', () => {
    const odd = fc.constantFrom(
      '',
      'a',
      'b',
      'é',
      'ÿ',
      'Ā',
      'aĀ',
      'a\u0100',
      '\u0000',
      '\u0001',
      '__proto__',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), odd), { maxLength: 2000, size: 'max' }),
        (texts) => {
          const table = fresh();
          const known = new Map<string, number>();
          for (const one of texts) {
            if (!known.has(one)) known.set(one, known.size);
            expect(table.index(one)).toBe(known.get(one));
          }
          expect([table.length, listed(table)]).toEqual([known.size, [...known.keys()]]);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('keeps its numbers while it grows', () => {
    const table = fresh();
    const texts = Array.from({ length: 20_000 }, (_, i) => `work/${i % 7}-${i}`);
    expect(texts.map((text) => table.index(text))).toEqual(texts.map((_, i) => i));
    expect(texts.map((text) => table.index(text))).toEqual(texts.map((_, i) => i));
    expect(listed(table)).toEqual(texts);
  });
});
