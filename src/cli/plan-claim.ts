/** `blackboard plan claim`: takes a task. */
import { Option } from 'commander';
import { encodeInstant } from '../board/view/encode.ts';
import { showText } from '../plan/render.ts';
import type { DurablePlan, PlanClaim, PlanOutcome } from '../plan/types.ts';
import type { CliContext } from './context.ts';
import { readWhole } from './flags.ts';
import { type ChangeFlags, type PlanCommand, printOutcome, textOfTask, withPlan } from './plan-file.ts';

interface Flags extends ChangeFlags {
  readonly leaseMs?: number;
  readonly attempts?: number;
  readonly renew?: boolean;
  readonly text?: string;
}

export function addPlanClaim(command: PlanCommand, context: CliContext, done: (code: number) => void): void {
  command('claim', 'take the next free task, or a given one', ' --as ann')
    .addHelpText('after', '  $ blackboard plan claim board.db 2 --as ann --renew')
    .argument('[index]', 'take this one', readWhole(0))
    .option('--as <worker>', 'who takes it', 'operator')
    .addOption(new Option('--lease-ms <ms>', 'for how long (default: 900000)').argParser(readWhole(1)))
    .addOption(
      new Option('--attempts <number>', 'hand-outs before a task is parked (default: 3)').argParser(
        readWhole(1),
      ),
    )
    .option('--renew', 'a task that is yours already: keep it for one more lease; works once')
    .option('--text <text>', 'only if the task has this text')
    .action(async (file: string, index: number | undefined, flags: Flags) => {
      const { plan: planId, as: label, leaseMs, attempts: maxAttempts } = flags;
      const options = {
        label,
        ...(leaseMs === undefined ? {} : { leaseMs }),
        ...(maxAttempts === undefined ? {} : { maxAttempts }),
      };
      const outcome = await withPlan({ file, planId, context, options }, (plan) => claim(plan, index, flags));
      done(printOutcome(context, flags.json, outcome, textOf, (claimed) => ({ claim: claimed })));
    });
}

async function claim(
  plan: DurablePlan,
  index: number | undefined,
  flags: Flags,
): Promise<PlanOutcome<PlanClaim>> {
  const { as: owner, renew = false, text } = flags;
  if (index === undefined) return plan.claimNext({ owner });
  return plan.claimTask(index, await textOfTask(plan, index, text), { owner, renew });
}

function textOf({ kind, index, text, leaseEndsAtMs, attempts, generation, epoch }: PlanClaim): string {
  return [
    `${kind} task ${index}: ${showText(text)}`,
    `until ${encodeInstant(leaseEndsAtMs)}, attempt ${attempts}, generation ${generation}, epoch ${epoch}`,
  ].join('\n');
}
