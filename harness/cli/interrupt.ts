/**
 * Ctrl-C, SIGTERM, and SIGHUP of a terminal that was closed. The first signal lets the run heal, check and write a partial report; the second ends everything now: this process
 * exits, and the guard process, whose pipe breaks, ends every worker.
 */

import type { Interruption } from './context.ts';
import { ENDING_SIGNALS, type EndingSignal, EXIT } from './exit.ts';

/** Installs the handlers for the life of the process. `say` tells the person what happens. */
export function watchSignals(target: NodeJS.Process, say: (text: string) => void): Interruption {
  const controller = new AbortController();
  let by: EndingSignal | undefined;
  for (const name of ENDING_SIGNALS) {
    target.on(name, () => {
      if (by !== undefined) target.exit(EXIT[name]);
      by = name;
      say('stopping: healing and checking what there is; once more to end everything now');
      controller.abort('interrupt');
    });
  }
  return { signal: controller.signal, by: () => by };
}
