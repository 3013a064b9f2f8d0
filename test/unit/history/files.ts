/** History files in a temporary folder, written through the real writer or as raw bytes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { seal } from '../../../harness/history/checksum.ts';
import { loadHistory } from '../../../harness/history/directory-reader.ts';
import type { ClientRecord, HeaderRecord, SupervisorRecord } from '../../../harness/history/record.ts';
import { HistoryWriter } from '../../../harness/history/writer.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'fencepost-history-'));
  folders.push(path);
  return path;
}

export const header = (incarnation = 1, label = 'w1'): HeaderRecord => ({
  type: 'header',
  format: 1,
  run: 'test',
  incarnation,
  label,
  role: 'worker',
  t: 1,
});

/** A small file's worth of records: an enqueue, a claim, its refused heartbeat, an unknown complete. */
export const records: readonly ClientRecord[] = [
  {
    type: 'invoke',
    t: 10,
    lane: 0,
    call: 0,
    op: 'enqueue',
    items: [
      { key: 'é/1', value: '"ü"', maxAttempts: 3 },
      { key: 'b', value: '1' },
    ],
  },
  { type: 'ok', t: 20, lane: 0, call: 0, accepted: true },
  { type: 'invoke', t: 30, lane: 0, call: 1, op: 'claimNext', prefix: '', limit: 2, leaseMs: 150 },
  {
    type: 'ok',
    t: 40,
    lane: 0,
    call: 1,
    accepted: true,
    leases: [
      { key: 'é/1', generation: 1, leaseMs: 150, attempt: 1, owner: 'w1' },
      { key: 'b', generation: 7, leaseMs: 150, attempt: 1, owner: 'w1' },
    ],
  },
  { type: 'invoke', t: 50, lane: 1, call: 0, op: 'heartbeat', key: 'b', generation: 7 },
  { type: 'ok', t: 60, lane: 1, call: 0, accepted: false, code: 'stale' },
  {
    type: 'invoke',
    t: 70,
    lane: 0,
    call: 2,
    op: 'complete',
    key: 'é/1',
    generation: 1,
    value: '{"by":"1.0.2"}',
  },
  { type: 'info', t: 80, lane: 0, call: 2, error: { code: 'TIMEOUT', message: 'no answer' } },
  { type: 'loop', t: 90, p99Ms: 1, maxMs: 2 },
];

/** The lines of a file of ours, sealed and numbered. */
export const lines = (all: readonly (ClientRecord | SupervisorRecord)[]): string[] =>
  all.map((record, n) => seal(JSON.stringify(record), n));

export function write(path: string, content: string | Buffer): string {
  writeFileSync(path, content);
  return path;
}

/** Writes a file of ours and leaves the writer's file complete with its end record. */
export function written(directory: string, name = 'w1-1', all = records, first = header()): string {
  using writer = HistoryWriter.create(directory, name, first);
  for (const record of all) writer.write(record);
  writer.write({ type: 'end', t: 100, records: writer.records });
  return writer.file;
}

/** What reading these bytes as one file brings to light. */
export function read(content: string | Buffer) {
  return loadHistory([write(join(folder(), 'w1-1.ndjson'), content)]);
}
