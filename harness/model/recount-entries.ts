/** S16 counted again, one key at a time: plain lists, every pair. */
import type { Declares } from '../store-module/declares.ts';
import { type Fields, list, type RawCall } from './raw-calls.ts';

export interface Write {
  readonly call: RawCall;
  readonly deletes: boolean;
  readonly value: unknown;
  readonly expected: number | undefined;
  /** Undefined where it was not told. */
  readonly version: number | undefined;
}

interface Sight {
  readonly call: RawCall;
  readonly version: number;
  readonly value: unknown;
  readonly inv: number;
  readonly ret: number;
  /** It shows an entry, or that there is none; else only that the version was made. */
  readonly showsState: boolean;
  /** It shows what was newest: in every store, where reads are linearizable, or not at all. */
  readonly newest: 'always' | 'linearizable' | 'never';
}

export interface Key {
  readonly key: string;
  readonly declares: Declares;
  readonly made: readonly Write[];
  /** Of unknown outcome, and not known to have made a version. */
  readonly open: readonly Write[];
  readonly sights: readonly Sight[];
  readonly pages: readonly RawCall[];
  readonly newest: number;
  /** What is known to have been made or shown, with the versions that a state before and behind it can have. */
  readonly facts: readonly Fact[];
}

interface Fact {
  readonly version: number;
  /** A call that was answered before met a version below this. */
  readonly below: number;
  readonly inv: number;
  readonly ret: number;
  /** It bounds what was newest, not only what existed. */
  readonly current: boolean;
  readonly write: Write | undefined;
}

export function brokenKey(calls: readonly RawCall[], key: Key): boolean {
  return (
    badWrites(key) ||
    key.sights.some((sight) => badValue(key, sight) || badTime(key, sight)) ||
    badClients(key) ||
    badPages(calls, key) ||
    unexplained(calls, key) ||
    unwritten(key)
  );
}

export function keyOf(calls: readonly RawCall[], key: string, declares: Declares): Key {
  const writes = calls
    .filter((call) => call.op === 'commit' && (call.outcome === 'accepted' || call.outcome === 'info'))
    .flatMap((call) => writesOf(call, key));
  const made = writes.filter(({ version }) => version !== undefined);
  const sights = sightsOf(calls, key);
  const perhaps = writes.filter(({ version }) => version === undefined);
  const known = perhaps.map((write) => ({ ...write, version: provenVersion(write, perhaps, made, sights) }));
  const proven = known.filter(
    ({ version }, i) => version !== undefined && known.findIndex((one) => one.version === version) === i,
  );
  const facts: Fact[] = [...made, ...proven].map((write) => ({
    version: write.version!,
    below: write.version!,
    inv: write.call.inv,
    ret: write.call.ret,
    current: true,
    write,
  }));
  for (const sight of sights) {
    const { version, inv, ret } = sight;
    const current = isNewest(sight, declares);
    if (version > 0) facts.push({ version, below: version + 1, inv, ret, current, write: undefined });
  }
  return {
    key,
    declares,
    made,
    open: known.filter((write) => !proven.includes(write)).map((write) => ({ ...write, version: undefined })),
    sights,
    pages: calls.filter(
      ({ op, outcome, invoke }) => op === 'history' && outcome === 'accepted' && invoke.key === key,
    ),
    newest: Math.max(0, ...facts.map(({ version }) => version)),
    facts,
  };
}

const isNewest = ({ newest }: Sight, { reads }: Declares): boolean =>
  newest === 'always' || (newest === 'linearizable' && reads === 'linearizable');

function writesOf(call: RawCall, key: string): Write[] {
  const entries = list(call.answer.entries);
  return list(call.invoke.writes).flatMap((write, i) => {
    if (write.key !== key) return [];
    const version = call.outcome === 'accepted' ? entries[i]?.version : undefined;
    return [
      {
        call,
        deletes: write.op === 'delete',
        value: write.value,
        expected: write.ifVersion === undefined ? undefined : Number(write.ifVersion),
        version: version === undefined ? undefined : Number(version),
      },
    ];
  });
}

/** The version that shows the value of this call, where no other call of unknown outcome carries it. */
function provenVersion(
  write: Write,
  perhaps: readonly Write[],
  made: readonly Write[],
  sights: readonly Sight[],
): number | undefined {
  const { value } = write;
  if (write.deletes || value === undefined) return undefined;
  if (perhaps.filter((one) => !one.deletes && one.value === value).length > 1) return undefined;
  return sights.find(
    (sight) =>
      sight.showsState &&
      sight.value === value &&
      sight.version > 0 &&
      write.call.inv <= sight.ret &&
      (!write.expected || write.expected === sight.version - 1) &&
      !made.some((one) => one.version === sight.version),
  )?.version;
}

function sightsOf(calls: readonly RawCall[], key: string): Sight[] {
  const sights: Sight[] = [];
  const finals: RawCall[] = [];
  for (const call of calls) {
    if (call.op === 'list' && call.scans) finals.push(call);
    if (call.outcome !== 'accepted') continue;
    const { inv, ret } = call;
    const shown = (
      version: unknown,
      value: unknown,
      showsState = true,
      newest: Sight['newest'] = 'linearizable',
    ) => void sights.push({ call, version: Number(version), value, inv, ret, showsState, newest });
    const own = (one: Fields): boolean => one.key === key;
    if (call.op === 'get' && call.invoke.key === key) {
      const [entry] = list(call.answer.entries);
      shown(entry?.version ?? 0, entry?.value);
    } else if (call.op === 'list') {
      for (const entry of list(call.answer.entries).filter(own)) shown(entry.version, entry.value);
    } else if (call.op === 'since') {
      for (const event of list(call.answer.events).filter(own)) {
        if (event.version !== undefined) shown(event.version, undefined, false, 'never');
      }
    } else if (call.op === 'commit') {
      for (const { version } of list(call.invoke.require).filter(own))
        shown(version, undefined, true, 'always');
    } else if (call.op === 'history' && call.invoke.key === key) {
      const entries = list(call.answer.entries);
      const top = call.invoke.before === undefined;
      if (top && entries.length === 0 && Number(call.invoke.limit) > 0) shown(0, undefined);
      entries.forEach(({ version, value }, i) => {
        shown(version, value, value !== undefined, top && i === 0 ? 'linearizable' : 'never');
      });
    }
  }
  const gone = absentAtTheEnd(finals, key);
  return gone ? [...sights, gone] : sights;
}

/** The final list was read to its end and shows the key on no page. */
function absentAtTheEnd(finals: readonly RawCall[], key: string): Sight | undefined {
  const answered = finals.filter(({ outcome }) => outcome === 'accepted');
  const last = answered.reduce<RawCall | undefined>((a, b) => (a && a.ret > b.ret ? a : b), undefined);
  if (!last || !key.startsWith(String(last.invoke.prefix ?? ''))) return undefined;
  if (list(last.answer.entries).length >= Number(last.invoke.limit ?? 1)) return undefined;
  if (answered.some((call) => list(call.answer.entries).some((entry) => entry.key === key))) return undefined;
  const inv = Math.min(...finals.map((call) => call.inv));
  const nothing = { version: 0, value: undefined, showsState: true, newest: 'linearizable' } as const;
  return { ...nothing, call: last, inv, ret: last.ret };
}

/** (a), (b), (f): pairs of accepted writes, and what each followed. */
function badWrites(key: Key): boolean {
  const { made, facts } = key;
  const proven = facts.filter(({ write }) => write && !made.includes(write));
  if (
    proven.some(
      ({ write, version }) => write?.expected !== undefined && !follows(key, write.expected, version),
    )
  )
    return true;
  return made.some((write, i) => {
    const { expected } = write;
    const version = write.version!;
    const rivals = made.filter((_, j) => j !== i);
    if (rivals.some((other) => other.version === version)) return true;
    if (facts.some((fact) => fact.write && fact.ret < write.call.inv && fact.version > version)) return true;
    if (expected === undefined) return false;
    if (expected > 0 && rivals.some((other) => other.expected === expected)) return true;
    return !follows(key, expected, version);
  });
}

/** Whether a write that asked for a version can have made this one. */
function follows(key: Key, expected: number, version: number): boolean {
  if (expected > 0) return version === expected + 1 && state(key, expected) !== 'deleted';
  const by = Math.min(...key.facts.filter((fact) => fact.version >= version).map(({ ret }) => ret));
  return version === 1 || canBe(key, version - 1, 'deleted', by);
}

/** (c). */
function badValue({ made, open, sights, facts }: Key, { version, value, ret, showsState }: Sight): boolean {
  if (!showsState || version < 1) return false;
  const write = facts.find((fact) => fact.write && fact.version === version)?.write;
  if (write) {
    return write.deletes || (value !== undefined && write.value !== undefined && write.value !== value);
  }
  const others = sights.filter((one) => one.showsState && one.version === version && one.value !== undefined);
  if (value !== undefined && others.some((one) => one.value !== value)) return true;
  const may = [...open, ...made.filter((one) => one.version === version)];
  return !may.some(
    (one) =>
      !one.deletes &&
      one.call.inv <= ret &&
      (value === undefined || one.value === undefined || one.value === value),
  );
}

/** (d). */
function badTime(key: Key, sight: Sight): boolean {
  const { facts, declares } = key;
  const { version, inv, ret } = sight;
  if (version > 0 && facts.some((fact) => fact.write && fact.inv > ret && fact.version <= version))
    return true;
  if (!isNewest(sight, declares)) return false;
  return version > 0 && facts.some((fact) => fact.ret < inv && fact.version > version);
}

/** (d) for reads of one client. */
function badClients({ declares, sights, made, open }: Key): boolean {
  if (declares.reads !== 'monotonic') return false;
  const own = sights.filter(({ newest }) => newest === 'linearizable');
  return own.some((first) =>
    own.some((second) => {
      if (first.call.client !== second.call.client || !(first.ret < second.inv)) return false;
      if (second.version > 0) return first.version > second.version;
      if (!first.showsState) return false;
      const deletes = [...open, ...made].filter((one) => one.deletes && one.call.inv <= second.ret);
      return first.version > 0 && !deletes.some((one) => !(one.version! <= first.version));
    }),
  );
}

/** Pages of the key's history: holes, and deletions that were values. */
function badPages(calls: readonly RawCall[], key: Key): boolean {
  const { declares, facts, pages } = key;
  return pages.some(({ invoke, answer, inv, ret }) => {
    const entries = list(answer.entries);
    if (entries.some(({ version, value }) => value === undefined && state(key, Number(version)) === 'live'))
      return true;
    if (declares.reads === 'eventual') return false;
    const versions = entries.map(({ version }) => Number(version));
    if (versions.some((version, i) => i > 0 && version !== versions[i - 1]! - 1)) return true;
    const drops = calls.some(
      (call) =>
        call.op === 'commit' &&
        (call.outcome === 'accepted' || call.outcome === 'info') &&
        call.inv <= ret &&
        list(call.invoke.writes).some((write) => write.key === key.key && write.keep === 'latest'),
    );
    if (drops) return false;
    const known = Math.max(0, ...facts.filter((fact) => fact.ret < inv).map(({ version }) => version));
    const reached = invoke.before === undefined ? 0 : Math.min(Number(invoke.before) - 1, known);
    if (declares.reads === 'linearizable' && (versions[0] ?? 0) < reached) return true;
    return versions.length < Number(invoke.limit ?? 1) && versions.length > 0 && versions.at(-1)! > 1;
  });
}

interface Question {
  readonly call: RawCall;
  readonly inv: number;
  readonly ret: number;
  /** The version asked for; undefined: a read that showed no entry. */
  readonly expected: number | undefined;
}

/** (d) for absent keys, (e): calls that name no version, each placed at the lowest that explains it. */
function unexplained(calls: readonly RawCall[], key: Key): boolean {
  const { unmet, absent } = leastSolution(calls, key);
  if (absent) return true;
  return [...unmet].some((call) =>
    conditionsOf(call).every(
      (one) =>
        one.key === key.key || leastSolution(calls, keyOf(calls, one.key, key.declares)).unmet.has(call),
    ),
  );
}

function leastSolution(calls: readonly RawCall[], key: Key) {
  const questions: Question[] = [];
  for (const sight of key.sights) {
    const { call, version, inv, ret } = sight;
    if (isNewest(sight, key.declares) && version === 0)
      questions.push({ call, inv, ret, expected: undefined });
  }
  for (const call of calls.filter(isPlainConflict)) {
    const own = conditionsOf(call).find((one) => one.key === key.key);
    const { inv, ret } = call;
    if (own) questions.push({ call, inv, ret, expected: own.expected });
  }
  questions.sort((a, b) => a.inv - b.inv);
  const placed: { readonly ret: number; readonly version: number }[] = [];
  const unmet = new Set<RawCall>();
  let absent = false;
  for (const question of questions) {
    const { call, inv, ret, expected } = question;
    const { from: fixed, to } = met(key, inv, ret);
    const from = Math.max(fixed, ...placed.filter((one) => one.ret < inv).map(({ version }) => version));
    let version: number | undefined;
    for (let one = from; one <= Math.min(to, key.newest) && version === undefined; one++)
      if (fits(key, question, one)) version = one;
    if (version === undefined && to === Number.POSITIVE_INFINITY) {
      const needs = expected === undefined ? 'deleted' : expected === 0 ? 'live' : undefined;
      const goes = goesOn(key, ret, needs);
      if (goes) version = Math.max(from, key.newest + 1);
    }
    if (version !== undefined) {
      const alone = expected === undefined || conditionsOf(call).length === 1;
      if (alone) placed.push({ ret, version });
    } else if (expected === undefined) absent = true;
    else unmet.add(call);
  }
  return { unmet, absent };
}

/** Versions that a commit asked for: of what it writes, and of what it only requires. */
function conditionsOf({ invoke }: RawCall): { readonly key: string; readonly expected: number }[] {
  const asked = list(invoke.writes).filter((write) => write.ifVersion !== undefined);
  return [
    ...asked.map((write) => ({ key: String(write.key), expected: Number(write.ifVersion) })),
    ...list(invoke.require).map((one) => ({ key: String(one.key), expected: Number(one.version) })),
  ];
}

/** Refused because of a version of a key that it names once. */
function isPlainConflict(call: RawCall): boolean {
  const keys = [...list(call.invoke.writes), ...list(call.invoke.require)].map(({ key }) => key);
  return call.op === 'commit' && call.answer.code === 'conflict' && new Set(keys).size === keys.length;
}

function fits(key: Key, { ret, expected }: Question, version: number): boolean {
  if (expected === undefined) return canBe(key, version, 'deleted', ret);
  return (
    (expected !== version && canBe(key, version, 'live', ret)) ||
    (expected !== 0 && canBe(key, version, 'deleted', ret))
  );
}

/** The versions that a call can have met. */
function met({ facts }: Key, inv: number, ret: number): { readonly from: number; readonly to: number } {
  let from = 0;
  let to = Number.POSITIVE_INFINITY;
  for (const fact of facts) {
    if (fact.ret < inv) from = Math.max(from, fact.version);
    if (fact.current && fact.inv > ret) to = Math.min(to, fact.below - 1);
  }
  return { from, to };
}

/** (g): the versions without a maker, each given to another call of unknown outcome. */
function unwritten(key: Key): boolean {
  const { facts, open, newest } = key;
  const missing: number[] = [];
  for (let version = 1; version <= newest && missing.length <= open.length; version++) {
    if (!facts.some((fact) => fact.write && fact.version === version)) missing.push(version);
  }
  if (missing.length > open.length) return true;
  const holder = new Map<number, Write>();
  const give = (version: number, asked: Write[]): boolean =>
    open.some((write) => {
      if (asked.includes(write) || !canMake(key, write, version)) return false;
      asked.push(write);
      const other = [...holder].find(([, held]) => held === write)?.[0];
      if (other !== undefined && !give(other, asked)) return false;
      if (other !== undefined && holder.get(other) === write) holder.delete(other);
      holder.set(version, write);
      return true;
    });
  return missing.some((version) => !give(version, []));
}

function state({ facts, sights }: Key, version: number): 'live' | 'deleted' | undefined {
  const write = facts.find((fact) => fact.write && fact.version === version)?.write;
  if (write) return write.deletes ? 'deleted' : 'live';
  if (sights.some((sight) => sight.showsState && sight.version === version)) return 'live';
  const next = facts.find((fact) => fact.write && fact.version === version + 1)?.write?.expected;
  return next === undefined ? undefined : next > 0 ? 'live' : 'deleted';
}

function canBe(key: Key, version: number, what: 'live' | 'deleted', by: number): boolean {
  if (version === 0) return what === 'deleted';
  const known = state(key, version);
  if (known !== undefined) return known === what;
  return key.open.some(
    (write) => write.deletes === (what === 'deleted') && write.call.inv <= by && canMake(key, write, version),
  );
}

export function canMake(key: Key, { call, deletes, value, expected }: Write, version: number): boolean {
  const { facts, sights } = key;
  if (facts.some((fact) => fact.write && fact.version === version)) return false;
  if (facts.some((fact) => fact.version >= version && fact.ret < call.inv)) return false;
  if (facts.some((fact) => fact.current && fact.version < version && fact.inv > call.ret)) return false;
  const values = sights.filter((one) => one.version === version && one.value !== undefined);
  if (value !== undefined && values.some((one) => one.value !== value)) return false;
  const known = state(key, version);
  if (known !== undefined && deletes !== (known === 'deleted')) return false;
  if (expected === undefined) return true;
  if (expected > 0) return expected === version - 1 && state(key, expected) !== 'deleted';
  if (version === 1) return true;
  const before = state(key, version - 1);
  return before === undefined ? key.open.some((one) => one.deletes) : before === 'deleted';
}

function goesOn({ open, newest, facts }: Key, by: number, what?: 'live' | 'deleted'): boolean {
  return open.some(
    ({ call, deletes, expected }) =>
      (what === undefined || deletes === (what === 'deleted')) &&
      call.inv <= by &&
      !facts.some((fact) => fact.current && fact.inv > call.ret) &&
      (expected === undefined || expected === 0 || expected >= newest),
  );
}
