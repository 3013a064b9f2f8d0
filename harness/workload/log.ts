/** The workload `log`: everybody appends to a few keys and reads them back. An append never conflicts and is never lost (S16). */
import { LOG_PREFIX, logKey, nothingToDo } from './board-keys.ts';
import type { Lane } from './lane.ts';

/** Weights of what a lane does next. */
const TURNS = { append: 66, several: 10, read: 8, list: 8, history: 8 };
const PAGE = 100;
/** Each version of a page is recorded, so few. */
const VERSIONS = 12;
/** Mean gap between two turns of a lane. */
const GAP_MS = 5;

export async function log(lane: Lane): Promise<void> {
  while (!lane.ending()) {
    if (lane.phase() === 'drain') await nothingToDo(lane);
    else {
      lane.found(true);
      await logTurn(lane);
      await lane.sleep(lane.random.exponential(GAP_MS));
    }
  }
}

/** One thing that a writer or a reader does. */
export async function logTurn(lane: Lane): Promise<void> {
  const { client, random } = lane;
  switch (random.pick(TURNS)) {
    case 'append':
      await client.commit([{ key: logKey(lane), op: 'append' }]);
      return;
    case 'several':
      // Twice to one key now and then: the second must see the version that the first made.
      await client.commit([
        { key: logKey(lane), op: 'append' },
        { key: logKey(lane), op: 'append' },
      ]);
      return;
    case 'read':
      await client.get(logKey(lane));
      return;
    case 'history':
      return pastOf(lane, logKey(lane));
    case 'list':
      await client.list(LOG_PREFIX, { limit: PAGE });
      return;
  }
}

/** The newest versions of a key, and now and then the page before. */
async function pastOf({ client, random }: Lane, key: string): Promise<void> {
  const answer = await client.history(key, { limit: VERSIONS });
  const last = answer.outcome === 'accepted' ? answer.value.at(-1) : undefined;
  if (last && random.chance(0.3)) await client.history(key, { before: last.version, limit: VERSIONS });
}
