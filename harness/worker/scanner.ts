/**
 * The final read: one process of its own, after everybody else has ended, reads every item, every entry and the whole feed, in
 * pages; and, where plans were worked on, every version of each. Whatever the store does not have is left out.
 */
import type { FromChild, ScannerJob } from './job.ts';
import { PLAN_PREFIX } from './plan-prefix.ts';
import type { Answer, RecordingClient } from './recording-client.ts';
import { openSession } from './session.ts';

const PAGE = 200;
/** Versions of a plan are whole documents. */
const VERSIONS = 50;

export async function scan(job: ScannerJob, send: (message: FromChild) => Promise<void>): Promise<void> {
  const session = await openSession(job);
  await send({ type: 'ready' });
  const client = session.client();
  const has = new Set(job.methods);
  if (has.has('scan')) await readKeys('scan', (page) => client.scan(page));
  const keys = has.has('list') ? await readKeys('list', (page) => client.list('', page)) : [];
  if (has.has('since')) await readFeed(client);
  if (job.scenario.workload.kind === 'plan') await readPlans(client, keys);
  await session.end();
}

type ReadPage = (page: {
  after?: string;
  limit: number;
}) => Promise<Answer<readonly { readonly key: string }[]>>;

/** Answers the keys that were shown. */
async function readKeys(op: string, read: ReadPage): Promise<readonly string[]> {
  const keys: string[] = [];
  let after: string | undefined;
  for (;;) {
    const answer = await read(after === undefined ? { limit: PAGE } : { after, limit: PAGE });
    if (answer.outcome !== 'accepted') return keys;
    keys.push(...answer.value.map(({ key }) => key));
    const last = answer.value.at(-1);
    if (answer.value.length < PAGE || last === undefined) return keys;
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

/** All versions of every plan with their content, newest first. A store that shows nothing new is not asked for ever. */
async function readPlans(client: RecordingClient, keys: readonly string[]): Promise<void> {
  for (const key of keys.filter((one) => one.startsWith(PLAN_PREFIX))) {
    let before: number | undefined;
    for (;;) {
      const page = before === undefined ? { limit: VERSIONS } : { before, limit: VERSIONS };
      const answer = await client.history(key, page, { content: true });
      if (answer.outcome !== 'accepted') break;
      const oldest = answer.value.at(-1)?.version;
      if (answer.value.length < VERSIONS || oldest === undefined) break;
      if (before !== undefined && oldest >= before) break;
      before = oldest;
    }
  }
}
