/** What happened to the workers of a witness around it: stopped, continued, killed, replaced. Pure. */
import type { Violation } from '../checker/finding.ts';
import { zeroOf } from '../checker/words.ts';
import type { History, Incarnation } from '../history/history.ts';

/** One thing that happened to a worker, in words. */
export interface TimelineEvent {
  /** ns, as in the history. */
  readonly at: number;
  readonly label: string;
  readonly incarnation: number;
  readonly text: string;
}

/** What stories need beside the violations. Part of the results, so that a saved report tells the same story. */
export interface Timeline {
  /** ns: the instant that a story counts from, the start of main. */
  readonly zero: number;
  readonly events: readonly TimelineEvent[];
}

/** The zero of all stories, and every event that falls into the time of one of the violations. */
export function timelineOf(history: History, violations: readonly Violation[]): Timeline {
  const events = new Map<string, TimelineEvent>();
  for (const violation of violations) {
    const [from, to] = spanOf(violation);
    for (const id of new Set(violation.witness.map((one) => incarnationOf(one.request)))) {
      const incarnation = history.incarnations.get(id);
      if (incarnation === undefined) continue;
      for (const event of eventsOf(incarnation)) {
        if (event.at >= from && event.at <= to)
          events.set(`${event.at} ${event.incarnation} ${event.text}`, event);
      }
    }
  }
  return { zero: zeroOf(history), events: [...events.values()].sort((a, b) => a.at - b.at) };
}

/** From the first call of a witness to its last; unknown ends count as their beginning. */
export function spanOf(violation: Violation): readonly [number, number] {
  const ends = violation.witness.flatMap((one) =>
    Number.isFinite(one.ret) ? [one.inv, one.ret] : [one.inv],
  );
  return [Math.min(...ends), Math.max(...ends)];
}

/** The incarnation that made a call: the first part of its request id. */
export function incarnationOf(request: string): number {
  return Number.parseInt(request, 10);
}

function eventsOf(incarnation: Incarnation): TimelineEvent[] {
  const { id, label, stopped, exitedAt, exitSignal, spawnedAt, why } = incarnation;
  const event = (at: number | undefined, text: string): TimelineEvent[] =>
    at === undefined || !Number.isFinite(at) ? [] : [{ at, label, incarnation: id, text }];
  return [
    ...(why === 'twin' ? event(spawnedAt, `a twin of ${label} starts`) : []),
    ...(why === 'respawn' ? event(spawnedAt, `${label} starts again`) : []),
    ...stopped.flatMap(({ from, to }) => [
      ...event(from, `${label} is stopped (SIGSTOP)`),
      ...event(to, `${label} runs again (SIGCONT)`),
    ]),
    ...event(exitedAt, exitSignal ? `${label} is dead (${exitSignal})` : `${label} has ended`),
  ];
}
