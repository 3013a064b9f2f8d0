/**
 * S12: every grant counts as one attempt; an item is granted as often as its limit allows, no more, and is dead no sooner.
 *
 * Violated iff, for an item with g accepted grants and u unanswered claims that can have taken it,
 *   the final scan shows attempts outside [g - r, g + u], where r calls may have given an attempt back (only where the store
 *   declares `releaseRefundsAttempt`: its releases and force releases, accepted or unknown);
 *   it is granted although its limit was used up: g - r > limit, or a grant that gives itself a number above limit or g + u;
 *   it is dead, by the scan or by a refusal, although g + u < limit.
 * The limit is that of the enqueue. Where several may have acted, the greatest bounds grants and the least bounds death; none bounds
 * nothing. An item without a limit is never dead.
 *
 *      w1   ├enqueue k, limit 2┤  ├claim┤ nack  ├claim┤ nack  ├claim┤ accepted: a third attempt
 */
import { type History, OP, OUTCOME, REFUSALS, type ScanRow } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { accuse, type Draft, type Tally, tally } from './draft.ts';
import { scanIndex } from './evidence.ts';

const DEAD = REFUSALS.indexOf('dead');
const NO_LIMIT = Number.POSITIVE_INFINITY;

/** What the calls of each item can have added up to; indexed by item. */
interface Attempts {
  readonly grants: Uint32Array;
  /** Row of the grant that was answered last, and of the one that gave itself the greatest number; -1. */
  readonly lastGrant: Int32Array;
  readonly greatest: Int32Array;
  readonly unknown: Uint32Array;
  readonly back: Uint32Array;
  /** NaN where no enqueue is known. */
  readonly leastLimit: Float64Array;
  readonly mostLimit: Float64Array;
  /** A call that was refused because the item was dead; -1. */
  readonly saidDead: Int32Array;
  /** Unanswered `claimNext` calls by prefix. */
  readonly open: ReadonlyMap<string, number>;
}

export function checkAttempts(history: History, declares: Declares, limit?: number): Tally {
  const found = tally('S12', limit);
  const counted = count(history, declares);
  const index = scanIndex(history);
  const shown = (item: number): ScanRow | undefined =>
    index[item]! < 0 ? undefined : history.scan!.rows.at(index[item]!);
  for (let item = 0; item < history.keys.length; item++) {
    if (counted.grants[item] === 0 && counted.saidDead[item] === -1 && index[item]! < 0) continue;
    judge(history, counted, item, shown(item), found);
  }
  return found;
}

function judge(
  history: History,
  counted: Attempts,
  item: number,
  row: ScanRow | undefined,
  found: Tally,
): void {
  const { ops, keys } = history;
  const grants = counted.grants[item]!;
  const least = Math.max(0, grants - counted.back[item]!);
  const most = grants + counted.unknown[item]! + openFor(counted.open, keys[item]!);
  const leastLimit = counted.leastLimit[item]!;
  const mostLimit = counted.mostLimit[item]!;
  if (row && (row.attempts !== undefined || row.state === 'dead')) found.opportunities += 1;
  if (grants >= mostLimit) found.opportunities += 1;
  const tells = `it was granted ${times(grants)} for certain and at most ${times(most)}`;
  const say = (accused: number, at: number, read: ScanRow | undefined, what: string, why: string): void =>
    accuse(
      found,
      at,
      (): Draft => ({
        guarantee: 'S12',
        item,
        accused,
        rows: read ? [] : [accused],
        links: [],
        ...(read ? { read } : {}),
        at,
        statement: `${keys[item]} ${what}`,
        because: [why],
      }),
    );
  const last = counted.lastGrant[item]!;
  const greatest = counted.greatest[item]!;
  if (last >= 0 && least > mostLimit) {
    const what = `was granted ${times(grants)}, and its limit is ${mostLimit}; an item must not be granted beyond its limit`;
    say(
      last,
      ops.ret[last]!,
      undefined,
      what,
      'every grant counts as one attempt, and none of them was given back',
    );
  } else if (
    greatest >= 0 &&
    ops.attempt[greatest]! > Math.min(most, Number.isNaN(mostLimit) ? NO_LIMIT : mostLimit)
  ) {
    const limitText = mostLimit < NO_LIMIT ? `, and its limit is ${mostLimit}` : '';
    const what = `was granted as attempt ${ops.attempt[greatest]}; every grant must count as one attempt`;
    say(greatest, ops.ret[greatest]!, undefined, what, `${tells}${limitText}`);
  }
  const said = counted.saidDead[item]!;
  const dead = row?.state === 'dead';
  if ((dead || said >= 0) && most < leastLimit) {
    const limitText = leastLimit < NO_LIMIT ? `its limit is ${leastLimit}` : 'it has no limit';
    const what = `is dead although its attempts cannot be used up; an item must not be dead before its limit`;
    if (dead) say(row.row, ops.ret[row.row]!, row, what, `${tells}, and ${limitText}`);
    else say(said, ops.ret[said]!, undefined, what, `${tells}, and ${limitText}`);
  }
  if (row?.attempts !== undefined && (row.attempts < least || row.attempts > most)) {
    const what = `shows ${row.attempts} attempts in the final scan; every grant must count as one attempt`;
    say(row.row, ops.ret[row.row]!, row, what, tells);
  }
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

function openFor(open: ReadonlyMap<string, number>, key: string): number {
  let sum = 0;
  for (const [prefix, calls] of open) if (key.startsWith(prefix)) sum += calls;
  return sum;
}

function count({ ops, keys, prefixes }: History, { releaseRefundsAttempt }: Declares): Attempts {
  const items = keys.length;
  const open = new Map<string, number>();
  const counted: Attempts = {
    grants: new Uint32Array(items),
    lastGrant: new Int32Array(items).fill(-1),
    greatest: new Int32Array(items).fill(-1),
    unknown: new Uint32Array(items),
    back: new Uint32Array(items),
    leastLimit: new Float64Array(items).fill(Number.NaN),
    mostLimit: new Float64Array(items).fill(Number.NaN),
    saidDead: new Int32Array(items).fill(-1),
    open,
  };
  for (let row = 0; row < ops.length; row++) {
    const outcome = ops.outcome[row]!;
    const item = ops.item[row]!;
    if (outcome === OUTCOME.fail) continue;
    if (outcome === OUTCOME.refused) {
      const onItem = item >= 0 && ops.op[row]! <= OP.forceRelease;
      if (ops.code[row] === DEAD && onItem && counted.saidDead[item] === -1) counted.saidDead[item] = row;
      continue;
    }
    switch (ops.op[row]) {
      case OP.enqueue:
        bound(counted, item, ops.attempt[row]! === 0 ? NO_LIMIT : ops.attempt[row]!);
        break;
      case OP.claim:
      case OP.claimNext:
        if (outcome === OUTCOME.accepted) {
          if (item >= 0) granted(counted, ops.ret, ops.attempt, item, row);
        } else if (item >= 0) counted.unknown[item]! += 1;
        else open.set(prefixes.get(row) ?? '', (open.get(prefixes.get(row) ?? '') ?? 0) + 1);
        break;
      case OP.release:
      case OP.forceRelease:
        if (releaseRefundsAttempt) counted.back[item]! += 1;
        break;
    }
  }
  return counted;
}

function bound({ leastLimit, mostLimit }: Attempts, item: number, limit: number): void {
  if (!(leastLimit[item]! <= limit)) leastLimit[item] = limit;
  if (!(mostLimit[item]! >= limit)) mostLimit[item] = limit;
}

function granted(
  { grants, lastGrant, greatest }: Attempts,
  ret: Float64Array,
  attempt: Uint32Array,
  item: number,
  row: number,
): void {
  grants[item]! += 1;
  if (lastGrant[item]! < 0 || ret[row]! > ret[lastGrant[item]!]!) lastGrant[item] = row;
  if (greatest[item]! < 0 || attempt[row]! > attempt[greatest[item]!]!) greatest[item] = row;
}
