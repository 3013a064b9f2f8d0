/**
 * Poison: items that nobody can work off. Every holder hands them back, until their attempts are used up and they are dead; without
 * them no run would see an item die (O14, S12).
 */
import type { NewItem } from '../../src/store.ts';
import type { Lane } from './lane.ts';

const SUFFIX = '-poison';
/** Grants that a poison item may have, where the scenario does not allow fewer. */
const ATTEMPTS = 3;
/** One new item in so many. */
export const POISON_EVERY = 33;

/** Whether the store can bury an item that is handed back, and the scenario has its tasks hand some back. */
export const hasPoison = ({ methods, declares, scenario }: Lane): boolean =>
  methods.has('nack') && methods.has('enqueue') && declares.maxAttempts && scenario.workload.finals.nack > 0;

export const poisonKey = (key: string): string => `${key}${SUFFIX}`;

export const isPoison = (key: string): boolean => key.endsWith(SUFFIX);

/** A new item of this key, with the limit that belongs to it. */
export function itemOf({ scenario }: Lane, key: string): NewItem {
  const { maxAttempts } = scenario.workload;
  return {
    key,
    payload: { task: key },
    maxAttempts: isPoison(key) ? Math.min(ATTEMPTS, maxAttempts) : maxAttempts,
  };
}
