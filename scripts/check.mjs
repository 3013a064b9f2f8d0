#!/usr/bin/env node
/**
 * Everything that CI runs, in one order: build, docs, types, lint, floating promises, dead code, import rules, tests. Goes on after a failed step, so that one
 * run shows all there is to mend. Ends with the line `N passed, N failed` (tests; a failed step counts as one failure).
 *
 * Try it: `npm run check`, or one step: `npm run check -- lint`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'fencepost-check-'));
const report = join(scratch, 'vitest.json');

const STEPS = [
  ['build', 'tsc', ['-p', 'tsconfig.build.json']],
  ['docs', 'node', ['scripts/docs.mjs', '--check']],
  ['types', 'tsc', ['-p', 'tsconfig.json']],
  ['lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['promises', 'oxlint', ['--type-aware', 'src', 'harness', 'scenarios', 'test', 'scripts', 'bench']],
  ['dead', 'knip', ['--no-progress']],
  ['imports', 'depcruise', ['--config', '.dependency-cruiser.cjs', 'src', 'harness', 'scenarios']],
  ['tests', 'vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]],
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !STEPS.some(([step]) => step === name));
if (unknown.length > 0) {
  console.error(`Unknown step ${unknown.join(', ')}. Steps: ${STEPS.map(([step]) => step).join(', ')}.`);
  process.exit(64);
}

let passed = 0;
let failed = 0;
let skipped = 0;
const summary = [];
for (const [name, command, args] of STEPS) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n▸ ${name}: ${command} ${args.join(' ')}`);
  const began = Date.now();
  const { status } = spawnSync(
    command === 'node' ? process.execPath : join('node_modules', '.bin', command),
    args,
    { stdio: 'inherit' },
  );
  const tests = name === 'tests' ? readTests() : undefined;
  passed += tests?.passed ?? 0;
  skipped += tests?.skipped ?? 0;
  failed += tests?.failed ?? 0;
  // A step that failed without a failed test of its own, or a test run without tests, is a failure as well.
  const ok = status === 0 && (tests === undefined || tests.passed > 0);
  if (!ok && !(tests?.failed > 0)) failed += 1;
  summary.push(`  ${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(8)} ${((Date.now() - began) / 1000).toFixed(1)} s`);
}
rmSync(scratch, { recursive: true, force: true });

console.log(`\n${summary.join('\n')}\n`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;

function readTests() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
