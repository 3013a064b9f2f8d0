/** The calls of the entry facet and the feed, recorded. */
import type {
  CommitOptions,
  Entry,
  EntryStore,
  Event,
  Feed,
  FeedPage,
  HistoryPage,
  Json,
  Lease,
  Page,
  Store,
  Write,
} from '../../src/store.ts';
import { digest } from '../history/digest.ts';
import type { EntryRecord, EventRecord, WriteRecord } from '../history/record.ts';
import { type Answer, type CallRecorder, generationField, tokenField } from './call-recorder.ts';

/** A write as a workload asks for it. Value, author and request are the client's: values are unique by construction. */
export interface BoardWrite {
  readonly key: string;
  readonly op: Write['op'];
  readonly ifVersion?: number;
  readonly fence?: Lease;
  readonly keep?: 'all' | 'latest';
  /** Beside the name of the call that wrote it. Not with `delete`. */
  readonly note?: { readonly [key: string]: Json };
}

export interface BoardCalls {
  /** A set or appended value is `{ by: request, … }`, so that every read shows who wrote it (R7). */
  commit(writes: readonly BoardWrite[], options?: CommitOptions): Promise<Answer<readonly Entry[]>>;
  get(key: string): Promise<Answer<Entry | undefined>>;
  list(prefix: string, page: Page): Promise<Answer<readonly Entry[]>>;
  /** `content`: the values are recorded as they are, not by their digest alone. */
  history(
    key: string,
    page: HistoryPage,
    shown?: { readonly content: boolean },
  ): Promise<Answer<readonly Entry[]>>;
  since(cursor: number, limit: number): Promise<Answer<FeedPage>>;
  trim(beforeId: number): Promise<Answer<void>>;
}

/** Whoever calls a method makes sure that the store has it. */
export function boardCalls(
  recorder: CallRecorder,
  store: Pick<Store, 'entries' | 'feed'>,
  author: string,
): BoardCalls {
  const entries = store.entries as EntryStore;
  const feed = store.feed as Feed;
  return {
    commit(writes, options = {}) {
      const by = recorder.nextRequest;
      const whole = writes.map((write, index) => toWrite(write, index, author, by));
      const { require } = options;
      return recorder.record(
        'commit',
        { writes: whole.map(writeRecord), ...(require === undefined ? {} : { require }) },
        () => entries.commit(whole, options),
        (made) => ({ entries: made.map(entryRecord) }),
      );
    },
    get: (key) =>
      recorder.recordRead(
        'get',
        { key },
        () => entries.get(key),
        (entry) => ({ entries: entry === undefined ? [] : [entryRecord(entry)] }),
      ),
    list: (prefix, page) =>
      recorder.recordRead(
        'list',
        { ...(page.after === undefined ? {} : { key: page.after }), prefix, limit: page.limit },
        () => entries.list(prefix, page),
        (listed) => ({ entries: listed.map(entryRecord) }),
      ),
    history: (key, page, shown) =>
      recorder.recordRead(
        'history',
        { key, ...page },
        () => entries.history(key, page),
        (versions) => ({
          entries: versions.map((entry) =>
            shown?.content && !entry.deleted
              ? { ...entryRecord(entry), content: entry.value }
              : entryRecord(entry),
          ),
        }),
      ),
    trim: (beforeId) =>
      recorder.recordRead(
        'trim',
        { before: beforeId },
        () => feed.trim?.(beforeId),
        () => ({}),
      ),
    since: (cursor, limit) =>
      recorder.recordRead(
        'since',
        { limit, cursor },
        () => feed.since(cursor, limit),
        (page) => ({
          events: page.events.map(eventRecord),
          cursor: page.cursor,
          ...(page.gap === undefined ? {} : { gap: page.gap }),
        }),
      ),
  };
}

/** The writes of one commit differ by their place in it. */
function toWrite(write: BoardWrite, index: number, author: string, request: string): Write {
  const { key, op, ifVersion, fence, keep, note } = write;
  const value: Json = { by: request, ...(index === 0 ? {} : { n: index }), ...note };
  return {
    key,
    op,
    author,
    request,
    ...(op === 'delete' ? {} : { value }),
    ...(ifVersion === undefined ? {} : { ifVersion }),
    ...(fence === undefined ? {} : { fence }),
    ...(keep === undefined ? {} : { keep }),
  };
}

export function writeRecord({ key, op, value, ifVersion, fence, keep }: Write): WriteRecord {
  return {
    key,
    op,
    ...(value === undefined ? {} : { value: digest(value) }),
    ...(ifVersion === undefined ? {} : { ifVersion }),
    ...(fence === undefined ? {} : { fence: fence.key, ...tokenField(fence) }),
    ...(keep === 'latest' ? { keep } : {}),
  };
}

export function entryRecord({ key, version, value, author, request, deleted }: Entry): EntryRecord {
  return {
    key,
    version,
    ...(deleted ? {} : { value: digest(value) }),
    author,
    ...(request === undefined ? {} : { request }),
  };
}

function eventRecord({ id, kind, key, version, generation }: Event): EventRecord {
  return {
    id,
    kind,
    key,
    ...(version === undefined ? {} : { version }),
    ...(generation === undefined ? {} : { generation: generationField(generation) }),
  };
}
