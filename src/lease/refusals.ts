/** The refusals of the lease rules: what was expected, what was found. Pure. */
import type { Refusal } from '../store.ts';
import type { ItemRow } from './row.ts';

/** A live lease stands on the item. Names the holder and the end (spec/board.md B6.14). */
export function held(row: ItemRow, nowMs: number): Refusal {
  const owner = row.owner ?? 'nobody';
  const left = (row.expiresAtMs ?? nowMs) - nowMs;
  return {
    code: 'held',
    message: `Expected ${row.key} to be free, found it held by ${owner} under generation ${row.generation} until ${row.expiresAtMs} (${left} ms left).`,
    holder: owner,
    current: row.generation,
  };
}

/** The owner asks for its own live lease again, and no attempt is left for a new grant. The lease stays as it is. */
export function heldAtLimit(row: ItemRow, nowMs: number): Refusal {
  const base = held(row, nowMs);
  return { ...base, message: `${base.message} All ${row.maxAttempts} attempts are used up.` };
}

/** Nothing under the prefix may be claimed right now. */
export function empty(prefix: string): Refusal {
  return { code: 'empty', message: `Expected an eligible item under ${JSON.stringify(prefix)}, found none.` };
}

/** The lease handed in is not the one on the row. */
export function stale(row: ItemRow, token: string): Refusal {
  return {
    code: 'stale',
    message: `Expected the lease of ${row.key} with generation ${row.generation}, got stale lease generation ${token}.`,
    current: row.generation,
    ...(row.owner === null ? {} : { holder: row.owner }),
  };
}

/** Right generation, wrong label. */
export function wrongOwner(row: ItemRow, owner: string): Refusal {
  return {
    code: 'stale',
    message: `Expected ${row.owner}, who holds ${row.key} under generation ${row.generation}, got ${owner}.`,
    current: row.generation,
    ...(row.owner === null ? {} : { holder: row.owner }),
  };
}

/** The caller's lease ran out and nobody has taken the item yet. */
export function expired(row: ItemRow, nowMs: number): Refusal {
  const late = nowMs - (row.expiresAtMs ?? nowMs);
  return {
    code: 'expired',
    message: `Expected a live lease of ${row.key}, found that it ran out ${late} ms ago at ${row.expiresAtMs}.`,
    current: row.generation,
  };
}

export function notHeld(row: ItemRow): Refusal {
  return {
    code: 'not-held',
    message: `Expected ${row.key} to be leased, found it open: the lease was handed back.`,
    current: row.generation,
  };
}

export function completed(row: ItemRow): Refusal {
  return {
    code: 'completed',
    message: `Expected ${row.key} to be unfinished, found it completed under generation ${row.generation}.`,
    current: row.generation,
  };
}

export function dead(row: ItemRow): Refusal {
  return {
    code: 'dead',
    message: `Expected ${row.key} to have attempts left, found ${row.attempts} of ${row.maxAttempts ?? 'any number'} used: it is dead.`,
    current: row.generation,
  };
}

export function notYet(row: ItemRow, nowMs: number): Refusal {
  return {
    code: 'not-yet',
    message: `Expected ${row.key} to be eligible, found that it is from ${row.eligibleAtMs} on (in ${row.eligibleAtMs - nowMs} ms).`,
  };
}

export function unknownItem(key: string): Refusal {
  return {
    code: 'unknown-item',
    message: `Expected an item ${JSON.stringify(key)}, found none of that key.`,
  };
}

export function duplicate(key: string, where: 'stored' | 'in this call'): Refusal {
  const found = where === 'stored' ? 'an item of that key' : 'it twice in one call';
  return { code: 'duplicate', message: `Expected ${JSON.stringify(key)} to be new, found ${found}.` };
}
