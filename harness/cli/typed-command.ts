/** How a person starts this command, so that a line that is shown to them works as they type it. Pure. */
import { basename, delimiter, dirname } from 'node:path';
import { shellWord } from '../../src/text/shell.ts';
import { shown } from './shown.ts';

/** What the process was started with. */
export interface Started {
  /** `process.argv[1]`: the script, or the link to it. */
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `npx fencepost`, `fencepost`, or `node dist/harness/cli/main.js`. */
export function typedCommand({ script, cwd, env }: Started): string {
  // npx, npm exec and npm scripts put the folder of the command on the path of their own child only.
  if (env.npm_command === 'exec' || env.npm_lifecycle_event === 'npx') return 'npx fencepost';
  // A script of this package's own clone, such as `npm start`: npx finds the command there as well.
  if (env.npm_lifecycle_event !== undefined && env.npm_package_name === 'fencepost') return 'npx fencepost';
  const isLink = /^fencepost(\.cmd)?$/.test(basename(script));
  if (isLink && env.npm_lifecycle_event !== undefined) return 'npx fencepost';
  if (isLink && (env.PATH ?? '').split(delimiter).includes(dirname(script))) return 'fencepost';
  const path = shown(script, cwd);
  return isLink ? shellWord(path.includes('/') ? path : `./${path}`) : `node ${shellWord(path)}`;
}
