/** Which operations of the contract a store has. Pure. */
import type { Store, WorkStore } from '../../src/store.ts';
import { WORK_OPERATIONS, type WorkOperation } from '../history/record.ts';
import { ShapeError } from './shape-error.ts';

/**
 * The operations of the work facet that a store has, in the order of the contract.
 * @throws {@link ShapeError} when the store, its facet or a method is of the wrong type.
 */
export function methodsOf(store: Store): WorkOperation[] {
  if (typeof store !== 'object' || store === null)
    throw new ShapeError('default', '', 'a store object', store);
  for (const name of ['nowMs', 'close'] as const) {
    if (typeof store[name] !== 'function') throw new ShapeError('default', name, 'a method', store[name]);
  }
  const work: WorkStore | undefined = store.work;
  if (work === undefined) return [];
  if (typeof work !== 'object' || work === null)
    throw new ShapeError('default', 'work', 'an object of methods', work);
  return WORK_OPERATIONS.filter((name) => {
    const method: unknown = work[name];
    if (method === undefined || typeof method === 'function') return method !== undefined;
    throw new ShapeError('default', `work.${name}`, 'a method, or left out', method);
  });
}
