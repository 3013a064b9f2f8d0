/** Says why a store module could not be imported, and what to do about it. */
import { fileURLToPath } from 'node:url';
import { UsageError } from '../scenario/usage-error.ts';
import type { StoreModuleRef } from './ref.ts';

/** The reason in words of the person who wrote the module. */
export function importFailure(ref: StoreModuleRef, cause: unknown): UsageError {
  const file = fileURLToPath(ref.url);
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts$/.test(file)) {
    const problem = {
      code: 'STORE_MODULE_TYPESCRIPT',
      message: `\`${ref.spec}\` is TypeScript, and Node ${process.versions.node} cannot load it.`,
      hint: 'Compile it and name the JavaScript file, or run with tsx: `NODE_OPTIONS="--import tsx" fencepost run …`.',
      place: { file },
    } as const;
    return new UsageError(problem, { cause });
  }
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') {
    const problem = {
      code: 'STORE_MODULE_MISSING',
      message: `\`${ref.spec}\` imports something that is not there. ${text}`,
      hint: 'Install it beside the module (`npm install`), or correct the import.',
      place: { file },
    } as const;
    return new UsageError(problem, { cause });
  }
  const problem = {
    code: 'STORE_MODULE_IMPORT',
    message: `\`${ref.spec}\` could not be imported. ${text}`,
    hint: 'A store module should do nothing when it is imported; open connections in its default export.',
    place: { file, line: lineIn(cause, ref.url), column: undefined },
  } as const;
  return new UsageError(problem, { cause });
}

/** The line of the module that threw, from the first frame of the stack that lies in it. */
function lineIn(cause: unknown, url: string): number | undefined {
  const stack = cause instanceof Error ? (cause.stack ?? '') : '';
  for (const start of [url, fileURLToPath(url)]) {
    const at = stack.indexOf(`${start}:`);
    const line = at < 0 ? Number.NaN : Number.parseInt(stack.slice(at + start.length + 1), 10);
    if (Number.isInteger(line)) return line;
  }
  return undefined;
}
