/**
 * I09: a write under a lease is compared with what was written under leases before, not with the lease row. So a stale holder may write
 * until its successor has written, as is declared.
 */
import type { Declarations, EntryStore, Lease, Store, Write } from '../../src/store.ts';
import { decoratedModule } from '../mutants/module.ts';
import { withEntries } from '../mutants/wrap.ts';

/** Wraps any store of entries that keeps the generation which a write names. */
export function decorate(store: Store): Store {
  return withEntries(store, (own) => ({
    async commit(writes, options) {
      for (;;) {
        const guarded = await Promise.all(writes.map((write) => comparedBy(own, write)));
        const older = guarded.find((one) => one === 'older');
        if (older !== undefined) {
          const message = 'expected the newest lease under which the entry was written, got an older one';
          return { accepted: false, refusal: { code: 'stale', message } };
        }
        const outcome = await own.commit(guarded as readonly Write[], options);
        const raced = !outcome.accepted && outcome.refusal.code === 'conflict';
        // Only the comparison lost a race: the write itself may well have named no version.
        if (!raced || !writes.some(({ fence }) => fence !== undefined)) return outcome;
        if (writes.some(({ ifVersion }) => ifVersion !== undefined)) return outcome;
      }
    },
  }));
}

/** The write with a version in place of its fence; `older` where a newer lease has written the entry. */
async function comparedBy(own: EntryStore, write: Write): Promise<Write | 'older'> {
  const { fence, ...bare } = write;
  if (fence === undefined) return write;
  const entry = await own.get(write.key);
  const generation = generationOf(fence);
  if ((entry?.generation ?? 0n) > generation) return 'older';
  return { ...bare, generation, ifVersion: write.ifVersion ?? entry?.version ?? 0 };
}

const generationOf = ({ generation = 0n }: Lease): bigint => generation;

const innocent = decoratedModule(decorate);

export const { prepare, destroy } = innocent;
export const declares: Declarations = { ...innocent.declares, fencing: 'resource' };
export default innocent.default;
