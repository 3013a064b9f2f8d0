/** What a view shows and how long it may be. */
import { invalidArgument } from '../../errors.ts';
import { type Pattern, parsePattern } from '../pattern.ts';
import { checkWhole } from '../validate.ts';

/** Options of `viewFor`. */
export interface ViewOptions {
  /** Patterns of the keys to show. */
  readonly subscribe: readonly string[];
  /** Patterns of keys that come first and are never cut, subscribed or not. They count, but the limit leaves them in. */
  readonly pinned?: readonly string[];
  /**
   * The length of the whole text, line breaks, fence and the line about what is missing included: a number of characters
   * (UTF-16 units), or of tokens. At least 200. @default 8000 characters
   */
  readonly limit?: number | TokenLimit;
}

/** A limit in tokens. */
export interface TokenLimit {
  readonly tokens: number;
  /** Your tokenizer. @default one token for every four characters, an estimate */
  readonly count?: (text: string) => number;
}

/** Options with everything filled in. */
export interface ViewPlan {
  readonly subscribe: readonly Pattern[];
  readonly pinned: readonly Pattern[];
  readonly limit: number;
  /** What a text costs. */
  readonly cost: (text: string) => number;
  /** No more lines than this can fit. */
  readonly linesMax: number;
}

const CHARACTERS = 8000;
/** Below this the frame alone would not fit. */
const LIMIT_MIN = 200;
/** An instant of 24 characters, three spaces, key, author and value of one character at least, a line break. */
const LINE_MIN = 31;
const CHARACTERS_PER_TOKEN = 4;

/**
 * Checks options and fills in the defaults.
 *
 * @throws FencepostError `INVALID_ARGUMENT`
 */
export function planView(options: ViewOptions): ViewPlan {
  return {
    subscribe: patterns('subscribe', options.subscribe),
    pinned: patterns('pinned', options.pinned ?? []),
    ...limitOf(options.limit ?? CHARACTERS),
  };
}

function limitOf(given: number | TokenLimit): Pick<ViewPlan, 'limit' | 'cost' | 'linesMax'> {
  if (typeof given !== 'object' || given === null) {
    const limit = checkWhole('limit', given, LIMIT_MIN);
    return { limit, cost: (text) => text.length, linesMax: Math.ceil(limit / LINE_MIN) };
  }
  const limit = checkWhole('limit.tokens', given.tokens, LIMIT_MIN);
  const cost = given.count ?? ((text: string) => Math.ceil(text.length / CHARACTERS_PER_TOKEN));
  if (typeof cost !== 'function') throw invalidArgument('limit.count', 'a function', cost);
  // No line costs less than one token.
  return { limit, cost, linesMax: limit };
}

function patterns(name: string, texts: readonly string[]): readonly Pattern[] {
  if (!Array.isArray(texts)) throw invalidArgument(name, 'an array of patterns', texts);
  return texts.map((text: unknown, i) => parsePattern(`${name}[${i}]`, text));
}
