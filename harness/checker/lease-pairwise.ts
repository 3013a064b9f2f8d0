/**
 * S1, S2, S3, S4, S5, S7, S10, S14, S15b for items whose generations do not force an order: stores with opaque or no tokens, stores
 * that do not fence by the lease row, and grants that carry no generation. Only real time orders two calls here, so these
 * rules find less than the sweep does, and accuse no more.
 *
 * S1  two grants by different requests carry equal tokens.
 * S3  see `pairwise-exclusion.ts`.
 * S4  (a store that fences; for a release S14, for a fenced write S15b) acc(x) under token t, grant(t) < g2 < x, all in real time.
 *
 *      S4   w1 ├claim x┤              ├─complete x─┤ accepted
 *           w2           ├claim y┤
 *
 * S4c and S11 need the order of generations and are not judged here.
 */
import { OP, type Operations, OUTCOME } from '../history/history.ts';
import { accuse } from './draft.ts';
import type { LeaseContext } from './lease-context.ts';
import { judgeTerminal, proveByScan } from './lease-terminal.ts';
import { exclusive, firstAfter, sameToken, tokenOf } from './pairwise-exclusion.ts';
import { grants, sameRequest } from './token-rows.ts';

/** Judges one item by pairs; `order[from..to]` are its rows. */
export function judgePairwise(
  cx: LeaseContext,
  item: number,
  order: Uint32Array,
  from: number,
  to: number,
): void {
  const { ops, rows } = cx;
  const granted: number[] = [];
  const calls: number[] = [];
  for (let i = from; i < to; i++) {
    const row = order[i]!;
    const op = ops.op[row]!;
    const outcome = ops.outcome[row]!;
    if (outcome === OUTCOME.fail || op === OP.enqueue || op === OP.scan) continue;
    if (grants(op) && outcome === OUTCOME.accepted) granted.push(row);
    else calls.push(row);
  }
  // What follows needs no generations: the completions were collected, and there is one group of none.
  rows.count = 0;
  rows.groups = 0;
  proveByScan(cx, item);
  judgeTerminal(cx, item, order, from, to);
  granted.sort((a, b) => ops.inv[a]! - ops.inv[b]! || a - b);
  unique(cx, item, granted);
  rising(cx, item, granted);
  const done = rows.completions.filter((row) => ops.outcome[row] === OUTCOME.accepted);
  const finished = done.reduce(
    (first, row) => (first < 0 || ops.ret[row]! < ops.ret[first]! ? row : first),
    -1,
  );
  absorbed(cx, item, granted, finished);
  exclusive(cx, item, granted, calls);
  if (cx.declares.fencing === 'lock') stale(cx, item, granted, calls);
}

function unique(cx: LeaseContext, item: number, granted: readonly number[]): void {
  if (cx.declares.tokens === 'none') return;
  const { ops } = cx;
  const { S1 } = cx.tallies;
  const first = new Map<string, number>();
  granted.forEach((row, i) => {
    if (i > 0) S1.opportunities += 1;
    const token = tokenOf(cx, row);
    if (token === undefined) return;
    const known = first.get(token);
    if (known === undefined) {
      first.set(token, row);
    } else if (!sameRequest(ops, row, known)) {
      const at = Math.max(ops.ret[row]!, ops.ret[known]!);
      accuse(S1, at, () => ({ guarantee: 'S1', item, accused: row, rows: [known, row], links: [], at }));
    }
  });
}

/** S2, for ascending generations on a store that does not fence. */
function rising(cx: LeaseContext, item: number, granted: readonly number[]): void {
  if (cx.declares.tokens !== 'ascending') return;
  const { ops } = cx;
  const { S2 } = cx.tallies;
  const byAnswer = granted
    .filter((row) => !Number.isNaN(ops.generation[row]!))
    .sort((a, b) => ops.ret[a]! - ops.ret[b]!);
  let next = 0;
  let highest = -1;
  granted.forEach((row, i) => {
    if (i > 0) S2.opportunities += 1;
    while (next < byAnswer.length && ops.ret[byAnswer[next]!]! < ops.inv[row]!) {
      const candidate = byAnswer[next++]!;
      if (highest < 0 || ops.generation[candidate]! > ops.generation[highest]!) highest = candidate;
    }
    if (highest < 0 || !(ops.generation[highest]! > ops.generation[row]!)) return;
    const newer = highest;
    const at = ops.ret[row]!;
    accuse(S2, at, () => ({ guarantee: 'S2', item, accused: row, rows: [newer, row], links: [], at }));
  });
}

/** S10 for grants; the opportunities were counted with the completion. */
function absorbed(cx: LeaseContext, item: number, granted: readonly number[], finished: number): void {
  if (finished < 0) return;
  const { ops } = cx;
  for (const row of granted) {
    if (!(ops.ret[finished]! < ops.inv[row]!)) continue;
    const at = ops.ret[row]!;
    accuse(cx.tallies.S10, at, () => ({
      guarantee: 'S10',
      item,
      accused: row,
      rows: [finished, row],
      links: [],
      at,
    }));
  }
}

function stale(cx: LeaseContext, item: number, granted: readonly number[], calls: readonly number[]): void {
  if (cx.declares.tokens === 'none') return;
  const { ops } = cx;
  const { S4, S14, S15b } = cx.tallies;
  const grantOf = new Map<string, number>();
  for (const row of granted) {
    const token = tokenOf(cx, row);
    if (token !== undefined && !grantOf.has(token)) grantOf.set(token, row);
  }
  // The earliest answer among the grants from each on, in order of their calls.
  const earliest = granted.slice();
  for (let i = granted.length - 2; i >= 0; i--) {
    if (ops.ret[earliest[i + 1]!]! < ops.ret[earliest[i]!]!) earliest[i] = earliest[i + 1]!;
  }
  for (const row of calls) {
    if (!(holderCall(ops, row) || cx.guarded.get(row) === item) || ops.outcome[row] === OUTCOME.info)
      continue;
    const own = grantOf.get(tokenOf(cx, row) ?? '');
    if (own === undefined) continue;
    const newer = earliest[firstAfter(ops.inv, granted, ops.ret[own]!)];
    if (newer === undefined || !(ops.ret[newer]! < ops.inv[row]!) || sameToken(cx, newer, own) !== false)
      continue;
    const found = ops.op[row] === OP.release ? S14 : ops.op[row] === OP.commit ? S15b : S4;
    found.opportunities += 1;
    if (ops.outcome[row] !== OUTCOME.accepted) continue;
    const at = ops.ret[row]!;
    const { guarantee } = found;
    accuse(found, at, () => ({ guarantee, item, accused: row, rows: [own, newer, row], links: [], at }));
  }
}

const holderCall = (ops: Operations, row: number): boolean => {
  const op = ops.op[row];
  return op === OP.heartbeat || op === OP.complete || op === OP.nack || op === OP.release;
};
