/** Help and errors of the command-line library, laid out for every width, with nothing hidden in them. */
import { type Command, Help } from 'commander';
import { helpItem } from './help.ts';
import { wrap } from './layout.ts';
import { visibleLines } from './visible.ts';

/** Where a command writes, and how wide. */
export interface HelpTarget {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly width: number;
}

/** Set on the root; commands that are added afterwards inherit it. */
export function layOutHelp(program: Command, { stdout, stderr, width }: HelpTarget): Command {
  return program
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
      outputError: (text, write) => write(wrapLines(visibleLines(text), width)),
    })
    .configureHelp({
      minWidthToWrap: 20,
      commandUsage: (command) =>
        wrap(new Help().commandUsage(command), width - 'Usage: '.length).join('\n       '),
      formatItem: (term, termWidth, description) => helpItem(term, termWidth, description, width),
    });
}

const wrapLines = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) => (line === '' ? [''] : wrap(line, width)))
    .join('\n');
