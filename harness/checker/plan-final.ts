/**
 * The versions of each plan, as the scanner read them at the end, against one another (`plan-versions.ts`) and against the verbs.
 *
 *   every version was made by one verb, and a verb makes one version
 *   an accepted verb has its version, which shows what was accepted          (only where every version was read)
 *   a verb that was refused, or failed for certain, has none; but for tasks that it parked
 *   a close made its version out of the claim that it was called with        (P2)
 *
 * Versions are totally ordered, so nothing has to be placed: each accusation holds for every order of the calls.
 */
import type { PlanDocument, PlanTask } from '../../src/plan/document.ts';
import { type History, OUTCOME, type PlanVerb, requestOf } from '../history/history.ts';
import { accusePlan, type PlanGuarantee, type PlanTallies } from './plan-accuse.ts';
import { acted, isClose, outcomeOf, type PlanChain, type PlanFacts, type PlanStep } from './plan-facts.ts';
import { checkPlanVersions, type PlanLimits, type PlanRule } from './plan-versions.ts';
import { taskName } from './plan-words.ts';

const BY_RULE: Readonly<Record<PlanRule, PlanGuarantee>> = {
  'one accepted result': 'P1',
  'attempts exact': 'P3',
  'attempts bounded': 'P3',
  'closed stays closed': 'P4',
  'indices stable': 'P5',
  'renewed once': 'P6',
  'lease exclusive': 'P7',
  'schedule audited': 'P8',
};

/** A version with the one before it; undefined where that was not read. */
interface Made {
  readonly before: PlanStep | undefined;
  readonly step: PlanStep;
}

export function judgeFinalPlans(facts: PlanFacts, found: PlanTallies): void {
  const { history, chains, whole } = facts;
  for (const chain of chains) judgeChain(history, chain, found);
  const made = madeBy(chains);
  for (const verb of history.planVerbs) judgeVerb(history, verb, made.get(verb.row) ?? [], whole, found);
}

function judgeChain(history: History, { plan, steps }: PlanChain, found: PlanTallies): void {
  const documents = steps.map(({ document }) => document);
  for (const { rule, at, index, statement } of checkPlanVersions(documents, limitsOf(history, plan))
    .findings) {
    const step = steps[at]!;
    const before = lastChange(steps, at - 1, index);
    accusePlan(history, found, {
      guarantee: BY_RULE[rule],
      plan,
      epoch: step.document.epoch ?? 0,
      task: index,
      accused: rowOf(step),
      others: [rowOf(before)],
      statement: `${taskName(history, plan, index)}: ${statement.replace(/^task \d+: /, '')} (${rule})`,
      because: [`version ${step.version} of the plan came right after version ${step.version - 1}`],
    });
  }
}

/** What the handles allowed that worked on a plan. */
function limitsOf(history: History, plan: number): PlanLimits {
  const limits = history.planVerbs.flatMap((verb) =>
    verb.plan === plan && verb.maxAttempts !== undefined ? [verb.maxAttempts] : [],
  );
  if (limits.length === 0) return { maxAttempts: Number.POSITIVE_INFINITY, leastAttempts: 0 };
  return { maxAttempts: Math.max(...new Set(limits)), leastAttempts: Math.min(...new Set(limits)) };
}

/** The version that brought the task into the state that it has at `at`; of no task in particular, that version itself. */
function lastChange(steps: readonly PlanStep[], at: number, task: number | undefined): PlanStep {
  let i = at;
  const state = (step: number): string => JSON.stringify(steps[step]!.document.tasks[task!]);
  while (task !== undefined && i > 0 && isSamePlan(steps, i) && state(i - 1) === state(i)) i -= 1;
  return steps[i]!;
}

const isSamePlan = (steps: readonly PlanStep[], i: number): boolean =>
  steps[i - 1]!.document.epoch === steps[i]!.document.epoch;

/** The verb that made a version; where none says so, the read that showed it. */
const rowOf = ({ by, row }: PlanStep): number => by?.row ?? row;

function madeBy(chains: readonly PlanChain[]): ReadonlyMap<number, readonly Made[]> {
  const made = new Map<number, Made[]>();
  for (const { steps } of chains) {
    steps.forEach((step, i) => {
      if (step.by) made.set(step.by.row, [...(made.get(step.by.row) ?? []), { before: steps[i - 1], step }]);
    });
  }
  return made;
}

function judgeVerb(
  history: History,
  verb: PlanVerb,
  made: readonly Made[],
  whole: boolean,
  found: PlanTallies,
): void {
  const accepted = acted(history, verb);
  const [first, second] = made;
  const tell = (guarantee: PlanGuarantee, what: string, because: string, others: readonly number[] = []) =>
    accusePlan(history, found, {
      guarantee,
      plan: verb.plan,
      epoch: verb.claim?.epoch ?? verb.epoch,
      task: verb.task,
      accused: verb.row,
      others,
      statement: `${taskName(history, verb.plan, verb.task)}: ${what}`,
      because: [because],
    });
  const request = requestOf(history.ops, verb.row);
  if (accepted && first === undefined && whole) {
    const last = history.finalPlans?.versions.get(verb.plan)?.at(-1);
    tell(
      guaranteeOf(verb),
      `${verb.verb} was accepted, and no version of the plan was made by it; what was accepted must be there`,
      `every version of the plan was read, and none names ${request}`,
      last === undefined ? [] : [last.row],
    );
  }
  if (first && second) {
    tell(
      guaranteeOf(verb),
      `${verb.verb} made two versions of the plan; a verb is done once`,
      `versions ${first.step.version} and ${second.step.version} both name ${request}`,
      [first.step.row],
    );
  }
  if (first === undefined || first.before === undefined) return;
  const { version, row } = first.step;
  const before = first.before.document;
  const after = first.step.document;
  const outcome = outcomeOf(history, verb);
  if ((outcome === OUTCOME.refused || outcome === OUTCOME.fail) && !onlyParks(verb, before, after)) {
    tell(
      guaranteeOf(verb),
      `${verb.verb} was ${outcome === OUTCOME.refused ? 'refused' : 'answered as failed'}, and the plan was changed by it; a refusal writes nothing`,
      `version ${version} names ${request}`,
      [row],
    );
  }
  if (isClose(verb) && !isOwnClaim(verb, before)) {
    const task = before.tasks[verb.task!];
    tell(
      'P2',
      `${verb.verb} under generation ${verb.generation} of epoch ${verb.epoch} closed what was ${task?.status ?? 'no task'} under generation ${task?.generation ?? 0} of epoch ${before.epoch ?? 0}; a stale close must be refused`,
      `version ${version} names ${request}, and version ${version - 1} shows whose the task was`,
      [row],
    );
  }
  if (accepted && !shows(verb, after)) {
    tell(
      guaranteeOf(verb),
      `${verb.verb} was accepted, and the version that it made does not show it`,
      `version ${version} names ${request}`,
      [row],
    );
  }
}

/** The guarantee that an accepted verb of this kind stands under. */
function guaranteeOf({ verb, claim, renew }: PlanVerb): PlanGuarantee {
  switch (verb) {
    case 'markDone':
      return 'P1';
    case 'claimTask':
      return claim?.kind === 'renewed' || (claim === undefined && renew) ? 'P6' : 'P3';
    case 'claimNext':
    case 'markFailed':
      return 'P3';
    case 'cancelTask':
      return 'P4';
    case 'setTaskSchedule':
      return 'P8';
    case 'setPlan':
    case 'addTasks':
      return 'P5';
  }
}

/** A claim that hands out nothing may park tasks whose attempts are used up. */
function onlyParks({ verb }: PlanVerb, before: PlanDocument, after: PlanDocument): boolean {
  if (verb !== 'claimNext' && verb !== 'claimTask') return false;
  return (
    before.epoch === after.epoch &&
    after.tasks.every(
      (task, i) => task.status === 'failed' || JSON.stringify(task) === JSON.stringify(before.tasks[i]),
    )
  );
}

function isOwnClaim({ task, generation, epoch }: PlanVerb, before: PlanDocument): boolean {
  if (epoch !== undefined && epoch !== (before.epoch ?? 0)) return false;
  const held: PlanTask | undefined = before.tasks[task!];
  return generation === undefined || generation === (held?.generation ?? 0);
}

/** Whether the version that a verb made shows what was accepted. */
function shows({ verb, task: index, value, claim }: PlanVerb, after: PlanDocument): boolean {
  const task = index === undefined ? undefined : after.tasks[index];
  switch (verb) {
    case 'markDone':
      return task?.status === 'done' && task.result === value;
    case 'markFailed':
      return (task?.status === 'todo' || task?.status === 'failed') && task.error === value;
    case 'cancelTask':
      return task?.status === 'cancelled' && task.cancelReason === value;
    case 'setTaskSchedule': {
      const event = after.scheduleEvents.at(-1);
      return event?.index === index && event?.reason === value;
    }
    case 'claimNext':
    case 'claimTask':
      return (
        claim === undefined ||
        (task?.status === 'claimed' &&
          after.epoch === claim.epoch &&
          task.generation === claim.generation &&
          task.attempts === claim.attempts &&
          (claim.kind === 'claimed' || task.renewed === true))
      );
    case 'setPlan':
    case 'addTasks':
      return value === undefined || (after.tasks.at(-1)?.text.startsWith(value) ?? false);
  }
}
