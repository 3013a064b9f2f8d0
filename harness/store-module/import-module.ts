/**
 * Imports a store module and checks its exports, all but the declarations: those need zod, whose import alone costs a
 * worker more time than opening its store, and were checked by the probe before any worker started.
 */
import { fileURLToPath } from 'node:url';
import type { DurablePlan, PlanOptions } from '../../src/plan/types.ts';
import type { Awaitable, Store, StoreHold, StoreOptions } from '../../src/store.ts';
import { editDistance } from '../scenario/nearest.ts';
import { describeValue, UsageError } from '../scenario/usage-error.ts';
import { importFailure } from './import-failure.ts';
import type { StoreModuleRef } from './ref.ts';
import { within } from './time-limit.ts';

/** A store module that was imported and has the right exports. */
export interface ImportedStoreModule {
  readonly ref: StoreModuleRef;
  /** As exported, not yet checked. */
  readonly declares: unknown;
  readonly open: (options: StoreOptions) => Awaitable<Store>;
  readonly prepare: ((options: StoreOptions) => Awaitable<void>) | undefined;
  readonly destroy: ((options: StoreOptions) => Awaitable<void>) | undefined;
  readonly hog: ((options: StoreOptions) => Awaitable<StoreHold>) | undefined;
  /** Plans of its own, for the workload `plan`; undefined: those of this package. */
  readonly createPlan: ((options: PlanOptions) => DurablePlan) | undefined;
}

/** How a module is imported. */
export interface ImportOptions {
  /** Default: the `import()` of this process. */
  readonly importer?: (url: string) => Promise<unknown>;
  /** Default: 10 s. A module that awaits something for ever is reported, not waited for. */
  readonly timeLimitMs?: number;
}

const EXPORTS = ['default', 'declares', 'prepare', 'destroy', 'hog', 'createPlan'] as const;

/**
 * Imports a store module.
 * @throws {@link UsageError} `STORE_MODULE_IMPORT`, `STORE_MODULE_MISSING`, `STORE_MODULE_TYPESCRIPT`,
 * `STORE_MODULE_EXPORTS`.
 */
export async function importStoreModule(
  ref: StoreModuleRef,
  options: ImportOptions = {},
): Promise<ImportedStoreModule> {
  const importer = options.importer ?? ((url: string): Promise<unknown> => import(url));
  let exported: unknown;
  try {
    exported = await within(options.timeLimitMs ?? 10_000, 'the import of the module', () =>
      importer(ref.url),
    );
  } catch (cause) {
    throw importFailure(ref, cause);
  }
  return checkExports(ref, Object(exported) as Readonly<Record<string, unknown>>);
}

function checkExports(ref: StoreModuleRef, exported: Readonly<Record<string, unknown>>): ImportedStoreModule {
  const names = Object.keys(exported).filter((name) => name !== 'module.exports' && name !== '__esModule');
  if (typeof exported.default !== 'function') {
    const found =
      names.length === 0
        ? 'it exports nothing'
        : `it exports ${names.map((name) => `\`${name}\``).join(', ')}`;
    const got =
      exported.default === undefined ? found : `its default export is ${describeValue(exported.default)}`;
    throw refuse(
      ref,
      `Expected \`${ref.spec}\` to have a function as its default export, and ${got}.`,
      'Write `export default (options) => new MyStore(options)`. It is called once in each worker process and answers the store.',
    );
  }
  for (const name of names) {
    if (EXPORTS.some((known) => known === name)) continue;
    // A short name is near to too many others: `log` is no misspelt `hog`.
    const meant = EXPORTS.find(
      (known) =>
        known.length > 4 && exported[known] === undefined && editDistance(name.toLowerCase(), known) <= 2,
    );
    if (meant === undefined) continue;
    throw refuse(
      ref,
      `Expected \`${ref.spec}\` to export \`${meant}\`, got \`${name}\`.`,
      `Did you mean \`${meant}\`?`,
    );
  }
  return {
    ref,
    declares: exported.declares,
    open: exported.default as ImportedStoreModule['open'],
    prepare: optionalFunction(ref, exported, 'prepare'),
    destroy: optionalFunction(ref, exported, 'destroy'),
    hog: optionalFunction(ref, exported, 'hog'),
    createPlan: optionalFunction(ref, exported, 'createPlan'),
  };
}

function optionalFunction<F extends (...args: never) => unknown>(
  ref: StoreModuleRef,
  exported: Readonly<Record<string, unknown>>,
  name: (typeof EXPORTS)[number],
): F | undefined {
  const value = exported[name];
  if (value === undefined) return undefined;
  if (typeof value === 'function') return value as unknown as F;
  throw refuse(ref, `Expected \`${name}\` of \`${ref.spec}\` to be a function, got ${describeValue(value)}.`);
}

function refuse(ref: StoreModuleRef, message: string, hint?: string): UsageError {
  return new UsageError({
    code: 'STORE_MODULE_EXPORTS',
    message,
    hint,
    place: { file: fileURLToPath(ref.url) },
  });
}
