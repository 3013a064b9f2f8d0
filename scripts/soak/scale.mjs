/**
 * How a check grows: 10^5, 10^6 and 10^7 operations, each in a process of its own. Goals: at 10^7 the time of an operation is
 * no more than 1.3 times that at 10^6, and the peak memory of all threads at most 2 GiB. CPU time is compared, since the
 * machine may be busy. 10^7 operations are 3.3 GB of history, in `FENCEPOST_SOAK_DIR` or the folder for temporary files.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Memory } from './memory.mjs';

const SIZES = [1e5, 1e6, 1e7];
const MAX_RATIO = 1.3;
const MAX_MIB = 2048;

/** Answers how many goals were missed. */
export async function scale() {
  const { writeHistory } = await import('../../bench/history.mjs');
  const memory = new Memory('scale');
  const { done } = memory;
  for (const asked of SIZES) {
    let one = done.find((other) => other.asked === asked);
    if (!one) {
      const folder = mkdtempSync(join(process.env.FENCEPOST_SOAK_DIR ?? tmpdir(), 'fencepost-scale-'));
      try {
        writeHistory(folder, asked, { isRun: true });
        one = { asked, ...measured(folder) };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      memory.add(one);
    }
    const before = done.find((other) => other.asked === asked / 10);
    const ratio = before === undefined ? '' : `  ratio ${(nsEach(one) / nsEach(before)).toFixed(2)}`;
    console.log(
      `  ${one.operations.toLocaleString('en')} operations  ${one.cpuSeconds.toFixed(1)} s of CPU  ${nsEach(one).toFixed(0)} ns each${ratio}  peak ${one.peakMib} MiB  ${one.broken} broken`,
    );
  }
  return missed(done);
}

function measured(folder) {
  const { stdout, stderr } = spawnSync(process.execPath, ['bench/scale.mjs', folder], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

const nsEach = ({ cpuSeconds, operations }) => (cpuSeconds / operations) * 1e9;

function missed(done) {
  const [, million, tenMillion] = SIZES.map((asked) => done.find((one) => one.asked === asked));
  const goals = [
    ['every operation was read', done.every(({ asked, operations }) => operations >= asked)],
    ['nothing was accused', done.every(({ broken }) => broken === 0)],
    [`time an operation at most ${MAX_RATIO} times`, nsEach(tenMillion) / nsEach(million) <= MAX_RATIO],
    [`peak memory at most ${MAX_MIB} MiB`, done.every(({ peakMib }) => peakMib <= MAX_MIB)],
  ];
  for (const [goal, met] of goals) console.log(`  ${met ? 'met     ' : 'NOT MET '} ${goal}`);
  return goals.filter(([, met]) => !met).length;
}
