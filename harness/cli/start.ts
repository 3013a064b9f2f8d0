/** Puts the real world together for `runCli`: streams, signals, the library, the scenarios and mutants of the package. */
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { aroundUrl, MUTANTS, type Mutant, mutantUrl } from '../../scenarios/mutants/registry.ts';
import { styleFor } from '../report/style.ts';
import { checkDirectory } from '../run/check.ts';
import { runScenario } from '../run/run.ts';
import type { MutantEntry } from './context.ts';
import { watchSignals } from './interrupt.ts';
import { liveDisplay } from './live.ts';
import { packageFolder } from './package-folder.ts';
import { runCli } from './program.ts';
import { typedCommand } from './typed-command.ts';

/** Runs the command of this process and answers its exit code. */
export function start(process: NodeJS.Process): Promise<number> {
  const { stdout, stderr, env, platform } = process;
  const style = styleFor({ stream: stderr, env, platform });
  return runCli(process.argv.slice(2), {
    stdout,
    stderr,
    style,
    cwd: process.cwd(),
    command: typedCommand({ script: process.argv[1] ?? '', cwd: process.cwd(), env }),
    scenarios: fileURLToPath(new URL('scenarios', packageFolder(import.meta.url))),
    runScenario,
    checkDirectory,
    mutants: MUTANTS.map(entryOf),
    display: () => liveDisplay({ stream: stderr, env, style }),
    interruption: watchSignals(process, (text) => stderr.write(`\n${text}\n`)),
    randomSeed: () => randomInt(2 ** 32),
  });
}

function entryOf({ power, ...mutant }: Mutant): MutantEntry {
  const url = mutantUrl(mutant);
  if (power === undefined) return { ...mutant, url };
  return { ...mutant, url, power: { ...power, around: (storeUrl) => aroundUrl(mutant, storeUrl) } };
}
