/** A process that has hold of the store and does nothing with it, until it is told to let go. */
import { importStoreModule } from '../store-module/import-module.ts';
import type { FromChild, HogJob } from './job.ts';
import type { Order } from './mailbox.ts';

export async function hog(
  job: HogJob,
  send: (message: FromChild) => Promise<void>,
  listen: (handle: (order: Order) => void) => void,
): Promise<void> {
  const { namespace, location, limitMs } = job;
  const module = await importStoreModule(job.store);
  const released = new Promise<void>((resolve) => {
    setTimeout(resolve, limitMs);
    listen((order) => {
      if (order.type === 'release') resolve();
    });
  });
  let hold: Awaited<ReturnType<NonNullable<typeof module.hog>>>;
  try {
    hold = await module.hog!({ namespace, location });
  } catch (error) {
    return send({ type: 'hold', held: false, problem: (error as Error)?.message ?? String(error) });
  }
  await send({ type: 'hold', held: true });
  await released;
  await hold.release();
  await send({ type: 'hold', held: false });
}
