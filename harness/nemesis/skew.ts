import { stamp } from '../history/writer.ts';
import type { Member } from '../process/crew.ts';
import { CONFIRM_MS } from '../process/crew.ts';
import { between, leases, oneHolder } from './choose.ts';
import { CONFIRMED, type Fault, type FaultContext, failed } from './fault.ts';
import { heal, order } from './ordered.ts';
import { pickBy } from './pick.ts';

/** So much of what was ordered must be read back, and no more than the rest may be left after the heal. */
const SHARE_SEEN = 0.5;

/** The wall clock of one worker is wrong. A store that says it has a clock of its own must not care: that is the test. */
export const skew: Fault = {
  name: 'skew',
  does: "makes a worker's wall clock wrong for a time: ahead or behind, too fast or too slow, or stepping; its monotonic clock stays",
  needs: 'a distance (`faults.options.skew.by`) above one lease',
  confirmedBy: "the worker's wall clock, read back beside its monotonic one",
  healedBy: 'the same reading shows the right time again',
  cannotShow: "what reads the time in native code (SQLite's `datetime('now')`), and a server's own clock",
  target: 'workers',
  unmet: ({ scenario }) => {
    const { min } = scenario.faults!.options.skew.by;
    if (min > 1) return undefined;
    return {
      level: 'refusal',
      what: `Expected \`faults.options.skew.by.min\` to be more than 1, got ${min}.`,
      why: 'Clocks that differ by less than a lease end no lease before its time.',
      fix: 'Set it to 1.5 or more.',
    };
  },
  choose: oneHolder,
  begin([target], context) {
    const worker = target!;
    const { options } = context.plan;
    const kind = pickBy(options.skew.kinds, context.draw('kind'));
    const lastsMs = leases(options.skew.leases, context);
    const sign = context.draw('sign') < 0.5 ? -1 : 1;
    const byMs = sign * context.leaseMs * between(options.skew.by, context.draw('by'));
    const set = (offsetMs: number, rate = 0): boolean =>
      order(worker, context, { id: context.id, fault: 'skew', offsetMs, rate });
    /** Whether its wall clock is off by that much, at the least. */
    const isOff = (ms: number) => (): boolean => {
      const off = offBy(worker, context);
      return off !== undefined && (ms > 0 ? off >= ms : off <= ms);
    };
    return {
      // At a rate it comes to the same distance, in half of the time.
      inject: () => (kind === 'rate' ? set(sign * FIRST_MS, byMs / (lastsMs / 2)) : set(byMs)),
      async confirm() {
        const least = kind === 'rate' ? (sign * FIRST_MS) / 2 : SHARE_SEEN * byMs;
        return (await context.until(isOff(least), CONFIRM_MS))
          ? { ...CONFIRMED, detail: `${kind} of ${Math.round(byMs)} ms` }
          : failed('it was ordered, and the wall clock that the worker reads is not off');
      },
      async last() {
        await context.sleep(lastsMs / 2);
        if (kind === 'step') set(-byMs);
        // Read at its farthest, where it had time to come there.
        else if (kind === 'rate' && !context.stop.aborted) set(byMs);
        await context.sleep(lastsMs / 2);
      },
      heal: () => heal(worker, context),
      async confirmHealed() {
        const right = (): boolean =>
          worker.child.exit !== undefined ||
          (context.notes.hasEnded(context.id, worker.incarnation) &&
            Math.abs(offBy(worker, context) ?? 0) < SHARE_SEEN * Math.abs(byMs));
        return (await context.until(right, CONFIRM_MS))
          ? CONFIRMED
          : failed('the clock was set right, and the worker still reads a wrong time');
      },
    };
  },
};

/** A clock that goes at a rate starts so far off, ms, so that it can be read back at once. */
const FIRST_MS = 100;

/** How far the worker's wall clock, as it last read it, is from ours now. */
function offBy({ incarnation }: Member, { notes }: FaultContext): number | undefined {
  const read = notes.wallOffsetMs(incarnation);
  return read === undefined ? undefined : read - (Date.now() - stamp() / 1e6);
}
