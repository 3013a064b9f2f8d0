/** Gives the command line the real world. */
import { systemClock } from '../clock.ts';
import type { Interruption } from './context.ts';
import { EXIT } from './exit.ts';
import { runCli } from './program.ts';
import { styleFor } from './text.ts';

/** Runs the command of this process and answers its exit code. */
export function start(target: NodeJS.Process): Promise<number> {
  return runCli(target.argv.slice(2), {
    stdout: target.stdout,
    stderr: target.stderr,
    style: styleFor(target.stdout, target.env),
    clock: systemClock,
    interruption: () => watchSignals(target),
    transport: async () => (await import('./mcp-stdio.ts')).stdioTransport(target),
  });
}

/** The first signal asks for an end in order; the second ends the process. */
function watchSignals(target: NodeJS.Process): Interruption {
  const controller = new AbortController();
  let by: 'SIGINT' | 'SIGTERM' | undefined;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    target.on(name, () => {
      if (by !== undefined) target.exit(EXIT[name]);
      by = name;
      controller.abort();
    });
  }
  return { signal: controller.signal, by: () => by };
}
