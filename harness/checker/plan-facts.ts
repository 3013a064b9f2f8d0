/**
 * What the checkers of plans look at: the verbs of each task with their answers, and the versions of each plan as documents, each
 * with the verb that made it. Pure.
 */
import type { PlanDocument } from '../../src/plan/document.ts';
import { readDocument } from '../../src/plan/stored.ts';
import { type History, OUTCOME, type PlanVerb, requestOf } from '../history/history.ts';

/** One version of a plan. */
export interface PlanStep {
  readonly version: number;
  readonly document: PlanDocument;
  /** The verb that made it; undefined where the version does not say. */
  readonly by: PlanVerb | undefined;
  /** Row of the read that showed it. */
  readonly row: number;
}

/** Versions of a plan that follow one another without a gap, oldest first. */
export interface PlanChain {
  /** Index into `keys`. */
  readonly plan: number;
  readonly steps: readonly PlanStep[];
}

/** The verbs on one task of one epoch of a plan. */
export interface TaskVerbs {
  readonly plan: number;
  readonly epoch: number;
  readonly task: number;
  /** Accepted claims and renewals. */
  readonly claims: readonly PlanVerb[];
  /** Closes (`markDone`, `markFailed`) that were called with a claim of this epoch, whatever came of them. */
  readonly closes: readonly PlanVerb[];
}

export interface PlanFacts {
  readonly history: History;
  readonly tasks: readonly TaskVerbs[];
  readonly chains: readonly PlanChain[];
  /** Every version of every plan is in the chains. */
  readonly whole: boolean;
}

export const isClose = ({ verb }: PlanVerb): boolean => verb === 'markDone' || verb === 'markFailed';

export const outcomeOf = ({ ops }: History, { row }: PlanVerb): number => ops.outcome[row]!;

/** Whether it was accepted. */
export const acted = (history: History, verb: PlanVerb): boolean =>
  outcomeOf(history, verb) === OUTCOME.accepted;

/** Whether it can have had an effect. */
export const mayHaveActed = (history: History, verb: PlanVerb): boolean =>
  acted(history, verb) || outcomeOf(history, verb) === OUTCOME.info;

/** Whether the first was answered before the second was sent. */
export const isBefore = ({ ops }: History, a: PlanVerb, b: PlanVerb): boolean =>
  ops.ret[a.row]! < ops.inv[b.row]!;

export function planFacts(history: History): PlanFacts {
  const { finalPlans } = history;
  const chains = chainsOf(history);
  const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0);
  const read = sum([...(finalPlans?.versions.values() ?? [])].map(({ length }) => length));
  const whole = finalPlans?.complete === true && sum(chains.map(({ steps }) => steps.length)) === read;
  return { history, tasks: tasksOf(history), chains, whole };
}

function tasksOf(history: History): TaskVerbs[] {
  const tasks = new Map<string, TaskVerbs & { claims: PlanVerb[]; closes: PlanVerb[] }>();
  for (const verb of history.planVerbs) {
    const epoch = verb.claim?.epoch ?? (isClose(verb) ? verb.epoch : undefined);
    if (epoch === undefined || verb.task === undefined) continue;
    const { plan, task } = verb;
    const name = `${plan}/${epoch}/${task}`;
    const known = tasks.get(name) ?? { plan, epoch, task, claims: [], closes: [] };
    tasks.set(name, known);
    (verb.claim ? known.claims : known.closes).push(verb);
  }
  return [...tasks.values()];
}

function chainsOf(history: History): PlanChain[] {
  const { finalPlans, planVerbs, ops, keys } = history;
  if (!finalPlans) return [];
  const byRequest = new Map(planVerbs.map((verb) => [requestOf(ops, verb.row), verb]));
  const chains: PlanChain[] = [];
  for (const [plan, versions] of finalPlans.versions) {
    let steps: PlanStep[] = [];
    for (const { version, content, row } of versions) {
      const document = documentOf(keys[plan]!, content);
      const last = steps.at(-1)?.version;
      if (last !== undefined && (document === undefined || version !== last + 1)) {
        chains.push({ plan, steps });
        steps = [];
      }
      if (document) steps.push({ version, document, by: byRequest.get(makerOf(content)), row });
    }
    if (steps.length > 0) chains.push({ plan, steps });
  }
  return chains;
}

/** Undefined for what is no plan: that the store kept what was written is judged elsewhere (S16). */
function documentOf(key: string, content: unknown): PlanDocument | undefined {
  try {
    return readDocument(key, content);
  } catch {
    return undefined;
  }
}

/** The request of the verb that made a version, as the recording client wrote it beside the plan. */
const makerOf = (content: unknown): string => String(Object(content).verb ?? '');
