/** The `blackboard` command in this process, on a file of an SQLite world with its fake clock. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Interruption } from '../../../src/cli/context.ts';
import { runCli } from '../../../src/cli/program.ts';
import { PLAIN, type Style } from '../../../src/cli/text.ts';
import type { Clock } from '../../../src/clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Options {
  readonly clock?: Clock;
  readonly style?: Style;
  readonly interruption?: Interruption;
  readonly transport?: Transport;
  /** Hears what is written to stdout. */
  readonly onWrite?: (text: string) => void;
}

export async function blackboard(args: readonly string[], options: Options = {}): Promise<Ran> {
  const { clock = createFakeClock(), style = PLAIN, onWrite } = options;
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    stdout: {
      write(text) {
        out.push(text);
        onWrite?.(text);
      },
    },
    stderr: { write: (text) => err.push(text) },
    style,
    clock,
    transport: async () => {
      if (options.transport !== undefined) return options.transport;
      throw new Error('Expected no command that speaks a protocol.');
    },
    interruption: () => options.interruption ?? { signal: new AbortController().signal, by: () => undefined },
  });
  return { code, stdout: out.join(''), stderr: err.join('') };
}

/** One JSON value for each line. */
export const jsonLines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
