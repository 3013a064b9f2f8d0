/**
 * The workload `plan`: every lane works on durable plans, half of the time on one that all share, else on one of several. It
 * takes tasks, works on them and closes them; renews, fails, cancels and reschedules; makes a new plan where one is complete.
 *
 * A lane never looks at the end of its own lease, and keeps claims that it let go of: sooner or later it closes them, long after
 * the task went to somebody else. A worker that noticed by itself would mask the plan's fencing (spec/checking.md 3.7).
 */
import type { PlanClaim, PlanRefusalCode, PlanSnapshot } from '../../src/plan/types.ts';
import type { PlanCalls, RecordedPlan } from '../worker/plan-calls.ts';
import { nextTick } from './board-keys.ts';
import type { Lane } from './lane.ts';

/** Weights of what a lane does next. */
const TURNS = { work: 58, late: 12, given: 8, cancel: 4, schedule: 10, add: 5, replace: 3 };
/** Of a task: closed with its result, handed back, or let go of as by a worker that died. */
const FINALS = { done: 76, fail: 12, leave: 12 };
/** Nobody can do this task of a plan: it is handed back or let go of until its attempts are used up. */
const POISON = 1;
const POISON_FINALS = { done: 0, fail: 50, leave: 50 };
/** Share of claims that are renewed, and of those that are renewed a second time, which must be refused. */
const RENEWED = 0.4;
const RENEWED_TWICE = 0.5;
/** Claims that a lane remembers after it is through with them. */
const REMEMBERED = 6;
/** Schedules move within a second: nothing depends on them. */
const SCHEDULE_MS = 1_000;

/** What one lane has of one plan. */
interface Desk {
  readonly plan: RecordedPlan;
  /** Claims that were closed, handed back or let go of, newest last. */
  readonly past: PlanClaim[];
}

export async function planWork(lane: Lane): Promise<void> {
  const desks = openDesks(lane, await lane.plans());
  while (!lane.ending()) {
    if (lane.phase() === 'drain') await drainTurn(lane, desks);
    else {
      lane.found(true);
      await nextTick(lane);
      await turn(lane, lane.random.chance(0.5) ? desks[0]! : lane.random.of(desks)!);
    }
  }
}

const openDesks = ({ scenario }: Lane, plans: PlanCalls): readonly Desk[] =>
  Array.from({ length: scenario.workload.plans }, (_, i) => ({ plan: plans.open(String(i)), past: [] }));

async function turn(lane: Lane, desk: Desk): Promise<void> {
  const { random, scenario } = lane;
  const { plan } = desk;
  switch (random.pick(TURNS)) {
    case 'work': {
      const claimed = await plan.claimNext();
      if (claimed.outcome === 'accepted') return work(lane, desk, claimed.value);
      if (claimed.outcome === 'refused' && isOver(claimed.refusal.code))
        await plan.setPlan(scenario.workload.tasks, false);
      return;
    }
    case 'late': {
      const claim = random.of(desk.past);
      if (claim) await (random.chance(0.7) ? plan.markDone(claim) : plan.markFailed(claim));
      return;
    }
    case 'given': {
      const { index, text } = await anyTask(lane, plan);
      const claimed = await plan.claimTask(index, text);
      if (claimed.outcome === 'accepted') await work(lane, desk, claimed.value);
      return;
    }
    case 'cancel': {
      const { index, text } = await anyTask(lane, plan);
      await plan.cancelTask(index, text);
      return;
    }
    case 'schedule': {
      const { index, text } = await anyTask(lane, plan);
      const plannedStartAtMs = random.int(0, SCHEDULE_MS);
      const at = random.chance(0.3) ? {} : { plannedStartAtMs, dueAtMs: plannedStartAtMs + SCHEDULE_MS };
      await plan.setTaskSchedule(index, text, at);
      return;
    }
    case 'add': {
      const tasks = (await plan.snapshot())?.tasks ?? [];
      if (tasks.length > 0 && tasks.length < 2 * scenario.workload.tasks) await plan.addTasks(1);
      return;
    }
    case 'replace':
      await plan.setPlan(scenario.workload.tasks, random.chance(0.3));
  }
}

/** Nothing is left to do on it. */
const isOver = (code: PlanRefusalCode): boolean => code === 'complete' || code === 'no-plan';

/** Holds a task for as long as its work takes. */
async function work(lane: Lane, desk: Desk, claimed: PlanClaim): Promise<void> {
  const { random, scenario } = lane;
  const { p50Ms, p95Ms } = scenario.workload.task;
  const { plan } = desk;
  const workMs = random.logNormal(p50Ms, p95Ms);
  let claim = claimed;
  if (random.chance(RENEWED)) {
    await lane.sleep(workMs / 2);
    const renewed = await plan.renew(claim);
    if (renewed.outcome === 'accepted') claim = renewed.value;
    if (random.chance(RENEWED_TWICE)) await plan.renew(claim);
    await lane.sleep(workMs / 2);
  } else await lane.sleep(workMs);
  switch (random.pick(isPoison(claim) ? POISON_FINALS : FINALS)) {
    case 'done':
      await plan.markDone(claim);
      break;
    case 'fail':
      await plan.markFailed(claim);
      break;
    case 'leave':
  }
  desk.past.push(claim);
  if (desk.past.length > REMEMBERED) desk.past.shift();
}

const isPoison = ({ index }: PlanClaim): boolean => index === POISON;

/** A task of the plan, whatever its state; without a plan one that does not exist. */
async function anyTask({ random }: Lane, plan: RecordedPlan): Promise<{ index: number; text: string }> {
  const tasks: PlanSnapshot['tasks'] = (await plan.snapshot())?.tasks ?? [];
  const index = tasks.length === 0 ? 0 : random.int(0, tasks.length - 1);
  return { index, text: tasks[index]?.text ?? '' };
}

/** Works off what is open. Nothing is added, handed back or let go of: it has to come to an end. */
async function drainTurn(lane: Lane, desks: readonly Desk[]): Promise<void> {
  let worked = false;
  for (const { plan } of desks) {
    const claimed = await plan.claimNext();
    if (claimed.outcome !== 'accepted') continue;
    worked = true;
    await plan.markDone(claimed.value);
  }
  lane.found(worked);
  if (!worked) await nextTick(lane);
}
