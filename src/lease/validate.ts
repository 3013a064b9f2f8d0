/**
 * The arguments of the work facet, checked before anything else. Every function throws `INVALID_ARGUMENT`, which is
 * definite: nothing was written. A default stands in for `undefined` only, never for 0 (spec/0-conventions.md). Pure.
 */
import { invalidArgument } from '../errors.ts';
import type { Call, Claimant, Lease, NewItem, Page } from '../store.ts';
import { encodeJson } from './json.ts';
import type { NewRow } from './row.ts';

const MAX_KEY_LENGTH = 1024;
/** A lone half of a surrogate pair has no UTF-8 form; two such keys would become one in the file. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const NOT_IN_A_LABEL = /[\s/*?[\]{}\0\p{Surrogate}]/u;

/** A key: 1 to 1024 characters, well-formed, without NUL. */
export function checkKey(name: string, key: unknown): string {
  if (typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY_LENGTH && !UNSTORABLE.test(key)) {
    return key;
  }
  throw invalidArgument(name, `a well-formed key of 1 to ${MAX_KEY_LENGTH} characters without NUL`, key);
}

/** A label: non-empty, without slash, glob character or white space. */
export function checkLabel(name: string, label: unknown): string {
  if (typeof label === 'string' && label.length > 0 && !NOT_IN_A_LABEL.test(label)) return label;
  throw invalidArgument(name, 'a label without slash, glob character or white space', label);
}

export function checkText(name: string, text: unknown): string {
  if (typeof text === 'string' && !UNSTORABLE.test(text)) return text;
  throw invalidArgument(name, 'a well-formed string without NUL', text);
}

/** Any string. An error message may be cut anywhere: that is no reason to lose the nack. */
export function checkString(name: string, text: unknown): string {
  if (typeof text === 'string') return text;
  throw invalidArgument(name, 'a string', text);
}

/** A duration in ms: finite and greater than 0. No upper bound: ends of leases are compared, never set as timers. */
export function checkDuration(name: string, ms: unknown): number {
  if (typeof ms === 'number' && Number.isFinite(ms) && ms > 0) return ms;
  throw invalidArgument(name, 'a finite number of ms > 0', ms);
}

export function checkCount(name: string, count: unknown): number {
  return checkInteger(name, count, 1);
}

/** An integer that a number carries exactly. */
export function checkInteger(name: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw invalidArgument(name, `an integer >= ${least}`, value);
}

/** The request id of a call. */
export function checkCall(call: Call): void {
  checkObject('call', call);
  checkRequest('request', call.request);
}

export function checkClaimant(by: Claimant): void {
  checkObject('by', by);
  checkLabel('owner', by.owner);
  checkDuration('leaseMs', by.leaseMs);
  checkRequest('request', by.request);
  if (by.reacquire !== undefined && typeof by.reacquire !== 'boolean') {
    throw invalidArgument('reacquire', 'a boolean', by.reacquire);
  }
}

/** The parts of a lease that the fence reads. */
export function checkLease(lease: Lease): void {
  checkObject('lease', lease);
  checkKey('lease.key', lease.key);
  checkString('lease.owner', lease.owner);
  checkString('lease.token', lease.token);
}

export function checkPage(page: Page): void {
  checkObject('page', page);
  checkCount('limit', page.limit);
  if (page.after !== undefined) checkText('after', page.after);
}

/** Turns the items of an enqueue into rows. `notBeforeMs` in the past, or none, means eligible from now on. */
export function checkItems(items: readonly NewItem[], request: string): readonly NewRow[] {
  if (!Array.isArray(items)) throw invalidArgument('items', 'an array', items);
  return items.map((item: NewItem, i) => {
    const name = `items[${i}]`;
    checkObject(name, item);
    const { notBeforeMs, maxAttempts } = item;
    if (notBeforeMs !== undefined && !Number.isFinite(notBeforeMs)) {
      throw invalidArgument(`${name}.notBeforeMs`, 'a finite instant in ms', notBeforeMs);
    }
    return {
      key: checkKey(`${name}.key`, item.key),
      payload: encodeJson(`${name}.payload`, item.payload),
      maxAttempts: maxAttempts === undefined ? null : checkCount(`${name}.maxAttempts`, maxAttempts),
      eligibleAtMs: notBeforeMs ?? Number.NEGATIVE_INFINITY,
      enqueuedBy: request,
    };
  });
}

/** A request id: any non-empty text. */
export function checkRequest(name: string, request: unknown): string {
  if (typeof request === 'string' && request.length > 0 && !UNSTORABLE.test(request)) return request;
  throw invalidArgument(name, 'a non-empty string', request);
}

export function checkObject(name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) throw invalidArgument(name, 'an object', value);
}
