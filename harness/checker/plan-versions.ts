/**
 * Judges a durable plan by every version of its document, in the order in which they were committed. Each verb is one
 * compare-and-set, so this order is total: nothing has to be placed, and an accusation holds whatever the clients saw.
 *
 * | rule | two versions that follow one another |
 * | --- | --- |
 * | indices stable | the later one has the tasks of the earlier one, with their texts, and new ones only behind them |
 * | closed stays closed | a task that is done or cancelled does not change its state; a failed one can only be cancelled |
 * | one accepted result | a result is there from the version on in which its task became done, out of a claim; it does not change |
 * | attempts exact | attempts and generation of a task rise by one with a hand-out, and never else; one hand-out in a version |
 * | attempts bounded | attempts never exceed the limit, and a task fails for good only when they are used up |
 * | lease exclusive | a claimed task is handed out again only after the deadline that its claimer recorded |
 * | renewed once | a claim is prolonged only while it is alive, and only if it was not before |
 * | schedule audited | events are only appended, one at a time; a task's schedule changes with its event, to what the event says |
 *
 * The smallest history that breaks one of them is two versions; see the tests. Pure.
 */
import { isOpen, type PlanDocument, type PlanTask } from '../../src/plan/document.ts';

export const PLAN_RULES = [
  'indices stable',
  'closed stays closed',
  'one accepted result',
  'attempts exact',
  'attempts bounded',
  'lease exclusive',
  'renewed once',
  'schedule audited',
] as const;
export type PlanRule = (typeof PLAN_RULES)[number];

/** A rule that two versions break. */
export interface PlanFinding {
  readonly rule: PlanRule;
  /** Place of the later one among the versions that were handed in. */
  readonly at: number;
  /** The task, where it is one. */
  readonly index: number | undefined;
  /** What was expected, what was found. */
  readonly statement: string;
}

export interface PlanVersionsResult {
  readonly findings: readonly PlanFinding[];
  /** How often each rule could have been broken. */
  readonly opportunities: Readonly<Record<PlanRule, number>>;
}

/** Limits of the handles that worked on a plan. */
export interface PlanLimits {
  /** The largest `maxAttempts` of them. */
  readonly maxAttempts: number;
  /** The smallest. Default: there is one limit. */
  readonly leastAttempts?: number;
}

/** Judges consecutive versions of one plan, oldest first. A version of a new epoch is another plan. */
export function checkPlanVersions(
  versions: readonly PlanDocument[],
  { maxAttempts, leastAttempts = maxAttempts }: PlanLimits,
): PlanVersionsResult {
  const found = new Findings();
  for (const [at, after] of versions.entries()) {
    const before = versions[at - 1];
    if (before === undefined || before.epoch !== after.epoch) continue;
    comparePlans(found, at, before, after, { maxAttempts, leastAttempts });
  }
  return found;
}

class Findings implements PlanVersionsResult {
  readonly findings: PlanFinding[] = [];
  readonly opportunities = Object.fromEntries(PLAN_RULES.map((rule) => [rule, 0])) as Record<
    PlanRule,
    number
  >;

  /** Counts an opportunity, and a finding unless the rule was kept. */
  judge(rule: PlanRule, kept: boolean, at: number, index: number | undefined, statement: () => string): void {
    this.opportunities[rule] += 1;
    if (!kept) this.findings.push({ rule, at, index, statement: statement() });
  }
}

function comparePlans(
  found: Findings,
  at: number,
  before: PlanDocument,
  after: PlanDocument,
  limits: Required<PlanLimits>,
): void {
  const moved = before.tasks.findIndex(({ text }, index) => after.tasks[index]?.text !== text);
  found.judge('indices stable', moved < 0, at, moved < 0 ? undefined : moved, () => {
    const now = after.tasks[moved]?.text;
    return `Expected task ${moved} to stay "${before.tasks[moved]?.text}", found ${now === undefined ? 'none' : `"${now}"`}`;
  });
  // Whatever is said of a task's past would be said of another task.
  if (moved >= 0) return;
  let handedOut = 0;
  for (const [index, was] of before.tasks.entries()) {
    const is = after.tasks[index] as PlanTask;
    if (compareTasks(found, at, index, was, is, after.updatedAtMs, limits)) handedOut += 1;
  }
  found.judge('attempts exact', handedOut <= 1, at, undefined, () => {
    return `Expected one hand-out in a version, found ${handedOut}`;
  });
  compareSchedules(found, at, before, after);
}

/** Whether the task was handed out. */
function compareTasks(
  found: Findings,
  at: number,
  index: number,
  was: PlanTask,
  is: PlanTask,
  nowMs: number,
  { maxAttempts, leastAttempts }: Required<PlanLimits>,
): boolean {
  const judge = (rule: PlanRule, kept: boolean, statement: () => string) =>
    found.judge(rule, kept, at, index, () => `task ${index}: ${statement()}`);
  const generations = (is.generation ?? 0) - (was.generation ?? 0);
  const attempts = is.attempts - was.attempts;
  const handedOut = generations !== 0 || attempts !== 0;

  if (!isOpen(was)) {
    const kept = is.status === was.status || (was.status === 'failed' && is.status === 'cancelled');
    judge(
      'closed stays closed',
      kept && !handedOut,
      () => `expected it to stay ${was.status}, found ${is.status}`,
    );
  }
  if (is.status === 'done' || is.result !== was.result) {
    const kept = was.status === 'done' ? is.result === was.result : closedByItsClaim(was, is) && !handedOut;
    judge('one accepted result', kept, () => {
      return `expected one result, out of a claim; found "${was.result}" (${was.status}) before "${is.result}" (${is.status})`;
    });
  }
  if (handedOut) {
    judge('attempts exact', attempts === 1 && generations === 1 && is.status === 'claimed', () => {
      return `expected attempts and generation to rise by one with a hand-out, found ${was.attempts} and ${was.generation} before ${is.attempts} and ${is.generation} (${is.status})`;
    });
    judge('attempts bounded', is.attempts <= maxAttempts, () => {
      return `expected at most ${maxAttempts} hand-outs, found ${is.attempts}`;
    });
  }
  if (is.status === 'claimed' && was.status === 'todo') {
    judge('attempts exact', handedOut, () => 'expected a hand-out to count, found it claimed without one');
  }
  if (is.status === 'failed' && was.status !== 'failed') {
    judge('attempts bounded', is.attempts >= leastAttempts, () => {
      return `expected it to fail for good after ${leastAttempts} hand-outs, found ${is.attempts}`;
    });
  }
  if (was.status === 'claimed' && is.status === 'claimed') {
    const ended = was.leaseEndsAtMs ?? Number.NEGATIVE_INFINITY;
    if (handedOut) {
      judge(
        'lease exclusive',
        nowMs > ended,
        () => `expected the claim to stand until ${ended}, found it handed out at ${nowMs}`,
      );
    } else if (is.claimedAtMs !== was.claimedAtMs || is.leaseEndsAtMs !== was.leaseEndsAtMs) {
      const kept = was.renewed !== true && is.renewed === true && nowMs <= ended && is.owner === was.owner;
      judge('renewed once', kept, () => {
        return `expected one renewal by its holder until ${ended}, found one of ${is.owner} at ${nowMs}${was.renewed ? ' after another' : ''}`;
      });
    }
  }
  return handedOut;
}

const closedByItsClaim = (was: PlanTask, is: PlanTask): boolean =>
  was.status === 'claimed' && is.status === 'done' && was.result === null && is.result !== null;

function compareSchedules(found: Findings, at: number, before: PlanDocument, after: PlanDocument): void {
  const added = after.scheduleEvents.slice(before.scheduleEvents.length);
  const kept =
    added.length <= 1 &&
    before.scheduleEvents.every((event, i) => {
      const now = after.scheduleEvents[i];
      return (
        now !== undefined &&
        now.index === event.index &&
        now.plannedStartAtMs === event.plannedStartAtMs &&
        now.dueAtMs === event.dueAtMs &&
        now.reason === event.reason &&
        now.atMs === event.atMs
      );
    });
  found.judge(
    'schedule audited',
    kept,
    at,
    undefined,
    () => 'Expected events to be appended one at a time and kept',
  );
  const [event] = added;
  for (const [index, was] of before.tasks.entries()) {
    const is = after.tasks[index] as PlanTask;
    const changed = is.plannedStartAtMs !== was.plannedStartAtMs || is.dueAtMs !== was.dueAtMs;
    if (!changed && event?.index !== index) continue;
    const inStep =
      event?.index === index &&
      is.plannedStartAtMs === event.plannedStartAtMs &&
      is.dueAtMs === event.dueAtMs &&
      isOpen(was);
    found.judge('schedule audited', inStep, at, index, () => {
      return `task ${index}: expected its schedule to change with an event that says so, found ${was.plannedStartAtMs}, ${was.dueAtMs} before ${is.plannedStartAtMs}, ${is.dueAtMs} and ${event === undefined ? 'no event' : `an event of task ${event.index}`}`;
    });
  }
}
