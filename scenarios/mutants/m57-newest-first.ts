/** M57: of the items that are free a claim takes the one that came last, though the store promises the one that came first. */
import { brokenModule } from './module.ts';
import { offering } from './offering.ts';

/** So many are looked at. */
const AT_ONCE = 200;

export const newestFirst = offering(
  (own) => (prefix, atMs, limit) =>
    [...own(prefix, atMs, AT_ONCE)].sort((a, b) => b.id - a.id).slice(0, limit),
);

const mutant = brokenModule({ engine: newestFirst });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
