/** Finds a mutant by its id, for `--store mutant:M01` and `--only M01`. Pure. */
import { knownNames } from '../scenario/nearest.ts';
import { UsageError } from '../scenario/usage-error.ts';
import type { MutantEntry } from './context.ts';

/**
 * The mutant of this id.
 * @throws {@link UsageError} `MUTANT_UNKNOWN` with all ids.
 */
export function mutantOf(id: string, mutants: readonly MutantEntry[]): MutantEntry {
  const found = mutants.find((mutant) => mutant.id.toLowerCase() === id.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError({
    code: 'MUTANT_UNKNOWN',
    message: `Expected the id of a mutant, got \`${id}\`.`,
    hint: knownNames(
      id,
      mutants.map((mutant) => mutant.id),
    ),
  });
}

/** The address of its module. */
export function mutantUrlOf(id: string, mutants: readonly MutantEntry[]): string {
  return mutantOf(id, mutants).url;
}
