/** Progress on stderr: a redrawn block on a terminal, elsewhere a line every few seconds. */
import { createLogUpdate } from 'log-update';
import { progressBlock, progressLine } from '../report/progress.ts';
import type { Style } from '../report/style.ts';
import type { Progress } from '../run/api.ts';
import type { Display } from './context.ts';

const LINE_EVERY_MS = 3_000;

/** What decides which of the two is shown. */
export interface LiveOptions {
  readonly stream: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly style: Style;
}

/** The display that fits the stream. A CI log that claims to be a terminal is none. */
export function liveDisplay({ stream, env, style }: LiveOptions): Display {
  const isCi = env.CI !== undefined && env.CI !== '' && env.CI !== 'false';
  const moves = stream.isTTY === true && !isCi && env.TERM !== 'dumb';
  return moves
    ? blockDisplay(stream, style)
    : lineDisplay(
        (text) => stream.write(text),
        style,
        () => Date.now(),
      );
}

/** Nothing at all, for `--quiet`. */
export const silentDisplay: Display = { moves: false, show: () => {}, clear: () => {} };

function blockDisplay(stream: NodeJS.WriteStream, style: Style): Display {
  const draw = createLogUpdate(stream, { showCursor: true });
  return {
    moves: true,
    show: (progress) => {
      // A block that is higher than the screen cannot be redrawn: it would scroll away line by line.
      const room = Math.max(4, (stream.rows ?? 24) - 2);
      draw(progressBlock(progress, style).slice(0, room).join('\n'));
    },
    clear: () => draw.clear(),
  };
}

/** One line when the phase changes, and every three seconds. */
export function lineDisplay(write: (text: string) => void, style: Style, now: () => number): Display {
  let phase: Progress['phase'] | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return {
    moves: false,
    show: (progress) => {
      if (progress.phase === phase && now() - last < LINE_EVERY_MS) return;
      phase = progress.phase;
      last = now();
      write(`${progressLine(progress, style)}\n`);
    },
    clear: () => {},
  };
}
