/** The seal at the end of each line of ours: sequence number and CRC-32 of everything before the check sum (rule R4). */
import { crc32 } from 'node:zlib';
import { crc32Of } from './crc32.ts';

/** `,"c":"1f0a93c2"}` has a fixed length, so that a reader can cut it off without parsing. */
export const SEAL_BYTES = 16;

const SEAL_START = Buffer.from(',"c":"');

/** Appends sequence number and check sum to a record's JSON text; ends with a line feed. */
export function seal(json: string, n: number): string {
  const body = `${json.slice(0, -1)},"n":${n}`;
  return `${body},"c":"${crc32(body).toString(16).padStart(8, '0')}"}\n`;
}

/** Whether the line, bytes `from` up to `to` without its line feed, ends with a seal, and whether that is intact. */
export function checkSeal(bytes: Uint8Array, from: number, to: number): 'none' | 'intact' | 'broken' {
  const body = to - SEAL_BYTES;
  if (body < from) return 'none';
  for (let i = 0; i < SEAL_START.length; i++) if (bytes[body + i] !== SEAL_START[i]) return 'none';
  let stated = 0;
  for (let i = body + SEAL_START.length; i < to - 2; i++) {
    const digit = hexDigit(bytes[i]!);
    if (digit < 0) return 'broken';
    stated = (stated << 4) | digit;
  }
  return crc32Of(bytes, from, body) === stated ? 'intact' : 'broken';
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  if (byte >= 97 && byte <= 102) return byte - 87;
  return -1;
}
