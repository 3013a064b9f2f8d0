import { CONFIRM_MS } from '../process/crew.ts';
import { type Fault, preferHolder } from './fault.ts';

/** How long a new worker may take to open the store and say that it is ready. */
const READY_MS = 20_000;

/** SIGKILL to a worker, best one that holds a lease: nobody cleans up, the lease has to run out. */
export const kill: Fault = {
  name: 'kill',
  does: 'ends a worker by SIGKILL while it holds a lease, and starts another life under the same label',
  confirmedBy: 'its exit by SIGKILL, after our signal',
  healedBy: 'a new incarnation that is ready',
  cannotShow: 'loss of what was not yet on the disk: the operating system keeps its pages (power loss)',
  choose: preferHolder,
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
