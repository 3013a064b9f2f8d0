/**
 * M46: a delete takes the row and its counter, so the next write of the key makes version 1 again. Whoever read version 1 of
 * the former life may overwrite the new one (ABA).
 */
import { type EntryRules, entryRules } from '../../src/entries/rules.ts';
import type { ReplaceStatements } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from './module.ts';

export const rules: EntryRules = {
  ...entryRules,
  nextVersion: (head) => (head?.live === true ? head.version + 1 : 1),
};

/** Beginning anew, nothing of the former life is left. */
export const statements: ReplaceStatements = (own) => ({
  ...own,
  head(key, version, live) {
    if (version === 1) own.dropBelow(key, Number.MAX_SAFE_INTEGER);
    return own.head(key, version, live);
  },
});

const mutant = brokenModule({ entryRules: rules, statements });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
