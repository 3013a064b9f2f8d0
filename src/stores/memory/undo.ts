/** Steps that take back what a transaction did, in case it throws. */

export type Undo = (() => void)[];

/** Sets a value and notes how to take it back. */
export function setIn<K, V>(map: Map<K, V>, key: K, value: V, undo: Undo): void {
  const before = map.get(key);
  undo.push(() => {
    if (before === undefined) map.delete(key);
    else map.set(key, before);
  });
  map.set(key, value);
}
