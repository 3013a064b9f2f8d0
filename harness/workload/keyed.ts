/**
 * The workload `work` for stores that lease by key only (no `claimNext`): keys come from the common clock, so that all
 * workers try the same few at the same time without talking to one another.
 */
import type { Lease, RefusalCode } from '../../src/store.ts';
import { type Lane, slotPrefix, WORK_PREFIX } from './lane.ts';
import { type Deliver, runTask } from './task.ts';

/** A new key appears this often. */
const KEY_EVERY_MS = 5;
/** Lanes try keys that appeared within this time. */
const WINDOW_MS = 400;
const TICK_MS = 8;

/** Nothing can come of a key that was refused with one of these. */
const OVER: ReadonlySet<RefusalCode> = new Set(['completed', 'dead', 'unknown-item', 'closed']);

export async function keyedWork(lane: Lane, deliver?: Deliver): Promise<void> {
  const over = new Set<string>();
  let last: number | undefined;
  while (!lane.ending()) {
    if (lane.phase() === 'drain') {
      // No new keys: a store that makes items on demand would never come to an end.
      last ??= newest(lane);
      await sweepAll(lane, last, over, deliver);
    } else await tryOne(lane, over, deliver);
  }
}

/** Number of the newest key; keys are numbered from the start of the run. */
const newest = (lane: Lane): number => Math.floor((lane.nowMs() - lane.startedAtMs) / KEY_EVERY_MS);

async function tryOne(lane: Lane, over: Set<string>, deliver: Deliver | undefined): Promise<void> {
  const index = Math.max(0, newest(lane) - lane.random.int(0, WINDOW_MS / KEY_EVERY_MS));
  const key = keyOf(lane, index, lane.random.chance(lane.scenario.workload.slotShare));
  if (over.has(key)) return lane.sleep(TICK_MS - (lane.nowMs() % TICK_MS));
  if (lane.methods.has('enqueue') && lane.declares.items === 'enqueued') {
    const { maxAttempts } = lane.scenario.workload;
    await lane.client.enqueue([{ key, payload: { task: key }, maxAttempts }]);
  }
  const worked = await claimAndRun(lane, key, over, deliver);
  if (!worked) await lane.sleep(TICK_MS - (lane.nowMs() % TICK_MS));
}

/** Drain: every key there ever was, until none of them can be claimed any more. */
async function sweepAll(
  lane: Lane,
  last: number,
  over: Set<string>,
  deliver: Deliver | undefined,
): Promise<void> {
  let open = 0;
  for (let index = last; index >= 0 && !lane.ending(); index--) {
    for (const slot of [false, true]) {
      const key = keyOf(lane, index, slot);
      if (over.has(key)) continue;
      await claimAndRun(lane, key, over, deliver);
      if (!over.has(key)) open += 1;
    }
  }
  lane.found(open > 0);
  await lane.sleep(TICK_MS);
}

async function claimAndRun(
  lane: Lane,
  key: string,
  over: Set<string>,
  deliver: Deliver | undefined,
): Promise<boolean> {
  const sentAt = lane.nowMs();
  const answer = await lane.client.claim(key, lane.scenario.leaseMs);
  if (answer.outcome === 'refused' && OVER.has(answer.refusal.code)) over.add(key);
  if (answer.outcome !== 'accepted') return false;
  const lease: Lease = answer.value;
  await runTask(lane, lease, sentAt, deliver);
  return true;
}

const keyOf = (lane: Lane, index: number, slot: boolean): string =>
  `${slot ? slotPrefix(lane.label) : WORK_PREFIX}k-${index}`;
