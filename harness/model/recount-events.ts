/** S22 counted again: the changes that calls made against the events that pages showed, every pair of them. */
import type { Declares } from '../store-module/declares.ts';
import { type Fields, list, type RawCall } from './raw-calls.ts';
import { type Page, pagesOf } from './recount-feed.ts';

/** One change of one entry or item by one accepted call. */
interface Made {
  readonly call: RawCall;
  readonly key: string;
  /** `version 4`, or kind and generation: what the event of it says. */
  readonly name: string;
  /** The one event of it, where there is one and no other call can have made it. */
  readonly id: number | undefined;
  /** An event of it must have been shown, once the feed was read without a hole. */
  readonly due: boolean;
}

const KINDS: Readonly<Record<string, string>> = {
  enqueued: 'enqueue',
  claimed: 'claim',
  reclaimed: 'claim',
  reacquired: 'claim',
  completed: 'complete',
  nacked: 'nack',
  released: 'release',
  'force-released': 'forceRelease',
  dead: 'dead',
};
const ENDS: readonly string[] = ['complete', 'nack', 'release'];

/** The calls and the events, found by key. Made once for each history. */
interface Index {
  readonly pages: readonly Page[];
  readonly events: readonly Fields[];
  readonly eventsOf: (key: string) => readonly Fields[];
  /** Calls that name the key, in what they asked or in what they were answered. */
  readonly callsOf: (key: string) => readonly RawCall[];
  /** claimNext without an answer: any item may have been granted. */
  readonly blind: readonly RawCall[];
  readonly made: readonly Made[];
}

const INDEXES = new WeakMap<readonly RawCall[], Index>();

function indexOf(calls: readonly RawCall[], declares: Declares): Index {
  const known = INDEXES.get(calls);
  if (known) return known;
  const pages = pagesOf(calls);
  const finals = pages.filter(({ call }) => call.scans);
  const events = distinct([...finals, ...pages]);
  const eventsByKey = grouped(events, (event) => [String(event.key)]);
  const callsByKey = grouped(calls, (call) => [
    ...new Set([...changes(call), ...asked(call)].map(({ key }) => key).concat(String(call.invoke.key))),
  ]);
  const index = {
    pages,
    events,
    eventsOf: (key: string) => eventsByKey.get(key) ?? [],
    callsOf: (key: string) => callsByKey.get(key) ?? [],
    blind: calls.filter(({ op, outcome }) => op === 'claimNext' && outcome === 'info'),
    made: [] as Made[],
  };
  index.made = calls.flatMap((call) => madeBy(call, index, declares));
  INDEXES.set(calls, index);
  return index;
}

function grouped<T>(all: readonly T[], keysOf: (one: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    for (const key of keysOf(one)) {
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
  }
  return groups;
}

/** Whether an event of the key is missing, there twice, or out of order. */
export function brokenEvents(calls: readonly RawCall[], key: string, declares: Declares): boolean {
  const index = indexOf(calls, declares);
  const { pages, made } = index;
  if (!pages.some(({ call }) => call.scans)) return false;
  const mine = index.eventsOf(key);
  if (tooMany(index, mine, key) || (declares.tokens === 'ascending' && outOfGeneration(mine))) return true;
  const own = made.filter((one) => one.key === key);
  const kinds = new Set(index.events.map((event) => nameOf(event)?.split(' ')[0]));
  const from = readFrom(pages, calls);
  if (
    from !== undefined &&
    own.some((one) => kinds.has(one.name.split(' ')[0]) && isMissing(one, mine, from, made, calls))
  )
    return true;
  return own.some(({ call, name, id, key: item }) =>
    made.some((first) => {
      if (first.id === undefined || id === undefined || first.id <= id) return false;
      const lower =
        first.key === item &&
        name.startsWith('version ') &&
        first.name.startsWith('version ') &&
        versionIn(first.name) < versionIn(name);
      return first.call.ret < call.inv || lower;
    }),
  );
}

const versionIn = (name: string): number => Number(name.slice('version '.length));

function nameOf({ kind, version, generation }: Fields): string | undefined {
  if (version !== undefined) return `version ${version}`;
  const op = Object.hasOwn(KINDS, String(kind)) ? KINDS[String(kind)]! : undefined;
  if (op === 'enqueue') return op;
  return op === undefined || generation === undefined ? undefined : `${op} ${generation}`;
}

function distinct(pages: readonly Page[]): Fields[] {
  const seen = new Map<string, Fields>();
  for (const event of pages.flatMap((page) => page.events)) {
    const { id, kind, key, version, generation } = event;
    const name = JSON.stringify([id, kind, key, version, generation]);
    if (!seen.has(name)) seen.set(name, event);
  }
  return [...seen.values()];
}

const opOf = (call: RawCall): string => (call.op === 'claimNext' ? 'claim' : call.op);

/** More events of one change than calls that can have made it. */
function tooMany({ callsOf, blind }: Index, mine: readonly Fields[], key: string): boolean {
  return mine.some((event) => {
    const name = nameOf(event);
    if (name === undefined) return false;
    const same = new Set(mine.filter((one) => nameOf(one) === name).map(({ id }) => id));
    if (name.startsWith('version ')) return same.size > 1;
    return (
      same.size > Math.max(1, [...callsOf(key), ...blind].filter((call) => mayMake(call, key, name)).length)
    );
  });
}

function mayMake(call: RawCall, key: string, name: string): boolean {
  const op = opOf(call);
  if (name.split(' ')[0] !== op) return false;
  if (call.outcome === 'accepted') return changes(call).some((one) => one.key === key && one.name === name);
  if (call.outcome !== 'info') return false;
  if (op === 'claim')
    return call.op === 'claim' ? call.invoke.key === key : key.startsWith(String(call.invoke.prefix ?? ''));
  return asked(call).some((one) => one.key === key && one.name === name);
}

/** What a call changes when it acts, as far as its invoke says. */
function asked({ op, invoke }: RawCall): { readonly key: string; readonly name: string }[] {
  if (op === 'enqueue') return list(invoke.items).map((item) => ({ key: String(item.key), name: 'enqueue' }));
  if (!ENDS.includes(op) || invoke.generation === undefined) return [];
  return [{ key: String(invoke.key), name: `${op} ${invoke.generation}` }];
}

/** What an accepted call changed. */
function changes(call: RawCall): { readonly key: string; readonly name: string }[] {
  const { op, invoke, answer } = call;
  if (op === 'commit') {
    const entries = list(answer.entries);
    return list(invoke.writes).flatMap((write, i) => {
      const version = entries[i]?.version;
      return version === undefined ? [] : [{ key: String(write.key), name: `version ${version}` }];
    });
  }
  if (opOf(call) !== 'claim') return asked(call);
  return list(answer.leases)
    .filter(({ generation }) => generation !== undefined)
    .map(({ key, generation }) => ({ key: String(key), name: `claim ${generation}` }));
}

function madeBy(call: RawCall, { eventsOf, callsOf }: Index, declares: Declares): Made[] {
  if (call.outcome !== 'accepted') return [];
  return changes(call).map(({ key, name }): Made => {
    const ids = eventsOf(key).flatMap((event) => (nameOf(event) === name ? [Number(event.id)] : []));
    if (name.startsWith('version ')) return { call, key, name, id: ids[0], due: true };
    const same = callsOf(key).filter(
      (one) => one !== call && mayMake(one, key, name) && named(one, key, name),
    );
    const stands = call.op !== 'release' || stood(call, callsOf(key), declares);
    const isAlone = same.every(({ outcome }) => outcome !== 'accepted');
    return {
      call,
      key,
      name,
      id: ids.length === 1 && same.length === 0 && stands ? ids[0] : undefined,
      due: isAlone && stands && !endsOtherwise(call, callsOf(key)),
    };
  });
}

/** A claim of unknown outcome names no generation. */
const named = (call: RawCall, key: string, name: string): boolean =>
  (call.outcome === 'accepted' ? changes(call) : asked(call)).some(
    (one) => one.key === key && one.name === name,
  );

const isNewer = (a: unknown, b: unknown): boolean =>
  a !== undefined && b !== undefined && BigInt(a as number) > BigInt(b as number);

/** Another call may have ended the same lease, or a newer grant may have come before. */
function endsOtherwise(call: RawCall, calls: readonly RawCall[]): boolean {
  if (!ENDS.includes(call.op)) return false;
  const { key, generation } = call.invoke;
  const overtakes = calls.some(
    (one) =>
      opOf(one) === 'claim' &&
      one.outcome === 'accepted' &&
      one.inv < call.ret &&
      list(one.answer.leases).some((lease) => lease.key === key && isNewer(lease.generation, generation)),
  );
  if (overtakes) return true;
  return calls.some((one) => {
    if (one === call || (one.outcome !== 'accepted' && one.outcome !== 'info')) return false;
    if (one.invoke.key !== key) return false;
    return one.op === 'forceRelease' || (ENDS.includes(one.op) && one.invoke.generation === generation);
  });
}

/** The lease that a release ended certainly stood at its answer. */
function stood({ invoke, ret }: RawCall, calls: readonly RawCall[], declares: Declares): boolean {
  const grants = calls.flatMap((call) =>
    opOf(call) === 'claim' && call.outcome === 'accepted'
      ? list(call.answer.leases)
          .filter(({ key, generation }) => key === invoke.key && generation === invoke.generation)
          .map(({ leaseMs }) => ({ inv: call.inv, leaseMs: Math.min(Number(leaseMs), declares.maxLeaseMs) }))
      : [],
  );
  const [grant] = grants;
  if (grant === undefined || grants.length > 1) return false;
  const { clockDrift, clockStepMs, grainMs } = declares;
  const ms = grant.leaseMs * (1 - clockDrift) - clockStepMs - grainMs;
  return ret < grant.inv + Math.max(0, ms) * 1e6;
}

function isMissing(
  { call, key, name, due }: Made,
  mine: readonly Fields[],
  from: number,
  made: readonly Made[],
  calls: readonly RawCall[],
): boolean {
  if (!due || mine.some((event) => nameOf(event) === name)) return false;
  const isUnnamed = (event: Fields): boolean =>
    event.key === key && event.version === undefined && !Object.hasOwn(KINDS, String(event.kind));
  if (name.startsWith('version ') && mine.some(isUnnamed)) return false;
  let start = Number.POSITIVE_INFINITY;
  for (const { op, scans, inv } of calls) if (op === 'since' && scans) start = Math.min(start, inv);
  if (!(call.ret < start)) return false;
  return (
    from <= 0 || made.some(({ id, call: first }) => id !== undefined && id > from && first.ret < call.inv)
  );
}

/** Above this id every event was on some page; undefined: the end was not read. */
function readFrom(pages: readonly Page[], calls: readonly RawCall[]): number | undefined {
  const asks = calls.filter(({ op, outcome, scans }) => op === 'since' && scans && outcome === 'accepted');
  const last = asks.at(-1);
  if (!last || list(last.answer.events).length >= Number(last.invoke.limit ?? 1)) return undefined;
  const stretches = pages.flatMap(({ from, to, gap, events }) => {
    if (!gap) return [{ from, to }];
    return events.length === 0 ? [] : [{ from: Number(events[0]!.id) - 1, to }];
  });
  let from = pages.filter(({ call }) => call.scans).at(-1)!.to;
  for (;;) {
    const lower = stretches.find((one) => one.from < from && one.to >= from);
    if (lower === undefined) return from;
    from = lower.from;
  }
}

/** Grants against their generations, and the end of a lease before its grant. */
function outOfGeneration(mine: readonly Fields[]): boolean {
  const first = (kind: string): { readonly generation: bigint; readonly id: number }[] => {
    const found = new Map<bigint, number>();
    for (const event of mine) {
      const name = nameOf(event);
      if (name?.split(' ')[0] !== kind || event.generation === undefined) continue;
      const generation = BigInt(event.generation as number | string);
      found.set(generation, Math.min(Number(event.id), found.get(generation) ?? Number.POSITIVE_INFINITY));
    }
    return [...found].map(([generation, id]) => ({ generation, id }));
  };
  const grants = first('claim');
  const ends = [...ENDS, 'dead'].flatMap(first);
  return (
    grants.some((a) => grants.some((b) => a.generation < b.generation && a.id > b.id)) ||
    ends.some((end) => grants.some((a) => a.generation === end.generation && a.id > end.id))
  );
}
