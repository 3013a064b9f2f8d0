/** The refusals of the entry rules: what was expected, what was found. Pure. */
import type { Refusal } from '../store.ts';
import { type Head, versionOf } from './row.ts';

/** The version is not the expected one. Names both (spec/board.md B5.7). */
export function conflict(key: string, head: Head | undefined, expected: number): Refusal {
  const wanted = expected === 0 ? 'be absent (version 0)' : `have version ${expected}`;
  return {
    code: 'conflict',
    message: `Expected ${key} to ${wanted}, found ${standing(head)}. Re-read and reconcile.`,
    current: versionOf(head),
  };
}

function standing(head: Head | undefined): string {
  if (head === undefined) return 'it absent (version 0)';
  if (head.live) return `version ${head.version}`;
  return `it absent (version 0), deleted by version ${head.version}`;
}
