/** The records of history files as they stand, one after another: for second counts that share nothing with the builder. */
import { basename } from 'node:path';
import { LineReader } from './line-reader.ts';

export interface RawRecord {
  readonly file: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Lines that are not JSON objects are passed over: the reader has reported them. */
export function* rawRecords(paths: readonly string[]): Generator<RawRecord> {
  for (const path of paths) {
    const file = basename(path);
    for (const line of linesOf(path)) {
      const record = parsed(line);
      if (record) yield { file, record };
    }
  }
}

/** One piece after another: a file may be longer than the longest string. */
function* linesOf(path: string): Generator<string> {
  const lines = new LineReader(path);
  try {
    let piece: string[] = [];
    const take = (line: string): void => {
      piece.push(line);
    };
    while (lines.read(take)) {
      yield* piece;
      piece = [];
    }
    lines.end(take);
    yield* piece;
  } finally {
    lines.close();
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
