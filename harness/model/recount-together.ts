/** S16 (h) counted again: every pair of writes of one commit, each against every fact of its key. */
import { list, type RawCall } from './raw-calls.ts';
import { canMake, type Key, keyOf, type Write } from './recount-entries.ts';

/** Whether a commit that wrote this key and another one cannot have done both at one instant. */
export function inPieces(calls: readonly RawCall[], own: Key): boolean {
  const others = new Map<string, Key>();
  const of = (name: string): Key => {
    const known = others.get(name) ?? keyOf(calls, name, own.declares);
    others.set(name, known);
    return known;
  };
  return calls.some((call) => {
    if (call.op !== 'commit' || (call.outcome !== 'accepted' && call.outcome !== 'info')) return false;
    const keys = new Set(list(call.invoke.writes).map(({ key }) => String(key)));
    if (keys.size < 2 || !keys.delete(own.key)) return false;
    const here = placesOf(own, call);
    return [...keys].some((name) => {
      const there = placesOf(of(name), call);
      return here.some((one) => there.some((other) => isApart(one, other))) || isHalf(own, call, there);
    });
  });
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/** When each write of the commit to the key, whose version is known and its own, can have happened. */
function placesOf({ facts, made }: Key, call: RawCall): Place[] {
  return facts.flatMap(({ write, version }) => {
    if (write?.call !== call || made.filter((one) => one.version === version).length > 1) return [];
    const { from, to } = between(facts, version);
    const place = { from: Math.max(call.inv, from), to: Math.min(call.ret, to) };
    return place.from <= place.to ? [place] : [];
  });
}

const isApart = (a: Place, b: Place): boolean => a.from > b.to || b.from > a.to;

/** The commit was seen at another key, and a write of it to this one has no version left. */
function isHalf(own: Key, call: RawCall, there: readonly Place[]): boolean {
  const to = Math.min(...there.map((place) => place.to));
  if (there.length === 0) return false;
  return own.open.some((write) => write.call === call && !canStand(own, write, to));
}

function canStand(own: Key, write: Write, by: number): boolean {
  const { facts, newest } = own;
  if (!facts.some((fact) => fact.current && fact.inv > by)) return true;
  for (let version = 1; version <= newest; version++) {
    if (!canMake(own, write, version)) continue;
    const { from, to } = between(facts, version);
    if (Math.max(write.call.inv, from) <= Math.min(by, to)) return true;
  }
  return false;
}

/** When a version can have been made: behind what met a lower one, before what met it or a higher one. */
function between(facts: Key['facts'], version: number): Place {
  let from = Number.NEGATIVE_INFINITY;
  let to = Number.POSITIVE_INFINITY;
  for (const fact of facts) {
    if (fact.version >= version) to = Math.min(to, fact.ret);
    else if (fact.current) from = Math.max(from, fact.inv);
  }
  return { from, to };
}
