/** The part of the probe that writes an entry, reads it back, is refused once, and looks at the feed. */
import type { EntryStore, Feed, Write } from '../../src/store.ts';
import { PROBE_OWNER as author, type ProbeCalls } from './probe-calls.ts';
import { notEmpty, ProbeFailure, refusedFirst } from './probe-problem.ts';

const KEY = 'probe-entry';

/** Before anything was written: neither entries nor events. */
export async function boardIsEmpty(
  entries: EntryStore | undefined,
  feed: Feed | undefined,
  calls: ProbeCalls,
): Promise<void> {
  if (entries) {
    const [entry] = await calls.call('list', () => entries.list('', { limit: 1 }));
    if (entry) throw notEmpty('list', entry.key);
  }
  if (feed) {
    const { events } = await calls.call('since', () => feed.since(0, 1));
    if (events[0]) throw notEmpty('since', events[0].key);
  }
}

/** Tries each call once. What a version must be is judged by a checker; here a write must only be there. */
export async function probeEntries(entries: EntryStore, calls: ProbeCalls): Promise<void> {
  const write = (ifVersion?: number): readonly Write[] => {
    const { request } = calls.request();
    return [
      {
        key: KEY,
        op: 'set',
        value: { probe: request },
        author,
        request,
        ...(ifVersion === undefined ? {} : { ifVersion }),
      },
    ];
  };
  const made = await calls.call('commit', () => entries.commit(write(0)));
  if (!made.accepted) throw refusedFirst('commit', `the first write of \`${KEY}\``, made.refusal);
  if (made.value.length !== 1) {
    throw new ProbeFailure({
      what: `commit() answered ${made.value.length} entries to one write.`,
      why: 'The answer has one entry for each write, in their order.',
      fix: 'Answer the entries that the writes made.',
    });
  }
  // The same once more: the shape of a refusal. What it says is judged by a checker.
  await calls.call('commit', () => entries.commit(write(0)));
  const read = await calls.call('get', () => entries.get(KEY));
  if (read === undefined) {
    throw new ProbeFailure({
      what: `get() shows nothing under \`${KEY}\`, which was just written.`,
      why: 'In an empty namespace, with a single client, nothing can have taken it away.',
      fix: 'Make an accepted commit visible to the reads that come after it.',
    });
  }
  await calls.call('list', () => entries.list('probe', { limit: 10 }));
  await calls.call('history', () => entries.history(KEY, { limit: 10 }));
}

/** A page from the start; and forgetting nothing. */
export async function probeFeed(feed: Feed, calls: ProbeCalls): Promise<void> {
  await calls.call('since', () => feed.since(0, 10));
  if (feed.trim) await calls.call('trim', () => feed.trim!(0));
}
