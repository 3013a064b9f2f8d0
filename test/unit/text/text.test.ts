import { describe, expect, it } from 'vitest';
import { commandLines, helpTail } from '../../../src/text/help.ts';
import { cut, widthOf } from '../../../src/text/layout.ts';
import { shellFlag, shellWord } from '../../../src/text/shell.ts';
import { table } from '../../../src/text/table.ts';
import { visible, visibleJson, visibleLines } from '../../../src/text/visible.ts';
import { lineWidth } from '../../../src/text/width.ts';

describe('visible', () => {
  it.each([
    ['a\u001b[2Jb', 'a\\u001b[2Jb'],
    ['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
    ['\u009b31m\u007f', '\\u009b31m\\u007f'],
    ['\u202eabc\u2066', '\\u202eabc\\u2066'],
    ['\u200b\ufeff\u2028', '\\u200b\\ufeff\\u2028'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['\ud800', '\\ud800'],
    ['Grüße, 日本, 🦊 ✔', 'Grüße, 日本, 🦊 ✔'],
  ])('%j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('keeps the lines of a message', () => {
    expect(visibleLines('one\r\n\ttwo\u001b[0m')).toBe('one\n  two\\u001b[0m');
  });

  it('keeps the meaning of JSON', () => {
    const value = { 'k\u202e': ['\u009b', '\u{e0041}', '\ud800', 'a\nb'] };
    const text = visibleJson(JSON.stringify(value, null, 2));
    expect(JSON.parse(text)).toEqual(value);
    expect(visibleLines(text)).toBe(text);
  });
});

describe('shellWord', () => {
  it.each([
    ['claims/item-17', 'claims/item-17'],
    ['a b', "'a b'"],
    ["it's", "'it'\\''s'"],
    ['$(rm -rf .)', "'$(rm -rf .)'"],
    ['', "''"],
    ["a\u001b['\\n", "$'a\\u001b[\\'\\\\n'"],
    ['\u{e0041}', "$'\\U000e0041'"],
  ])('%j', (text, word) => {
    expect(shellWord(text)).toBe(word);
  });

  it('binds a value with a dash to its flag', () => {
    expect(shellFlag('--item', '-rf')).toBe('--item=-rf');
    expect(shellFlag('--item', 'a')).toBe('--item a');
  });
});

describe('commandLines', () => {
  const command = "npx fencepost check reports/latest --item 'slot/w4/a b'";

  it('stays one line where it fits', () => {
    expect(commandLines(command, 80)).toEqual([command]);
  });

  it('goes on behind a backslash, with a flag and its value together, as one command', () => {
    const lines = commandLines(command, 30);
    expect(lines).toEqual(['npx fencepost check \\', '  reports/latest \\', "  --item 'slot/w4/a b'"]);
    expect(lines.join('\n').replace(/ \\\n +/g, ' ')).toBe(command);
  });

  it('stands in help with its examples', () => {
    expect(helpTail(80, ['a', 'b'], 'Exit: 0.')).toBe('\nExamples:\n  $ a\n  $ b\n\nExit: 0.');
    expect(helpTail(80, ['a'])).toBe('\nExample:\n  $ a');
  });
});

describe('table', () => {
  const columns = [
    { head: 'id' },
    { head: 'seen', align: 'right' },
    { head: '' },
    { head: 'what', wraps: true },
  ] as const;
  const rows = [['S1', '81', '✔', 'No two grants of one item carry the same generation.']];
  const draw = (width: number) => table(columns, rows, { head: (text) => text, width });

  it('has columns where they fit', () => {
    expect(draw(80)).toEqual([
      '  id   seen       what',
      '  S1     81   ✔   No two grants of one item carry the same generation.',
    ]);
  });

  it('breaks the sentence beside the other columns', () => {
    expect(draw(50)).toEqual([
      '  id   seen       what',
      '  S1     81   ✔   No two grants of one item carry',
      '                  the same generation.',
    ]);
  });

  it('becomes a paragraph a row where that is too narrow', () => {
    expect(draw(40)).toEqual([
      '  S1 ✔',
      '    seen 81',
      '    No two grants of one item carry the',
      '    same generation.',
    ]);
  });
});

it('cuts by columns, with a mark', () => {
  expect(cut('日本語', 6, '…')).toBe('日本語');
  expect(cut('日本語', 5, '…')).toBe('日本…');
  expect(widthOf(cut('x'.repeat(50), 10, '...'))).toBe(10);
});

describe('lineWidth', () => {
  it.each([
    [{ isTTY: true, columns: 100 }, {}, 100],
    [{ isTTY: true, columns: 20 }, {}, 40],
    [{ isTTY: true, columns: 300 }, {}, 120],
    [{ isTTY: true, columns: 0 }, {}, 80],
    [{}, {}, 80],
    [{}, { COLUMNS: '60' }, 60],
    [{}, { COLUMNS: 'wide' }, 80],
  ])('%j %j', (stream, env, width) => {
    expect(lineWidth(stream, env)).toBe(width);
  });
});
