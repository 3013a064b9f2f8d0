/** M20: items whose holder is gone are taken back only when a process opens the store. */
import type { ReplaceEngine } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from './module.ts';
import { onlyOpenEngine, onlyOpenRules } from './only-open.ts';
import { lapsedItems, reopen } from './sweeping.ts';

/** Reaps once, when the store is opened. */
export const reapingAtStart: ReplaceEngine = (own, run) => {
  void own.write({ rank: 'claim' }, (tx, nowMs) => {
    for (const row of lapsedItems(tx, nowMs)) reopen(tx, row);
  });
  return onlyOpenEngine(own, run);
};

const mutant = brokenModule({ rules: onlyOpenRules, engine: reapingAtStart });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
