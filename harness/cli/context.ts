/** Everything that a command may touch. Tests give their own; `main.ts` gives the real one. */
import type { Style } from '../report/style.ts';
import type { CheckDirectory, RunScenario } from '../run/api.ts';
import type { EndingSignal } from './exit.ts';

/** A stream that a command writes to. */
export interface Output {
  write(text: string): unknown;
}

/** Shows a run while it goes on. */
export interface Display {
  /** A block that is redrawn; otherwise lines, one below the other. */
  readonly moves: boolean;
  readonly show: NonNullable<Parameters<RunScenario>[0]['onProgress']>;
  /** Takes a moving block off the screen, so that text can follow. */
  readonly clear: () => void;
}

/** One broken store, as the command line needs to know it. */
export interface MutantEntry {
  readonly id: string;
  readonly title: string;
  readonly breaks: readonly string[];
  /** Without this in the run the mutant is rightly invisible. */
  readonly needs: string;
  /** Name of the scenario that shows it. Default `kill-mid-lease`. */
  readonly scenario?: string;
  /** A documented limit: why it survives, and must. */
  readonly limit?: string;
  /** What the harness lacks to show it; until then it is not run. */
  readonly waitsFor?: string;
  /** It can stand around any store (`--power`). */
  readonly power?: {
    /** Ids of the evidence without which nobody can notice it. */
    readonly evidence: readonly string[];
    /** The address of a module that puts it around the stores of another module. */
    readonly around: (storeUrl: string) => string;
  };
  readonly url: string;
}

/** What a person's signals have said so far. */
export interface Interruption {
  /** Aborted with the reason `'interrupt'` by the first signal. The second ends the process. */
  readonly signal: AbortSignal;
  readonly by: () => EndingSignal | undefined;
}

/** The outside world of a command. */
export interface CliContext {
  /** Data. */
  readonly stdout: Output;
  /** Text for people, progress, errors. */
  readonly stderr: Output;
  readonly style: Style;
  readonly cwd: string;
  /** How this command was started, such as `npx fencepost`: lines that are shown must work as they are typed. */
  readonly command: string;
  /** Folder of the scenarios that come with the package. */
  readonly scenarios: string;
  readonly runScenario: RunScenario;
  readonly checkDirectory: CheckDirectory;
  readonly mutants: readonly MutantEntry[];
  readonly display: () => Display;
  readonly interruption: Interruption;
  readonly randomSeed: () => number;
}
