#!/usr/bin/env node
/**
 * The `fencepost` command. It makes sure that no failure of its own looks like a verdict, and then starts the rest.
 *
 * Try it: `node dist/harness/cli/main.js --help`.
 */
import { visibleLines } from '../../src/text/visible.ts';
import { EXIT } from './exit.ts';

// Whatever goes wrong from here on, the exit code must not be 0, nor Node's own 1, which here means "violated".
process.exitCode = EXIT.harnessError;
process.on('uncaughtException', fatal);
process.on('unhandledRejection', fatal);
// A reader that has seen enough (`| head`) is no error, nor is a terminal that was closed: what it asked for goes on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') fatal(error);
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
      `\nfencepost: an error of its own, exit ${EXIT.harnessError}; please report it\n\n${visibleLines(text)}\n`,
    );
  } finally {
    process.exit(EXIT.harnessError);
  }
}
