/** The text of `--help`, at every width. Pure; its callers hand it to the command-line library. */
import { pad, widthOf, wrap } from './layout.ts';

const BESIDE = 28;

/** One line of a list of options or commands: the sentence beside its term, or below it where that is too narrow. */
export function helpItem(term: string, termWidth: number, description: string, width: number): string {
  const indent = 2;
  const gap = 2;
  if (description === '') return wrapTerm(term, width - indent, '  ');
  const room = width - indent - termWidth - gap;
  if (room >= BESIDE) {
    const [first = '', ...rest] = wrap(description, room);
    const below = ' '.repeat(indent + termWidth + gap);
    return [`  ${pad(term, termWidth)}  ${first}`, ...rest.map((line) => below + line)].join('\n');
  }
  return [
    wrapTerm(term, width - indent, '  '),
    ...wrap(description, width - 6).map((line) => `      ${line}`),
  ].join('\n');
}

const wrapTerm = (term: string, width: number, indent: string): string =>
  wrap(term, width)
    .map((line) => indent + line)
    .join('\n');

/** What stands below the options: examples, then sentences. Commands that are too long go on after a backslash, as shells read it. */
export function helpTail(
  width: number,
  examples: readonly string[],
  ...sentences: readonly string[]
): string {
  const heading = examples.length === 1 ? 'Example:' : 'Examples:';
  const lines = examples.flatMap((example) =>
    commandLines(`$ ${example}`, width - 2, '    ').map((line) => `  ${line}`),
  );
  const below = sentences.flatMap((sentence) => ['', ...wrap(sentence, width)]);
  return ['', heading, ...lines, ...below].join('\n');
}

/** A command on one line, or on several that a shell reads as one. A word that is longer than a line stays whole. */
export function commandLines(command: string, width: number, indent = '  '): string[] {
  if (widthOf(command) <= width) return [command];
  const lines: string[] = [];
  let line = '';
  for (const word of words(command)) {
    const room = width - 2;
    if (line.trim() !== '' && widthOf(line) + 1 + widthOf(word) > room) {
      lines.push(`${line} \\`);
      line = indent + word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Words with their quotes, and each flag with its value: those belong on one line. */
function words(command: string): string[] {
  const parts = command.match(/(?:'(?:[^']|'\\'')*'|\S)+/g) ?? [];
  const joined: string[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (before !== undefined && /^--?[a-z-]+$/.test(before) && !part.startsWith('-'))
      joined[joined.length - 1] = `${before} ${part}`;
    else joined.push(part);
  }
  return joined;
}
