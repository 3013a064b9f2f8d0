/**
 * Property tests draw from one seed, so that a run of the suite can be repeated: a red one stays red. `FENCEPOST_SEED=N` draws
 * others; `npm run soak -- differential` does, a round each.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.FENCEPOST_SEED ?? 20_261_130) });
