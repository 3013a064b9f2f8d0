/** Exit codes: one table, stable, and none that a shell gives a meaning of its own. Pure. */
import type { Verdict } from '../report/results.ts';

/** Every exit code of `fencepost` with what it means; the docs page is made from it. */
export const EXIT = {
  /** No violation, and all evidence is in. */
  valid: 0,
  /** A guarantee is broken, with a witness. */
  violated: 1,
  /** Too little was seen for a verdict. */
  inconclusive: 2,
  /** The test itself went wrong. */
  harnessError: 3,
  /** Refused before anything started. */
  usage: 64,
  /** Ctrl-C. */
  SIGINT: 130,
  SIGTERM: 143,
  /** The terminal was closed, or somebody said so: 128 and the number of the signal, as shells have it. */
  SIGHUP: 129,
} as const;

/** Signals that end a run in order. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** One of them. */
export type EndingSignal = (typeof ENDING_SIGNALS)[number];

/** What decides the exit of a run or a check. */
export interface Ending {
  readonly verdict: Verdict;
  /** The signal that ended the run early. */
  readonly interruptedBy?: EndingSignal | undefined;
  /** Somebody typed `--allow-inconclusive`. */
  readonly allowInconclusive?: boolean | undefined;
}

/** The exit code. A partial run never exits as if it were whole, whatever it found. */
export function exitCodeOf({ verdict, interruptedBy, allowInconclusive = false }: Ending): number {
  if (interruptedBy !== undefined) return EXIT[interruptedBy];
  switch (verdict) {
    case 'valid':
      return EXIT.valid;
    case 'violated':
      return EXIT.violated;
    case 'inconclusive':
      return allowInconclusive ? EXIT.valid : EXIT.inconclusive;
    case 'harness-error':
      return EXIT.harnessError;
  }
}
