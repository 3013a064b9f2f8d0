/** What the tools say to a model. What is stored in the plan stands inside the fence, our own words outside of it. Pure. */
import { encodeInstant } from '../../board/view/encode.ts';
import { fenced } from '../../board/view/fence.ts';
import { NO_PLAN, showText } from '../render.ts';
import type { PlanClaim, PlanOutcome, PlanRefusal } from '../types.ts';

/** A rendered plan, or that there is none. */
export const planText = (rendered: string): string =>
  rendered === NO_PLAN ? `${NO_PLAN}: make one with set_plan` : fenced(rendered.split('\n'));

export function changeText(outcome: PlanOutcome<string>): string {
  return outcome.accepted ? planText(outcome.value) : refusalText(outcome.refusal);
}

export function claimText(outcome: PlanOutcome<PlanClaim>): string {
  if (!outcome.accepted) return nothingText(outcome.refusal);
  const { index, text, kind, leaseEndsAtMs, attempts } = outcome.value;
  return [
    fenced([`${kind} task ${index}: ${showText(text)}`]),
    `Attempt ${attempts}. The task is yours until ${encodeInstant(leaseEndsAtMs)}. Do it, then call mark_done or mark_failed.`,
  ].join('\n');
}

/** Nothing to take is no mistake of the caller's. */
function nothingText(refused: PlanRefusal): string {
  switch (refused.code) {
    case 'no-plan':
      return planText(NO_PLAN);
    case 'complete':
      return 'plan complete: nothing is left to do';
    case 'no-free-task':
      return 'no free task: what is open is in the hands of other workers. Stop here; a later wake-up may find one.';
    default:
      return refusalText(refused);
  }
}

function refusalText({ message, plan }: PlanRefusal): string {
  if (plan === undefined) return message;
  return [message.slice(0, message.indexOf('\n')), planText(plan)].join('\n');
}

/**
 * A task text as the caller has it: as it was shown. What was shown as a JSON string may be sent back as one.
 */
export function readShown(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'string' ? parsed : text;
  } catch {
    return text;
  }
}
