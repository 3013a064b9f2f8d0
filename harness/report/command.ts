/** Commands that the report tells a person to type. Pure. */

import { commandLines } from '../../src/text/help.ts';
import { widthOf } from '../../src/text/layout.ts';
import { shellFlag, shellWord } from '../../src/text/shell.ts';
import { besideLabel, labelled } from './layout.ts';
import type { Style } from './style.ts';

/** How the command is started here, and the run directory as it is typed here. */
export interface Typed {
  readonly command: string;
  readonly directory: string;
}

/** `fencepost check reports/latest --item claims/item-17`. */
export function checkCommand({ command, directory }: Typed, key?: string): string {
  const item = key === undefined ? '' : ` ${shellFlag('--item', key)}`;
  return `${command} check ${shellWord(directory)}${item}`;
}

/** The command beside its label, or below it where it is too long for that. */
export function commandBeside(label: string, command: string, style: Style): string[] {
  const room = besideLabel(style.width);
  const beside = commandLines(command, room);
  if (beside.every((line) => widthOf(line) <= room)) return labelled(label, beside.map(style.strong));
  return [`  ${label}`, ...commandLines(command, style.width - 2).map((line) => `  ${style.strong(line)}`)];
}
