/**
 * The final read: one process of its own, after everybody else has ended, reads every item, every entry and the whole feed, in
 * pages. Whatever the store does not have is left out.
 */
import type { FromChild, ScannerJob } from './job.ts';
import type { Answer, RecordingClient } from './recording-client.ts';
import { openSession } from './session.ts';

const PAGE = 200;

export async function scan(job: ScannerJob, send: (message: FromChild) => Promise<void>): Promise<void> {
  const session = await openSession(job);
  await send({ type: 'ready' });
  const client = session.client();
  const has = new Set(job.methods);
  if (has.has('scan')) await readKeys('scan', (page) => client.scan(page));
  if (has.has('list')) await readKeys('list', (page) => client.list('', page));
  if (has.has('since')) await readFeed(client);
  await session.end();
}

type ReadPage = (page: {
  after?: string;
  limit: number;
}) => Promise<Answer<readonly { readonly key: string }[]>>;

async function readKeys(op: string, read: ReadPage): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const answer = await read(after === undefined ? { limit: PAGE } : { after, limit: PAGE });
    if (answer.outcome !== 'accepted') return;
    const last = answer.value.at(-1);
    if (answer.value.length < PAGE || last === undefined) return;
    if (after !== undefined && !(last.key > after)) {
      throw new Error(
        `${op}() went backwards: a page after ${JSON.stringify(after)} ends with ${JSON.stringify(last.key)}`,
      );
    }
    after = last.key;
  }
}

/** A full page whose cursor stands still would be read for ever: the read is then left incomplete, and says so. */
async function readFeed(client: RecordingClient): Promise<void> {
  let cursor = 0;
  for (;;) {
    const answer = await client.since(cursor, PAGE);
    if (answer.outcome !== 'accepted') return;
    if (answer.value.events.length < PAGE || answer.value.cursor <= cursor) return;
    cursor = answer.value.cursor;
  }
}
