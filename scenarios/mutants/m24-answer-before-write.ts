/** M24: enqueue and complete are answered from a buffer in memory, and written a moment later. */
import type { Declarations, Store } from '../../src/store.ts';
import { decoratedModule } from './module.ts';
import { pause } from './split.ts';
import { closingAfter, withWork } from './wrap.ts';
import { writeBuffer } from './write-buffer.ts';

const ACCEPTED = { accepted: true, value: undefined } as const;
/** How long a write stays in the buffer. */
const BUFFERED_MS = 60;

/** Wraps any store. What is in the buffer when the process is killed is gone; nothing else is wrong. */
export function decorate(store: Store, delay: () => Promise<void> = () => pause(BUFFERED_MS)): Store {
  const buffer = writeBuffer(delay);
  const buffering = withWork(store, ({ enqueue, claim, claimNext, heartbeat, complete, scan }) => ({
    ...(enqueue && {
      enqueue(items, call) {
        buffer.add(
          items.map(({ key }) => key),
          () => enqueue(items, call),
        );
        return ACCEPTED;
      },
    }),
    ...(claim && {
      async claim(key, by) {
        await buffer.flush(key);
        return claim(key, by);
      },
    }),
    ...(claimNext && {
      async claimNext(prefix, by) {
        const answer = await claimNext(prefix, by);
        if (answer.accepted) return answer;
        await buffer.flush();
        return claimNext(prefix, by);
      },
    }),
    ...(complete &&
      heartbeat && {
        async complete(lease, call) {
          await buffer.flush(lease.key);
          // Whether the lease stands is asked first, and it is made to stand until the write.
          const held = await heartbeat(lease, { request: `${call.request}/ask` });
          if (!held.accepted) return held;
          buffer.add([lease.key], () => complete(held.value, call));
          return ACCEPTED;
        },
      }),
    ...(scan && {
      async scan(page) {
        await buffer.flush();
        return scan(page);
      },
    }),
  }));
  return closingAfter(buffering, () => buffer.flush());
}

const mutant = decoratedModule(decorate);

export const { prepare, destroy } = mutant;
/** Without a promise of order: what it loses is to be seen, not what comes late. */
export const declares: Declarations = { ...mutant.declares, order: 'none' };
export default mutant.default;
