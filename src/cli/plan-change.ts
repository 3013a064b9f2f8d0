/** `blackboard plan add`, `cancel` and `schedule`: what the plan is. */
import { InvalidArgumentError, Option } from 'commander';
import type { CliContext } from './context.ts';
import { readWhole } from './flags.ts';
import { type ChangeFlags, type PlanCommand, printChange, textOfTask, withPlan } from './plan-file.ts';

interface AddFlags extends ChangeFlags {
  readonly new?: string;
  readonly replace?: boolean;
}

interface TaskFlags extends ChangeFlags {
  readonly text?: string;
}

interface ScheduleFlags extends TaskFlags {
  readonly start?: number;
  readonly due?: number;
  readonly reason: string;
}

export function addPlanChanges(
  command: PlanCommand,
  context: CliContext,
  done: (code: number) => void,
): void {
  addAdd(command, context, done);
  addCancel(command, context, done);
  addSchedule(command, context, done);
}

function addAdd(command: PlanCommand, context: CliContext, done: (code: number) => void): void {
  const add = command(
    'add',
    'add tasks at the end, or make a plan',
    ' "write the notes" "tag" --new "release 7"',
  )
    .argument('<task...>', 'what is to do')
    .option('--as <worker>', 'who does it, for the record', 'operator')
    .option('--new <reasoning>', 'make a new plan of these tasks; also makes the file')
    .option('--replace', 'with --new: also while a plan is in progress');
  add.action(async (file: string, tasks: readonly string[], flags: AddFlags) => {
    const { plan: planId, as: label, new: reasoning, replace = false } = flags;
    if (replace && reasoning === undefined)
      add.error('Expected --new with --replace: say why there is a new plan.');
    const make = reasoning !== undefined;
    const outcome = await withPlan({ file, planId, context, make, options: { label } }, (plan) =>
      reasoning === undefined ? plan.addTasks(tasks) : plan.setPlan(reasoning, tasks, { replace }),
    );
    done(printChange(context, flags, outcome));
  });
}

function addCancel(command: PlanCommand, context: CliContext, done: (code: number) => void): void {
  command('cancel', 'give up a task that is todo or failed', ' 2 "not needed any more"')
    .argument('<index>', 'the task', readWhole(0))
    .argument('<reason>', 'why')
    .option('--as <worker>', 'who does it, for the record', 'operator')
    .option('--text <text>', 'only if the task has this text')
    .action(async (file: string, index: number, reason: string, flags: TaskFlags) => {
      const { plan: planId, as: label, text } = flags;
      const outcome = await withPlan({ file, planId, context, options: { label } }, async (plan) =>
        plan.cancelTask(index, await textOfTask(plan, index, text), reason),
      );
      done(printChange(context, flags, outcome));
    });
}

function addSchedule(command: PlanCommand, context: CliContext, done: (code: number) => void): void {
  command(
    'schedule',
    'set when a task starts and is due, for people to see; what is left out is cleared',
    ' 1 --due 2026-12-24T12:00Z --reason "before the holidays"',
  )
    .argument('<index>', 'the task', readWhole(0))
    .addOption(
      new Option('--start <instant>', 'planned start, such as 2026-12-01T09:00Z').argParser(readInstant),
    )
    .addOption(new Option('--due <instant>', 'when it is due').argParser(readInstant))
    .requiredOption('--reason <text>', 'why')
    .option('--as <worker>', 'who does it, for the record', 'operator')
    .option('--text <text>', 'only if the task has this text')
    .action(async (file: string, index: number, flags: ScheduleFlags) => {
      const { plan: planId, as: label, text, start, due, reason } = flags;
      const schedule = {
        ...(start === undefined ? {} : { plannedStartAtMs: start }),
        ...(due === undefined ? {} : { dueAtMs: due }),
        reason,
      };
      const outcome = await withPlan({ file, planId, context, options: { label } }, async (plan) =>
        plan.setTaskSchedule(index, await textOfTask(plan, index, text), schedule),
      );
      done(printChange(context, flags, outcome));
    });
}

/** ISO 8601 with a zone: an instant that depends on where it is typed is none. */
function readInstant(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError(
    'Expected an instant with its zone, such as 2026-12-24T12:00Z, or a date (UTC).',
  );
}
