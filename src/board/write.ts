/** Appending and setting: the checks of the board in their order, then one commit. */
import { invalidArgument } from '../errors.ts';
import type { Entry, Json, Lease, Outcome, Refusal, Write } from '../store.ts';
import { entriesOf } from './facets.ts';
import type { Mode } from './namespaces.ts';
import { authorize } from './permission.ts';
import type { Scope } from './scope.ts';
import type { SetOptions, WriteOptions } from './types.ts';

/** Adds an entry. */
export function append(
  scope: Scope,
  key: string,
  value: Json,
  options: WriteOptions,
): Promise<Outcome<Entry>> {
  const mode = authorize(scope.namespaces, 'append', key, scope.label);
  return commit(scope, mode, { key, op: 'append', value }, options.lease);
}

/** Writes a new version. */
export function set(scope: Scope, key: string, value: Json, options: SetOptions): Promise<Outcome<Entry>> {
  const mode = authorize(scope.namespaces, 'set', key, scope.label);
  // Two processes may carry the writer's label, so even a single writer says what it saw (spec/board.md B5.7).
  const ifVersion = options.ifVersion ?? (mode === 'single' ? 0 : undefined);
  const version = ifVersion === undefined ? {} : { ifVersion };
  return commit(scope, mode, { key, op: 'set', value, ...version }, options.lease);
}

/** What the board itself writes: no namespace is asked. */
export function writeOwn(scope: Scope, write: Omit<Write, 'author' | 'request'>): Promise<Outcome<Entry>> {
  return one(scope, { ...write, author: scope.label, request: scope.request() });
}

/** The lease as this handle may use it. A lease of another worker's is refused by the store: the author must own it. */
export function asHolder(scope: Scope, lease: Lease): Lease {
  if (typeof lease !== 'object' || lease === null) throw invalidArgument('lease', 'a lease', lease);
  return { ...lease, owner: scope.label };
}

async function commit(
  scope: Scope,
  mode: Mode,
  write: Pick<Write, 'key' | 'op' | 'value' | 'ifVersion'>,
  lease: Lease | undefined,
): Promise<Outcome<Entry>> {
  const signed = { ...write, author: scope.label, request: scope.request() };
  if (mode !== 'leased') {
    const note = lease?.generation;
    return one(scope, note === undefined ? signed : { ...signed, generation: note });
  }
  if (lease === undefined) return { accepted: false, refusal: unfenced(write.key) };
  const fence = asHolder(scope, lease);
  if (fence.key !== write.key)
    throw invalidArgument('lease.key', `"${write.key}", the key that is written`, lease.key);
  return one(scope, { ...signed, fence });
}

async function one(scope: Scope, write: Write): Promise<Outcome<Entry>> {
  const outcome = await entriesOf(scope.store).commit([write]);
  if (!outcome.accepted) return outcome;
  const [entry] = outcome.value;
  if (entry === undefined)
    throw new Error(`Expected the entry of ${write.key} in the store's answer, got none.`);
  return { accepted: true, value: entry };
}

function unfenced(key: string): Refusal {
  return {
    code: 'not-held',
    message: `Expected a lease of ${key}, which is written only under one, got none. Claim it and pass the lease.`,
  };
}
