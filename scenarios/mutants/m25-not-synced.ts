/**
 * M25, the negative control: declares that a power loss takes nothing, and does not wait until a commit is on the disk. What
 * a killed process has written is in the kernel all the same, so no SIGKILL may ever convict it.
 */
import type { Declarations } from '../../src/store.ts';
import { brokenModule } from './module.ts';

const mutant = brokenModule({});

export const declares: Declarations = { ...mutant.declares, durability: 'power-loss' };
export const { prepare, destroy } = mutant;
export default mutant.default;
