/** The shapes of answers of the entry facet and the feed. Pure; on the hot path of a run. */
import { type Asked, generation, isFields, optionalText, optionalWhole } from './shape.ts';
import { ShapeError } from './shape-error.ts';

/**
 * Checks the entries of a commit or a list. How many there are is judged by a checker, not here.
 * @throws {@link ShapeError}
 */
export function checkEntries(asked: Asked, entries: unknown, path = ''): void {
  if (!Array.isArray(entries)) throw new ShapeError(asked.op, path, 'a list of entries', entries);
  for (const [index, entry] of entries.entries()) checkEntry(asked, entry, `${path}[${index}]`);
}

/**
 * Checks one entry.
 * @throws {@link ShapeError}
 */
export function checkEntry(asked: Asked, entry: unknown, path = ''): void {
  const { op } = asked;
  const field = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (!isFields(entry)) throw new ShapeError(op, path, 'an entry { key, version, value, … }', entry);
  if (typeof entry.key !== 'string') throw new ShapeError(op, field('key'), 'a text', entry.key);
  if (asked.key !== undefined && entry.key !== asked.key) {
    const wanted = `the key that was asked for, ${JSON.stringify(asked.key)}`;
    throw new ShapeError(op, field('key'), wanted, entry.key);
  }
  if (!(Number.isSafeInteger(entry.version) && (entry.version as number) >= 1)) {
    throw new ShapeError(op, field('version'), 'a whole number from 1', entry.version);
  }
  if (entry.value === undefined) {
    throw new ShapeError(op, field('value'), 'what JSON can carry (null of a deletion)', entry.value);
  }
  if (typeof entry.author !== 'string') throw new ShapeError(op, field('author'), 'a text', entry.author);
  if (!Number.isFinite(entry.createdAtMs)) {
    throw new ShapeError(op, field('createdAtMs'), 'a number of milliseconds', entry.createdAtMs);
  }
  generation(op, field('generation'), entry.generation, false);
  optionalText(op, field('request'), entry.request);
}

/**
 * Checks the answer of a `get`: an entry of that key, or nothing.
 * @throws {@link ShapeError}
 */
export function checkMaybeEntry(asked: Asked, entry: unknown): void {
  if (entry !== undefined) checkEntry(asked, entry);
}

/**
 * Checks a page of the feed.
 * @throws {@link ShapeError}
 */
export function checkFeedPage(asked: Asked, page: unknown): void {
  const { op } = asked;
  if (!isFields(page)) throw new ShapeError(op, '', 'a page { events, cursor, … }', page);
  if (!Array.isArray(page.events)) throw new ShapeError(op, 'events', 'a list of events', page.events);
  for (const [index, event] of page.events.entries()) checkEvent(op, event, `events[${index}]`);
  whole(op, 'cursor', page.cursor);
  optionalWhole(op, 'oldestId', page.oldestId);
  if (page.gap !== undefined && page.gap !== true) {
    throw new ShapeError(op, 'gap', 'true, or left out', page.gap);
  }
}

function checkEvent(op: string, event: unknown, path: string): void {
  if (!isFields(event)) throw new ShapeError(op, path, 'an event { id, atMs, kind, key, author }', event);
  whole(op, `${path}.id`, event.id);
  if (!Number.isFinite(event.atMs)) {
    throw new ShapeError(op, `${path}.atMs`, 'a number of milliseconds', event.atMs);
  }
  for (const name of ['kind', 'key', 'author'] as const) {
    if (typeof event[name] !== 'string') throw new ShapeError(op, `${path}.${name}`, 'a text', event[name]);
  }
  optionalWhole(op, `${path}.version`, event.version);
  generation(op, `${path}.generation`, event.generation, false);
}

function whole(op: string, field: string, value: unknown): void {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return;
  throw new ShapeError(op, field, 'a whole number from 0', value);
}
