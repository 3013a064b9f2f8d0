/**
 * The stores that are broken on purpose, one way each. `fencepost mutants` runs them; a mutant that is not caught is a
 * hole in the checkers or a documented limit.
 */
import { BOARD } from './catalogue/board.ts';
import { CLAIMING } from './catalogue/claiming.ts';
import { ENDING } from './catalogue/ending.ts';
import { FENCING } from './catalogue/fencing.ts';
import { PLANS } from './catalogue/plans.ts';
import type { Mutant } from './mutant.ts';

export type { Mutant } from './mutant.ts';

/** All of them, by id. */
export const MUTANTS: readonly Mutant[] = [...FENCING, ...CLAIMING, ...ENDING, ...BOARD, ...PLANS].sort(
  (a, b) => (a.id < b.id ? -1 : 1),
);

/** The address to import a mutant from: compiled beside compiled code, the source beside source. */
export function mutantUrl(mutant: Mutant): string {
  return addressOf(mutant.module).href;
}

/** The address of a module that puts the mutant around the stores of another module. */
export function aroundUrl(mutant: Mutant, storeUrl: string): string {
  const url = addressOf('around');
  url.searchParams.set('mutant', mutant.module);
  url.searchParams.set('store', storeUrl);
  return url.href;
}

function addressOf(module: string): URL {
  const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  return new URL(`./${module}${ending}`, import.meta.url);
}
