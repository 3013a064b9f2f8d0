/** Which items a drain left over: by the final scan where there is one, else by what clients saw. Pure. */
import { type History, OP, OUTCOME, REFUSALS } from '../history/history.ts';
import type { OperationName } from '../history/record.ts';
import type { Declares } from '../store-module/declares.ts';

/** An item, or a task of a plan, that has not come to its end, and what it is instead. */
export interface Unfinished {
  readonly key: string;
  readonly state: string;
}

/** Tasks that are open in the newest version of each plan that was read at the end. */
export function openTasks({ finalPlans, keys }: History): Unfinished[] {
  return [...(finalPlans?.versions ?? [])].flatMap(([plan, versions]) => {
    const newest = Object(versions.at(-1)?.content) as { readonly tasks?: unknown };
    const tasks: readonly unknown[] = Array.isArray(newest.tasks) ? newest.tasks : [];
    return tasks.flatMap((task, index) => {
      const state = String(Object(task).status);
      return state === 'todo' || state === 'claimed'
        ? [{ key: `task ${index} of ${keys[plan]}`, state }]
        : [];
    });
  });
}

/** Items that the drain should have finished and did not. */
export function unfinished(
  history: History,
  declares: Declares,
  methods: readonly OperationName[] | undefined,
): Unfinished[] {
  // On a store that cannot complete, items go back to open for ever: only a lease that stands is left over.
  const canFinish = methods?.includes('complete') ?? true;
  if (history.scan?.complete) {
    const left: Unfinished[] = [];
    for (const { item, state } of history.scan.rows)
      if (state === 'leased' || (state === 'open' && canFinish))
        left.push({ key: history.keys[item]!, state });
    return left;
  }
  return canFinish && methods && !methods.includes('scan') ? withoutScan(history, declares) : [];
}

/** Without a scan, dead items are known by a nack of their last attempt or by an answer that says so. */
function withoutScan(history: History, declares: Declares): Unfinished[] {
  const { ops } = history;
  const isBorn = new Uint8Array(history.keys.length);
  const isOver = new Uint8Array(history.keys.length);
  const limits = new Uint32Array(history.keys.length);
  const attempts = new Uint32Array(history.keys.length);
  for (let row = 0; row < ops.length; row++) {
    const item = ops.item[row]!;
    if (item < 0 || ops.outcome[row] === OUTCOME.fail || ops.outcome[row] === OUTCOME.info) continue;
    const op = ops.op[row];
    if (ops.outcome[row] === OUTCOME.refused) {
      if (ops.code[row] === COMPLETED || ops.code[row] === DEAD) isOver[item] = 1;
    } else if (op === OP.enqueue) {
      isBorn[item] = 1;
      limits[item] = ops.attempt[row]!;
    } else if (op === OP.claim || op === OP.claimNext) {
      isBorn[item] = 1;
      attempts[item] = Math.max(attempts[item]!, ops.attempt[row]!);
    } else if (op === OP.complete) isOver[item] = 1;
  }
  const left: Unfinished[] = [];
  for (let item = 0; item < history.keys.length; item++) {
    const isDead = declares.maxAttempts && limits[item]! > 0 && attempts[item]! >= limits[item]!;
    if (isBorn[item] && !isOver[item] && !isDead)
      left.push({ key: history.keys[item]!, state: 'not finished' });
  }
  return left;
}

const COMPLETED = REFUSALS.indexOf('completed');
const DEAD = REFUSALS.indexOf('dead');
