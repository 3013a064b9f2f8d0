/**
 * Ctrl-C. The first signal lets the run heal, check and write a partial report; the second ends everything now: this process
 * exits, and the guard process, whose pipe breaks, ends every worker.
 */

import type { Interruption } from './context.ts';
import { EXIT } from './exit.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Installs the handlers for the life of the process. `say` tells the person what happens. */
export function watchSignals(target: NodeJS.Process, say: (text: string) => void): Interruption {
  const controller = new AbortController();
  let by: (typeof SIGNALS)[number] | undefined;
  for (const name of SIGNALS) {
    target.on(name, () => {
      if (by !== undefined) target.exit(EXIT[name]);
      by = name;
      say('stopping: healing and checking what there is; once more to end everything now');
      controller.abort('interrupt');
    });
  }
  return { signal: controller.signal, by: () => by };
}
