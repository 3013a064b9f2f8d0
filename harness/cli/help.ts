/** What stands below the options of a command: examples, and what its exit codes mean. Pure. */
import { helpTail } from '../../src/text/help.ts';
import type { CliContext } from './context.ts';

/** Text for `addHelpText('after', …)`, as wide as the terminal. */
export const after = ({ style }: CliContext, examples: readonly string[], exit?: string): string =>
  helpTail(style.width, examples, ...(exit === undefined ? [] : [`Exit: ${exit}.`]));
