/**
 * A plan as text. Each task is one line, and whatever could be taken for something else than text (a line break, a control
 * character, an angle bracket) is shown as a JSON string: no task can pretend to be another line, or close a fence. Pure.
 */
import { encodeInstant, encodeName, encodeValue } from '../board/view/encode.ts';
import { isComplete, isOpen, type PlanDocument, type PlanTask, type TaskStatus } from './document.ts';
import { nextFree } from './eligible.ts';
import type { Limits } from './rules.ts';

/** What getPlan says when there is no plan (spec/plan.md A6.8). */
export const NO_PLAN = 'no plan yet';

const MARKS: Readonly<Record<TaskStatus, string>> = {
  todo: '[ ]',
  claimed: '[~]',
  done: '[x]',
  failed: '[!]',
  cancelled: '[-]',
};

/** The plan, one line for each task. The last line says what comes next, by the rule of claimNext (A5.17). */
export function renderPlan(
  plan: PlanDocument,
  nowMs: number,
  limits: Pick<Limits, 'leaseMs' | 'maxAttempts'>,
): string {
  return [
    `plan ${encodeName(plan.planId)}: ${showText(plan.reasoning)}`,
    ...plan.tasks.map((task, index) => `${MARKS[task.status]} ${index}. ${lineOf(task, nowMs, limits)}`),
    lastLine(plan, nowMs, limits),
  ].join('\n');
}

/**
 * A text as it is; or as a JSON string when it could mislead a reader, begins with a quote, or has in it what ends a text on
 * such a line.
 */
export function showText(text: string): string {
  const encoded = encodeValue(text);
  const escaped = encoded.slice(1, -1).replace(/\\(["\\])/g, '$1') !== text;
  return escaped || text.startsWith('"') || text !== text.trim() || / \(|→/.test(text) ? encoded : text;
}

function lineOf(task: PlanTask, nowMs: number, { maxAttempts }: Pick<Limits, 'maxAttempts'>): string {
  const { attempts, error, result, cancelReason, plannedStartAtMs, dueAtMs } = task;
  const tried = `attempt ${attempts} of ${maxAttempts}`;
  return [
    showText(task.text),
    ...(result === null ? [] : [`→ ${showText(result)}`]),
    ...(task.status === 'claimed' ? [`(${holderOf(task)}, ${tried})`] : []),
    ...(error === null ? [] : [`(error after ${tried}: ${showText(error)})`]),
    ...(cancelReason === null ? [] : [`(cancelled: ${showText(cancelReason)})`]),
    ...(plannedStartAtMs === null ? [] : [`(planned ${encodeInstant(plannedStartAtMs)})`]),
    ...(dueAtMs === null
      ? []
      : [`(due ${encodeInstant(dueAtMs)}${isOverdue(task, nowMs) ? ' OVERDUE' : ''})`]),
  ].join(' ');
}

const holderOf = ({ anonymous, owner }: PlanTask): string =>
  anonymous === true || owner === null ? 'claimed by somebody' : `claimed by ${encodeName(owner)}`;

/** What is closed is not late any more. */
const isOverdue = (task: PlanTask, nowMs: number): boolean =>
  isOpen(task) && task.dueAtMs !== null && task.dueAtMs < nowMs;

function lastLine(
  plan: PlanDocument,
  nowMs: number,
  limits: Pick<Limits, 'leaseMs' | 'maxAttempts'>,
): string {
  if (isComplete(plan)) return completeLine(plan.tasks);
  const { index, exhausted } = nextFree(plan, nowMs, limits);
  if (index !== undefined) return `next claimable: ${index}`;
  if (exhausted.length === 0) return 'no free task: what is open is claimed';
  return `no free task: the next claim parks ${exhausted.join(', ')}, whose attempts are used up`;
}

function completeLine(tasks: readonly PlanTask[]): string {
  const count = (status: TaskStatus) => tasks.filter((task) => task.status === status).length;
  const failed = count('failed');
  const cancelled = count('cancelled');
  if (failed + cancelled === 0) return 'plan complete';
  const parts = [
    `${count('done')} done`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(cancelled === 0 ? [] : [`${cancelled} cancelled`]),
  ];
  return `plan complete: ${parts.join(', ')}`;
}
