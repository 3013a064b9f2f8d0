/**
 * What a check costs: reading and judging a history of a million operations, against JSON.parse of the same lines alone.
 * The history is that of a correct store: 8 workers, enqueue, claim, heartbeat and complete for each item.
 */
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeHistory } from '../dist/harness/checker/compose.js';
import { seal } from '../dist/harness/history/checksum.js';
import { historyFiles, loadHistory } from '../dist/harness/history/directory-reader.js';
import { rawRecords } from '../dist/harness/history/raw-records.js';
import { median } from './measure.mjs';

const OPERATIONS = Number(process.env.FENCEPOST_BENCH_OPERATIONS ?? 1_000_000);
const REPETITIONS = 3;
const WORKERS = 8;
const LEASE_MS = 150;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-bench-'));
  try {
    generate(folder);
    const floor = [];
    const ours = [];
    let perOperation = 0;
    for (let i = 0; i < REPETITIONS; i++) {
      floor.push(timed(() => parseOnly(folder)));
      ours.push(timed(() => check(folder)));
    }
    perOperation = (median(ours) / OPERATIONS) * 1e6;
    const name = `check of ${OPERATIONS.toLocaleString('en')} operations (${perOperation.toFixed(0)} ns each) / JSON.parse`;
    return [
      {
        name,
        ours: median(ours),
        floor: median(floor),
        ratio: median(ours) / median(floor),
        goal: 2.5,
        unit: 'ms',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function timed(work) {
  const began = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - began) / 1e6;
}

function check(folder) {
  const files = historyFiles(folder);
  const { history, declares, methods } = loadHistory(files);
  const { findings, crashed } = judgeHistory(history, declares, methods, () => rawRecords(files));
  if (crashed.length > 0) throw new Error(crashed[0].error);
  const broken = findings.filter((finding) => finding.broken > 0);
  if (broken.length > 0)
    throw new Error(`the generated history is correct, and ${broken[0].guarantee} was called broken`);
}

/** The floor: every line parsed, nothing kept. */
function parseOnly(folder) {
  let records = 0;
  for (const name of readdirSync(folder)) {
    const fd = openSync(join(folder, name), 'r');
    const chunk = Buffer.allocUnsafe(1 << 20);
    let rest = '';
    for (let bytes = readSync(fd, chunk); bytes > 0; bytes = readSync(fd, chunk)) {
      const lines = (rest + chunk.toString('latin1', 0, bytes)).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        JSON.parse(line);
        records += 1;
      }
    }
    closeSync(fd);
  }
  return records;
}

function generate(folder) {
  const items = OPERATIONS / 4;
  for (let worker = 0; worker < WORKERS; worker++) {
    const incarnation = worker + 1;
    const fd = openSync(join(folder, `w${incarnation}-${incarnation}.ndjson`), 'w');
    const lines = [];
    let n = 0;
    let t = 1e9;
    let call = 0;
    const write = (record) => {
      lines.push(seal(JSON.stringify(record), n++));
      if (lines.length >= 10_000) writeSync(fd, lines.splice(0).join(''));
    };
    const op = (name, fields, answer) => {
      write({ type: 'invoke', t: t + 900, lane: 0, call, op: name, ...fields });
      write({ type: 'ok', t: t + 45_900, lane: 0, call, accepted: true, ...answer });
      t += 45_900;
      call += 1;
    };
    write({
      type: 'header',
      format: 1,
      run: 'bench',
      incarnation,
      label: `w${incarnation}`,
      role: 'worker',
      t,
    });
    for (let item = worker; item < items; item += WORKERS) {
      const key = `work/${incarnation}-${item}`;
      const payload = `{"task":"${key}"}`;
      op('enqueue', { items: [{ key, value: payload, maxAttempts: 50 }] }, {});
      const expiresAtMs = Math.floor(t / 1e6) + LEASE_MS;
      const lease = {
        key,
        generation: 1,
        owner: `w${incarnation}`,
        leaseMs: LEASE_MS,
        attempt: 1,
        expiresAtMs,
        value: payload,
      };
      op(
        'claimNext',
        { prefix: 'work/', limit: 1, leaseMs: LEASE_MS },
        { leases: [{ ...lease, kind: 'fresh' }] },
      );
      op('heartbeat', { key, generation: 1 }, { leases: [lease] });
      op('complete', { key, generation: 1, value: `{"by":"${incarnation}.0.${call}"}` }, {});
    }
    writeSync(fd, lines.join(''));
    closeSync(fd);
  }
}
