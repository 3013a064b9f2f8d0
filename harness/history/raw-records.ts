/** The records of history files as they stand, one after another: for second counts that share nothing with the builder. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface RawRecord {
  readonly file: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Lines that are not JSON objects are passed over: the reader has reported them. */
export function* rawRecords(paths: readonly string[]): Generator<RawRecord> {
  for (const path of paths) {
    const file = basename(path);
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const record = parsed(line);
      if (record) yield { file, record };
    }
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  if (line === '') return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
