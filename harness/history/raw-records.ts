/** The records of history files as they stand, one after another: for second counts that share nothing with the builder. */
import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';

export interface RawRecord {
  readonly file: string;
  readonly record: Readonly<Record<string, unknown>>;
}

const CHUNK_BYTES = 1 << 20;

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

/** One chunk after another: a file may be longer than the longest string. */
function* linesOf(path: string): Generator<string> {
  const fd = openSync(path, 'r');
  try {
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const bytes = readSync(fd, chunk, 0, CHUNK_BYTES, null);
      if (bytes === 0) break;
      const data = Buffer.concat([rest, chunk.subarray(0, bytes)]);
      let from = 0;
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, from)) {
        yield data.toString('utf8', from, end);
        from = end + 1;
      }
      rest = data.subarray(from);
    }
    yield rest.toString('utf8');
  } finally {
    closeSync(fd);
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
