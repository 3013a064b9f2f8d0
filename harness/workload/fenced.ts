/** A leased item whose holder writes entries under its lease, for workloads that lease nothing else. */
import { deliver } from './deliver.ts';
import { type Lane, WORK_PREFIX } from './lane.ts';
import { runTask } from './task.ts';

/** Whether the store has what it takes. */
export const canFence = ({ methods }: Lane): boolean =>
  methods.has('enqueue') && methods.has('claimNext') && methods.has('complete');

/** Makes an item. Whoever comes next works on it, perhaps as a stale holder of it. */
export async function fencedTask(lane: Lane): Promise<void> {
  const key = lane.newKey(false);
  const { maxAttempts } = lane.scenario.workload;
  await lane.client.enqueue([{ key, payload: { task: key }, maxAttempts }]);
  await claimAndDeliver(lane);
}

/** Works on one item, if there is one. What a killed holder left is found here. */
export async function claimAndDeliver(lane: Lane): Promise<boolean> {
  const sentAt = lane.nowMs();
  const answer = await lane.client.claimNext(WORK_PREFIX, lane.scenario.leaseMs, 1);
  const lease = answer.outcome === 'accepted' ? answer.value[0] : undefined;
  if (lease === undefined) return false;
  await deliver(lane, lease);
  await runTask(lane, lease, sentAt, deliver);
  return true;
}
