/** A disk that takes no more. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HistoryUnwritable, HistoryWriter } from '../../../harness/history/writer.ts';

let folder: string;
let log: HistoryWriter;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-writer-'));
  const header = { format: 1, run: 'r', incarnation: 1, label: 'w1', role: 'worker', t: 0 } as const;
  log = HistoryWriter.create(folder, 'w1-1', { type: 'header', ...header });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LOOP = { type: 'loop', t: 1, p99Ms: 1, maxMs: 1 } as const;

/** Its file is closed behind its back: like a full disk, the kernel takes no further record. */
const fill = () => log[Symbol.dispose]();

it('throws for the record that could not be written, and for every one after it', () => {
  log.write(LOOP);
  fill();
  for (let i = 0; i < 2; i++) expect(() => log.write(LOOP)).toThrow(HistoryUnwritable);
  expect(log.failure?.message).toMatch(/w1-1\.ndjson: EBADF/);
  expect(log.records).toBe(2);
});

it('keeps the failure for whoever must go on, and writes nothing behind the gap', () => {
  log.keepFailures();
  log.write(LOOP);
  expect(log.failure).toBeUndefined();
  fill();
  log.write(LOOP);
  expect(log.failure).toBeInstanceOf(HistoryUnwritable);
  expect(log.records).toBe(2);
  expect(readFileSync(log.file, 'utf8').trimEnd().split('\n')).toHaveLength(2);
});
