/**
 * Text for people: colours, names, numbers. Colour is never the only signal, and text that workers wrote goes through
 * `value` and `name`, so that it cannot move the cursor.
 */
import { styleText } from 'node:util';
import { encodeName, encodeValue } from '../board/view/encode.ts';
import { visibleJson } from '../text/visible.ts';
import { lineWidth } from '../text/width.ts';

/** How text is dressed. */
export interface Style {
  readonly bad: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  /** Marks what is wrong, also without colour. */
  readonly cross: string;
  readonly more: string;
  /** Columns of a line. */
  readonly width: number;
}

const asIs = (text: string): string => text;

/** No colour, all signs, 80 columns. */
export const PLAIN: Style = { bad: asIs, strong: asIs, faint: asIs, cross: '✘', more: '…', width: 80 };

/** Colours where the stream shows them: NO_COLOR, FORCE_COLOR and pipes are respected. Signs where the locale is UTF-8. */
export function styleFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Style {
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    styleText(format, text, { stream });
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || 'UTF-8';
  const signs = /utf-?8/i.test(locale) && env.TERM !== 'linux' && env.TERM !== 'dumb';
  return {
    bad: paint('red'),
    strong: paint('bold'),
    faint: paint('dim'),
    cross: signs ? '✘' : 'X',
    more: signs ? '…' : '...',
    width: lineWidth(stream, env),
  };
}

/** A key or a label, one that is missing as a dash. */
export const name = (text: string | undefined): string =>
  text === undefined || text === '' ? '-' : encodeName(text);
/** A value on one line. */
export const value = (content: unknown): string => encodeValue(content);

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `3,140` */
export const count = (number: number): string => GROUPED.format(number);

/** `1 view`, `4 views`. */
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`;

/** `1.8 %` of a share from 0 to 1; a dash where there is no such number. */
export function percent(share: number | undefined): string {
  if (share === undefined) return '-';
  return `${(share * 100).toFixed(share === 0 || share >= 0.0995 ? 0 : 1)} %`;
}

/** `320 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${count(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** `12:00:01.123`, in UTC. */
export function timeOfDay(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString().slice(11, 23) : String(ms);
}

/** JSON on one line, for programs. Generations are numbers there. */
export function json(content: unknown): string {
  const text = JSON.stringify(content, (_, member: unknown) =>
    typeof member === 'bigint' ? Number(member) : member,
  );
  return visibleJson(text);
}
