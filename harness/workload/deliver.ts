/** What a task writes under its lease: the leased key itself, a result under a key of its own, and a fact that all share. */
import type { Lease } from '../../src/store.ts';
import { logKey, resultKey } from './board-keys.ts';
import type { Lane } from './lane.ts';

/**
 * One commit, all or none. The fence stands on the first write and holds for the others too: a holder that has lost its
 * item leaves nothing behind.
 */
export async function deliver(lane: Lane, lease: Lease): Promise<void> {
  await lane.client.commit([
    { key: lease.key, op: 'set', fence: lease },
    { key: resultKey(lane.label, lease.key), op: 'set' },
    { key: logKey(lane), op: 'append' },
  ]);
}
