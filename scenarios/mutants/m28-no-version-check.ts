/** M28: a write never looks at the version that it names. Read, modify, write, and whoever wrote in between is gone. */
import { type EntryRules, entryRules } from '../../src/entries/rules.ts';
import { brokenModule } from './module.ts';

export const rules: EntryRules = { ...entryRules, expect: () => undefined };

const mutant = brokenModule({ entryRules: rules });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
