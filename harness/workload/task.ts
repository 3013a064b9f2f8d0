/**
 * One task: hold the lease, send heartbeats, and end it. What a worker does that has lost its lease is the point of the
 * whole exercise: a polite one would mask the store's fencing (spec/checking.md 3.7), so most are not polite.
 */
import type { Lease } from '../../src/store.ts';
import { LAST_MOMENT, LAST_MOMENT_LEASES, lastMomentRate } from '../scenario/last-moment.ts';
import type { Answer } from '../worker/recording-client.ts';
import type { Lane } from './lane.ts';
import { isPoison } from './poison.ts';

type Final = 'complete' | 'release' | 'nack';

/** Writes what a task has brought, under its lease; just before the task is completed. */
export type Deliver = (lane: Lane, lease: Lease) => Promise<void>;

/**
 * Runs the task of one granted lease to its end, and tells whether its completion was left without an answer. `grantedAt`: when the claim was sent, in ms of the monotonic clock.
 */
export async function runTask(
  lane: Lane,
  granted: Lease,
  grantedAtMs: number,
  deliver?: Deliver,
): Promise<boolean> {
  const { random, scenario, client, methods } = lane;
  const zombie = random.pick(scenario.workload.zombies);
  const { p50Ms, p95Ms } = scenario.workload.task;
  const beats = methods.has('heartbeat');
  const atLastMoment = beats && renewsAtLastMoment(lane);
  const takesMs = random.logNormal(p50Ms, p95Ms);
  const endsAt =
    lane.nowMs() + (atLastMoment ? Math.max(takesMs, LAST_MOMENT_LEASES * granted.leaseMs) : takesMs);
  let lease = granted;
  // A lease counts from before its request was sent: the store cannot have granted it earlier.
  let countsFrom = grantedAtMs;
  const { min, max } = LAST_MOMENT;
  let nextBeat =
    lane.nowMs() + (atLastMoment ? granted.leaseMs * (min + (max - min) * random.next()) : jitter(lane));
  const over = (): boolean => lane.nowMs() >= countsFrom + lease.leaseMs;

  for (;;) {
    const now = lane.nowMs();
    if (zombie === 'polite' && over()) return false;
    // An overdue heartbeat goes first, as after a pause: that is how real workers wake up.
    if (beats && now >= nextBeat) {
      const sentAt = lane.nowMs();
      const answer = await client.heartbeat(lease);
      if (answer.outcome === 'accepted') {
        lease = answer.value;
        countsFrom = sentAt;
      } else if (answer.outcome === 'refused' && zombie === 'polite') {
        return false;
      }
      nextBeat = lane.nowMs() + jitter(lane);
      continue;
    }
    if (now >= endsAt) break;
    await lane.sleep(Math.max(0, Math.min(endsAt, beats ? nextBeat : endsAt) - now));
  }

  const final = finalOf(lane, lease.key);
  if (final === 'complete') await deliver?.(lane, lease);
  const answer = await send(lane, final, lease);
  if (zombie === 'stubborn' && answer.outcome === 'refused') {
    if (final === 'complete') await deliver?.(lane, lease);
    await send(lane, final, lease);
    if (methods.has('release')) await client.release(lease);
    if (beats) await client.heartbeat(lease);
  }
  return final === 'complete' && answer.outcome === 'info';
}

function finalOf(lane: Lane, key: string): Final {
  if (isPoison(key) && lane.methods.has('nack')) return 'nack';
  // Nothing is handed back in drain: it has to come to an end.
  if (lane.phase() === 'drain') return 'complete';
  const { complete, release, nack } = lane.scenario.workload.finals;
  return lane.random.pick({
    complete,
    release: lane.methods.has('release') ? release : 0,
    nack: lane.methods.has('nack') ? nack : 0,
  });
}

async function send(lane: Lane, final: Final, lease: Lease): Promise<Answer<void>> {
  switch (final) {
    case 'complete':
      return lane.client.complete(lease);
    case 'release':
      return lane.client.release(lease);
    case 'nack':
      return lane.client.nack(lease, 'simulated failure');
  }
}

/** Now and then a lease is renewed only when it is nearly over (O7), more often the longer the lane has had no task. */
function renewsAtLastMoment(lane: Lane): boolean {
  const now = lane.nowMs();
  const since = now - (LAST_TASK.get(lane) ?? now);
  LAST_TASK.set(lane, now);
  return lane.phase() === 'main' && lane.random.chance(Math.min(1, lastMomentRate(lane.scenario) * since));
}

/** When a lane began its last task. */
const LAST_TASK = new WeakMap<Lane, number>();

/** Heartbeats of many workers must not fall into step. */
const jitter = (lane: Lane): number => lane.scenario.heartbeatMs * (0.8 + 0.4 * lane.random.next());
