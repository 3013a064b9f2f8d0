/** The reader's check sum is the one that the writer takes from zlib. */
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crc32Of } from '../../../harness/history/crc32.ts';

it('agrees with zlib on any stretch of any bytes (property)', () => {
  expect(crc32Of(Buffer.from('123456789'), 0, 9) >>> 0).toBe(0xcbf43926);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(20), fc.nat(20), (bytes, skip, cut) => {
      const from = Math.min(skip, bytes.length);
      const to = Math.max(from, bytes.length - cut);
      expect(crc32Of(bytes, from, to) >>> 0).toBe(crc32(bytes.subarray(from, to)));
    }),
  );
});
