/**
 * The workload `register`: everybody reads and writes a few hot keys under compare-and-set, so that most writes meet
 * another one. Some lanes take their time between reading and writing, so that a pause falls in between and a stale
 * writer wakes up; keys are deleted and made again, so that a version that comes back would let it through (S16).
 */
import { hotKey, logKey, nextTick, nothingToDo } from './board-keys.ts';
import { canFence, claimAndDeliver, fencedTask } from './fenced.ts';
import type { Lane } from './lane.ts';

/** Weights of what a lane does next. */
const TURNS = { update: 62, slow: 14, blind: 4, remove: 6, pair: 6, guarded: 4, fenced: 4 };
/** As applications do: read again, and give up after so many conflicts in a row. */
const TRIES = 3;

export async function register(lane: Lane): Promise<void> {
  while (!lane.ending()) {
    if (lane.phase() === 'drain') await drainFenced(lane);
    else {
      lane.found(true);
      await registerTurn(lane);
    }
  }
}

/** The items of fenced writes are worked off; nothing else is left to do. */
export async function drainFenced(lane: Lane): Promise<void> {
  if (canFence(lane) && (await claimAndDeliver(lane))) lane.found(true);
  else await nothingToDo(lane);
}

/** One thing that a writer does. */
export async function registerTurn(lane: Lane): Promise<void> {
  await nextTick(lane);
  switch (lane.random.pick(TURNS)) {
    case 'update':
      return update(lane);
    case 'slow':
      return slowUpdate(lane);
    case 'blind':
      return blind(lane);
    case 'remove':
      return remove(lane);
    case 'pair':
      return pair(lane);
    case 'guarded':
      return guarded(lane);
    case 'fenced':
      return canFence(lane) ? fencedTask(lane) : update(lane);
  }
}

/** The version of a key, 0 when absent; undefined when the read had no answer. */
async function versionOf(lane: Lane, key: string): Promise<number | undefined> {
  const answer = await lane.client.get(key);
  return answer.outcome === 'accepted' ? (answer.value?.version ?? 0) : undefined;
}

/** Read, write if unchanged; a conflict is read again at once, when the others are at it too. */
async function update(lane: Lane): Promise<void> {
  const key = hotKey(lane);
  for (let tried = 0; tried < TRIES; tried++) {
    const ifVersion = await versionOf(lane, key);
    if (ifVersion === undefined) return;
    const answer = await lane.client.commit([{ key, op: 'set', ifVersion }]);
    if (answer.outcome !== 'refused') return;
    await nextTick(lane);
  }
}

/** Works on what it read before it writes. */
async function slowUpdate(lane: Lane): Promise<void> {
  const key = hotKey(lane);
  const ifVersion = await versionOf(lane, key);
  if (ifVersion === undefined) return;
  const { p50Ms, p95Ms } = lane.scenario.workload.task;
  await lane.sleep(lane.random.logNormal(p50Ms, p95Ms));
  await nextTick(lane);
  await lane.client.commit([{ key, op: 'set', ifVersion }]);
}

/** Whatever the version is. */
async function blind(lane: Lane): Promise<void> {
  await lane.client.commit([{ key: hotKey(lane), op: 'set' }]);
}

/** Takes a key away and makes it again, if nobody else does so first. */
async function remove(lane: Lane): Promise<void> {
  const key = hotKey(lane);
  const ifVersion = await versionOf(lane, key);
  if (ifVersion === undefined || ifVersion === 0) return;
  const answer = await lane.client.commit([{ key, op: 'delete', ifVersion }]);
  if (answer.outcome === 'accepted') await lane.client.commit([{ key, op: 'set', ifVersion: 0 }]);
}

/** Two keys in one step. */
async function pair(lane: Lane): Promise<void> {
  const [one, other] = [hotKey(lane), hotKey(lane)];
  if (one === other) return update(lane);
  const first = await versionOf(lane, one);
  const second = await versionOf(lane, other);
  if (first === undefined || second === undefined) return;
  await lane.client.commit([
    { key: one, op: 'set', ifVersion: first },
    { key: other, op: 'set', ifVersion: second },
  ]);
}

/** A write to one key on condition of another that it does not touch. */
async function guarded(lane: Lane): Promise<void> {
  const key = hotKey(lane);
  const version = await versionOf(lane, key);
  if (version === undefined) return;
  await lane.client.commit([{ key: logKey(lane), op: 'append' }], { require: [{ key, version }] });
}
