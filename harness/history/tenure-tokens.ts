/**
 * Opaque tokens that change with every renewal, followed back to the grant that began the tenure: the answer of a heartbeat
 * may carry a new token, and the holder uses that from then on. Pure.
 */
import { OP, type Operations, OUTCOME } from './history.ts';

/** Where a token may stem from two grants, nobody can tell whose it is. */
const AMBIGUOUS = Symbol('ambiguous');

/**
 * The token of the tenure by row. A token that some claim of the item handed out begins a tenure, whatever a heartbeat answers: a store
 * that lets a stale heartbeat through may well answer with the lease that stands.
 */
export function tenureTokens(
  ops: Operations,
  tokens: ReadonlyMap<number, string>,
  movedTo: ReadonlyMap<number, string>,
  fences: ReadonlyMap<number, number>,
): ReadonlyMap<number, string> {
  if (movedTo.size === 0) return tokens;
  /** Tokens are told apart within one item only. */
  const nameOf = (row: number, token: string): string => `${fences.get(row) ?? ops.item[row]} ${token}`;
  const granted = new Set<string>();
  for (const [row, token] of tokens) {
    const claims = ops.op[row] === OP.claim || ops.op[row] === OP.claimNext;
    if (claims && ops.outcome[row] === OUTCOME.accepted) granted.add(nameOf(row, token));
  }
  const before = new Map<string, string | typeof AMBIGUOUS>();
  for (const [row, renewed] of movedTo) {
    const handedIn = tokens.get(row);
    const name = nameOf(row, renewed);
    if (handedIn === undefined || granted.has(name)) continue;
    const known = before.get(name);
    before.set(name, known === undefined || known === handedIn ? handedIn : AMBIGUOUS);
  }
  const followed = new Map<number, string>();
  for (const [row, token] of tokens) {
    const first = firstOf(before, (name) => nameOf(row, name), token);
    if (first !== undefined) followed.set(row, first);
  }
  return followed;
}

/** Undefined where it is ambiguous. Two renewals that lead to one another end the walk where it began. */
function firstOf(
  before: ReadonlyMap<string, string | typeof AMBIGUOUS>,
  nameOf: (token: string) => string,
  token: string,
): string | undefined {
  let first = token;
  for (let steps = 0; steps <= before.size; steps++) {
    const earlier = before.get(nameOf(first));
    if (earlier === AMBIGUOUS) return undefined;
    if (earlier === undefined) return first;
    first = earlier;
  }
  return undefined;
}
