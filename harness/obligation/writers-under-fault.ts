/**
 * O18, writers under fault: where nothing is leased, a worker was killed that had been writing entries, and one that was stopped
 * went on writing when it woke up, with whatever it had read before.
 *
 * Counted per process and per stop, from the supervisor's records and the client's own answers.
 */
import { type Incarnation, OP, OUTCOME } from '../history/history.ts';
import { within } from '../measure/window.ts';
import type { ObligationContext } from './context.ts';
import { claims, type Evidence, type ObligationRule } from './rule.ts';

/** Where items are worked on, evidence about leases is the stronger demand (O1, O3). */
const asked = (context: ObligationContext): boolean =>
  context.workload.includes('commit') && !claims(context);

export const killedWriter: ObligationRule = {
  id: 'O18.killed',
  name: 'writers killed',
  statement:
    'A worker was ended by SIGKILL in main, and was seen to exit, after a commit of its had been accepted.',
  min: 10,
  advice: 'Kill more often (`faults.every`, `faults.kill`), or run longer (`phases.main.max`).',
  asked,
  count: (evidence) => {
    const spans = writingSpans(evidence);
    let seen = 0;
    for (const life of evidence.history.incarnations.values()) {
      const killedAt = killed(life);
      if (killedAt === undefined || !within(evidence.main, killedAt)) continue;
      if ((spans.get(life.id)?.first ?? killedAt) < killedAt) seen += 1;
    }
    return seen;
  },
};

export const stoppedWriter: ObligationRule = {
  id: 'O18.stopped',
  name: 'writers stopped',
  statement:
    'A worker was seen stopped, in main, after a commit of its had been accepted, ran again, and had another one answered.',
  min: 5,
  advice:
    'Stop workers more often (`faults.every`, `faults.pause`, `faults.twin`), or run longer (`phases.main.max`).',
  asked,
  count: (evidence) => {
    const spans = writingSpans(evidence);
    let seen = 0;
    for (const life of evidence.history.incarnations.values()) {
      const span = spans.get(life.id);
      if (life.role !== 'worker' || span === undefined) continue;
      for (const stop of life.stopped) {
        if (!within(evidence.main, stop.from)) continue;
        if (span.first < stop.from && span.last > stop.to) seen += 1;
      }
    }
    return seen;
  },
};

/** When we killed it; undefined when it did not die of that. */
function killed({ role, exitSignal, exitedAt, signals }: Incarnation): number | undefined {
  if (role !== 'worker' || exitSignal !== 'SIGKILL' || exitedAt === undefined) return undefined;
  return signals.find(({ signal, at }) => signal === 'SIGKILL' && at <= exitedAt)?.at;
}

/** Of each incarnation: when its first commit was accepted, and when its last one was answered, refused ones too. */
function writingSpans({ history: { ops } }: Evidence): ReadonlyMap<number, { first: number; last: number }> {
  const spans = new Map<number, { first: number; last: number }>();
  for (let row = 0; row < ops.length; row++) {
    if (ops.op[row] !== OP.commit || ops.outcome[row]! > OUTCOME.refused) continue;
    const ret = ops.ret[row]!;
    const first = ops.outcome[row] === OUTCOME.accepted ? ret : Number.POSITIVE_INFINITY;
    const span = spans.get(ops.incarnation[row]!);
    if (!span) spans.set(ops.incarnation[row]!, { first, last: ret });
    else {
      span.first = Math.min(span.first, first);
      span.last = Math.max(span.last, ret);
    }
  }
  return spans;
}
