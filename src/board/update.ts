/** Read, transform, set, and what happens when that never succeeds. */
import type { Awaitable, Entry, Json } from '../store.ts';
import { entriesOf } from './facets.ts';
import { authorize } from './permission.ts';
import type { Scope } from './scope.ts';
import type { UpdateOutcome, WriteOptions } from './types.ts';
import { set, writeOwn } from './write.ts';

/** The first, and three more (spec/board.md B2). A key that is lost four times in a row is too contended for retries. */
const TRIES = 4;

/** Transforms the value of a key. Any refusal but a conflict is final: a lost lease does not come back. */
export async function update(
  scope: Scope,
  key: string,
  change: (value: Json | undefined) => Awaitable<Json>,
  options: WriteOptions,
): Promise<UpdateOutcome> {
  authorize(scope.namespaces, 'set', key, scope.label);
  let current: number | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = await entriesOf(scope.store).get(key);
    const value = await change(before?.value);
    const outcome = await set(scope, key, value, { ...options, ifVersion: before?.version ?? 0 });
    if (outcome.accepted || outcome.refusal.code !== 'conflict') return outcome;
    current = outcome.refusal.current;
  }
  const notice = await tellOrchestrator(scope, key, current);
  return {
    accepted: false,
    refusal: {
      code: 'persistent-conflict',
      message: `Expected to write ${key} within ${TRIES} tries, found a newer version each time. ${scope.orchestrator} was told under ${notice.key}.`,
      tries: TRIES,
      notice,
      ...(current === undefined ? {} : { current }),
    },
  };
}

/**
 * An entry that is appended is an event of the feed as well: whoever follows the feed sees it, and a view that subscribes
 * to `notices/ORCHESTRATOR/*` shows it. It needs nothing but the contract, so it works on every store.
 */
async function tellOrchestrator(scope: Scope, key: string, current: number | undefined): Promise<Entry> {
  const written = await writeOwn(scope, {
    key: `notices/${scope.orchestrator}/persistent-conflict`,
    op: 'append',
    value: { key, worker: scope.label, tries: TRIES, ...(current === undefined ? {} : { version: current }) },
  });
  if (written.accepted) return written.value;
  throw new Error(`Expected an append to be accepted, found it refused: ${written.refusal.message}`);
}
