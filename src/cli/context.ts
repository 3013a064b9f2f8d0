/** Everything that a command may touch. Tests give their own; `main.ts` gives the real one. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Clock } from '../clock.ts';
import type { Style } from './text.ts';

/** A stream that a command writes to. */
export interface Output {
  write(text: string): unknown;
}

/** What a person's signal has said. */
export interface Interruption {
  readonly signal: AbortSignal;
  readonly by: () => 'SIGINT' | 'SIGTERM' | undefined;
}

/** The outside world of a command. */
export interface CliContext {
  /** Data. */
  readonly stdout: Output;
  /** Text for people, errors. */
  readonly stderr: Output;
  /** How stdout is dressed. */
  readonly style: Style;
  readonly clock: Clock;
  /** From here on Ctrl-C is told instead of ending the process at once. */
  readonly interruption: () => Interruption;
  /** stdin and stdout as a protocol, for `mcp`. Nothing else is written to stdout then. */
  readonly transport: () => Promise<Transport>;
}

/** Writes lines. */
export function print({ stdout }: Pick<CliContext, 'stdout'>, lines: readonly string[]): void {
  if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`);
}
