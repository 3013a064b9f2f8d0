/** M37: when its process is told to end (SIGTERM), the heartbeat stops, while the tasks in hand go on and are called held. */
import type { Store } from '../../src/store.ts';
import { decoratedModule } from './module.ts';
import { withWork } from './wrap.ts';

/** Wraps any store. `draining` says whether the process was told to end. */
export function decorate(store: Store, draining: () => boolean = toldToEnd()): Store {
  return withWork(store, ({ heartbeat }) => ({
    ...(heartbeat && {
      async heartbeat(lease, call) {
        if (!draining()) return heartbeat(lease, call);
        const expiresAtMs = (await store.nowMs()) + (call.extendMs ?? lease.leaseMs);
        return { accepted: true, value: { ...lease, expiresAtMs } };
      },
    }),
  }));
}

function toldToEnd(): () => boolean {
  let told = false;
  process.once('SIGTERM', () => {
    told = true;
  });
  return () => told;
}

const mutant = decoratedModule((store) => decorate(store));

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
