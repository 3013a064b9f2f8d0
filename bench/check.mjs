/**
 * What a check costs: reading and judging a history of a million operations, against JSON.parse of the same lines alone.
 * The history is that of a correct store (`history.mjs`).
 */
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeHistory } from '../dist/harness/checker/compose.js';
import { historyFiles, loadHistory } from '../dist/harness/history/directory-reader.js';
import { rawRecords } from '../dist/harness/history/raw-records.js';
import { writeHistory } from './history.mjs';
import { median } from './measure.mjs';

const OPERATIONS = Number(process.env.FENCEPOST_BENCH_OPERATIONS ?? 1_000_000);
const REPETITIONS = 3;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-bench-'));
  try {
    writeHistory(folder, OPERATIONS);
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
