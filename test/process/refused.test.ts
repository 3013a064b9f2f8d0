/** Runs that could prove nothing are refused before anything starts, with the reason and the fix; nothing is made on disk. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { run } from '../support/cli.ts';
import { it } from '../support/scratch-test.ts';

const SCENARIO = 'scenarios/kill-mid-lease.yaml';

const refused: readonly [string, readonly string[], RegExp, RegExp][] = [
  ['the faults are off', ['--set', 'faults=off'], /fault/i, /faults/],
  ['the lease is as long as the run', ['--set', 'lease=10m'], /lease/i, /lease/],
  ['there is one worker', ['--workers', '1'], /one worker/i, /workers/],
  ['the store lives in one process', ['--store', 'memory'], /process/i, /sqlite|workers/i],
  ['the store throws on every call', ['--store', './test/fixtures/throwing-store.mjs'], /on fire/, /./],
  [
    'claim answers a string',
    ['--store', './test/fixtures/string-claim-store.mjs'],
    /claim\(\).*"yes" \(string\)/,
    /./,
  ],
  [
    'the module has no default export',
    ['--store', './test/fixtures/no-default-export.mjs'],
    /default export/,
    /export default/,
  ],
  ['the module is missing', ['--store', './nowhere.mjs'], /nowhere\.mjs/, /./],
  [
    'something of an earlier run is in the store (F7)',
    ['--store', './test/fixtures/leftover-store.mjs'],
    /to\s+be\s+empty,\s+and\s+it\s+holds\s+`work\/of-yesterday`/,
    /namespace/,
  ],
  ['a key is unknown', ['--set', 'leaseMs=150'], /leaseMs/, /lease/],
  ['a unit is missing', ['--set', 'lease=150'], /lease/, /150ms/],
];

describe('refused before anything starts', () => {
  it.concurrent.for(refused)('when %s', async ([_, flags, why, fix], { out }) => {
    const { code, stderr, stdout } = await run(['run', SCENARIO, '--out', out, ...flags]);
    expect({ code, stderr }).toMatchObject({ code: 64 });
    expect(stderr).toMatch(why);
    expect(stderr).toMatch(fix);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).toBe('');
    expect(existsSync(join(out, 'kill-mid-lease'))).toBe(false);
  });
});
