#!/usr/bin/env node
/**
 * The `blackboard` command: looks at a board's file, also while workers use it.
 *
 * Try it: `node dist/src/cli/main.js --help`.
 */
import { visibleLines } from '../text/visible.ts';
import { EXIT } from './exit.ts';

// Whatever goes wrong from here on must not look like success, nor like a refusal.
process.exitCode = EXIT.internal;
process.on('uncaughtException', fatal);
process.on('unhandledRejection', fatal);
// A reader that has seen enough (`| head`) is no error, and nobody is left to write for.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') fatal(error);
    process.exit(EXIT.done);
  });
}

try {
  // Imported only now: a module that is missing or broken is caught as well.
  const { start } = await import('./start.ts');
  process.exitCode = await start(process);
} catch (error) {
  fatal(error);
}

function fatal(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  try {
    process.stderr.write(
      `\nblackboard: an error of its own, exit ${EXIT.internal}; please report it\n\n${visibleLines(text)}\n`,
    );
  } finally {
    process.exit(EXIT.internal);
  }
}
