/** The final read: one process of its own, after everybody else has ended, reads every item in pages. */
import type { FromChild, ScannerJob } from './job.ts';
import { openSession } from './session.ts';

const PAGE = 200;

export async function scan(job: ScannerJob, send: (message: FromChild) => Promise<void>): Promise<void> {
  const session = await openSession(job);
  await send({ type: 'ready' });
  const client = session.client();
  let after: string | undefined;
  for (;;) {
    const answer = await client.scan(after === undefined ? { limit: PAGE } : { after, limit: PAGE });
    if (answer.outcome !== 'accepted') break;
    const last = answer.value.at(-1);
    if (answer.value.length < PAGE || last === undefined) break;
    if (after !== undefined && !(last.key > after)) {
      throw new Error(
        `scan() went backwards: a page after ${JSON.stringify(after)} ends with ${JSON.stringify(last.key)}`,
      );
    }
    after = last.key;
  }
  await session.end();
}
