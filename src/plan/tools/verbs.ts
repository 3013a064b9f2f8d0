/** The nine verbs of a plan as tools of one owner. `replace` is not among them: no model throws a plan away. */
import { z } from 'zod';
import type { Closer, DurablePlan, PlanClaim, PlanOutcome } from '../types.ts';
import { changeText, claimText, planText, readShown } from './texts.ts';
import { defineTool, type Tool } from './tool.ts';

const index = z.int().min(0).describe('Index of the task, as the plan shows it.');
const expectedText = z.string().describe('Text of the task, exactly as the plan shows it.');
const saying = (what: string) => z.string().min(1).describe(what);
const instant = (what: string) =>
  z.number().optional().describe(`${what}, in ms since 1970. Left out: cleared.`);

/** Tools that act under one owner's name. They remember which hand-out they hold, so a late close never hits a successor. */
export function planTools(plan: DurablePlan, owner: string): readonly Tool[] {
  /** The claim of each task that this owner was handed. */
  const held = new Map<number, PlanClaim>();

  function remember(outcome: PlanOutcome<PlanClaim>): string {
    if (outcome.accepted) held.set(outcome.value.index, outcome.value);
    return claimText(outcome);
  }
  /** Kept after a refusal: the next try must be refused as well. */
  const closer = (at: number): Closer => {
    const claim = held.get(at);
    return claim === undefined ? { owner } : { owner, generation: claim.generation, epoch: claim.epoch };
  };

  return [
    defineTool({
      name: 'set_plan',
      description:
        'Makes the plan: why, and the tasks in order. Refused while a plan is in progress. Use it once, when get_plan says that there is no plan yet.',
      input: z.strictObject({
        reasoning: saying('Why this plan.'),
        tasks: z.array(z.string()).min(1).describe('3 to 6 coarse tasks, in order.'),
      }),
      run: async ({ reasoning, tasks }) => changeText(await plan.setPlan(reasoning, tasks)),
    }),
    defineTool({
      name: 'get_plan',
      description: 'Shows the plan: every task with its state and result, and what can be claimed next.',
      input: z.strictObject({}),
      run: async () => planText(await plan.getPlan()),
    }),
    defineTool({
      name: 'add_tasks',
      description: 'Adds tasks at the end of the plan. No index moves.',
      input: z.strictObject({ tasks: z.array(z.string()).min(1).describe('Texts of the new tasks.') }),
      run: async ({ tasks }) => changeText(await plan.addTasks(tasks)),
    }),
    defineTool({
      name: 'cancel_task',
      description: 'Gives up a task that is todo or failed. A claimed one is its holder’s to fail.',
      input: z.strictObject({ index, expectedText, reason: saying('Why it is not needed any more.') }),
      run: async (input) =>
        changeText(await plan.cancelTask(input.index, readShown(input.expectedText), input.reason)),
    }),
    defineTool({
      name: 'set_task_schedule',
      description:
        'Notes when a task should start and when it is due. For people to see: no task is hidden or promoted by it. Both are set; what is left out is cleared.',
      input: z.strictObject({
        index,
        expectedText,
        plannedStartAtMs: instant('Planned start'),
        dueAtMs: instant('Due'),
        reason: saying('Why the schedule changes.'),
      }),
      run: async ({ index: at, expectedText: text, plannedStartAtMs, dueAtMs, reason }) =>
        changeText(
          await plan.setTaskSchedule(at, readShown(text), {
            ...(plannedStartAtMs === undefined ? {} : { plannedStartAtMs }),
            ...(dueAtMs === undefined ? {} : { dueAtMs }),
            reason,
          }),
        ),
    }),
    defineTool({
      name: 'claim_next',
      description: 'Takes the next free task for you. Do it, then close it with mark_done or mark_failed.',
      input: z.strictObject({}),
      run: async () => remember(await plan.claimNext({ owner })),
    }),
    defineTool({
      name: 'claim_task',
      description:
        'Takes one given task for you. With renew, a task that you hold already stays yours for one more lease; that works once.',
      input: z.strictObject({
        index,
        expectedText,
        renew: z.boolean().optional().describe('Keep a task that you hold for one more lease.'),
      }),
      run: async ({ index: at, expectedText: text, renew = false }) =>
        remember(await plan.claimTask(at, readShown(text), { ...closer(at), renew })),
    }),
    defineTool({
      name: 'mark_done',
      description: 'Closes your task with its result. The summary is what the next workers build on.',
      input: z.strictObject({ index, summary: saying('What was done, and where the result is.') }),
      run: async (input) => changeText(await plan.markDone(input.index, input.summary, closer(input.index))),
    }),
    defineTool({
      name: 'mark_failed',
      description: 'Hands your task back after a failure: others try again, until its attempts are used up.',
      input: z.strictObject({ index, error: saying('What went wrong, for whoever tries next.') }),
      run: async (input) => changeText(await plan.markFailed(input.index, input.error, closer(input.index))),
    }),
  ];
}
