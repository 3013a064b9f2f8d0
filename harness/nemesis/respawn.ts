/** New incarnations in the place of those that a fault ended. */
import type { Crew, Member } from '../process/crew.ts';
import { CONFIRMED, failed, type Seen } from './fault.ts';

/** How long a new worker may take to open the store and say that it is ready. */
const READY_MS = 20_000;

/** Waits until all of them have said that they are ready. */
export async function respawned(members: readonly Member[], crew: Crew): Promise<Seen> {
  const ready = await Promise.all(members.map((member) => crew.seeReady(member, READY_MS)));
  return ready.every(Boolean) ? CONFIRMED : failed('the new incarnation never became ready');
}
