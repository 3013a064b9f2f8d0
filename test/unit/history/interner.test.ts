/** Texts as numbers: the same as a `Map` would give, for any texts. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Interner } from '../../../harness/history/interner.ts';

it('gives each distinct text one number, in the order of their coming (property)', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('', 'a', 'b', 'é', '\u0000', '__proto__'));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3000, size: 'max' }), (texts) => {
      const interner = new Interner();
      const known = new Map<string, number>();
      for (const one of texts) {
        if (!known.has(one)) known.set(one, known.size);
        expect(interner.index(one)).toBe(known.get(one));
      }
      expect(interner.all).toEqual([...known.keys()]);
    }),
    { numRuns: 20 },
  );
});

it('keeps its numbers while it grows', () => {
  const interner = new Interner();
  const texts = Array.from({ length: 20_000 }, (_, i) => `work/${i % 7}-${i}`);
  expect(texts.map((text) => interner.index(text))).toEqual(texts.map((_, i) => i));
  expect(texts.map((text) => interner.index(text))).toEqual(texts.map((_, i) => i));
});
