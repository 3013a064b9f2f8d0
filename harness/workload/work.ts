/**
 * The workload `work`: lanes enqueue items, claim them, work on them and end them.
 *
 * For half of the time the pool of open items is kept no larger than the number of lanes, and idle lanes claim at the
 * same instants, so that claims of different processes really meet on the same few items (obligation O5). In the other half there
 * is plenty, so that the store is loaded.
 */
import type { Lease } from '../../src/store.ts';
import { type Lane, slotPrefix, WORK_PREFIX } from './lane.ts';
import { hasPoison, itemOf, POISON_EVERY, poisonKey } from './poison.ts';
import { type Deliver, runTask } from './task.ts';

/** Scarce and plentiful windows alternate on the common clock. */
const WINDOW_MS = 1_000;
/** Idle lanes of all processes wake at multiples of this. */
const TICK_MS = 8;
/** Share of claims that ask for two items at once, where the store hands out more than one. */
const BATCH_SHARE = 0.1;
/** Share of claims by key, of an item that this lane knows: that is how `held`, `completed` and `dead` are met. */
const BY_KEY_SHARE = 0.08;
const REMEMBERED = 16;

/** `deliver`: writes results to entries before a task is completed. */
export async function leasedWork(lane: Lane, deliver?: Deliver): Promise<void> {
  const remembered: string[] = [];
  const remember = (key: string): void => {
    remembered.push(key);
    if (remembered.length > REMEMBERED) remembered.shift();
  };
  /** An item whose completion was never answered: whoever sent it looks what became of it. */
  let doubtful: string | undefined;
  while (!lane.ending()) {
    const draining = lane.phase() === 'drain';
    if (!draining && !isScarce(lane) && lane.random.chance(0.5)) await enqueue(lane, 1, remember);
    const byKey = !draining && lane.methods.has('claim') && lane.random.chance(BY_KEY_SHARE);
    const known = byKey ? lane.random.of(remembered) : undefined;
    const key = lane.methods.has('claim') ? (doubtful ?? known) : undefined;
    doubtful = undefined;
    const sentAt = lane.nowMs();
    const leases = key === undefined ? await claimSome(lane) : await claimOne(lane, key);
    lane.found(leases.length > 0);
    if (leases.length === 0 && key === undefined) {
      if (!draining) await enqueue(lane, isScarce(lane) ? Number(lane.random.chance(0.5)) : 3, remember);
      await lane.sleep(TICK_MS - (lane.nowMs() % TICK_MS));
    }
    for (const lease of leases) {
      remember(lease.key);
      if (await runTask(lane, lease, sentAt, deliver)) doubtful = lease.key;
    }
  }
}

/** Own slot first or last, by chance; the other when the first has nothing. */
async function claimSome(lane: Lane): Promise<readonly Lease[]> {
  const { client, random, scenario, declares } = lane;
  const slot = slotPrefix(lane.label);
  const slotFirst = random.chance(scenario.workload.slotShare);
  for (const prefix of slotFirst ? [slot, WORK_PREFIX] : [WORK_PREFIX, slot]) {
    const limit = declares.batch > 1 && random.chance(BATCH_SHARE) ? 2 : 1;
    const answer = await client.claimNext(prefix, scenario.leaseMs, limit);
    if (answer.outcome === 'accepted') return answer.value;
    if (answer.outcome !== 'refused') return [];
  }
  return [];
}

async function claimOne(lane: Lane, key: string): Promise<readonly Lease[]> {
  const answer = await lane.client.claim(key, lane.scenario.leaseMs);
  return answer.outcome === 'accepted' ? [answer.value] : [];
}

async function enqueue(lane: Lane, count: number, remember: (key: string) => void): Promise<void> {
  if (count === 0) return;
  const { random, scenario } = lane;
  const items = Array.from({ length: count }, () => {
    const key = lane.newKey(random.chance(scenario.workload.slotShare));
    const poison = random.chance(1 / POISON_EVERY) && hasPoison(lane);
    return itemOf(lane, poison ? poisonKey(key) : key);
  });
  const answer = await lane.client.enqueue(items);
  if (answer.outcome === 'accepted') for (const item of items) remember(item.key);
}

function isScarce(lane: Lane): boolean {
  return Math.floor(lane.nowMs() / WINDOW_MS) % 2 === 0;
}
