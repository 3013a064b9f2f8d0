/** What the benchmarks share: medians, a scratch folder, fresh files, the printed table. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
}

/** Runs `body` with a folder that is gone afterwards. `FENCEPOST_BENCH_DIR` names another parent, such as a tmpfs. */
export async function withFolder(body) {
  const folder = mkdtempSync(join(process.env.FENCEPOST_BENCH_DIR ?? tmpdir(), 'fencepost-bench-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function nowMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Prints results of the form { name, ours, floor, ratio, goal, unit } as a table. */
export function printResults(results) {
  const rows = results.map(({ name, ours, floor, ratio, goal, unit }) => [
    name,
    `${number(ours)} ${unit}`,
    `${number(floor)} ${unit}`,
    ratio.toFixed(2),
    goal === undefined ? '' : `<= ${goal.toFixed(2)}`,
    goal === undefined ? 'shown only' : ratio <= goal ? 'met' : 'NOT MET',
  ]);
  const table = [['what', 'ours', 'floor', 'ratio', 'goal', ''], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table)
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    );
}

function number(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
