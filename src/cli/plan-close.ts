/** `blackboard plan done` and `fail`: closes what was claimed. */
import { Option } from 'commander';
import type { CliContext } from './context.ts';
import { readWhole } from './flags.ts';
import { type ChangeFlags, type PlanCommand, printChange, withPlan } from './plan-file.ts';

interface Flags extends ChangeFlags {
  readonly generation?: number;
  readonly epoch?: number;
  readonly attempts?: number;
}

const VERBS = [
  {
    name: 'done',
    summary: 'close a task with its result',
    argument: 'summary',
    what: 'what was done',
    example: ' 0 "see NOTES.md" --as ann',
    verb: 'markDone',
  },
  {
    name: 'fail',
    summary: 'hand a task back after a failure; failed for good when its attempts are used up',
    argument: 'error',
    what: 'what went wrong',
    example: ' 0 "no access" --as ann',
    verb: 'markFailed',
  },
] as const;

export function addPlanClose(command: PlanCommand, context: CliContext, done: (code: number) => void): void {
  for (const { name, summary, argument, what, example, verb } of VERBS) {
    command(name, summary, example)
      .argument('<index>', 'the task', readWhole(0))
      .argument(`<${argument}>`, what)
      .option('--as <worker>', 'who claimed it', 'operator')
      .addOption(
        new Option('--generation <number>', 'only this hand-out, as claim showed it').argParser(readWhole(0)),
      )
      .addOption(
        new Option('--epoch <number>', 'only of this plan, as claim showed it').argParser(readWhole(0)),
      )
      .addOption(
        new Option('--attempts <number>', 'hand-outs before a task is parked (default: 3)').argParser(
          readWhole(1),
        ),
      )
      .action(async (file: string, index: number, text: string, flags: Flags) => {
        const { plan: planId, as: owner, generation, epoch, attempts } = flags;
        const by = {
          owner,
          ...(generation === undefined ? {} : { generation }),
          ...(epoch === undefined ? {} : { epoch }),
        };
        const options = { label: owner, ...(attempts === undefined ? {} : { maxAttempts: attempts }) };
        const outcome = await withPlan({ file, planId, context, options }, (plan) =>
          plan[verb](index, text, by),
        );
        done(printChange(context, flags, outcome));
      });
  }
}
