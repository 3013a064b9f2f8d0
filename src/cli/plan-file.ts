/** Opens the plan of a file, and says how a verb ended. */
import type { Command } from 'commander';
import { createPlan } from '../plan/plan.ts';
import type { DurablePlan, PlanOptions, PlanOutcome } from '../plan/types.ts';
import { withBoard } from './board-file.ts';
import type { CliContext } from './context.ts';
import { EXIT } from './exit.ts';
import { json } from './text.ts';

/** Makes a command of `blackboard plan` with what all of them have. */
export type PlanCommand = (name: string, summary: string, example: string) => Command;

/** What the commands that change a plan have in common. */
export interface ChangeFlags {
  readonly plan: string;
  readonly as: string;
  readonly json?: boolean;
}

export interface PlanFile {
  readonly file: string;
  readonly planId: string;
  readonly context: CliContext;
  /** Makes the file when it is not there. @default false */
  readonly make?: boolean;
  readonly options?: Partial<PlanOptions>;
}

/** Opens the file, runs the body with its plan, closes the file. */
export function withPlan<T>(where: PlanFile, body: (plan: DurablePlan) => Promise<T>): Promise<T> {
  const { file, planId, context, make = false, options = {} } = where;
  return withBoard({ file, clock: context.clock, make }, ({ store }) =>
    body(createPlan({ store, planId, ...options })),
  );
}

/** Prints an answer: data to stdout, a refusal of a person's call to stderr. Answers the exit code. */
export function printOutcome<T>(
  context: CliContext,
  asJson: boolean | undefined,
  outcome: PlanOutcome<T>,
  textOf: (value: T) => string,
  dataOf: (value: T) => object,
): number {
  if (asJson) {
    const answer = outcome.accepted
      ? { accepted: true, ...dataOf(outcome.value) }
      : { accepted: false, refusal: outcome.refusal };
    context.stdout.write(`${json(answer)}\n`);
  } else if (outcome.accepted) {
    context.stdout.write(`${textOf(outcome.value)}\n`);
  } else {
    const { code, message } = outcome.refusal;
    context.stderr.write(`Refused (${code}): ${message.replace(/^REJECTED: /, '')}\n`);
  }
  if (outcome.accepted) return EXIT.done;
  return outcome.refusal.code === 'invalid' ? EXIT.usage : EXIT.refused;
}

/** As `printOutcome`, of a verb that answers the rendered plan. */
export const printChange = (
  context: CliContext,
  { json: asJson }: Pick<ChangeFlags, 'json'>,
  outcome: PlanOutcome<string>,
): number =>
  printOutcome(
    context,
    asJson,
    outcome,
    (text) => text,
    (text) => ({ plan: text }),
  );

/**
 * The text of a task, for the verbs that want to be sure of it: what the caller says, or what the plan shows now. Undefined where
 * there is no such task; the verb says so itself.
 */
export async function textOfTask(
  plan: DurablePlan,
  index: number,
  expected: string | undefined,
): Promise<string> {
  return expected ?? (await plan.snapshot())?.tasks[index]?.text ?? '';
}
