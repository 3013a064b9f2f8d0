/** Answers that may be there at once. Pure. */
import type { Awaitable } from '../store.ts';

/** Goes on with a value: at once where it is there, else when it comes. */
export function mapAwaitable<T, R>(value: Awaitable<T>, go: (value: T) => R): Awaitable<R> {
  return isPromise(value) ? value.then(go) : go(value);
}

function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
