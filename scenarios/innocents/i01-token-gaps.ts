/** I01: generations rise, and never by one: some numbers are never given out. */
import type { LeaseRules } from '../../src/lease/rules.ts';
import { withGeneration } from '../mutants/grants.ts';
import { brokenModule } from '../mutants/module.ts';

export const rules: LeaseRules = withGeneration(
  (row) => row.generation + 1 + ((row.id * 37 + row.attempts * 101) % 1000),
);

const innocent = brokenModule({ rules });

export const { declares, prepare, destroy } = innocent;
export default innocent.default;
