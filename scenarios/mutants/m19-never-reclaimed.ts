/** M19: nobody ever takes an item back whose holder is gone. */
import { brokenModule } from './module.ts';
import { onlyOpenEngine, onlyOpenRules } from './only-open.ts';

const mutant = brokenModule({ rules: onlyOpenRules, engine: onlyOpenEngine });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
