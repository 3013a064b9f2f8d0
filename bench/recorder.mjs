/**
 * What recording costs: claim+complete on the SQLite store through the recording client, against the same calls without
 * it, interleaved in one process. Four records a cycle, one `write(2)` each (goal G10 of the performance notes).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HistoryWriter } from '../dist/harness/history/writer.js';
import { recordingClient } from '../dist/harness/worker/recording-client.js';
import { createSqliteStore } from '../dist/src/stores/sqlite/store.js';
import { median } from './measure.mjs';

const CYCLES = 5_000;
const REPETITIONS = 7;
const LEASE_MS = 60_000;

export async function run() {
  const off = [];
  const on = [];
  for (let i = 0; i < REPETITIONS; i++) {
    off.push(await cycles(bare));
    on.push(await cycles(recorded));
  }
  const [ours, floor] = [median(on), median(off)];
  return [
    { name: 'recorder on / off, claim+complete', ours, floor, ratio: ours / floor, goal: 1.3, unit: 'µs' },
  ];
}

/** µs a cycle. */
async function cycles(makeCycle) {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-bench-'));
  const store = await createSqliteStore({ file: join(folder, 'bench.db') });
  const items = Array.from({ length: CYCLES }, (_, i) => ({ key: `work/${i}`, payload: { task: i } }));
  await store.work.enqueue(items, { request: 'fill' });
  const { cycle, end } = makeCycle(store, folder);
  const began = process.hrtime.bigint();
  for (let i = 0; i < CYCLES; i++) await cycle(i);
  const took = Number(process.hrtime.bigint() - began);
  end();
  await store.close();
  rmSync(folder, { recursive: true });
  return took / CYCLES / 1e3;
}

function bare({ work }) {
  const cycle = async (i) => {
    const claimed = await work.claimNext('work/', { owner: 'w1', leaseMs: LEASE_MS, request: `c${i}` });
    const done = await work.complete(claimed.value[0], { request: `d${i}`, result: { by: `d${i}` } });
    if (!done.accepted) throw new Error(done.refusal.message);
  };
  return { cycle, end: () => {} };
}

function recorded(store, folder) {
  const header = {
    type: 'header',
    format: 1,
    run: 'bench',
    incarnation: 1,
    label: 'w1',
    role: 'worker',
    t: 0,
  };
  const writer = HistoryWriter.create(folder, 'w1', header);
  const client = recordingClient({
    store,
    writer,
    incarnation: 1,
    label: 'w1',
    lanes: { next: () => 0 },
    definiteErrors: [],
    callLimitMs: 10_000,
  });
  const cycle = async () => {
    const claimed = await client.claimNext('work/', LEASE_MS, 1);
    const done = await client.complete(claimed.value[0]);
    if (done.outcome !== 'accepted') throw new Error('not accepted');
  };
  return { cycle, end: () => writer[Symbol.dispose]() };
}
