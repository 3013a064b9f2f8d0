/**
 * The checkers themselves broken on purpose (spec/mutants.md 4.2): a copy with one expression replaced is compared with the
 * oracle, and the comparison must notice.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { leaseSweep } from '../../../harness/checker/lease-sweep.ts';
import { decide } from '../../../harness/model/oracle.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';
import { caseArbitrary, historyOf, stepsOf } from '../../support/lease-cases.ts';

const HARNESS = resolve(import.meta.dirname, '../../../harness');
/** The runner compiles the copies wherever they lie. */
const COPIES = mkdtempSync(join(tmpdir(), 'fencepost-broken-'));
afterAll(() => rmSync(COPIES, { recursive: true, force: true }));

interface Break {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const BREAKS: readonly Break[] = [
  {
    name: 'H09 equal stamps count as before (S4)',
    file: 'lease-order.ts',
    from: '!(since < ops.inv[row]!)',
    to: '!(since <= ops.inv[row]!)',
  },
  {
    name: 'H09 equal stamps count as before (S3)',
    file: 'lease-placement.ts',
    from: 'ops.ret[grant]! < placed.lo',
    to: 'ops.ret[grant]! <= placed.lo',
  },
  {
    name: 'H09 equal stamps count as before (S11)',
    file: 'lease-late.ts',
    from: '!(last.until < ops.inv[row]!)',
    to: '!(last.until <= ops.inv[row]!)',
  },
  {
    name: 'H10 the earliest placement starts from the answer',
    file: 'placed.ts',
    from: 'NEVER : ops.inv[grant]!',
    to: 'NEVER : ops.ret[grant]!',
  },
  {
    name: 'H10 the latest reach starts from the invoke',
    file: 'lease-late.ts',
    from: 'let by = ops.ret[rows.grant[g]!]!',
    to: 'let by = ops.inv[rows.grant[g]!]!',
  },
  {
    name: 'H05 an unknown call counts as accepted',
    file: 'lease-context.ts',
    from: 'cx.ops.outcome[row] === OUTCOME.accepted ||',
    to: 'cx.ops.outcome[row] !== OUTCOME.refused ||',
  },
  {
    name: 'H04 an unknown call counts as failed',
    file: 'token-rows.ts',
    from: 'if (outcome === OUTCOME.fail) return;',
    to: 'if (outcome >= OUTCOME.fail) return;',
  },
  {
    name: 'a release does not end the lease',
    file: 'placed.ts',
    from: '(op === OP.release || op === OP.nack) && acted',
    to: 'op === OP.nack && acted',
  },
  {
    name: 'a reacquiring owner has to wait',
    file: 'placed.ts',
    from: 'reacquires ? before.after : before.end',
    to: 'grant < 0 ? before.after : before.end',
  },
  {
    name: 'renewals do not count for the next grant',
    file: 'placed.ts',
    from: 'op === OP.heartbeat && (setter < 0 || inv > set)',
    to: 'op === OP.heartbeat && setter < 0',
  },
];

async function brokenSweep({ file, from, to }: Break, id: number): Promise<typeof leaseSweep> {
  const folder = join(COPIES, String(id));
  cpSync(join(HARNESS, 'checker'), folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    let source = readFileSync(path, 'utf8').replaceAll(/from '\.\.\/(?!\.)/g, `from '${HARNESS}/`);
    if (name === file) {
      if (source.split(from).length !== 2) throw new Error(`Expected ${file} to hold \`${from}\` once`);
      source = source.replace(from, to);
    }
    writeFileSync(path, source);
  }
  const module = (await import(/* @vite-ignore */ join(folder, 'lease-sweep.ts'))) as {
    leaseSweep: typeof leaseSweep;
  };
  return module.leaseSweep;
}

describe('a broken sweep is noticed', () => {
  test.each(BREAKS)('$name', async (change) => {
    const sweep = await brokenSweep(change, BREAKS.indexOf(change));
    const shape = { leases: [10], forceReleases: false, reacquires: true, scans: false };
    const noticed = (['refused', 'allowed-if-not-superseded'] as const).some((lateCalls) => {
      const declares: Declares = { ...DEFAULT_DECLARES, items: 'on-demand', grainMs: 0, lateCalls };
      const run = fc.check(
        fc.property(caseArbitrary(shape), (calls) => {
          const accused = Object.values(sweep(historyOf(calls), declares)).some((found) => found.broken > 0);
          return accused === (decide(stepsOf(calls), declares) === 'impossible');
        }),
        { numRuns: 3000, seed: 4711, endOnFailure: true },
      );
      return run.failed;
    });
    expect(noticed).toBe(true);
  });
});
