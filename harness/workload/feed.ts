/**
 * The workload `feed`: lanes that write, and lanes that follow what is written.
 *
 * A follower keeps its place as an entry of its own, so that the next life of its worker goes on from there: that is
 * where a feed that skips or repeats shows (S22, O16). In `feed`, followers also forget old events now and then, less far back
 * than a follower falls behind while it is stopped or dead: it must be told that what it missed is gone.
 */
import type { Entry } from '../../src/store.ts';
import { CURSOR_PREFIX, cursorKey } from './board-keys.ts';
import type { Lane } from './lane.ts';
import { logTurn } from './log.ts';
import { drainFenced, registerTurn } from './register.ts';

/** Small, so that a follower that has fallen behind reads many pages while others write. */
const PAGE = 64;
/** A follower that has reached the end looks again after about this. */
const LOOK_MS = 12;

/** How many events behind its own place a follower leaves. */
const KEEP = 60;
/** Mean time between two trims of one follower. */
const TRIM_MS = 1500;

/** Writes registers and logs by turns. */
export async function write(lane: Lane): Promise<void> {
  while (!lane.ending()) {
    if (lane.phase() === 'drain') await drainFenced(lane);
    else {
      lane.found(true);
      await (lane.random.chance(0.5) ? registerTurn(lane) : logTurn(lane));
    }
  }
}

/** Where a follower stands, and the version of the entry that says so; undefined when it has to be read again. */
interface Place {
  cursor: number;
  version: number | undefined;
}

/** Follows the feed from where the last life of this label stopped. */
export async function follow(lane: Lane): Promise<void> {
  const place = await lastPlace(lane);
  let trimAt = lane.nowMs() + lane.random.exponential(TRIM_MS);
  while (!lane.ending()) {
    const answer = await lane.client.since(place.cursor, PAGE);
    const { events, cursor } =
      answer.outcome === 'accepted' ? answer.value : { events: [], cursor: place.cursor };
    place.cursor = cursor;
    // That others have moved on is no news: else followers would keep one another busy for ever.
    const news = events.some(({ key }) => !key.startsWith(CURSOR_PREFIX));
    lane.found(news || events.length === PAGE);
    if (news) await keep(lane, place);
    if (forgets(lane) && lane.nowMs() >= trimAt) {
      trimAt = lane.nowMs() + lane.random.exponential(TRIM_MS);
      if (place.cursor > KEEP) await lane.client.trim(place.cursor - KEEP);
    }
    if (events.length < PAGE) await lane.sleep(lane.random.exponential(LOOK_MS));
  }
}

/** Elsewhere every event is kept, so that all of them can be compared with the calls in the end. */
const forgets = ({ scenario, methods, phase }: Lane): boolean =>
  scenario.workload.kind === 'feed' && methods.has('trim') && phase() !== 'drain';

async function lastPlace(lane: Lane): Promise<Place> {
  while (!lane.ending()) {
    const answer = await lane.client.get(cursorKey(lane));
    if (answer.outcome === 'accepted') {
      return { cursor: cursorIn(answer.value), version: answer.value?.version ?? 0 };
    }
    await lane.sleep(LOOK_MS);
  }
  return { cursor: 0, version: undefined };
}

/**
 * Writes the place down, unless somebody else has done so meanwhile: a twin of the same label, that may have come further.
 * The follower itself goes on from where it is, so that it never jumps over what it has not read.
 */
async function keep(lane: Lane, place: Place): Promise<void> {
  const key = cursorKey(lane);
  if (place.version === undefined) {
    const answer = await lane.client.get(key);
    if (answer.outcome !== 'accepted') return;
    place.version = answer.value?.version ?? 0;
    if (cursorIn(answer.value) >= place.cursor) return;
  }
  const note = { cursor: place.cursor };
  const write = { key, op: 'set', ifVersion: place.version, keep: 'latest', note } as const;
  const answer = await lane.client.commit([write]);
  place.version = answer.outcome === 'accepted' ? answer.value[0]?.version : undefined;
}

function cursorIn(entry: Entry | undefined): number {
  const { cursor } = Object(entry?.value) as { cursor?: unknown };
  return typeof cursor === 'number' && Number.isSafeInteger(cursor) && cursor >= 0 ? cursor : 0;
}
