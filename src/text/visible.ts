/**
 * Text of others (keys, labels, errors of stores, file names), made fit for a terminal: nothing in it can move the cursor, colour
 * the screen, turn the direction of writing, or hide. Pure.
 */

/**
 * C0 and C1 controls and DEL, line and paragraph separators, bidirectional and zero-width marks, tag characters, and halves of
 * surrogate pairs, which no terminal can show.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Everything that is hidden is shown in the way of JSON: `\n`, `\u001b`. What comes out is one line. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => SHORT[character] ?? jsonUnits(character));
}

/** As `visible`, but line ends stay line ends and tabs become blanks: for messages of several lines. */
export function visibleLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => visible(line.replaceAll('\t', '  ')))
    .join('\n');
}

/** JSON text with the same meaning in which nothing is hidden. Line ends between its parts stay. */
export function visibleJson(text: string): string {
  return text.replace(HIDDEN, (character) => (character === '\n' ? character : jsonUnits(character)));
}

function jsonUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('');
}
