/**
 * Who held what when: every grant of a history with the holder calls made under it. Built once and read by all
 * obligations and numbers. O(n log n) in the worst case, near-linear for items with few grants each. Pure.
 */
import { groupByItem, type History, OP, type Operations, OUTCOME, type Rows } from '../history/history.ts';
import { OtherRows } from './other-rows.ts';
import type { Tenure } from './tenure.ts';
import { TenureTable } from './tenure-table.ts';

export type { Tenure } from './tenure.ts';

/** All tenures, those of one item next to each other, in the order in which they were granted. */
export interface Tenures {
  readonly all: Rows<Tenure>;
  readonly byIncarnation: ReadonlyMap<number, Iterable<Tenure>>;
  /** Rows of `enqueue` and `forceRelease` by item, which no grant carries. Absent where there are none. */
  readonly others: Pick<OtherRows, 'get' | 'values'>;
}

type Mutable = Omit<{ -readonly [K in keyof Tenure]: Tenure[K] }, 'next' | 'calls'> & { calls: number[] };

/** Whether the row is a grant: an accepted claim that names its item. */
export const isGrant = (ops: Operations, row: number): boolean =>
  ops.outcome[row] === OUTCOME.accepted && ops.item[row]! >= 0 && isClaim(ops, row);

/** Whether the row is a `claim` or a `claimNext`. */
export const isClaim = (ops: Operations, row: number): boolean =>
  ops.op[row] === OP.claim || ops.op[row] === OP.claimNext;

/** Whether the call was answered: accepted or refused. Then it certainly reached the store. */
export const isDefinite = (ops: Operations, row: number): boolean => ops.outcome[row]! <= OUTCOME.refused;

const isHolderCall = (op: number): boolean =>
  op === OP.heartbeat || op === OP.complete || op === OP.nack || op === OP.release;

/** Whether the row ends a lease when it has its effect. */
export const isFinal = (ops: Operations, row: number): boolean => {
  const op = ops.op[row];
  return op === OP.complete || op === OP.nack || op === OP.release;
};

/** Builds the tenures of a history. */
export function tenuresOf(history: History): Tenures {
  const { ops, tenureTokens: tokens } = history;
  const { start, order } = groupByItem(ops, history.keys.length);
  const table = new TenureTable(ops, most(ops));
  for (let item = 0; item < history.keys.length; item++) {
    const grants: Mutable[] = [];
    const calls: number[] = [];
    for (let i = start[item]!; i < start[item + 1]!; i++) {
      const row = order[i]!;
      const op = ops.op[row]!;
      if (isGrant(ops, row)) {
        const incarnation = ops.incarnation[row]!;
        grants.push({
          item,
          grant: row,
          incarnation,
          calls: [],
          supersededAt: Number.POSITIVE_INFINITY,
        });
      } else if (isHolderCall(op)) {
        calls.push(row);
      }
    }
    if (grants.length === 0) continue;
    if (grants.length > 1) {
      grants.sort((a, b) => inGrantOrder(ops, a.grant, b.grant));
      supersede(ops, grants);
    }
    if (calls.length > 0) assign(ops, tokens, grants, calls);
    for (const draft of grants) table.add(draft);
  }
  return {
    all: table,
    byIncarnation: table.byIncarnation(),
    others: new OtherRows(ops, history.keys.length),
  };
}

function most(ops: Operations): { grants: number; calls: number } {
  let grants = 0;
  let calls = 0;
  for (let row = 0; row < ops.length; row++) {
    if (isGrant(ops, row)) grants += 1;
    else if (isHolderCall(ops.op[row]!)) calls += 1;
  }
  return { grants, calls };
}

/** By generation where there is one, else (opaque tokens, or one handed out twice) by the time of the answer. */
function inGrantOrder(ops: Operations, a: number, b: number): number {
  return ops.generation[a]! - ops.generation[b]! || ops.ret[a]! - ops.ret[b]!;
}

function supersede(ops: Operations, grants: Mutable[]): void {
  const ordered = !grants.some((tenure) => Number.isNaN(ops.generation[tenure.grant]!));
  if (!ordered) grants.sort((a, b) => ops.inv[a.grant]! - ops.inv[b.grant]!);
  // From the back: the earliest answer among grants that are certainly later. Equal generations are not.
  const earliest = new Float64Array(grants.length + 1).fill(Number.POSITIVE_INFINITY);
  for (let i = grants.length - 1; i >= 0; i--) {
    const { grant } = grants[i]!;
    earliest[i] = Math.min(earliest[i + 1]!, ops.ret[grant]!);
    const later = firstLater(ops, grants, i, ordered);
    grants[i]!.supersededAt = earliest[later]!;
  }
}

/** Index of the first grant that is certainly later than grant `i`. Binary search, since the grants are sorted by it. */
function firstLater(ops: Operations, grants: readonly Mutable[], i: number, ordered: boolean): number {
  const { grant } = grants[i]!;
  let low = i + 1;
  let high = grants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = grants[middle]!.grant;
    const later = ordered
      ? ops.generation[other]! > ops.generation[grant]!
      : ops.inv[other]! > ops.ret[grant]!;
    if (later) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Puts each holder call under the grant whose token it carries; in doubt under its own process's latest before it. */
function assign(
  ops: Operations,
  tokens: ReadonlyMap<number, string>,
  grants: readonly Mutable[],
  calls: number[],
): void {
  if (calls.length > 1) calls.sort((a, b) => ops.inv[a]! - ops.inv[b]!);
  const byToken = new Map<number | string, Mutable[]>();
  for (const tenure of grants) {
    const token = tokenOf(ops, tokens, tenure.grant);
    const known = byToken.get(token);
    if (known) known.push(tenure);
    else byToken.set(token, [tenure]);
  }
  for (const call of calls) {
    const candidates = byToken.get(tokenOf(ops, tokens, call));
    if (!candidates) continue;
    holderOf(ops, candidates, call)?.calls.push(call);
  }
}

function holderOf(ops: Operations, candidates: readonly Mutable[], call: number): Mutable | undefined {
  if (candidates.length === 1) return candidates[0];
  let best: Mutable | undefined;
  for (const tenure of candidates) {
    if (tenure.incarnation !== ops.incarnation[call]) continue;
    if (ops.ret[tenure.grant]! > ops.inv[call]!) continue;
    if (!best || ops.ret[tenure.grant]! >= ops.ret[best.grant]!) best = tenure;
  }
  return best ?? candidates[0];
}

const tokenOf = (ops: Operations, tokens: ReadonlyMap<number, string>, row: number): number | string => {
  const generation = ops.generation[row]!;
  return Number.isNaN(generation) ? (tokens.get(row) ?? '') : generation;
};
