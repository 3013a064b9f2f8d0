/** Imports a store module and checks all that it exports, so that every mistake is named before anything starts. */
import { checkDeclares } from './check-declares.ts';
import type { Declares } from './declares.ts';
import { type ImportedStoreModule, type ImportOptions, importStoreModule } from './import-module.ts';
import type { StoreModuleRef } from './ref.ts';

export type { ImportOptions };

/** A store module that was imported, with its declarations filled in. */
export interface LoadedStoreModule extends Omit<ImportedStoreModule, 'declares'> {
  readonly declares: Declares;
}

/**
 * Imports a store module.
 * @throws {@link UsageError} as `importStoreModule` does, and `STORE_MODULE_DECLARES`.
 */
export async function loadStoreModule(
  ref: StoreModuleRef,
  options: ImportOptions = {},
): Promise<LoadedStoreModule> {
  const module = await importStoreModule(ref, options);
  return { ...module, declares: checkDeclares(ref, module.declares) };
}
