/** Every call of a work facet goes through one function, which may fail in its place. */
import type { Awaitable, Store, WorkStore } from '../../src/store.ts';
import { withWork } from '../mutants/wrap.ts';

/** Makes the call, or fails instead of it, or after it. */
export type Around = <T>(call: () => Awaitable<T>) => Promise<T>;

/** Scans are left alone: the final read must come. */
export function aroundCalls(store: Store, around: Around): Store {
  return withWork(store, (work) => {
    const { enqueue, claim, claimNext, heartbeat, complete, nack, release } = work;
    const changed: WorkStore = {
      ...(enqueue && { enqueue: (items, call) => around(() => enqueue(items, call)) }),
      ...(claim && { claim: (key, by) => around(() => claim(key, by)) }),
      ...(claimNext && { claimNext: (prefix, by) => around(() => claimNext(prefix, by)) }),
      ...(heartbeat && { heartbeat: (lease, call) => around(() => heartbeat(lease, call)) }),
      ...(complete && { complete: (lease, call) => around(() => complete(lease, call)) }),
      ...(nack && { nack: (lease, call) => around(() => nack(lease, call)) }),
      ...(release && { release: (lease, call) => around(() => release(lease, call)) }),
    };
    return changed;
  });
}

/** True for the share of calls, spread evenly, once the probe's few calls are over. */
export function share(of: number, after = 60): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls > after && Math.floor(calls * of) > Math.floor((calls - 1) * of);
  };
}
