/** What a file says of itself in its first line, read without reading the rest. */
import { closeSync, openSync, readSync } from 'node:fs';
import { isObject } from './field.ts';

/** A first line longer than this is no record of a history. */
export const MAX_FIRST_LINE = 1 << 20;

export interface FirstRecord {
  readonly type: 'header' | 'run';
  /** Undefined where the record does not say, which the reader reports. */
  readonly run: string | undefined;
  readonly record: Readonly<Record<string, unknown>>;
}

/** The first record of a history file; or, in words, what the file is instead. */
export function firstRecord(path: string): FirstRecord | { readonly instead: string } {
  const bytes = head(path);
  if (bytes.length === 0) return { instead: 'it is empty' };
  const end = bytes.indexOf(10);
  if (end < 0 && bytes.length === MAX_FIRST_LINE)
    return { instead: `its first line is longer than ${MAX_FIRST_LINE} bytes` };
  const line = bytes.subarray(0, end < 0 ? bytes.length : end);
  const record = parsed(line);
  if (!isObject(record)) return { instead: 'its first line is no JSON object' };
  const { type, run } = record as { type?: unknown; run?: unknown };
  if (type !== 'header' && type !== 'run')
    return { instead: 'its first line is no header record of a history' };
  return {
    type,
    run: typeof run === 'string' ? run : undefined,
    record: record as Readonly<Record<string, unknown>>,
  };
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

function head(path: string): Buffer {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAX_FIRST_LINE);
    let length = 0;
    for (;;) {
      const read = readSync(fd, bytes, length, MAX_FIRST_LINE - length, length);
      length += read;
      if (read === 0 || length === MAX_FIRST_LINE || bytes.subarray(length - read, length).includes(10))
        break;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}
