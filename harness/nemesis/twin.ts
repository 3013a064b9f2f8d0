import { stamp } from '../history/writer.ts';
import type { Member } from '../process/crew.ts';
import { type Fault, type FaultContext, preferHolder } from './fault.ts';

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
  confirmedBy: 'the process state T of the old one, and the new one ready',
  healedBy: 'SIGCONT; the old one finishes its task and goes',
  cannotShow: 'twins on two machines, whose clocks differ',
  choose(candidates, context) {
    const { leases } = context;
    const withSlot = candidates.filter((member) =>
      leases.holdsSlot(member.incarnation, (item) => leases.keyOf(item)),
    );
    return preferHolder(withSlot.length > 0 ? withSlot : candidates, context);
  },
  async inject(target, context) {
    const { crew, note } = context;
    note('act');
    const held = context.leases.items(target.incarnation);
    if (!crew.signal(target, 'SIGSTOP')) {
      note('confirm', 'missed', 'it was gone already');
      return 'missed';
    }
    const stopped = await crew.seeStopped(target);
    const second = crew.spawn(target.label, 'twin', target);
    const ready = await crew.seeReady(second, PATIENCE_MS);
    const outcome = !stopped ? 'failed' : ready ? 'confirmed' : 'missed';
    note(
      'confirm',
      outcome,
      ready
        ? `incarnation ${second.incarnation} stands in for ${target.incarnation}`
        : 'the new one did not come up while the old one was stopped: it may have been stopped inside a transaction',
    );
    if (outcome === 'confirmed') await takenOver(second, held, context);
    note('heal');
    const running = await crew.resume(target);
    // With the old one running again the new one comes up, unless its store gave up on it: then the old one stays.
    if (ready || (await crew.seeReady(second, READY_MS))) {
      crew.retire(target);
      await crew.seeGone([target], RETIRE_MS);
    }
    note('healed', running ? 'confirmed' : 'failed');
    return running ? outcome : 'failed';
  },
};

/** Waits until the twin was granted an item that the old one held, but no longer than the pause that was drawn. */
async function takenOver(second: Member, held: readonly number[], context: FaultContext): Promise<void> {
  // By the clock, not by the number of looks: on a busy machine one of them may take long.
  const until = stamp() + context.pauseMs * 1e6;
  while (stamp() < until && !context.stop.aborted) {
    if (context.leases.tookOver(second.incarnation, held)) return;
    await context.sleep(LOOK_MS);
  }
}
