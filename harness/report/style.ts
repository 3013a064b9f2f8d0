/** Marks and colours. Colour is never the only signal: every mark has a shape, and every colour stands beside a word. */
import { styleText } from 'node:util';
import { lineWidth } from '../../src/text/width.ts';

/** How text is dressed. All of it can be switched off without losing a word. */
export interface Style {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubt: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly mark: Marks;
  /** Columns of a line. */
  readonly width: number;
}

/** Signs, with a form for terminals that show ASCII only. */
export interface Marks {
  readonly ok: string;
  readonly bad: string;
  readonly doubt: string;
  readonly between: string;
  readonly none: string;
  readonly more: string;
  readonly times: string;
  readonly full: string;
  readonly empty: string;
  readonly up: string;
  readonly stopped: string;
  readonly starting: string;
  readonly down: string;
  readonly accused: string;
}

const UNICODE: Marks = {
  ok: '✔',
  bad: '✘',
  doubt: '?',
  between: '·',
  none: '–',
  more: '…',
  times: '×',
  full: '█',
  empty: '░',
  up: '●',
  stopped: '‖',
  starting: '◌',
  down: '○',
  accused: '←',
};

const ASCII: Marks = {
  ok: 'ok',
  bad: 'X',
  doubt: '?',
  between: '-',
  none: '-',
  more: '...',
  times: 'x',
  full: '#',
  empty: '.',
  up: '*',
  stopped: '=',
  starting: '~',
  down: 'o',
  accused: '<-',
};

const asIs = (text: string): string => text;

/** No colour, all signs, 80 columns: for files and tests. */
export const PLAIN: Style = {
  good: asIs,
  bad: asIs,
  doubt: asIs,
  strong: asIs,
  faint: asIs,
  mark: UNICODE,
  width: 80,
};

/** What decides the style of a stream. */
export interface StyleOptions {
  readonly stream: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Colours where the stream shows them (NO_COLOR, FORCE_COLOR and pipes are respected), signs where the locale is UTF-8. */
export function styleFor({ stream, env, platform }: StyleOptions): Style {
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    styleText(format, text, { stream });
  return {
    good: paint('green'),
    bad: paint('red'),
    doubt: paint('yellow'),
    strong: paint('bold'),
    faint: paint('dim'),
    mark: showsUnicode(env, platform) ? UNICODE : ASCII,
    width: lineWidth(stream, env),
  };
}

/** As POSIX orders them: LC_ALL, LC_CTYPE, LANG. Where none is set (containers, CI) UTF-8 is what everybody shows. */
export function showsUnicode(env: StyleOptions['env'], platform: NodeJS.Platform): boolean {
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false;
  if (platform === 'win32') return env.WT_SESSION !== undefined || env.CI !== undefined;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale === undefined || locale === '' || /utf-?8/i.test(locale);
}
