/**
 * Content is JSON: what goes in comes back as JSON carries it, and what JSON cannot carry is refused before anything is
 * stored, never replaced by a string or by null (spec/0-conventions.md). Pure.
 */
import { invalidArgument } from '../errors.ts';
import type { Json } from '../store.ts';

/** Also what ends the walk through a cycle. */
const MAX_DEPTH = 500;

/**
 * The JSON text of a value. A property that is undefined counts as absent.
 *
 * @throws FencepostError `INVALID_ARGUMENT` naming the place: NaN, an infinity, a BigInt, a function, a symbol, undefined
 * at the top or in an array, anything but plain objects and arrays, a cycle, or nesting deeper than 500.
 */
export function encodeJson(name: string, value: unknown): string {
  check(name, value, 0);
  return JSON.stringify(value);
}

/** The value of a JSON text that a store of ours wrote. */
export function decodeJson(text: string): Json {
  return JSON.parse(text) as Json;
}

function check(path: string, value: unknown, depth: number): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      if (Number.isFinite(value)) return;
      throw invalidArgument(path, 'a number that JSON can carry', value);
    case 'object':
      if (value !== null) checkContainer(path, value, depth);
      return;
    default:
      throw invalidArgument(path, 'a value that JSON can carry', value);
  }
}

function checkContainer(path: string, value: object, depth: number): void {
  if (depth >= MAX_DEPTH) {
    throw invalidArgument(path, `without cycles and at most ${MAX_DEPTH} levels deep`, value);
  }
  if (Array.isArray(value)) {
    // By index, not by forEach: a hole would be skipped, and JSON would write null for it.
    for (let i = 0; i < value.length; i += 1) check(`${path}[${i}]`, value[i], depth + 1);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) {
    throw invalidArgument(path, 'a plain object', value);
  }
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) check(`${path}.${key}`, member, depth + 1);
  }
}
