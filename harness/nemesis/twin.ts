import { stamp } from '../history/writer.ts';
import type { Member } from '../process/crew.ts';
import { pauseMs, preferHolder } from './choose.ts';
import { CONFIRMED, type Fault, type FaultContext, failed, missed } from './fault.ts';
import type { Held } from './live-leases.ts';
import { notStopped } from './stopping.ts';

const READY_MS = 20_000;
/** The new one has this long to come up while the old one is stopped; what it waits for may be held by the old one. */
const PATIENCE_MS = 5_000;
/** How often it is looked whether the twin has taken over an item of the old one. */
const LOOK_MS = 10;
/** The old one has this long to send what it still wants to send, then it is ended. */
const RETIRE_MS = 3_000;

/**
 * Stops a worker and starts another under the same label, as an orchestrator does that takes it for dead. The twin is
 * granted what the old one held; then the old one wakes up. A store that fences by name lets it through (mutant M03).
 */
export const twin: Fault = {
  name: 'twin',
  does: 'stops a worker, starts a second one under its label, and lets the first go on once the second holds its item',
  needs: 'nothing',
  confirmedBy: 'the process state T of the old one, and the new one ready',
  healedBy: 'SIGCONT; the old one finishes its task and goes',
  cannotShow: 'twins on two machines, whose clocks differ',
  target: 'workers',
  choose({ members }, context) {
    const { leases } = context;
    const withSlot = members.filter((member) =>
      leases.holdsSlot(member.incarnation, (item) => leases.keyOf(item)),
    );
    const one = preferHolder(withSlot.length > 0 ? withSlot : members, context);
    return one && [one];
  },
  begin([first], context) {
    const old = first!;
    const { crew } = context;
    const held = context.leases.items(old.incarnation);
    let second: Member | undefined;
    let isRunning = false;
    return {
      inject: () => crew.signal(old, 'SIGSTOP'),
      async confirm() {
        const stopped = await crew.seeStopped(old);
        second = crew.spawn(old.label, 'twin', old);
        const ready = await crew.seeReady(second, PATIENCE_MS);
        if (!stopped) return notStopped(old);
        return ready
          ? { ...CONFIRMED, detail: `incarnation ${second.incarnation} stands in for ${old.incarnation}` }
          : missed(
              'the new one did not come up while the old one was stopped: it may have been stopped inside a transaction',
            );
      },
      last: () => takenOver(second!, held, context),
      async heal() {
        isRunning = await crew.resume(old);
        // With the old one running again the new one comes up, unless its store gave up on it: then the old one stays.
        if (second && (second.ready || (await crew.seeReady(second, READY_MS)))) {
          crew.retire(old);
          await crew.seeGone([old], RETIRE_MS);
        }
      },
      confirmHealed: async () =>
        isRunning ? CONFIRMED : failed('SIGCONT was sent, and the kernel still shows the state T'),
    };
  },
};

/** Waits until the twin was granted an item that the old one held, but no longer than the pause that was drawn. */
async function takenOver(second: Member, held: readonly Held[], context: FaultContext): Promise<void> {
  // By the clock, not by the number of looks: on a busy machine one of them may take long.
  const until = stamp() + pauseMs(context) * 1e6;
  while (stamp() < until && !context.stop.aborted) {
    if (context.leases.tookOver(second.incarnation, held)) return;
    await context.sleep(LOOK_MS);
  }
}
