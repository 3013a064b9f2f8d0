/** S16 counted again, one key at a time: plain lists, every pair. */
import type { Declares } from '../store-module/declares.ts';
import { type Fields, list, type RawCall } from './raw-calls.ts';

interface Write {
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
  readonly isEvent: boolean;
}

interface Key {
  readonly key: string;
  readonly declares: Declares;
  readonly made: readonly Write[];
  /** Of unknown outcome, and not known to have made a version. */
  readonly open: readonly Write[];
  readonly sights: readonly Sight[];
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

export function brokenKey(calls: readonly RawCall[], name: string, declares: Declares): boolean {
  const key = keyOf(calls, name, declares);
  return (
    badWrites(key) ||
    key.sights.some((sight) => badValue(key, sight) || badTime(key, sight)) ||
    badClients(key) ||
    unexplained(calls, key) ||
    unwritten(key)
  );
}

function keyOf(calls: readonly RawCall[], key: string, declares: Declares): Key {
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
  const current = declares.reads === 'linearizable';
  const facts: Fact[] = [...made, ...proven].map((write) => ({
    version: write.version!,
    below: write.version!,
    inv: write.call.inv,
    ret: write.call.ret,
    current: true,
    write,
  }));
  for (const { version, inv, ret, isEvent } of sights) {
    if (version > 0)
      facts.push({ version, below: version + 1, inv, ret, current: current && !isEvent, write: undefined });
  }
  return {
    key,
    declares,
    made,
    open: known.filter((write) => !proven.includes(write)).map((write) => ({ ...write, version: undefined })),
    sights,
    newest: Math.max(0, ...facts.map(({ version }) => version)),
    facts,
  };
}

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
      !sight.isEvent &&
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
    const shown = (version: unknown, value: unknown, isEvent: boolean): void => {
      sights.push({ call, version: Number(version), value, inv, ret, isEvent });
    };
    const own = (one: Fields): boolean => one.key === key;
    if (call.op === 'get' && call.invoke.key === key) {
      const [entry] = list(call.answer.entries);
      shown(entry?.version ?? 0, entry?.value, false);
    } else if (call.op === 'list') {
      for (const entry of list(call.answer.entries).filter(own)) shown(entry.version, entry.value, false);
    } else if (call.op === 'since') {
      for (const event of list(call.answer.events).filter(own)) {
        if (event.version !== undefined) shown(event.version, undefined, true);
      }
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
  return { call: last, version: 0, value: undefined, inv, ret: last.ret, isEvent: false };
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
function badValue({ made, open, sights, facts }: Key, { version, value, ret, isEvent }: Sight): boolean {
  if (isEvent || version < 1) return false;
  const write = facts.find((fact) => fact.write && fact.version === version)?.write;
  if (write) {
    return write.deletes || (value !== undefined && write.value !== undefined && write.value !== value);
  }
  const others = sights.filter((one) => !one.isEvent && one.version === version && one.value !== undefined);
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
  const { version, inv, ret, isEvent } = sight;
  if (version > 0 && facts.some((fact) => fact.write && fact.inv > ret && fact.version <= version))
    return true;
  if (isEvent || declares.reads !== 'linearizable') return false;
  return version > 0 && facts.some((fact) => fact.ret < inv && fact.version > version);
}

/** (d) for reads of one client. */
function badClients({ declares, sights, made, open }: Key): boolean {
  if (declares.reads !== 'monotonic') return false;
  const own = sights.filter(({ isEvent }) => !isEvent);
  return own.some((first) =>
    own.some((second) => {
      if (first.call.client !== second.call.client || !(first.ret < second.inv)) return false;
      if (second.version > 0) return first.version > second.version;
      const deletes = [...open, ...made].filter((one) => one.deletes && one.call.inv <= second.ret);
      return first.version > 0 && !deletes.some((one) => !(one.version! <= first.version));
    }),
  );
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
      (write) =>
        write.key === key.key ||
        leastSolution(calls, keyOf(calls, String(write.key), key.declares)).unmet.has(call),
    ),
  );
}

function leastSolution(calls: readonly RawCall[], key: Key) {
  const questions: Question[] = [];
  if (key.declares.reads === 'linearizable') {
    for (const { call, version, inv, ret, isEvent } of key.sights)
      if (!isEvent && version === 0) questions.push({ call, inv, ret, expected: undefined });
  }
  for (const call of calls.filter(isPlainConflict)) {
    const own = conditionsOf(call).find((write) => write.key === key.key);
    const { inv, ret } = call;
    if (own) questions.push({ call, inv, ret, expected: Number(own.ifVersion) });
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

const conditionsOf = (call: RawCall): Fields[] =>
  list(call.invoke.writes).filter((write) => write.ifVersion !== undefined);

/** Refused because of a version of a key that it names once. */
function isPlainConflict(call: RawCall): boolean {
  const keys = list(call.invoke.writes).map((write) => write.key);
  const required = list(call.invoke.require).length > 0;
  return (
    call.op === 'commit' && call.answer.code === 'conflict' && !required && new Set(keys).size === keys.length
  );
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
  if (sights.some((sight) => !sight.isEvent && sight.version === version)) return 'live';
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

function canMake(key: Key, { call, deletes, value, expected }: Write, version: number): boolean {
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
