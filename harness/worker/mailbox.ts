/** What the coordinator says to this process. Nothing is lost while it is still loading or opening its store. */
import type { Job, ToChild } from './job.ts';

/** Everything but the job. */
export type Order = Exclude<ToChild, { type: 'job' }>;

export interface Mailbox {
  readonly job: Promise<Job>;
  /** Hands over what has come so far, and from then on each order as it comes. */
  readonly listen: (handle: (order: Order) => void) => void;
  /** Puts in an order of this process's own. */
  readonly put: (order: Order) => void;
}

/** Call it before the first `await` of the process. */
export function openMailbox(): Mailbox {
  const waiting: Order[] = [];
  let deliver = (order: Order): void => {
    waiting.push(order);
  };
  const job = new Promise<Job>((resolve) => {
    process.on('message', (message: ToChild) => {
      if (message.type === 'job') resolve(message.job);
      else deliver(message);
    });
  });
  return {
    job,
    put: (order) => deliver(order),
    listen(handle) {
      for (const order of waiting.splice(0)) handle(order);
      deliver = handle;
    },
  };
}
