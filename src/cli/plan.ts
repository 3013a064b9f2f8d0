/** `blackboard plan`: a durable plan for people. */
import { type Command, Option } from 'commander';
import type { CliContext } from './context.ts';
import { addPlanChanges } from './plan-change.ts';
import { addPlanClaim } from './plan-claim.ts';
import { addPlanClose } from './plan-close.ts';
import { type PlanCommand, withPlan } from './plan-file.ts';
import { json } from './text.ts';

export function addPlan(program: Command, context: CliContext, done: (code: number) => void): void {
  const plan = program
    .command('plan')
    .summary('a durable plan: what is to do, who does it, what came out')
    .description(
      'A plan is a list of tasks in order that many workers share. A task is claimed for a limited time; when its worker dies, the next one gets it.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ blackboard plan add board.db "write the notes" "tag" --new "release 7"\n  $ blackboard plan claim board.db --as ann\n  $ blackboard plan done board.db 0 "see NOTES.md" --as ann\n  $ blackboard plan show board.db',
    );
  const command: PlanCommand = (name, summary, example) =>
    plan
      .command(name)
      .summary(summary)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
      .argument('<file>', "the board's file")
      .addOption(new Option('--plan <id>', 'which plan').default('main'))
      .option('--json', 'the answer as JSON')
      .addHelpText('after', `\nExample:\n  $ blackboard plan ${name} board.db${example}`);

  command('show', 'the plan: every task, its state and its result', '').action(
    async (file: string, flags: { readonly plan: string; readonly json?: boolean }) => {
      await withPlan({ file, planId: flags.plan, context }, async (found) => {
        if (!flags.json) {
          context.stdout.write(`${await found.render()}\n`);
          return;
        }
        const snapshot = await found.snapshot();
        context.stdout.write(`${json(snapshot ?? null)}\n`);
      });
    },
  );
  addPlanChanges(command, context, done);
  addPlanClaim(command, context, done);
  addPlanClose(command, context, done);
}
