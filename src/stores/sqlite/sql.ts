/** Pieces of SQL that several statements share. */

/** No byte of UTF-8 is as high as FF, so this is the first text behind all keys of the prefix. */
export const BELOW_PREFIX_END = `key < ? || CAST(x'FF' AS TEXT)`;
/**
 * The cast is no decoration: SQLite's planner peeks at a bare `LIMIT ?`, and compiles the whole statement anew each time
 * that another value is bound (measured: 8 µs instead of 1).
 */
export const LIMIT = 'LIMIT CAST(? AS INTEGER)';
