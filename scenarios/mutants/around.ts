/**
 * A store module around another one, whose stores it breaks by the wrapper of a mutant. Which ones is in its own address, so
 * that worker processes need to be told nothing else: `around.js?mutant=MODULE&store=URL`.
 */
import type { ImportedStoreModule } from '../../harness/store-module/import-module.ts';
import type { Store, StoreModule, StoreOptions } from '../../src/store.ts';

interface Decorator {
  readonly decorate: (store: Store) => Store;
}

const asked = new URL(import.meta.url).searchParams;
const ending = import.meta.url.includes('.ts?') ? '.ts' : '.js';
const inner: StoreModule & Pick<ImportedStoreModule, 'createPlan'> = await import(asked.get('store') ?? '');
const { decorate }: Decorator = await import(`./${asked.get('mutant')}${ending}`);

export const { declares, prepare, destroy, createPlan } = inner;

export default async function open(options: StoreOptions): Promise<Store> {
  return decorate(await inner.default(options));
}
