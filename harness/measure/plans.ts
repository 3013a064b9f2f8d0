/** The numbers of durable plans. Undefined for a run that worked on none. Pure. */
import { type History, OUTCOME, type PlanVerb } from '../history/history.ts';
import type { PlanNumbers } from '../report/results.ts';
import { type Window, within } from './window.ts';

/** Counted in main, each verb once. */
export function planNumbers({ ops, planVerbs }: History, main: Window): PlanNumbers | undefined {
  if (planVerbs.length === 0) return undefined;
  const inMain = planVerbs.filter(({ row }) => within(main, ops.inv[row]!));
  const count = (counts: (verb: PlanVerb, outcome: number) => boolean): number =>
    inMain.filter((verb) => counts(verb, ops.outcome[verb.row]!)).length;
  const accepted = (name: PlanVerb['verb']): number =>
    count(({ verb }, outcome) => verb === name && outcome === OUTCOME.accepted);
  return {
    handOuts: count(({ claim }) => claim?.kind === 'claimed'),
    handedOutAgain: count(({ claim }) => claim?.kind === 'claimed' && claim.attempts > 1),
    results: accepted('markDone'),
    handedBack: accepted('markFailed'),
    renewals: count(({ claim }) => claim?.kind === 'renewed'),
    cancelled: accepted('cancelTask'),
    rescheduled: accepted('setTaskSchedule'),
    closesRefused: count(
      ({ verb }, outcome) => (verb === 'markDone' || verb === 'markFailed') && outcome === OUTCOME.refused,
    ),
    unknown: count((_, outcome) => outcome === OUTCOME.info),
  };
}
