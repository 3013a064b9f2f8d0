/** I06: whoever asks gets any item that is free, and not the one that waited longest. No order was promised. */
import type { ItemRow } from '../../src/lease/row.ts';
import type { Declarations } from '../../src/store.ts';
import { brokenModule } from '../mutants/module.ts';
import { offering } from '../mutants/offering.ts';

/** So many are looked at beyond those that are asked for. */
const BEYOND = 25;

/** An order that has nothing to do with time, and changes with every grant. */
const mixed = ({ id, generation }: ItemRow): number => ((id + generation) * 2_654_435_761) % 4096;

export const anyOrder = offering(
  (own) => (prefix, atMs, limit) =>
    [...own(prefix, atMs, limit + BEYOND)].sort((a, b) => mixed(a) - mixed(b)).slice(0, limit),
);

const innocent = brokenModule({ engine: anyOrder });

export const { prepare, destroy } = innocent;
export const declares: Declarations = { ...innocent.declares, order: 'none' };
export default innocent.default;
