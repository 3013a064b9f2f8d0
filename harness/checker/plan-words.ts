/** Verbs of plans as sentences and stories name them. Pure. */
import type { History, PlanVerb } from '../history/history.ts';

const BY_ROW = new WeakMap<readonly PlanVerb[], Map<number, PlanVerb>>();

/** The verb at a row; undefined where the row is none. */
export function planVerbAt({ planVerbs }: History, row: number): PlanVerb | undefined {
  let byRow = BY_ROW.get(planVerbs);
  if (byRow?.size !== planVerbs.length) {
    byRow = new Map(planVerbs.map((verb) => [verb.row, verb]));
    BY_ROW.set(planVerbs, byRow);
  }
  return byRow.get(row);
}

/** `task 3, generation 2, attempt 2`; `task 3 under generation 2, writes 12.0.4`. */
export function planWords(history: History, row: number): string {
  const verb = planVerbAt(history, row);
  if (verb === undefined) return '';
  const { task, generation, value, renew, claim } = verb;
  const parts = [
    ...(task === undefined ? [] : [`task ${task}`]),
    ...(generation === undefined ? [] : [`under generation ${generation}`]),
    ...(renew ? ['to renew'] : []),
    ...(claim === undefined ? [] : [claimWords(claim)]),
    ...(value === undefined ? [] : [`writes ${value}`]),
  ];
  return parts.join(', ');
}

const claimWords = ({ kind, generation, attempts }: NonNullable<PlanVerb['claim']>): string =>
  kind === 'renewed' ? 'renewed' : `generation ${generation}, attempt ${attempts}`;

/** `task 3 of plan/0`. */
export const taskName = (history: History, plan: number, task: number | undefined): string =>
  task === undefined ? history.keys[plan]! : `task ${task} of ${history.keys[plan]}`;

/** What a second count calls the task of an epoch; what is not known is left open. */
export const subjectOf = (epoch: number | undefined, task: number | undefined): string =>
  `epoch ${epoch ?? '?'}, task ${task ?? '?'}`;
