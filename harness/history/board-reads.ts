/** What a history tells of entries and events: versions that commits asked for, and everything that reads showed. */
import type { Columns } from './columns.ts';
import type { Generations } from './generations.ts';
import {
  type EntryRead,
  type FeedRead,
  FLAG,
  type History,
  type HistoryRead,
  type Required,
} from './history.ts';
import type { Interner } from './interner.ts';
import type { EntryRecord, InvokeRecord, OkRecord, WriteRecord } from './record.ts';
import type { TextArena } from './text-arena.ts';

/** A read that is taken in full at the end: what it showed, whether it came to its end, and when it began. */
interface Final<T> {
  readonly shown: T[];
  complete: boolean;
  startedAt: number | undefined;
}

export class BoardReads {
  readonly #ifVersions = new Map<number, number>();
  readonly #fences = new Map<number, number>();
  readonly #requires = new Map<number, readonly Required[]>();
  readonly #histories: HistoryRead[] = [];
  /** Cursors handed in, by row; and where a history was to begin. */
  readonly #cursors = new Map<number, number>();
  readonly #feed: FeedRead[] = [];
  readonly #listed: EntryRead[] = [];
  readonly #finalEntries: Final<EntryRead> = { shown: [], complete: false, startedAt: undefined };
  readonly #finalFeed: Final<FeedRead> = { shown: [], complete: false, startedAt: undefined };
  readonly #columns: Columns;
  readonly #keys: Interner;
  readonly #texts: TextArena;
  readonly #generations: Generations;
  readonly #tokens: Map<number, string>;

  /** `tokens`: where the opaque tokens of calls are kept, by row. */
  constructor(
    columns: Columns,
    keys: Interner,
    texts: TextArena,
    generations: Generations,
    tokens: Map<number, string>,
  ) {
    this.#tokens = tokens;
    this.#columns = columns;
    this.#keys = keys;
    this.#texts = texts;
    this.#generations = generations;
  }

  /** A row of a commit's invoke. */
  wrote(row: number, write: WriteRecord): void {
    const c = this.#columns;
    c.item[row] = this.#keys.index(write.key);
    if (write.value !== undefined) c.value[row] = this.#texts.index(write.value);
    if (write.generation !== undefined) c.generation[row] = this.#generations.encode(write.generation);
    if (write.fence !== undefined) this.#fences.set(row, this.#keys.index(write.fence));
    if (write.token !== undefined) this.#tokens.set(row, write.token);
    if (write.op === 'append') c.flags[row]! |= FLAG.append;
    if (write.op === 'delete') c.flags[row]! |= FLAG.delete;
    if (write.keep === 'latest') c.flags[row]! |= FLAG.latest;
    if (write.ifVersion !== undefined) this.#ifVersions.set(row, write.ifVersion);
  }

  /** What the commit at this row required. */
  required(row: number, require: NonNullable<InvokeRecord['require']>): void {
    const all = require.map(({ key, version }) => ({ item: this.#keys.index(key), version }));
    this.#requires.set(row, all);
  }

  /** The invoke of a `since`, or of a `history`. */
  asked(row: number, cursor: number, isFinal: boolean): void {
    this.#cursors.set(row, cursor);
    if (isFinal) this.#finalFeed.startedAt ??= this.#columns.inv[row];
  }

  /** The invoke of a `list`. */
  listing(row: number, isFinal: boolean): void {
    if (isFinal) this.#finalEntries.startedAt ??= this.#columns.inv[row];
  }

  /** An accepted commit: the versions that its writes made, in their order. */
  committed(row: number, rows: number, entries: readonly EntryRecord[]): void {
    for (let i = 0; i < rows; i++) {
      const entry = entries[i];
      if (entry) this.#columns.version[row + i] = entry.version;
    }
  }

  /** An answered `get`. */
  got(row: number, entries: readonly EntryRecord[]): void {
    const [entry] = entries;
    this.#columns.version[row] = entry?.version ?? 0;
    if (entry?.value !== undefined) this.#columns.value[row] = this.#texts.index(entry.value);
  }

  /** An answered `history`. */
  remembered(row: number, entries: readonly EntryRecord[], limit: number): void {
    this.#histories.push({
      row,
      before: this.#cursors.get(row) ?? Number.NaN,
      toTheEnd: entries.length < limit,
      versions: entries.map(({ version, value }) => ({
        version,
        value: value === undefined ? -1 : this.#texts.index(value),
      })),
    });
  }

  /** An answered `list`. */
  listedPage(row: number, entries: readonly EntryRecord[], limit: number, isFinal: boolean): void {
    const reads = entries.map((entry) => ({
      item: this.#keys.index(entry.key),
      version: entry.version,
      value: entry.value === undefined ? -1 : this.#texts.index(entry.value),
      request: entry.request,
      row,
    }));
    (isFinal ? this.#finalEntries.shown : this.#listed).push(...reads);
    if (isFinal) this.#finalEntries.complete = entries.length < limit;
  }

  /** An answered `since`. */
  fed(row: number, record: OkRecord, limit: number, isFinal: boolean): void {
    const events = (record.events ?? []).map(({ id, kind, key, version, generation }) => ({
      id,
      kind,
      item: this.#keys.index(key),
      version: version ?? Number.NaN,
      generation: this.#generations.encode(generation),
    }));
    const from = this.#cursors.get(row) ?? 0;
    const page: FeedRead = { row, from, to: record.cursor ?? from, gap: record.gap ?? false, events };
    (isFinal ? this.#finalFeed.shown : this.#feed).push(page);
    if (isFinal) this.#finalFeed.complete = events.length < limit;
  }

  /** Generations that are not in the columns, for ranking. */
  *generations(): Generator<number> {
    for (const pages of [this.#feed, this.#finalFeed.shown]) {
      for (const { events } of pages) for (const event of events) yield event.generation;
    }
  }

  /**
   * This part of the history. `of` turns an encoded generation into a comparable one; undefined: they are comparable as they
   * stand, and the many events of a live run are not copied for each look at it.
   */
  settle(
    of: ((encoded: number) => number) | undefined,
  ): Pick<
    History,
    'ifVersions' | 'fences' | 'requires' | 'histories' | 'feed' | 'listed' | 'finalEntries' | 'finalFeed'
  > {
    const comparable = (pages: readonly FeedRead[]): readonly FeedRead[] =>
      of === undefined
        ? pages
        : pages.map((page) => ({
            ...page,
            events: page.events.map((event) => ({ ...event, generation: of(event.generation) })),
          }));
    const { startedAt: entriesAt, complete: allEntries, shown } = this.#finalEntries;
    const { startedAt: feedAt, complete: allEvents, shown: pages } = this.#finalFeed;
    return {
      ifVersions: this.#ifVersions,
      fences: this.#fences,
      requires: this.#requires,
      histories: this.#histories,
      feed: comparable(this.#feed),
      listed: this.#listed,
      finalEntries:
        entriesAt === undefined ? undefined : { rows: shown, complete: allEntries, startedAt: entriesAt },
      finalFeed:
        feedAt === undefined
          ? undefined
          : { pages: comparable(pages), complete: allEvents, startedAt: feedAt },
    };
  }
}
