/**
 * What the answers to verbs contradict among themselves, without any version of the plan: so it is seen while the run goes on.
 *
 *   P1  two results of one task were accepted
 *   P2  a close was accepted that was sent after a later hand-out of its task, or a claim of a later plan, was answered
 *   P3  one hand-out was given to two, or one beyond the limit
 *   P4  a claim or close of a task was accepted that was sent after its result had been accepted
 *   P6  one claim was renewed twice
 *   P7  acc(claim c1) and acc(claim c2) of one task, gen(c2) > gen(c1), `ret(c2) < inv(c1) + L*(1-rho) - sigma - grain`, and no
 *       close of the task that may have acted lies between
 *
 *      w1   ├claim task 3, generation 1┤                                      ├markDone, generation 1┤ ACCEPTED
 *      w2                                     ├claim task 3, generation 2┤
 */
import { type History, OUTCOME, type PlanVerb, requestOf } from '../history/history.ts';
import { type ClockBounds, shortest } from '../measure/lease-bounds.ts';
import { accusePlan, type PlanTallies } from './plan-accuse.ts';
import {
  acted,
  isBefore,
  isClose,
  mayHaveActed,
  outcomeOf,
  type PlanFacts,
  type TaskVerbs,
} from './plan-facts.ts';
import { taskName } from './plan-words.ts';
import { duration, seconds } from './words.ts';

export function judgeVerbs(facts: PlanFacts, bounds: ClockBounds, found: PlanTallies): void {
  const { history, tasks } = facts;
  for (const verb of history.planVerbs) countOpportunity(history, verb, found);
  const newest = newestPlans(facts);
  for (const task of tasks) {
    oneResult(history, task, found);
    staleCloses(history, task, newest, found);
    handOuts(history, task, found);
    reopened(history, task, found);
    renewals(history, task, found);
    early(history, task, bounds, found);
  }
}

/** Those that a verb gives by itself; the others are counted where they are judged. */
function countOpportunity(history: History, verb: PlanVerb, found: PlanTallies): void {
  const accepted = acted(history, verb);
  if (accepted) found.P5.opportunities += 1;
  if (accepted && verb.verb === 'markDone') found.P1.opportunities += 1;
  if (accepted && verb.verb === 'setTaskSchedule') found.P8.opportunities += 1;
  if (verb.claim?.kind === 'claimed' || verb.code === 'exhausted' || verb.code === 'parked')
    found.P3.opportunities += 1;
  if ((verb.claim?.kind === 'claimed' && verb.claim.generation > 1) || verb.code === 'held')
    found.P7.opportunities += 1;
  if (verb.claim?.kind === 'renewed' || (verb.renew && verb.code === 'held')) found.P6.opportunities += 1;
}

function oneResult(history: History, task: TaskVerbs, found: PlanTallies): void {
  const results = task.closes.filter((close) => close.verb === 'markDone' && acted(history, close));
  const [first, ...more] = results;
  for (const one of more) {
    accusePlan(history, found, {
      guarantee: 'P1',
      ...task,
      accused: one.row,
      others: [first!.row],
      statement: `two results of ${taskName(history, task.plan, task.task)} were accepted; a task has one result`,
      because: [`requests ${requests(history, first!, one)} were both accepted`],
    });
  }
}

/** Of each plan the first answered claim of every epoch, latest epoch first. */
function newestPlans({ history, tasks }: PlanFacts): ReadonlyMap<number, readonly PlanVerb[]> {
  const first = new Map<string, PlanVerb>();
  for (const { plan, epoch, claims } of tasks) {
    for (const claim of claims) {
      const known = first.get(`${plan}/${epoch}`);
      if (!known || history.ops.ret[claim.row]! < history.ops.ret[known.row]!)
        first.set(`${plan}/${epoch}`, claim);
    }
  }
  const byPlan = new Map<number, PlanVerb[]>();
  for (const claim of first.values()) byPlan.set(claim.plan, [...(byPlan.get(claim.plan) ?? []), claim]);
  for (const all of byPlan.values()) all.sort((a, b) => b.claim!.epoch - a.claim!.epoch);
  return byPlan;
}

function staleCloses(
  history: History,
  task: TaskVerbs,
  newest: ReadonlyMap<number, readonly PlanVerb[]>,
  found: PlanTallies,
): void {
  const later = newest.get(task.plan)?.filter((claim) => claim.claim!.epoch > task.epoch) ?? [];
  for (const close of task.closes) {
    if (outcomeOf(history, close) > OUTCOME.refused || close.generation === undefined) continue;
    const over = [...task.claims.filter((one) => one.claim!.generation > close.generation!), ...later];
    const other = over.find((claim) => isBefore(history, claim, close));
    if (other === undefined) continue;
    found.P2.opportunities += 1;
    if (!acted(history, close)) continue;
    const { generation, epoch } = other.claim!;
    const what =
      epoch > task.epoch
        ? `the plan had been replaced (epoch ${epoch})`
        : `generation ${generation} had been handed out`;
    accusePlan(history, found, {
      guarantee: 'P2',
      ...task,
      accused: close.row,
      others: [other.row],
      statement: `${taskName(history, task.plan, task.task)} was closed (${close.verb}) under generation ${close.generation} of epoch ${task.epoch} after ${what}; a stale close must be refused`,
      because: [gap(history, other, close, 'the later claim')],
    });
  }
}

function handOuts(history: History, task: TaskVerbs, found: PlanTallies): void {
  const name = taskName(history, task.plan, task.task);
  const byGeneration = new Map<number, PlanVerb>();
  for (const claim of task.claims) {
    if (claim.claim!.kind !== 'claimed') continue;
    const { generation, attempts } = claim.claim!;
    const other = byGeneration.get(generation);
    if (other) {
      accusePlan(history, found, {
        guarantee: 'P3',
        ...task,
        accused: claim.row,
        others: [other.row],
        statement: `${name} was handed out under generation ${generation} twice; every hand-out counts`,
        because: [`requests ${requests(history, other, claim)} were both answered with it`],
      });
    }
    byGeneration.set(generation, claim);
    if (claim.maxAttempts !== undefined && attempts > claim.maxAttempts) {
      accusePlan(history, found, {
        guarantee: 'P3',
        ...task,
        accused: claim.row,
        statement: `${name} was handed out as attempt ${attempts} of ${claim.maxAttempts}; its limit must hold`,
        because: [`the claim asked for at most ${claim.maxAttempts} hand-outs, and was answered with more`],
      });
    }
  }
  for (const [generation, claim] of byGeneration) {
    const before = byGeneration.get(generation - 1);
    if (!before || claim.claim!.attempts === before.claim!.attempts + 1) continue;
    accusePlan(history, found, {
      guarantee: 'P3',
      ...task,
      accused: claim.row,
      others: [before.row],
      statement: `${name} was handed out as attempt ${before.claim!.attempts} and then as attempt ${claim.claim!.attempts}; attempts must rise by one with every hand-out`,
      because: [`generations ${generation - 1} and ${generation} follow one another`],
    });
  }
}

function reopened(history: History, task: TaskVerbs, found: PlanTallies): void {
  const { ret } = history.ops;
  const [done] = task.closes
    .filter((close) => close.verb === 'markDone' && acted(history, close))
    .sort((a, b) => ret[a.row]! - ret[b.row]!);
  if (done === undefined) return;
  for (const verb of [...task.claims, ...task.closes]) {
    if (outcomeOf(history, verb) > OUTCOME.refused || !isBefore(history, done, verb)) continue;
    found.P4.opportunities += 1;
    // A second result is told as such.
    if (!acted(history, verb) || verb.verb === 'markDone') continue;
    accusePlan(history, found, {
      guarantee: 'P4',
      ...task,
      accused: verb.row,
      others: [done.row],
      statement: `${taskName(history, task.plan, task.task)} was ${isClose(verb) ? 'closed as failed' : 'handed out'} after its result had been accepted; a closed task must stay closed`,
      because: [gap(history, done, verb, 'the result')],
    });
  }
}

function renewals(history: History, task: TaskVerbs, found: PlanTallies): void {
  const renewed = new Map<number, PlanVerb>();
  for (const claim of task.claims) {
    if (claim.claim!.kind !== 'renewed') continue;
    const { generation } = claim.claim!;
    const other = renewed.get(generation);
    if (other) {
      accusePlan(history, found, {
        guarantee: 'P6',
        ...task,
        accused: claim.row,
        others: [other.row],
        statement: `the claim of ${taskName(history, task.plan, task.task)} under generation ${generation} was renewed twice; a claim may be renewed once`,
        because: [`requests ${requests(history, other, claim)} were both accepted`],
      });
    }
    renewed.set(generation, claim);
  }
}

function early(history: History, task: TaskVerbs, bounds: ClockBounds, found: PlanTallies): void {
  const { ops } = history;
  const byGeneration = [...task.claims].sort((a, b) => a.claim!.generation - b.claim!.generation);
  const standing: PlanVerb[] = [];
  for (const claim of byGeneration) {
    const older = standing.filter((one) => one.claim!.generation < claim.claim!.generation);
    const end = (one: PlanVerb): number => ops.inv[one.row]! + shortest(one.leaseMs, bounds);
    const other = older.find(
      (one) => ops.ret[claim.row]! < end(one) && !mayBeClosed(history, task, one, claim),
    );
    if (claim.claim!.kind === 'claimed' && other) {
      accusePlan(history, found, {
        guarantee: 'P7',
        ...task,
        accused: claim.row,
        others: [other.row],
        statement: `${taskName(history, task.plan, task.task)} was handed out under generation ${claim.claim!.generation} while the claim of generation ${other.claim!.generation} was alive; a claim must stand until its deadline`,
        because: [
          `the older claim was sent at ${seconds(history, ops.inv[other.row]!)} and stands ${other.leaseMs} ms, and nothing can have closed it`,
          `yet the later one was answered by ${seconds(history, ops.ret[claim.row]!)}`,
        ],
      });
    }
    standing.push(claim);
  }
}

/** Whether a close may have ended the older claim before the later one was answered. */
const mayBeClosed = (history: History, { closes }: TaskVerbs, older: PlanVerb, later: PlanVerb): boolean =>
  closes.some(
    (close) =>
      mayHaveActed(history, close) &&
      history.ops.inv[close.row]! <= history.ops.ret[later.row]! &&
      history.ops.ret[close.row]! >= history.ops.inv[older.row]!,
  );

const requests = ({ ops }: History, a: PlanVerb, b: PlanVerb): string =>
  `${requestOf(ops, a.row)} and ${requestOf(ops, b.row)}`;

const gap = (history: History, first: PlanVerb, second: PlanVerb, what: string): string => {
  const { inv, ret } = history.ops;
  return `${what} was answered by ${seconds(history, ret[first.row]!)}, ${duration(inv[second.row]! - ret[first.row]!)} before this call was sent`;
};
