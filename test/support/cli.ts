/** Runs the compiled `fencepost` command as its user would, and proves that nothing of it stays alive. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Results } from '../../harness/report/results.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = join(ROOT, 'dist/harness/cli/main.js');

/** Every process of one command inherits this variable; that is how they are found again. */
const TAG = 'FENCEPOST_TEST_TAG';

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Command {
  readonly child: ChildProcess;
  readonly #tag = randomUUID();
  #stdout = '';
  #stderr = '';
  readonly finished: Promise<Finished>;

  /** `fileKib`: no file can grow beyond that, as if the disk were full. */
  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    { fileKib }: { readonly fileKib?: number } = {},
  ) {
    const limited = ['-c', `ulimit -f ${fileKib}; exec "$0" "$@"`, process.execPath, MAIN, ...args];
    const [command, words] = fileKib === undefined ? [process.execPath, [MAIN, ...args]] : ['bash', limited];
    this.child = spawn(command, words, {
      cwd: ROOT,
      env: { ...process.env, ...env, [TAG]: this.#tag },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.#stdout += chunk.toString();
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
    this.finished = new Promise((resolve) => {
      this.child.once('close', (code, signal) =>
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr }),
      );
    });
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Pids of everything that this command started and that still lives; zombies do not live. */
  alive(): { pid: number; state: string }[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          if (!readFileSync(`/proc/${name}/environ`, 'latin1').includes(this.#tag)) return [];
          const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
          const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
          return state === 'Z' || state === 'X' ? [] : [{ pid: Number(name), state }];
        } catch {
          return []; // It went while we looked.
        }
      });
  }

  /** Ends whatever is left, for the end of a test. */
  endAll(): void {
    for (const { pid } of this.alive()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone.
      }
    }
  }
}

/** Runs a command to its end. */
export const run = (args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished> =>
  new Command(args, env).finished;

/** A folder for the output of one test. */
export function scratch(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'fencepost-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** `results.json` of the newest run below `out`. */
export const resultsIn = (out: string): Results =>
  JSON.parse(readFileSync(join(out, 'latest', 'results.json'), 'utf8')) as Results;

/**
 * Whether a run tells nothing about its store: a machine that stood still, evidence that never came. A test of a sound store then tries
 * one more seed, and the reasons of the first are told. `violated` always stands.
 */
export function isNoNews({ results }: { readonly results: Results }): boolean {
  const noNews = results.verdict === 'inconclusive';
  if (noNews)
    process.stderr.write(
      `${results.scenario}, seed ${results.seed}: inconclusive. ${JSON.stringify(results.reasons)}\n`,
    );
  return noNews;
}

/** Runs a command on a sound store, and once more with the next seed when the first run proves nothing. */
export async function soundRun(
  args: readonly string[],
  out: string,
  { seed }: { readonly seed: number },
): Promise<{ readonly finished: Finished; readonly results: Results }> {
  const attempt = async (withSeed: number) => {
    const finished = await run([...args, '--seed', `${withSeed}`, '--out', out]);
    return { finished, results: resultsIn(out) };
  };
  const first = await attempt(seed);
  return isNoNews(first) ? attempt(seed + 1) : first;
}

/** Polls until the condition holds. Throws after the deadline: a hang is a failure with a name. */
export async function until(what: string, condition: () => boolean, limitMs = 30_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`Waited ${limitMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
