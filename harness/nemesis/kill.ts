import type { Member } from '../process/crew.ts';
import { CONFIRM_MS } from '../process/crew.ts';
import { type Fault, type FaultContext, preferWriter } from './fault.ts';

/** How long a new worker may take to open the store and say that it is ready. */
const READY_MS = 20_000;

/** SIGKILL to a worker, best one that holds a lease or is writing: nobody cleans up, the lease has to run out. */
export const kill: Fault = {
  name: 'kill',
  does: 'ends a worker by SIGKILL while it holds a lease, and starts another life under the same label',
  confirmedBy: 'its exit by SIGKILL, after our signal',
  healedBy: 'a new incarnation that is ready',
  cannotShow: 'loss of what was not yet on the disk: the operating system keeps its pages (power loss)',
  choose: freshestHolder,
  async inject(target, { crew, note }) {
    note('act');
    if (!crew.signal(target, 'SIGKILL')) {
      note('confirm', 'missed', 'it was gone already');
      return 'missed';
    }
    if (!(await target.child.waitForExit(CONFIRM_MS))) {
      note('confirm', 'failed', 'SIGKILL was sent, and no exit was seen');
      return 'failed';
    }
    note('confirm', 'confirmed');
    note('heal');
    const next = crew.spawn(target.label, 'respawn', target);
    const ready = await crew.seeReady(next, READY_MS);
    note(
      'healed',
      ready ? 'confirmed' : 'failed',
      ready ? undefined : 'the new incarnation never became ready',
    );
    return ready ? 'confirmed' : 'failed';
  },
};

/** Of its lease, so much must be left that the exit is seen before the end, on a busy machine too. */
const SHARE_LEFT = 0.5;

/** The one whose lease lasts longest. With none that lasts long enough, it is waited for one lease, then anybody will do. */
function freshestHolder(candidates: readonly Member[], context: FaultContext): Member | undefined {
  const { leases, leaseMs, waitedMs, draw } = context;
  if (!context.usesLeases) return preferWriter(candidates, context);
  const left = candidates.map((member) => leases.remainingMs(member.incarnation));
  const most = Math.max(...left);
  if (most >= SHARE_LEFT * leaseMs) return candidates[left.indexOf(most)];
  return waitedMs < leaseMs ? undefined : candidates[Math.floor(draw * candidates.length)];
}
