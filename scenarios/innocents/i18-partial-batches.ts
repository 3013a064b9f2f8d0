/** I18: a claim for several items hands out fewer, though there are more. */
import { brokenModule } from '../mutants/module.ts';
import { offering } from '../mutants/offering.ts';

export const halfBatches = offering(
  (own) => (prefix, atMs, limit) => own(prefix, atMs, Math.ceil(limit / 2)),
);

const innocent = brokenModule({ engine: halfBatches });

export const { declares, prepare, destroy } = innocent;
export default innocent.default;
