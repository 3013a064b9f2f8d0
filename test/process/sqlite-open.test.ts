/** Many processes open one fresh file at the same instant: spec/board.md B6.56. None meets a lock, none sees half a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/stores/sqlite/store.ts';
import { endChildren, startChild } from '../support/run-child.ts';

const PROCESSES = 8;
const ROUNDS = 12;
/** Time for the message to reach every child before all of them go. */
const LEAD_NS = 20_000_000n;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-open-'));
});
afterEach(async () => {
  await endChildren();
  rmSync(folder, { recursive: true, force: true });
});

it(`${PROCESSES} processes, ${ROUNDS} fresh files`, async () => {
  const module = new URL('./sqlite-child.mjs', import.meta.url);
  const children = await Promise.all(Array.from({ length: PROCESSES }, () => startChild(module)));
  const keys = children.map((_, i) => `item-${i}`);
  for (let round = 0; round < ROUNDS; round += 1) {
    const file = join(folder, `round-${round}.db`);
    const atNs = String(process.hrtime.bigint() + LEAD_NS);
    const answers = await Promise.all(
      children.map((child, i) => child.ask({ job: 'open', file, atNs, key: keys[i] })),
    );
    expect(answers).toEqual(keys.map(() => ({ added: true, nowMs: expect.any(Number) })));
    const store = await createSqliteStore({ file });
    expect((await store.work.scan({ limit: 100 })).map((item) => item.key)).toEqual(keys);
    store.close();
  }
});
