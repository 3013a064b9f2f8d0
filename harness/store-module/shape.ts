/** The shapes of the contract's answers, each as a check that names the wrong field. Pure; on the hot path of a run. */
import type { RefusalCode } from '../../src/store.ts';
import { REFUSALS } from '../history/history.ts';
import { ShapeError } from './shape-error.ts';

export type Fields = Readonly<Record<string, unknown>>;

const CODES: ReadonlySet<unknown> = new Set<RefusalCode>(REFUSALS);
const STATES: ReadonlySet<unknown> = new Set(['open', 'leased', 'done', 'dead']);
const KINDS: ReadonlySet<unknown> = new Set([undefined, 'fresh', 'reclaimed', 'reacquired']);

/** What the store declares of its answers. */
export interface Expected {
  /** Every lease carries a generation, since the store declares ordered tokens. Default false. */
  readonly generations?: boolean;
}

/** The call that an answer belongs to. */
export interface Asked extends Expected {
  readonly op: string;
  /** The lease must be of this key. Not asked of claims: what they hand out is judged by a checker (S13). */
  readonly key?: string;
}

/**
 * Checks the frame of an outcome; the value of an accepted one is checked by `value`.
 * @throws {@link ShapeError}
 */
export function checkOutcome(asked: Asked, answer: unknown, value?: (value: unknown) => void): void {
  if (!isFields(answer)) throw new ShapeError(asked.op, '', '{ accepted, value | refusal }', answer);
  if (answer.accepted === true) value?.(answer.value);
  else if (answer.accepted === false) checkRefusal(asked.op, answer.refusal);
  else if ('accepted' in answer) throw new ShapeError(asked.op, 'accepted', 'true or false', answer.accepted);
  else throw new ShapeError(asked.op, '', '{ accepted, value | refusal }', answer);
}

function checkRefusal(op: string, refusal: unknown): void {
  if (!isFields(refusal)) throw new ShapeError(op, 'refusal', '{ code, message }', refusal);
  if (!CODES.has(refusal.code))
    throw new ShapeError(op, 'refusal.code', `one of ${REFUSALS.join(', ')}`, refusal.code);
  if (typeof refusal.message !== 'string')
    throw new ShapeError(op, 'refusal.message', 'a text', refusal.message);
  optionalText(op, 'refusal.holder', refusal.holder);
  if (refusal.current !== undefined && !Number.isFinite(refusal.current)) {
    throw new ShapeError(op, 'refusal.current', 'a number, or left out', refusal.current);
  }
}

/**
 * Checks one lease of an answer.
 * @throws {@link ShapeError}
 */
export function checkLease(asked: Asked, lease: unknown, path = 'value'): void {
  const { op } = asked;
  if (!isFields(lease)) throw new ShapeError(op, path, 'a lease { key, owner, token, leaseMs, … }', lease);
  const { key } = lease;
  if (typeof key !== 'string') throw new ShapeError(op, `${path}.key`, 'a text', key);
  if (asked.key !== undefined && key !== asked.key) {
    throw new ShapeError(op, `${path}.key`, `the key that was asked for, ${JSON.stringify(asked.key)}`, key);
  }
  if (typeof lease.owner !== 'string') throw new ShapeError(op, `${path}.owner`, 'a text', lease.owner);
  if (typeof lease.token !== 'string') throw new ShapeError(op, `${path}.token`, 'a text', lease.token);
  generation(op, `${path}.generation`, lease.generation, asked.generations === true);
  if (!(typeof lease.leaseMs === 'number' && Number.isFinite(lease.leaseMs) && lease.leaseMs > 0)) {
    throw new ShapeError(op, `${path}.leaseMs`, 'a number of milliseconds above 0', lease.leaseMs);
  }
  optionalWhole(op, `${path}.attempt`, lease.attempt);
  optionalInstant(op, `${path}.acquiredAtMs`, lease.acquiredAtMs);
  optionalInstant(op, `${path}.expiresAtMs`, lease.expiresAtMs);
  if (!KINDS.has(lease.kind)) {
    throw new ShapeError(op, `${path}.kind`, "'fresh', 'reclaimed', 'reacquired', or left out", lease.kind);
  }
}

/**
 * Checks the leases of a `claimNext`. How many there are is judged by a checker, not here.
 * @throws {@link ShapeError}
 */
export function checkLeases(asked: Asked, leases: unknown): void {
  if (!Array.isArray(leases)) throw new ShapeError(asked.op, 'value', 'a list of leases', leases);
  for (const [index, lease] of leases.entries()) checkLease(asked, lease, `value[${index}]`);
}

/**
 * Checks the rows of a scan.
 * @throws {@link ShapeError}
 */
export function checkRows(asked: Asked, rows: unknown): void {
  const { op } = asked;
  if (!Array.isArray(rows)) throw new ShapeError(op, '', 'a list of items', rows);
  for (const [index, row] of rows.entries()) {
    const path = `[${index}]`;
    if (!isFields(row)) throw new ShapeError(op, path, 'an item { key, state, … }', row);
    if (typeof row.key !== 'string') throw new ShapeError(op, `${path}.key`, 'a text', row.key);
    if (!STATES.has(row.state)) {
      throw new ShapeError(op, `${path}.state`, "'open', 'leased', 'done' or 'dead'", row.state);
    }
    generation(op, `${path}.generation`, row.generation, false);
    optionalWhole(op, `${path}.attempts`, row.attempts);
    optionalText(op, `${path}.owner`, row.owner);
    optionalText(op, `${path}.completedBy`, row.completedBy);
    optionalText(op, `${path}.enqueuedBy`, row.enqueuedBy);
  }
}

/**
 * Checks an instant of the store's clock.
 * @throws {@link ShapeError}
 */
export function checkInstant(asked: Asked, value: unknown): void {
  if (!Number.isFinite(value)) throw new ShapeError(asked.op, '', 'a number of milliseconds', value);
}

/**
 * Checks the counters.
 * @throws {@link ShapeError}
 */
export function checkCounters(asked: Asked, value: unknown): void {
  if (!isFields(value)) throw new ShapeError(asked.op, '', 'an object of numbers', value);
  for (const [name, count] of Object.entries(value)) {
    if (!Number.isFinite(count)) throw new ShapeError(asked.op, name, 'a number', count);
  }
}

export function generation(op: string, field: string, value: unknown, required: boolean): void {
  if (value === undefined && !required) return;
  if (typeof value === 'bigint' && value >= 0n) return;
  const why = required
    ? " (left out only where the store declares tokens: 'opaque' or 'none')"
    : ', or left out';
  throw new ShapeError(op, field, `a bigint from 0n${why}`, value);
}

export function optionalWhole(op: string, field: string, value: unknown): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)) return;
  throw new ShapeError(op, field, 'a whole number from 0, or left out', value);
}

export function optionalInstant(op: string, field: string, value: unknown): void {
  if (value === undefined || Number.isFinite(value)) return;
  throw new ShapeError(op, field, 'a number of milliseconds, or left out', value);
}

export function optionalText(op: string, field: string, value: unknown): void {
  if (value === undefined || typeof value === 'string') return;
  throw new ShapeError(op, field, 'a text, or left out', value);
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
