/** How values appear in a history: small ones as canonical JSON, big ones as hash and size (rule R4: keep records small). */
import { createHash } from 'node:crypto';
import type { Json } from '../../src/store.ts';

const MAX_INLINE = 80;

/** Equal values have equal digests, whatever order a store hands their keys back in. */
export function digest(value: Json | undefined): string {
  const text = canonical(value ?? null);
  if (text.length <= MAX_INLINE) return text;
  return `sha256:${createHash('sha256').update(text).digest('hex').slice(0, 32)}:${Buffer.byteLength(text)}`;
}

function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item as Json)).join(',')}]`;
  const entries = Object.entries(value as Record<string, Json | undefined>)
    .filter((entry): entry is [string, Json] => entry[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`);
  return `{${entries.join(',')}}`;
}
