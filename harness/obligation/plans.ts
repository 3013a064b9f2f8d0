/**
 * O20, plans: workers died and were stopped while they held tasks of plans, and came back too late; and each verb that could go wrong
 * was really tried.
 *
 * Counted per verb and per claim, from the supervisor's signal and exit records and the clients' own answers.
 */
import { OUTCOME, type PlanVerb } from '../history/history.ts';
import { shortest } from '../measure/lease-bounds.ts';
import { claimName, type PlanClaims, planClaims } from '../measure/plan-claims.ts';
import { within } from '../measure/window.ts';
import { deathOf } from './held-at-death.ts';
import type { Evidence, ObligationRule } from './rule.ts';

type Count = ObligationRule['count'];
type Part = Omit<ObligationRule, 'id' | 'asked'>;

const MORE = 'Run longer (`phases.main.max`), or use more workers or lanes (`workers`, `lanes`).';

const part = (name: string, one: Part): ObligationRule => ({
  ...one,
  id: `O20.${name}`,
  asked: ({ plans: works }) => works,
});

/** Verbs of main that were answered so. */
const counting =
  (counts: (verb: PlanVerb, outcome: number, evidence: Evidence) => boolean): Count =>
  (evidence) => {
    const { ops, planVerbs } = evidence.history;
    return planVerbs.filter(
      (verb) => within(evidence.main, ops.inv[verb.row]!) && counts(verb, ops.outcome[verb.row]!, evidence),
    ).length;
  };

const accepted = (name: PlanVerb['verb']): Count =>
  counting(({ verb }, outcome) => verb === name && outcome === OUTCOME.accepted);

/** Claims whose holder died with them: killed in main, or ended otherwise, before the deadline can have passed. */
function lostClaims(
  evidence: Evidence,
  bounds: Parameters<typeof shortest>[1],
): { claim: PlanVerb; diedAt: number }[] {
  const { ops, incarnations } = evidence.history;
  return planClaims(evidence.history).held.flatMap((claim) => {
    const life = incarnations.get(ops.incarnation[claim.row]!);
    const diedAt = life && deathOf(life);
    const sentAt = life?.signals.find(({ signal }) => signal === 'SIGKILL')?.at;
    if (diedAt === undefined || sentAt === undefined || life?.exitSignal !== 'SIGKILL') return [];
    const stands = ops.inv[claim.row]! + shortest(claim.leaseMs, bounds) > diedAt;
    const answered = ops.ret[claim.row]! < sentAt && within(evidence.main, sentAt);
    return stands && answered ? [{ claim, diedAt }] : [];
  });
}

const laterHandOut = ({ taken }: PlanClaims, claim: PlanVerb): readonly PlanVerb[] =>
  (taken.get(claimName(claim)) ?? []).filter((one) => one.claim!.generation > claim.claim!.generation);

export const plans: readonly ObligationRule[] = [
  part('killed', {
    name: 'killed with a task',
    statement:
      'A worker was ended by SIGKILL in main, and was seen to exit, while it certainly held a task of a plan.',
    min: 10,
    advice:
      'Kill more often (`faults.every`, `faults.kill`), let tasks take longer (`workload.task`), or run longer (`phases.main.max`).',
    count: (evidence, { declares }) => {
      const { ops } = evidence.history;
      return new Set(lostClaims(evidence, declares).map(({ claim }) => ops.incarnation[claim.row])).size;
    },
  }),
  part('reclaimed', {
    name: 'tasks reclaimed',
    statement: 'A task was handed out again, under another generation, after its holder had died with it.',
    min: 5,
    advice:
      'Make the lease shorter than a quarter of main (`lease`), or kill more often (`faults.every`, `faults.kill`).',
    count: (evidence, { declares }) => {
      const { ops } = evidence.history;
      const known = planClaims(evidence.history);
      return lostClaims(evidence, declares).filter(({ claim, diedAt }) =>
        laterHandOut(known, claim).some((later) => ops.inv[later.row]! > diedAt),
      ).length;
    },
  }),
  part('stale', {
    name: 'stale closes refused',
    statement:
      'A `markDone` or `markFailed` reached the plan after a later hand-out of its task was certain, and was refused.',
    min: 5,
    advice:
      'Stop workers for longer than their lease (`faults.pause`, `faults.pauseLeases`), or run longer (`phases.main.max`).',
    count: counting((verb, outcome, { history }) => {
      if (outcome !== OUTCOME.refused || (verb.verb !== 'markDone' && verb.verb !== 'markFailed'))
        return false;
      const { ops } = history;
      const { taken } = planClaims(history);
      return (taken.get(claimName(verb)) ?? []).some(
        (claim) => claim.claim!.generation > verb.generation! && ops.ret[claim.row]! < ops.inv[verb.row]!,
      );
    }),
  }),
  part('renewed', {
    name: 'claims renewed',
    statement: 'A renewal of a claim was accepted in main.',
    min: 10,
    advice: MORE,
    count: counting((verb) => verb.claim?.kind === 'renewed'),
  }),
  part('renewedTwice', {
    name: 'second renewals refused',
    statement: 'A renewal of a claim that had been renewed before was refused in main.',
    min: 5,
    advice: MORE,
    count: counting((verb, outcome, { history }) => {
      if (!verb.renew || outcome !== OUTCOME.refused) return false;
      const { ops } = history;
      return (planClaims(history).renewed.get(claimName(verb)) ?? []).some(
        (one) => one.claim!.generation === verb.generation && ops.ret[one.row]! < ops.inv[verb.row]!,
      );
    }),
  }),
  part('done', {
    name: 'tasks done',
    statement: 'A `markDone` was accepted in main.',
    min: 20,
    advice: MORE,
    count: accepted('markDone'),
  }),
  part('failed', {
    name: 'tasks handed back',
    statement: 'A `markFailed` was accepted in main.',
    min: 5,
    advice: MORE,
    count: accepted('markFailed'),
  }),
  part('parked', {
    name: 'tasks parked',
    statement: 'A claim in main found a task whose attempts were used up, and parked it.',
    min: 2,
    advice: 'Allow fewer attempts (`workload.maxAttempts`), or run longer (`phases.main.max`).',
    count: counting(
      ({ claim, code }) => (claim?.parked ?? 0) > 0 || code === 'parked' || code === 'exhausted',
    ),
  }),
  part('cancelled', {
    name: 'tasks cancelled',
    statement: 'A `cancelTask` was accepted in main.',
    min: 3,
    advice: MORE,
    count: accepted('cancelTask'),
  }),
  part('scheduled', {
    name: 'tasks rescheduled',
    statement: 'A `setTaskSchedule` was accepted in main.',
    min: 5,
    advice: MORE,
    count: accepted('setTaskSchedule'),
  }),
];
