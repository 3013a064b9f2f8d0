/**
 * A plan as it is stored and back. A field that is absent reads as null, whether it was null or did not exist when the plan was
 * written, and reading never rewrites anything (spec/plan.md A3). Pure.
 */
import { FencepostError } from '../errors.ts';
import type { Json } from '../store.ts';
import type { PlanDocument, PlanTask, ScheduleEvent, TaskStatus } from './document.ts';

const STATUSES: readonly unknown[] = [
  'todo',
  'claimed',
  'done',
  'failed',
  'cancelled',
] satisfies TaskStatus[];

/**
 * The plan that an entry holds.
 *
 * @throws FencepostError `PLAN_CORRUPT`, naming the place: somebody else has written the key, or a newer version has
 */
export function readDocument(key: string, value: unknown): PlanDocument {
  const at = place(key);
  const plan = at.object('', value);
  if (plan.version !== 1) throw at.wrong('version', 'version 1 of a plan', plan.version);
  return {
    version: 1,
    planId: at.text('planId', plan.planId),
    epoch: at.number('epoch', plan.epoch),
    reasoning: at.text('reasoning', plan.reasoning),
    createdAtMs: at.number('createdAtMs', plan.createdAtMs) ?? 0,
    updatedAtMs: at.number('updatedAtMs', plan.updatedAtMs) ?? 0,
    tasks: at.array('tasks', plan.tasks).map((task, i) => readTask(at, `tasks[${i}]`, task)),
    scheduleEvents: at
      .array('scheduleEvents', plan.scheduleEvents ?? [])
      .map((event, i) => readEvent(at, `scheduleEvents[${i}]`, event)),
  };
}

/** Tasks as they were stored. One that did not change is written back as it was, which is most of the work saved. */
const storedTasks = new WeakMap<PlanTask, Json>();

/** The plan as JSON. What is null is left out: most fields of most tasks are, and the document is written as a whole. */
export function storedForm(plan: PlanDocument): Json {
  return {
    ...withoutNulls(plan),
    tasks: plan.tasks.map((task) => storedTasks.get(task) ?? withoutNulls(task)),
  };
}

function withoutNulls(record: object): Record<string, Json> {
  const kept: Record<string, Json> = {};
  for (const [field, value] of Object.entries(record)) if (value !== null) kept[field] = value as Json;
  return kept;
}

function readTask(at: Place, where: string, value: unknown): PlanTask {
  const task = at.object(where, value);
  const status = task.status;
  if (!STATUSES.includes(status)) throw at.wrong(`${where}.status`, 'a status of a task', status);
  const read: PlanTask = {
    text: at.text(`${where}.text`, task.text),
    status: status as TaskStatus,
    result: at.textOrNull(`${where}.result`, task.result),
    error: at.textOrNull(`${where}.error`, task.error),
    cancelReason: at.textOrNull(`${where}.cancelReason`, task.cancelReason),
    attempts: at.number(`${where}.attempts`, task.attempts) ?? 0,
    owner: at.textOrNull(`${where}.owner`, task.owner),
    anonymous: at.flag(`${where}.anonymous`, task.anonymous),
    generation: at.number(`${where}.generation`, task.generation),
    claimedAtMs: at.number(`${where}.claimedAtMs`, task.claimedAtMs),
    leaseEndsAtMs: at.number(`${where}.leaseEndsAtMs`, task.leaseEndsAtMs),
    renewed: at.flag(`${where}.renewed`, task.renewed),
    plannedStartAtMs: at.number(`${where}.plannedStartAtMs`, task.plannedStartAtMs),
    dueAtMs: at.number(`${where}.dueAtMs`, task.dueAtMs),
    completedAtMs: at.number(`${where}.completedAtMs`, task.completedAtMs),
    closedBy: at.textOrNull(`${where}.closedBy`, task.closedBy),
  };
  storedTasks.set(read, value as Json);
  return read;
}

function readEvent(at: Place, where: string, value: unknown): ScheduleEvent {
  const event = at.object(where, value);
  return {
    index: at.number(`${where}.index`, event.index) ?? 0,
    plannedStartAtMs: at.number(`${where}.plannedStartAtMs`, event.plannedStartAtMs),
    dueAtMs: at.number(`${where}.dueAtMs`, event.dueAtMs),
    reason: at.text(`${where}.reason`, event.reason),
    atMs: at.number(`${where}.atMs`, event.atMs) ?? 0,
  };
}

type Place = ReturnType<typeof place>;

/** Readers that name the place when they find something else. */
function place(key: string) {
  const wrong = (where: string, expected: string, found: unknown) =>
    new FencepostError(
      'PLAN_CORRUPT',
      `Expected ${where === '' ? 'a plan' : `${expected} as ${where}`} under ${key}, found ${kindOf(found)}. Nothing was written: look at it with \`blackboard dump\`.`,
      { definite: true },
    );
  return {
    wrong,
    object(where: string, value: unknown): Record<string, unknown> {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        return value as Record<string, unknown>;
      }
      throw wrong(where, 'an object', value);
    },
    array(where: string, value: unknown): readonly unknown[] {
      if (Array.isArray(value)) return value;
      throw wrong(where, 'an array', value);
    },
    text(where: string, value: unknown): string {
      if (typeof value === 'string') return value;
      throw wrong(where, 'a text', value);
    },
    textOrNull(where: string, value: unknown): string | null {
      if (value === undefined || value === null || typeof value === 'string') return value ?? null;
      throw wrong(where, 'a text or null', value);
    },
    number(where: string, value: unknown): number | null {
      if (value === undefined || value === null || typeof value === 'number') return value ?? null;
      throw wrong(where, 'a number or null', value);
    },
    flag(where: string, value: unknown): boolean | null {
      if (value === undefined || value === null || typeof value === 'boolean') return value ?? null;
      throw wrong(where, 'true, false or null', value);
    },
  };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'number' ? String(value) : `a value of type ${typeof value}`;
}
