/**
 * The arguments of the verbs, checked before anything else. All invalid input of all verbs is answered in the same way, as a
 * refusal of code `invalid` (spec/plan.md A5.15). Options of the handle are the programmer's and thrown. Pure.
 */
import { isLabel } from '../board/validate.ts';
import { refusal } from './refusals.ts';
import type { Closer, PlanRefusal, ScheduleOptions } from './types.ts';

/** Tasks of one plan: the document is read and written as a whole (docs/plan.md). */
const TASKS_MAX = 100_000;
/** Characters of one text. */
const TEXT_MAX = 1_000_000;
/** JSON carries a lone half of a surrogate pair, a file does not. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** The first argument that is wrong. */
export const firstOf = (...checks: (PlanRefusal | undefined)[]): PlanRefusal | undefined =>
  checks.find((check) => check !== undefined);

export function checkIndex(index: unknown): PlanRefusal | undefined {
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0
    ? undefined
    : invalid('index', 'a whole number >= 0', index);
}

/** A text that says something. */
export function checkSaying(name: string, text: unknown): PlanRefusal | undefined {
  return (
    checkText(name, text) ?? ((text as string).trim() === '' ? invalid(name, 'a text', text) : undefined)
  );
}

export function checkText(name: string, text: unknown): PlanRefusal | undefined {
  return typeof text === 'string' && text.length <= TEXT_MAX && !UNSTORABLE.test(text)
    ? undefined
    : invalid(name, `a well-formed text without NUL, of at most ${TEXT_MAX} characters`, text);
}

/** Left out is fine, empty is not: an empty owner could never close what it claimed. */
export function checkOwner(owner: unknown): PlanRefusal | undefined {
  return owner === undefined || isLabel(owner)
    ? undefined
    : invalid('owner', 'a label without slash, glob character or white space', owner);
}

export function checkFlag(name: string, flag: unknown): PlanRefusal | undefined {
  return flag === undefined || typeof flag === 'boolean' ? undefined : invalid(name, 'true or false', flag);
}

/** An instant on the store's clock; 0 and what lies before it are instants too. */
function checkInstant(name: string, ms: unknown): PlanRefusal | undefined {
  return ms === undefined || (typeof ms === 'number' && Number.isFinite(ms))
    ? undefined
    : invalid(name, 'a finite number of ms', ms);
}

/** Both instants, their order, and why (spec/plan.md A5.15). */
export function checkSchedule(schedule: ScheduleOptions): PlanRefusal | undefined {
  const wrong = checkOptions('schedule', schedule);
  if (wrong !== undefined) return wrong;
  const { plannedStartAtMs, dueAtMs, reason } = schedule;
  return firstOf(
    checkInstant('plannedStartAtMs', plannedStartAtMs),
    checkInstant('dueAtMs', dueAtMs),
    plannedStartAtMs !== undefined && dueAtMs !== undefined && plannedStartAtMs > dueAtMs
      ? invalid('dueAtMs', `at or after the planned start, ${plannedStartAtMs}`, dueAtMs)
      : undefined,
    checkSaying('reason', reason),
  );
}

export function checkCloser(by: Closer): PlanRefusal | undefined {
  return (
    checkOptions('by', by) ??
    firstOf(checkOwner(by.owner), checkCounter('generation', by.generation), checkCounter('epoch', by.epoch))
  );
}

function checkCounter(name: string, counter: unknown): PlanRefusal | undefined {
  return counter === undefined || (Number.isSafeInteger(counter) && (counter as number) >= 0)
    ? undefined
    : invalid(name, 'a whole number >= 0', counter);
}

export function checkOptions(name: string, options: unknown): PlanRefusal | undefined {
  return typeof options === 'object' && options !== null ? undefined : invalid(name, 'an object', options);
}

/** The texts of new tasks, trimmed, blank ones dropped; or why there are none. */
export function readTasks(tasks: unknown): readonly string[] | PlanRefusal {
  if (!Array.isArray(tasks)) return invalid('tasks', 'an array of texts', tasks);
  if (tasks.length > TASKS_MAX) return invalid('tasks', `at most ${TASKS_MAX} tasks`, tasks.length);
  const wrong = firstOf(...tasks.map((text: unknown, i) => checkText(`tasks[${i}]`, text)));
  if (wrong !== undefined) return wrong;
  const texts = tasks.map((text: string) => text.trim()).filter((text) => text !== '');
  return texts.length > 0 ? texts : invalid('tasks', 'at least one task that is not blank', tasks);
}

function invalid(name: string, expected: string, got: unknown): PlanRefusal {
  return refusal('invalid', `Expected \`${name}\` to be ${expected}, got ${describe(got)}.`);
}

function describe(value: unknown): string {
  if (typeof value === 'string') {
    const shown = value.length > 80 ? `${value.slice(0, 80)}…` : value;
    return `${JSON.stringify(shown)} (string)`;
  }
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return value === null || value === undefined ? String(value) : `${String(value)} (${typeof value})`;
}
