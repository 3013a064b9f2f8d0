/** Resolves what a person typed as a store to the URL of a store module. */
import { existsSync, statSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nearest } from '../scenario/nearest.ts';
import { isStorePath } from '../scenario/resolve.ts';
import { UsageError } from '../scenario/usage-error.ts';

/** A store module that was found but not yet imported. Plain data: it goes to worker processes as it is. */
export interface StoreModuleRef {
  /** As typed: `sqlite`, `mutant:M01`, `./my-store.mjs`. For people. */
  readonly spec: string;
  /** `file:` URL of the module. */
  readonly url: string;
}

/** Names of the stores that come with the package. */
export const BUILT_IN_STORES = ['sqlite', 'memory'] as const;

/** Where a store is looked for. */
export interface RefOptions {
  /** Folder of relative paths. Default: the working directory. */
  readonly cwd?: string;
  /**
   * Finds the module of a mutant; the registry belongs to `scenarios/`, which the harness does not import. Default: no
   * mutant is known.
   * @throws a UsageError for an unknown id.
   */
  readonly mutant?: (id: string) => string;
}

/**
 * Resolves `sqlite`, `memory`, `mutant:M01`, a `file:` URL or a path.
 * @throws {@link UsageError} `STORE_UNKNOWN`, `STORE_MODULE_MISSING`.
 */
export function resolveStoreModule(spec: string, options: RefOptions = {}): StoreModuleRef {
  const builtIn = BUILT_IN_STORES.find((name) => name === spec);
  if (builtIn !== undefined) return { spec, url: builtInUrl(builtIn) };
  if (spec.startsWith('mutant:') && options.mutant !== undefined) {
    return { spec, url: options.mutant(spec.slice('mutant:'.length)) };
  }
  if (spec.startsWith('file:')) return { spec, url: existing(new URL(spec), spec) };
  if (!isStorePath(spec) || /^[a-z][a-z0-9+]*:\/\//i.test(spec)) throw unknownStore(spec, options.cwd);
  return { spec, url: existing(pathToFileURL(resolvePath(options.cwd ?? process.cwd(), spec)), spec) };
}

/** Built-in modules lie beside this one: TypeScript in the sources, JavaScript in `dist`. */
function builtInUrl(name: string): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`../../src/stores/${name}/module.${extension}`, import.meta.url).href;
}

function existing(url: URL, spec: string): string {
  const stat = statSync(url, { throwIfNoEntry: false });
  if (stat?.isFile() === true) return url.href;
  throw new UsageError({
    code: 'STORE_MODULE_MISSING',
    message:
      stat === undefined
        ? `There is no store module at \`${spec}\`.`
        : `Expected \`${spec}\` to be the file of a store module, and it is a folder.`,
    hint: 'Paths on the command line are relative to the working directory, paths in a scenario to its file.',
    place: { file: decodeURIComponent(url.pathname) },
  });
}

function unknownStore(spec: string, cwd: string | undefined): UsageError {
  const near = nearest(spec, BUILT_IN_STORES);
  const asFile = existsSync(resolvePath(cwd ?? process.cwd(), spec));
  const meant = asFile ? `./${spec}` : near;
  return new UsageError({
    code: 'STORE_UNKNOWN',
    message: `Expected a store, got \`${spec}\`.`,
    hint: `${meant === undefined ? '' : `Did you mean \`${meant}\`? `}Accepted: ${BUILT_IN_STORES.map((name) => `\`${name}\``).join(', ')}, \`mutant:M01\`, or the path of a store module such as \`./my-store.mjs\`.`,
  });
}
