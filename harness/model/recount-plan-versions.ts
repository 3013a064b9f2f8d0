/** The part of the naive recount of plans that goes through the stored versions. Absent fields are null. */
import { type Fields, list } from './raw-calls.ts';
import { closes, isAccepted, type Tell, type Verb } from './raw-verbs.ts';

export interface StoredVersion {
  readonly version: number;
  /** The document as it is stored. */
  readonly plan: Fields;
}

const number = (value: unknown): number => Number(value ?? 0);
const tasksOf = (plan: Fields): Fields[] => list(plan.tasks);
const shown = (value: unknown): string => JSON.stringify(value ?? null);

/** One step of the life of a plan: two versions that follow one another. */
interface Step {
  readonly was: Fields;
  readonly is: Fields;
  readonly by: Verb | undefined;
}

export function judgePastOfPlan(
  versions: readonly StoredVersion[],
  verbs: readonly Verb[],
  whole: boolean,
  tell: Tell,
): void {
  const limits = verbs.flatMap(({ said }) =>
    said.maxAttempts === undefined ? [] : [Number(said.maxAttempts)],
  );
  const most = limits.length === 0 ? Number.POSITIVE_INFINITY : limits.reduce((a, b) => Math.max(a, b));
  const least = limits.length === 0 ? 0 : limits.reduce((a, b) => Math.min(a, b));
  const byRequest = new Map(verbs.map((verb) => [verb.call.request, verb]));
  versions.forEach(({ version, plan: is }, i) => {
    const before = versions[i - 1];
    if (before?.version !== version - 1) return;
    const step = { was: before.plan, is, by: byRequest.get(String(is.verb)) };
    if (number(step.was.epoch) === number(is.epoch)) samePlan(step, most, least, tell);
    if (step.by) made(step, step.by, tell);
  });
  for (const verb of verbs) {
    const own = versions.filter(({ plan }) => plan.verb === verb.call.request).length;
    if (own > 1 || (own === 0 && whole && isAccepted(verb))) tellOf(verb, tell);
  }
}

function samePlan({ was, is }: Step, most: number, least: number, tell: Tell): void {
  const epoch = number(is.epoch);
  const moved = tasksOf(was).findIndex(({ text }, i) => tasksOf(is)[i]?.text !== text);
  if (moved >= 0) return tell('P5', epoch, moved);
  const now = number(is.updatedAtMs);
  const handed = tasksOf(was).filter((task, i) => isHanded(task, tasksOf(is)[i]!));
  if (handed.length > 1) tell('P3', epoch, undefined);
  for (const [i, task] of tasksOf(was).entries())
    for (const id of new Set(brokenBy(task, tasksOf(is)[i]!, now, most, least))) tell(id, epoch, i);
  const [events, later] = [list(was.scheduleEvents), list(is.scheduleEvents)];
  const kept = shown(later.slice(0, events.length)) === shown(events) && later.length <= events.length + 1;
  if (!kept) tell('P8', epoch, undefined);
  const event = later[events.length];
  for (const [i, task] of tasksOf(was).entries()) {
    const next = tasksOf(is)[i]!;
    const [from, to] = [schedule(task), schedule(next)];
    if (from === to && event?.index !== i) continue;
    const open = task.status === 'todo' || task.status === 'claimed';
    if (event?.index !== i || schedule(event) !== to || !open) tell('P8', epoch, i);
  }
}

const schedule = ({ plannedStartAtMs, dueAtMs }: Fields): string =>
  shown([plannedStartAtMs ?? null, dueAtMs ?? null]);

const isHanded = (was: Fields, is: Fields): boolean =>
  number(was.attempts) !== number(is.attempts) || number(was.generation) !== number(is.generation);

/** What one step in the life of a task breaks. */
function brokenBy(was: Fields, is: Fields, now: number, most: number, least: number): string[] {
  const found: string[] = [];
  const handed = isHanded(was, is);
  const closed = ['done', 'failed', 'cancelled'].includes(String(was.status));
  if (
    closed &&
    (handed || (is.status !== was.status && !(was.status === 'failed' && is.status === 'cancelled')))
  )
    found.push('P4');
  const changed = shown(was.result) !== shown(is.result);
  if (changed || is.status === 'done') {
    const first = was.status === 'claimed' && is.status === 'done' && shown(was.result) === 'null' && changed;
    if (was.status === 'done' ? changed : !first || handed) found.push('P1');
  }
  const rose =
    number(is.attempts) === number(was.attempts) + 1 && number(is.generation) === number(was.generation) + 1;
  if (handed && !(rose && is.status === 'claimed')) found.push('P3');
  if (handed && number(is.attempts) > most) found.push('P3');
  if (was.status === 'todo' && is.status === 'claimed' && !handed) found.push('P3');
  if (was.status !== 'failed' && is.status === 'failed' && number(is.attempts) < least) found.push('P3');
  if (was.status !== 'claimed' || is.status !== 'claimed') return found;
  const until =
    was.leaseEndsAtMs === undefined || was.leaseEndsAtMs === null ? -Infinity : Number(was.leaseEndsAtMs);
  if (handed && now <= until) found.push('P7');
  const moved =
    shown(was.claimedAtMs) !== shown(is.claimedAtMs) || shown(was.leaseEndsAtMs) !== shown(is.leaseEndsAtMs);
  const fine = was.renewed !== true && is.renewed === true && now <= until && was.owner === is.owner;
  if (!handed && moved && !fine) found.push('P6');
  return found;
}

/** What a verb did, against what it was answered. */
function made({ was, is }: Step, by: Verb, tell: Tell): void {
  const { said, claim, call } = by;
  const definite = call.outcome === 'refused' || call.outcome === 'fail';
  if (definite && !parked(by, was, is)) tellOf(by, tell);
  const index = (claim ? claim.task : said.task) as number | undefined;
  if (closes(by)) {
    const held = tasksOf(was)[index ?? -1];
    const otherPlan = said.epoch !== undefined && number(was.epoch) !== said.epoch;
    const otherClaim = said.generation !== undefined && number(held?.generation) !== said.generation;
    if (otherPlan || otherClaim) tell('P2', said.epoch, said.task);
  }
  if (isAccepted(by) && !written(by, is, tasksOf(is)[index ?? -1] ?? {})) tellOf(by, tell);
}

function parked({ said }: Verb, was: Fields, is: Fields): boolean {
  if (!String(said.verb).startsWith('claim') || number(was.epoch) !== number(is.epoch)) return false;
  return tasksOf(is).every((task, i) => task.status === 'failed' || shown(task) === shown(tasksOf(was)[i]));
}

function written({ said, claim }: Verb, is: Fields, task: Fields): boolean {
  const { value } = said;
  switch (said.verb) {
    case 'markDone':
      return task.status === 'done' && task.result === value;
    case 'markFailed':
      return (task.status === 'todo' || task.status === 'failed') && task.error === value;
    case 'cancelTask':
      return task.status === 'cancelled' && task.cancelReason === value;
    case 'setTaskSchedule': {
      const event = list(is.scheduleEvents).at(-1);
      return event?.index === said.task && event?.reason === value;
    }
    case 'setPlan':
    case 'addTasks':
      return value === undefined || String(tasksOf(is).at(-1)?.text).startsWith(String(value));
    default: {
      if (!claim) return true;
      const same = (['generation', 'attempts'] as const).every(
        (field) => number(task[field]) === claim[field],
      );
      const renewed = claim.kind !== 'renewed' || task.renewed === true;
      return task.status === 'claimed' && number(is.epoch) === claim.epoch && same && renewed;
    }
  }
}

/** Under the guarantee that the verb stands under. */
function tellOf({ said, claim }: Verb, tell: Tell): void {
  const renews = claim ? claim.kind === 'renewed' : said.renew === true;
  const ids: Readonly<Record<string, string>> = {
    markDone: 'P1',
    markFailed: 'P3',
    claimNext: 'P3',
    claimTask: renews ? 'P6' : 'P3',
    cancelTask: 'P4',
    setTaskSchedule: 'P8',
    setPlan: 'P5',
    addTasks: 'P5',
  };
  tell(ids[String(said.verb)]!, claim?.epoch ?? said.epoch, claim?.task ?? said.task);
}
