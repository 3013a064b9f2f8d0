import type { Member } from '../process/crew.ts';
import { CONFIRM_MS } from '../process/crew.ts';
import { oneHolder } from './choose.ts';
import { CONFIRMED, type Fault, failed } from './fault.ts';
import { respawned } from './respawn.ts';

/** SIGTERM, as an orchestrator sends it before it takes a process away: what is in hand is finished, nothing more is claimed. */
export const drain: Fault = {
  name: 'drain',
  does: 'asks a worker to go (SIGTERM): it claims nothing more, finishes what it holds and exits; after a deadline SIGKILL',
  needs: 'nothing',
  confirmedBy: 'its exit: with code 0, or by SIGKILL when the deadline was over',
  healedBy: 'a new incarnation that is ready',
  cannotShow: 'the death of a holder: a worker that is drained hands in what it has',
  target: 'workers',
  choose: oneHolder,
  begin([target], { crew, plan }) {
    const worker = target!;
    let next: readonly Member[] = [];
    return {
      inject() {
        worker.state = 'retiring';
        return crew.signal(worker, 'SIGTERM');
      },
      async confirm() {
        if (await worker.child.waitForExit(plan.options.drain.deadlineMs)) {
          const { code, signal } = worker.child.exit!;
          if (code === 0) return CONFIRMED;
          return failed(
            `it ended ${signal === null ? `with exit code ${code}` : `by ${signal}`} and finished nothing`,
          );
        }
        crew.signal(worker, 'SIGKILL');
        return (await worker.child.waitForExit(CONFIRM_MS))
          ? { ...CONFIRMED, detail: 'it did not go in time, and was ended by SIGKILL' }
          : failed('SIGKILL was sent, and no exit was seen');
      },
      heal() {
        next = [crew.spawn(worker.label, 'respawn', worker)];
      },
      confirmHealed: () => respawned(next, crew),
    };
  },
};
