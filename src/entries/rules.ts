/**
 * The entry rules as one object, so that a store can be made with one of them replaced: the broken stores of
 * `scenarios/mutants` are the same code around one wrong rule. Pure.
 */
import { type Fence, fenceLive } from '../lease/fence.ts';
import type { Refusal } from '../store.ts';
import { conflict } from './refusals.ts';
import { type Head, versionOf } from './row.ts';

/** What decides about a write. Each rule sees the state under the write lock. */
export interface EntryRules {
  /** Whether the lease of a fenced write stands. */
  readonly fence: Fence;
  /** Whether the key has the expected version; 0: absent or deleted. */
  expect(key: string, head: Head | undefined, version: number): Refusal | undefined;
  /** The version that the next write gets. */
  nextVersion(head: Head | undefined): number;
}

/** The rules of every store of ours. */
export const entryRules: EntryRules = {
  fence: fenceLive,
  expect: (key, head, version) => (versionOf(head) === version ? undefined : conflict(key, head, version)),
  // Also after a deletion: a version that came back would let a write pass that read the former life of the key.
  nextVersion: (head) => (head?.version ?? 0) + 1,
};
