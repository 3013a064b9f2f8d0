/**
 * The workload `work` for stores that lease by key only (no `claimNext`). Keys come by the common clock (`key-schedule.ts`); whoever
 * meets one first makes it. Every lane tries the oldest first, so that nothing that a dead or stopped holder left stays behind, and the
 * open pool stays small; idle lanes wake at the same instants, so that claims of different processes meet on the same few keys (O5).
 */
import type { Lease, RefusalCode } from '../../src/store.ts';
import { type KeySchedule, keySchedule } from './key-schedule.ts';
import { type Lane, slotPrefix, WORK_PREFIX } from './lane.ts';
import { hasPoison, itemOf, POISON_EVERY, poisonKey } from './poison.ts';
import { type Deliver, runTask } from './task.ts';

const TICK_MS = 8;
/** A new process looks this far back for what its forerunner left. */
const LOOK_BACK_MS = 3_000;
/** Keys that were tried in vain in a row before a lane waits for the next tick. */
const MAX_TRIES = 12;

/** Nothing can come of a key that was refused with one of these. */
const OVER: ReadonlySet<RefusalCode> = new Set(['completed', 'dead', 'closed']);

/** One series of keys, and those of them that this lane does not know to be over, oldest first. */
interface Stream {
  readonly prefix: string;
  readonly schedule: KeySchedule;
  readonly open: number[];
  /** The first key that was not taken up yet. */
  next: number;
}

export async function keyedWork(lane: Lane, deliver?: Deliver): Promise<void> {
  const streams = streamsOf(lane);
  let draining = false;
  while (!lane.ending()) {
    if (!draining) for (const stream of streams) takeUp(stream, elapsed(lane));
    // No new keys in drain, but all that there ever were: a store that makes items on demand would never come to an end.
    if (!draining && lane.phase() === 'drain') {
      draining = true;
      for (const stream of streams) everyKey(stream);
    }
    const slotFirst = lane.random.chance(lane.scenario.workload.slotShare);
    let worked = false;
    for (const stream of slotFirst ? [...streams].reverse() : streams) {
      worked = await tryKeys(lane, stream, draining, deliver);
      if (worked || lane.ending()) break;
    }
    lane.found(worked || (draining && streams.some(({ open }) => open.length > 0)));
    if (!worked) await lane.sleep(TICK_MS - (lane.nowMs() % TICK_MS));
  }
}

/** Keys that everybody claims, and those of the own slot. */
function streamsOf(lane: Lane): Stream[] {
  const { scenario, label } = lane;
  const { slotShare, task } = scenario.workload;
  const all = scenario.workers * scenario.lanes;
  const stream = (prefix: string, share: number): Stream => {
    const schedule = keySchedule(all, task.p50Ms, share);
    return { prefix, schedule, open: [], next: schedule.keysBy(Math.max(0, elapsed(lane) - LOOK_BACK_MS)) };
  };
  return [stream(WORK_PREFIX, 1 - slotShare), stream(slotPrefix(label), slotShare / scenario.workers)];
}

const elapsed = (lane: Lane): number => Math.max(0, lane.nowMs() - lane.startedAtMs);

function takeUp(stream: Stream, elapsedMs: number): void {
  const until = stream.schedule.keysBy(elapsedMs);
  while (stream.next < until) stream.open.push(stream.next++);
}

function everyKey(stream: Stream): void {
  stream.open.length = 0;
  for (let index = stream.next - 1; index >= 0; index--) stream.open.push(index);
}

/** Tries keys until one was worked on. In drain each open one is tried, and none is made. */
async function tryKeys(
  lane: Lane,
  stream: Stream,
  draining: boolean,
  deliver: Deliver | undefined,
): Promise<boolean> {
  const { open } = stream;
  let i = draining || stream.schedule.isScarce(elapsed(lane)) ? 0 : lane.random.int(0, open.length);
  for (let tries = 0; open.length > 0 && i < open.length; tries++) {
    if (lane.ending() || (!draining && tries >= MAX_TRIES)) return false;
    const key = keyOf(lane, stream, open[i]!);
    const got = await claim(lane, key, draining);
    if (got === 'over') open.splice(i, 1);
    else if (got === 'taken') i += 1;
    else {
      await runTask(lane, got.lease, got.sentAt, deliver);
      return true;
    }
  }
  return false;
}

function keyOf(lane: Lane, { prefix }: Stream, index: number): string {
  const key = `${prefix}k-${index}`;
  return index % POISON_EVERY === POISON_EVERY - 1 && hasPoison(lane) ? poisonKey(key) : key;
}

type Got = 'over' | 'taken' | { readonly lease: Lease; readonly sentAt: number };

/** Claims one key; makes it first where nobody has, and this is not the drain. */
async function claim(lane: Lane, key: string, draining: boolean): Promise<Got> {
  const { client, scenario } = lane;
  for (let made = false; ; made = true) {
    const sentAt = lane.nowMs();
    const answer = await client.claim(key, scenario.leaseMs);
    if (answer.outcome === 'accepted') return { lease: answer.value, sentAt };
    if (answer.outcome !== 'refused') return 'taken';
    const { code } = answer.refusal;
    if (OVER.has(code)) return 'over';
    if (code !== 'unknown-item') return 'taken';
    if (draining || made || !lane.methods.has('enqueue')) return 'over';
    const answered = await client.enqueue([itemOf(lane, key)]);
    if (answered.outcome === 'fail' || answered.outcome === 'info') return 'taken';
  }
}
