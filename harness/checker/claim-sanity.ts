/**
 * S13: a claim hands out what was asked for.
 *
 * Violated iff an accepted claim answered with more items than its limit, with one item twice, with an item of another
 * prefix or (by key) another item, or with one whose not-before instant was still to come by the store's own account of the grant; or the final scan
 * shows leased items that belong to no accepted grant, more of them than the unanswered claims can have taken (ghost claims).
 *
 *      w1   ├claimNext "a/", limit 1┤  a/1, a/2          two items, one asked for
 *
 *      w1   ├claim┤ accepted: a/1       scan ├─ a/1 leased, a/2 leased ─┤        nobody was given a/2
 *
 * Not-before: the grant tells the end of its lease on the store's clock and its length, so when it began; the enqueue named
 * an instant on the same clock. Both are the store's, so no clock of ours is needed. Grants that do not tell it are skipped.
 */
import { FLAG, type History, OP, OUTCOME, type ScanRow } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { accuse, type Draft, type Tally, tally } from './draft.ts';
import { generation } from './words.ts';

export function checkClaims(history: History, declares: Declares, limit?: number): Tally {
  const found = tally('S13', limit);
  answers(history, found);
  tooEarly(history, declares, found);
  ghosts(history, found);
  return found;
}

/** Size, repetition and prefix of every accepted answer. */
function answers(history: History, found: Tally): void {
  const { ops, keys, prefixes, limits } = history;
  const batches = new Map<string, number[]>();
  for (let row = 0; row < ops.length; row++) {
    const op = ops.op[row];
    if ((op !== OP.claim && op !== OP.claimNext) || ops.outcome[row] !== OUTCOME.accepted) continue;
    if ((ops.flags[row]! & FLAG.batch) !== 0) {
      const request = `${ops.incarnation[row]}.${ops.lane[row]}.${ops.call[row]}`;
      const batch = batches.get(request);
      if (batch) batch.push(row);
      else batches.set(request, [row]);
      continue;
    }
    found.opportunities += 1;
    prefixed(history, row, prefixes.get(row), found);
    asked(history, row, found);
  }
  for (const [request, rows] of batches) {
    found.opportunities += 1;
    const first = rows[0]!;
    const asked = limits.get(first) ?? 1;
    const at = ops.ret[first]!;
    const seen = new Map<number, number>();
    const twice = rows.find((row) => seen.size === seen.set(ops.item[row]!, row).size);
    const accusation = (accused: number, statement: string) => (): Draft => ({
      guarantee: 'S13',
      item: ops.item[accused]!,
      accused,
      rows: [...new Set([first, accused])],
      links: [],
      at,
      statement,
      because: [`all of it is the answer to the one request ${request}`],
    });
    if (rows.length > asked) {
      accuse(
        found,
        at,
        accusation(
          rows[asked]!,
          `the claim ${request} asked for ${asked} and was given ${rows.length} items, ${keys[ops.item[rows[asked]!]!]} among them; a claim must not take more than it was asked to`,
        ),
      );
    }
    if (twice !== undefined) {
      accuse(
        found,
        at,
        accusation(
          twice,
          `the claim ${request} was given ${keys[ops.item[twice]!]} twice in one answer; an item has one holder at a time`,
        ),
      );
    }
    for (const row of rows) prefixed(history, row, prefixes.get(first), found);
  }
}

function prefixed(history: History, row: number, prefix: string | undefined, found: Tally): void {
  const { ops, keys } = history;
  const item = ops.item[row]!;
  if (prefix === undefined || item < 0 || keys[item]!.startsWith(prefix)) return;
  const wanted = `keys beginning with ${JSON.stringify(prefix)}`;
  tellOther(history, row, wanted, 'the key does not begin with the prefix of the request', found);
}

/** A claim by key is for that item. */
function asked(history: History, row: number, found: Tally): void {
  const wanted = history.askedItems.get(row);
  if (wanted === undefined) return;
  tellOther(history, row, history.keys[wanted]!, 'the key of the lease is not the key of the request', found);
}

/** A grant of something else than was asked for. */
function tellOther(history: History, row: number, wanted: string, because: string, found: Tally): void {
  const { ops, keys } = history;
  const item = ops.item[row]!;
  const at = ops.ret[row]!;
  accuse(found, at, () => ({
    guarantee: 'S13',
    item,
    accused: row,
    rows: [row],
    links: [],
    at,
    statement: `${keys[item]} was granted to a claim that asked for ${wanted}; a claim must get what it asked for`,
    because: [because],
  }));
}

function tooEarly(history: History, declares: Declares, found: Tally): void {
  const { ops, keys, notBefore } = history;
  if (notBefore.size === 0) return;
  const slackMs = declares.grainMs + declares.clockStepMs;
  /** The earliest not-before instant of all possible enqueues of an item; -Infinity where one of them names none. */
  const eligible = new Map<number, { atMs: number; row: number }>();
  for (let row = 0; row < ops.length; row++) {
    const outcome = ops.outcome[row];
    if (ops.op[row] !== OP.enqueue || outcome === OUTCOME.refused || outcome === OUTCOME.fail) continue;
    const atMs = notBefore.get(row) ?? Number.NEGATIVE_INFINITY;
    const known = eligible.get(ops.item[row]!);
    if (!known || atMs < known.atMs) eligible.set(ops.item[row]!, { atMs, row });
  }
  for (let row = 0; row < ops.length; row++) {
    const op = ops.op[row];
    if ((op !== OP.claim && op !== OP.claimNext) || ops.outcome[row] !== OUTCOME.accepted) continue;
    const due = eligible.get(ops.item[row]!);
    const grantedMs = ops.expiresAtMs[row]! - ops.leaseMs[row]!;
    if (!due || !(grantedMs + slackMs < due.atMs)) continue;
    const at = ops.ret[row]!;
    accuse(found, at, () => ({
      guarantee: 'S13',
      item: ops.item[row]!,
      accused: row,
      rows: [due.row, row],
      links: [],
      at,
      statement: `${keys[ops.item[row]!]} was granted under ${generation(history, row)} at ${grantedMs} ms on the store's clock, before its not-before instant ${due.atMs} ms; an item must not be granted early`,
      because: [
        `the grant says that its lease ends at ${ops.expiresAtMs[row]} ms and lasts ${ops.leaseMs[row]} ms`,
      ],
    }));
  }
}

/** Leased rows of the final scan that nobody was granted. */
function ghosts(history: History, found: Tally): void {
  const { ops, keys, scan } = history;
  const leased: ScanRow[] = [];
  for (const shown of scan?.rows ?? []) if (shown.state === 'leased') leased.push(shown);
  if (leased.length === 0) return;
  const granted = new Map<number, Set<number>>();
  /** Items that one unanswered claim by key may have taken, and how many others by prefix. */
  const named = new Set<number>();
  let unnamed = 0;
  for (let row = 0; row < ops.length; row++) {
    const op = ops.op[row];
    if (op !== OP.claim && op !== OP.claimNext) continue;
    const item = ops.item[row]!;
    if (ops.outcome[row] === OUTCOME.info) {
      if (item >= 0) named.add(item);
      else unnamed += history.limits.get(row) ?? 1;
    } else if (ops.outcome[row] === OUTCOME.accepted && item >= 0) {
      const known = granted.get(item);
      if (known) known.add(ops.generation[row]!);
      else granted.set(item, new Set([ops.generation[row]!]));
    }
  }
  const unseen = leased.filter((shown) => !named.has(shown.item) && !belongs(shown, granted.get(shown.item)));
  for (const shown of unseen.slice(unnamed)) {
    const at = ops.ret[shown.row]!;
    accuse(found, at, () => ({
      guarantee: 'S13',
      item: shown.item,
      accused: shown.row,
      rows: [],
      links: [],
      read: shown,
      at,
      statement: `${keys[shown.item]} is leased in the final scan, and no claim was given it; a claim must not take more than it hands out`,
      because: [
        `${unseen.length} leased items belong to no grant, and the unanswered claims can have taken ${unnamed} of them`,
      ],
    }));
  }
}

/** Where scan or grants tell no generation, any grant of the item will do. */
function belongs(shown: ScanRow, generations: ReadonlySet<number> | undefined): boolean {
  if (!generations) return false;
  return Number.isNaN(shown.generation) || generations.has(Number.NaN) || generations.has(shown.generation);
}
