/** Generations beyond 2^53 keep order and equality, and are shown as the store wrote them (S2: compared as numbers, never as text). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Generations } from '../../../harness/history/generations.ts';
import { header, lines, read } from './files.ts';

const asRecorded = (value: bigint): number | string =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value);

describe('generations', () => {
  it('keeps order, equality and text of any of them (property)', () => {
    const generation = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 70n }),
      fc.bigInt({ min: 0n, max: 20n }),
      fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
    );
    fc.assert(
      fc.property(fc.array(generation, { minLength: 1, maxLength: 30 }), (values) => {
        const generations = new Generations();
        const column = Float64Array.from(values.map((value) => generations.encode(asRecorded(value))));
        const settled = generations.settle(column, column.length, []);
        for (const [i, a] of values.entries()) {
          expect(settled.text(settled.column[i]!)).toBe(String(a));
          for (const [j, b] of values.entries()) {
            expect(Math.sign(settled.column[i]! - settled.column[j]!)).toBe(a < b ? -1 : a > b ? 1 : 0);
          }
        }
      }),
    );
  });

  it('reads 9 and 10 beyond 2^53 from a file in their order', () => {
    const [nine, ten] = ['9', '10'].map((text) => `${text}00000000000000000`);
    const claim = (call: number, generation: string) => [
      { type: 'invoke', t: 10 + 10 * call, lane: 0, call, op: 'claim', key: 'a', leaseMs: 1 } as const,
      {
        type: 'ok',
        t: 15 + 10 * call,
        lane: 0,
        call,
        accepted: true,
        leases: [{ key: 'a', leaseMs: 1, generation }],
      } as const,
    ];
    const { history } = read(
      lines([header(), ...claim(0, nine!), ...claim(1, ten!), ...claim(2, '7')]).join(''),
    );
    const [a, b, c] = Array.from(history.ops.generation);
    expect(c! < a! && a! < b!).toBe(true);
    expect([a, b, c].map((value) => history.generationText(value!))).toEqual([nine, ten, '7']);
  });
});
