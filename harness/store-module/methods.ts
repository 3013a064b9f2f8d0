/** Which operations of the contract a store has. Pure. */
import type { EntryStore, Store } from '../../src/store.ts';
import { type OperationName, WORK_OPERATIONS } from '../history/record.ts';
import { ShapeError } from './shape-error.ts';

/** The recorded operations of each facet. What `commit` is to entries, `since` is to the feed: without it there is none. */
const FACETS = [
  { name: 'work', operations: WORK_OPERATIONS, required: [] },
  {
    name: 'entries',
    operations: ['commit', 'get', 'list', 'history'],
    required: ['commit', 'get', 'list', 'history'],
  },
  { name: 'feed', operations: ['since', 'trim'], required: ['since'] },
] as const satisfies readonly {
  readonly name: 'work' | 'entries' | 'feed';
  readonly operations: readonly OperationName[];
  readonly required: readonly (keyof EntryStore | 'since')[];
}[];

/**
 * The operations that a store has and that are recorded, in the order of the contract.
 * @throws {@link ShapeError} when the store, a facet or a method is of the wrong type.
 */
export function methodsOf(store: Store): OperationName[] {
  if (typeof store !== 'object' || store === null)
    throw new ShapeError('default', '', 'a store object', store);
  for (const name of ['nowMs', 'close'] as const) {
    if (typeof store[name] !== 'function') throw new ShapeError('default', name, 'a method', store[name]);
  }
  return FACETS.flatMap(({ name, operations, required }) => {
    const facet: unknown = store[name];
    if (facet === undefined) return [];
    if (typeof facet !== 'object' || facet === null)
      throw new ShapeError('default', name, 'an object of methods', facet);
    const methods = facet as Readonly<Record<string, unknown>>;
    for (const method of required) {
      if (typeof methods[method] !== 'function')
        throw new ShapeError('default', `${name}.${method}`, 'a method', methods[method]);
    }
    return operations.filter((method) => {
      if (methods[method] === undefined || typeof methods[method] === 'function')
        return methods[method] !== undefined;
      throw new ShapeError('default', `${name}.${method}`, 'a method, or left out', methods[method]);
    });
  });
}
