/** What a killed process had recorded is there (R1, R4; A23): nothing that it told of before it died is missing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rawRecords } from '../../harness/history/raw-records.ts';
import { ROOT, scratch } from '../support/cli.ts';

let out: ReturnType<typeof scratch>;
beforeEach(() => {
  out = scratch();
});
afterEach(() => out.remove());

const KILLS = 10;

/** Writes records as fast as it can and tells the number of each on its standard output once it is written. */
const WRITER = `
import { writeSync } from 'node:fs';
import { HistoryWriter } from ${JSON.stringify(join(ROOT, 'dist/harness/history/writer.js'))};
const [folder, name] = process.argv.slice(1);
const header = { type: 'header', format: 1, run: 'kill', incarnation: 1, label: name, role: 'worker', t: 0 };
const writer = HistoryWriter.create(folder, name, header);
for (let call = 0; ; call++) {
  writer.write({ type: 'invoke', t: call, lane: 0, call, op: 'complete', key: 'work/' + call, generation: 1, value: 'x'.repeat(call % 300) });
  writeSync(1, call + '\\n');
}
`;

it(`loses no record that was written, in ${KILLS} kills at any moment`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const name = `w${kill}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, '--', out.path, name]);
    let told = '';
    child.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString();
      if (told.length > 2_000 * (kill + 1)) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const last = Number(told.trim().split('\n').slice(0, -1).at(-1));
    const calls = new Set(
      [...rawRecords([join(out.path, `${name}.ndjson`)])].map(({ record }) => record.call),
    );
    expect(last).toBeGreaterThan(100);
    for (let call = 0; call <= last; call++) expect(calls.has(call), `call ${call} of ${name}`).toBe(true);
  }
});
