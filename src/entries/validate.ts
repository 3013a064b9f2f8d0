/** The arguments of the entry facet, checked before anything else. All throw `INVALID_ARGUMENT`: nothing was written. Pure. */
import { invalidArgument } from '../errors.ts';
import { encodeJson } from '../lease/json.ts';
import * as check from '../lease/validate.ts';
import type { CommitOptions, HistoryPage, Lease, Write } from '../store.ts';

const OPS: readonly unknown[] = ['append', 'set', 'delete'] satisfies Write['op'][];
const KEEPS: readonly unknown[] = ['all', 'latest', undefined] satisfies Write['keep'][];

/** A write whose arguments are in order. */
export interface CheckedWrite {
  readonly key: string;
  readonly op: Write['op'];
  /** JSON text; null of a deletion. */
  readonly value: string | null;
  readonly author: string;
  readonly request: string;
  readonly ifVersion: number | undefined;
  readonly fence: Lease | undefined;
  readonly generation: number | null;
  readonly keep: 'all' | 'latest';
}

/** What keys must have before the first write. */
export type Requirements = NonNullable<CommitOptions['require']>;

export function checkWrites(writes: readonly Write[]): readonly CheckedWrite[] {
  if (!Array.isArray(writes)) throw invalidArgument('writes', 'an array', writes);
  return writes.map((write: Write, i) => checkWrite(`writes[${i}]`, write));
}

export function checkRequirements(options: CommitOptions | undefined): Requirements {
  if (options === undefined) return [];
  check.checkObject('options', options);
  const { require = [] } = options;
  if (!Array.isArray(require)) throw invalidArgument('require', 'an array', require);
  return require.map((required: Requirements[number], i) => {
    const name = `require[${i}]`;
    check.checkObject(name, required);
    return {
      key: check.checkKey(`${name}.key`, required.key),
      version: check.checkInteger(`${name}.version`, required.version, 0),
    };
  });
}

export function checkHistoryPage(page: HistoryPage): void {
  check.checkObject('page', page);
  check.checkCount('limit', page.limit);
  if (page.before !== undefined) check.checkInteger('before', page.before, 0);
}

function checkWrite(name: string, write: Write): CheckedWrite {
  check.checkObject(name, write);
  const { op, ifVersion, fence, keep = 'all' } = write;
  if (!OPS.includes(op)) throw invalidArgument(`${name}.op`, 'append, set or delete', op);
  if (!KEEPS.includes(keep)) throw invalidArgument(`${name}.keep`, 'all or latest', keep);
  if (op === 'append') checkAppend(name, write);
  if (fence !== undefined) {
    check.checkLease(fence);
    if (write.generation !== undefined) {
      throw invalidArgument(`${name}.generation`, 'left out beside a fence', write.generation);
    }
  }
  return {
    key: check.checkKey(`${name}.key`, write.key),
    op,
    value: checkValue(name, write),
    author: check.checkLabel(`${name}.author`, write.author),
    request: check.checkRequest(`${name}.request`, write.request),
    ifVersion: ifVersion === undefined ? undefined : check.checkInteger(`${name}.ifVersion`, ifVersion, 0),
    fence,
    generation: checkGeneration(`${name}.generation`, write.generation),
    keep,
  };
}

/** An append never conflicts and never takes anything away; asking for either is a mistake of the caller. */
function checkAppend(name: string, { ifVersion, keep }: Write): void {
  if (ifVersion !== undefined) throw invalidArgument(`${name}.ifVersion`, 'left out on an append', ifVersion);
  if (keep === 'latest') throw invalidArgument(`${name}.keep`, 'all on an append', keep);
}

function checkValue(name: string, { op, value }: Write): string | null {
  if (op !== 'delete') return encodeJson(`${name}.value`, value);
  if (value === undefined) return null;
  throw invalidArgument(`${name}.value`, 'left out on a delete', value);
}

function checkGeneration(name: string, generation: unknown): number | null {
  if (generation === undefined) return null;
  if (typeof generation === 'bigint' && generation >= 0n && generation <= BigInt(Number.MAX_SAFE_INTEGER)) {
    return Number(generation);
  }
  throw invalidArgument(name, 'a bigint from 0 to 2^53 - 1', generation);
}
