/** Words as a shell reads them, so that a command that is shown can be typed. Pure. */
import { visible } from './visible.ts';

/** A word: bare where that is safe, in quotes elsewhere, and in `$'…'` where something in it cannot be seen. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (visible(text) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  // bash and zsh know this form; a plain quote would put the hidden sign itself on the screen.
  const escaped = text.replace(/['\\]/g, '\\$&');
  return `$'${visible(escaped).replace(/\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/g, wholePoint)}'`;
}

function wholePoint(_: string, high: string, low: string): string {
  const point = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0;
  return `\\U${point.toString(16).padStart(8, '0')}`;
}

/** `--item KEY`. A value that begins with a dash is bound to its flag. */
export function shellFlag(flag: string, value: string): string {
  return value.startsWith('-') || value === ''
    ? `${flag}=${shellWord(value)}`
    : `${flag} ${shellWord(value)}`;
}
