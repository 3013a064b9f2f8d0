/** M29: the version is checked, except once in a hundred times. What a fast path that somebody forgot does. */
import { type EntryRules, entryRules } from '../../src/entries/rules.ts';
import { brokenModule } from './module.ts';

/** Every so many checks one passes whatever it finds. */
const EVERY = 100;

/** Rules that count their own checks: one counter for each process. */
export function skippingRules(every = EVERY): EntryRules {
  let checks = 0;
  return {
    ...entryRules,
    expect(key, head, version) {
      checks += 1;
      return checks % every === 0 ? undefined : entryRules.expect(key, head, version);
    },
  };
}

const mutant = brokenModule({ entryRules: skippingRules() });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
