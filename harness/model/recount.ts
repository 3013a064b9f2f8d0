/**
 * A second, naive count for S6, S8, S9, S12, S13, S15a, S17, S19 and L1: over the raw records, with plain maps, sharing nothing with the checkers
 * nor with the history builder. Slow and obvious on purpose; it runs only when a checker has accused.
 */
import type { Declares } from '../store-module/declares.ts';
import { type RawCall as Call, callsOf, type Fields, list, type RawRecord } from './raw-calls.ts';
import { miscounted } from './recount-attempts.ts';
import { type BoardRecount, recountBoard } from './recount-board.ts';
import { writtenByOlder } from './recount-fences.ts';
import { drainOf, passedOver } from './recount-liveness.ts';
import { recountOrder } from './recount-order.ts';
import { recountPlans } from './recount-plans.ts';
import { gotNowhere } from './recount-progress.ts';

export type { RawRecord } from './raw-calls.ts';

/** What the second count found broken. */
export interface Recount {
  /** Keys by guarantee. */
  readonly keys: Readonly<
    Record<'S6' | 'S8' | 'S9' | 'S12' | 'S13' | 'S15a' | 'S19' | 'L1' | 'L2', ReadonlySet<string>>
  >;
  /** The sums of S19 do not add up. */
  readonly unbalanced: boolean;
  /** Whether a process had nothing but failures where it should have got on (L3, L4). Counted when asked. */
  readonly stuck: (guarantee: 'L3' | 'L4', incarnation: string) => boolean;
  /** Whether an item went out before one that had come before it (S17). Counted when asked. */
  readonly overtakes: (key: string) => boolean;
  /** The guarantees of entries and of the feed, by key. Counted when asked. */
  readonly board: BoardRecount;
  /** Whether something of plans is broken: `P1 plan/0 epoch 2, task 3`. Counted when asked. */
  readonly plans: (what: string) => boolean;
}

/** Counts again. */
export function recount(records: Iterable<RawRecord>, declares: Declares): Recount {
  const all = [...records];
  const calls = callsOf(all, declares.embedded);
  const scans = calls.filter((call) => call.op === 'scan' && call.outcome === 'accepted');
  const world: World = {
    declares,
    calls,
    rows: scans.flatMap((scan) => list(scan.answer.rows).map((row) => ({ row, scan }))),
    scanStart: Math.min(...calls.filter((call) => call.op === 'scan').map((call) => call.inv)),
    whole: wholeScan(calls),
    byKey: indexed(calls),
  };
  const stuck = onDemand({ keys: () => passedOver(calls, drainOf(all), declares) });
  return {
    keys: onDemand({
      S6: () => lost(world),
      S8: () => phantoms(world),
      S9: () => effects(world),
      S12: () => miscounted(calls, world.rows, declares),
      S13: () => insane(world),
      S15a: () => writtenByOlder(calls),
      S19: () => doubled(world),
      L1: () => stuck.keys,
      L2: () => stuck.keys,
    }),
    get unbalanced() {
      return unbalanced(world);
    },
    stuck: (guarantee, incarnation) => gotNowhere(all, calls, guarantee, incarnation),
    overtakes: recountOrder(calls, declares),
    board: recountBoard(calls, declares),
    plans: recountPlans(calls, declares),
  };
}

/** Counts each when it is first asked for: naive counts take long, and only what was accused is looked at. */
function onDemand<K extends string>(counts: Record<K, () => Set<string>>): Record<K, Set<string>> {
  const counted = {} as Record<K, Set<string>>;
  for (const id of Object.keys(counts) as K[]) {
    let known: Set<string> | undefined;
    Object.defineProperty(counted, id, {
      enumerable: true,
      get() {
        known ??= counts[id]();
        return known;
      },
    });
  }
  return counted;
}

interface World {
  readonly declares: Declares;
  readonly calls: readonly Call[];
  readonly rows: readonly { readonly row: Fields; readonly scan: Call }[];
  readonly scanStart: number;
  /** The scan was read to its end. */
  readonly whole: boolean;
  /** Enqueues, claims by key and holder calls of each key. */
  readonly byKey: ReadonlyMap<string, readonly Call[]>;
}

const may = (call: Call): boolean => call.outcome === 'accepted' || call.outcome === 'info';
const claims = (call: Call): boolean => call.op === 'claim' || call.op === 'claimNext';
const keysOf = (call: Call): string[] =>
  call.op === 'enqueue' ? list(call.invoke.items).map((item) => String(item.key)) : [String(call.invoke.key)];

function indexed(calls: readonly Call[]): ReadonlyMap<string, readonly Call[]> {
  const byKey = new Map<string, Call[]>();
  for (const call of calls) {
    if (call.op === 'scan' || call.op === 'claimNext') continue;
    for (const key of keysOf(call)) {
      const known = byKey.get(key);
      if (known) known.push(call);
      else byKey.set(key, [call]);
    }
  }
  return byKey;
}

/** The last page was shorter than asked, and no page failed. */
function wholeScan(calls: readonly Call[]): boolean {
  const scans = calls.filter((call) => call.op === 'scan').sort((a, b) => a.inv - b.inv);
  const last = scans.at(-1);
  if (!last || scans.some((scan) => scan.outcome !== 'accepted')) return false;
  return list(last.answer.rows).length < Number(last.invoke.limit ?? 1);
}

/** S6: enqueued for certain, and on no page. */
function lost({ calls, rows, scanStart, whole }: World): Set<string> {
  const shown = new Set(rows.map(({ row }) => String(row.key)));
  const enqueued = calls.filter(
    (call) => call.op === 'enqueue' && call.outcome === 'accepted' && call.ret < scanStart,
  );
  return new Set(whole ? enqueued.flatMap(keysOf).filter((key) => !shown.has(key)) : []);
}

/** S8: granted or shown before anybody can have enqueued it, granted with a foreign payload, or finished by nobody. */
function phantoms({ declares, calls, rows, byKey }: World): Set<string> {
  const broken = new Set<string>();
  if (declares.items === 'enqueued') {
    const firstSent = new Map<string, number>();
    const payloads = new Map<string, Set<unknown>>();
    for (const call of calls.filter((one) => one.op === 'enqueue' && may(one))) {
      for (const item of list(call.invoke.items)) {
        const key = String(item.key);
        firstSent.set(key, Math.min(firstSent.get(key) ?? call.inv, call.inv));
        payloads.set(key, (payloads.get(key) ?? new Set()).add(item.value));
      }
    }
    const early = (key: string, at: number): boolean =>
      !((firstSent.get(key) ?? Number.POSITIVE_INFINITY) <= at);
    for (const call of calls.filter((one) => claims(one) && one.outcome === 'accepted')) {
      for (const lease of list(call.answer.leases)) {
        const key = String(lease.key);
        if (early(key, call.ret)) broken.add(key);
        else if (lease.value !== undefined && !payloads.get(key)?.has(lease.value)) broken.add(key);
      }
    }
    for (const { row, scan } of rows) if (early(String(row.key), scan.ret)) broken.add(String(row.key));
  }
  for (const { row, scan } of rows) {
    if (row.state !== 'done') continue;
    const own = (byKey.get(String(row.key)) ?? []).filter((call) => call.op === 'complete');
    if (!own.some((call) => may(call) && call.inv <= scan.ret && wrote(declares, call, row)))
      broken.add(String(row.key));
  }
  return broken;
}

/** Whether a row shows what a completion carried. */
function wrote(declares: Declares, call: Call, row: Fields): boolean {
  const by = row.completedBy;
  if (declares.showsRequest && by !== undefined && by !== call.request) return false;
  const shown = row.value;
  const sent = call.invoke.value;
  return shown === undefined || sent === undefined || shown === sent;
}

/** S9: refused or failed, and shown. */
function effects({ declares, rows, byKey }: World): Set<string> {
  const broken = new Set<string>();
  for (const { row } of rows) {
    const key = String(row.key);
    const own = byKey.get(key) ?? [];
    for (const call of own.filter((one) => !may(one))) {
      if (call.op === 'enqueue' && declares.showsRequest && row.enqueuedBy === call.request) broken.add(key);
      const makers = own.filter((one) => one.op === 'enqueue');
      if (declares.items === 'enqueued' && makers.length > 0 && !makers.some(may)) broken.add(key);
      const tells = row.value !== undefined || (declares.showsRequest && row.completedBy !== undefined);
      if (call.op === 'complete' && row.state === 'done' && tells && wrote(declares, call, row)) {
        const others = own.filter((one) => one.op === 'complete' && may(one));
        if (!others.some((one) => wrote(declares, one, row))) broken.add(key);
      }
    }
  }
  return broken;
}

/** S13: too many, twice, of another prefix, too early, or held by nobody. */
function insane({ declares, calls, rows, byKey }: World): Set<string> {
  const broken = new Set<string>();
  const answered = calls.filter((call) => claims(call) && call.outcome === 'accepted');
  for (const call of answered) {
    const keys = list(call.answer.leases).map((lease) => String(lease.key));
    const limit = Number(call.invoke.limit ?? 1);
    if (keys.length > limit) for (const key of keys.slice(limit)) broken.add(key);
    for (const key of keys) if (keys.indexOf(key) !== keys.lastIndexOf(key)) broken.add(key);
    const prefix = call.invoke.prefix;
    if (typeof prefix === 'string') for (const key of keys) if (!key.startsWith(prefix)) broken.add(key);
    const wanted = call.op === 'claim' ? call.invoke.key : undefined;
    for (const key of keys) if (wanted !== undefined && key !== wanted) broken.add(key);
    for (const lease of list(call.answer.leases)) {
      const began = Number(lease.expiresAtMs) - Number(lease.leaseMs);
      const due = earliestDue(byKey.get(String(lease.key)) ?? [], String(lease.key));
      if (began + declares.grainMs + declares.clockStepMs < due) broken.add(String(lease.key));
    }
  }
  for (const key of ghosts(calls, answered, rows)) broken.add(key);
  return broken;
}

function earliestDue(calls: readonly Call[], key: string): number {
  const items = calls
    .filter((call) => call.op === 'enqueue' && may(call))
    .flatMap((call) => list(call.invoke.items))
    .filter((item) => item.key === key);
  if (items.length === 0) return Number.NEGATIVE_INFINITY;
  return Math.min(...items.map((item) => Number(item.notBeforeMs ?? Number.NEGATIVE_INFINITY)));
}

function ghosts(calls: readonly Call[], answered: readonly Call[], rows: World['rows']): string[] {
  const leases = new Map<string, Fields[]>();
  for (const lease of answered.flatMap((call) => list(call.answer.leases))) {
    const key = String(lease.key);
    leases.set(key, [...(leases.get(key) ?? []), lease]);
  }
  const unknown = calls.filter((call) => claims(call) && call.outcome === 'info');
  const byKey = new Set(
    unknown.flatMap((call) => (call.invoke.key === undefined ? [] : [String(call.invoke.key)])),
  );
  const others = unknown.filter((call) => call.invoke.key === undefined);
  const allowed = others.reduce((sum, call) => sum + Number(call.invoke.limit ?? 1), 0);
  const unseen = rows
    .map(({ row }) => row)
    .filter((row) => row.state === 'leased' && !byKey.has(String(row.key)))
    .filter(
      (row) =>
        !(leases.get(String(row.key)) ?? []).some((lease) =>
          sameGeneration(lease.generation, row.generation),
        ),
    );
  return unseen.length > allowed ? unseen.map((row) => String(row.key)) : [];
}

const sameGeneration = (a: unknown, b: unknown): boolean =>
  a === undefined || b === undefined || String(a) === String(b);

/** S19: shown twice. */
function doubled({ rows }: World): Set<string> {
  const keys = rows.map(({ row }) => String(row.key));
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) twice.add(key);
    seen.add(key);
  }
  return twice;
}

/** S19: the sums. */
function unbalanced({ declares, calls, rows, scanStart, whole }: World): boolean {
  if (!whole) return false;
  const items = (op: string, counts: (call: Call) => boolean): number =>
    new Set(calls.filter((call) => call.op === op && counts(call)).flatMap(keysOf)).size;
  const certain = (call: Call): boolean => call.outcome === 'accepted' && call.ret < scanStart;
  const shown = new Set(rows.map(({ row }) => String(row.key))).size;
  const finished = new Set(rows.flatMap(({ row }) => (row.state === 'done' ? [String(row.key)] : []))).size;
  const off = (op: string, count: number): boolean => count < items(op, certain) || count > items(op, may);
  return (declares.items === 'enqueued' && off('enqueue', shown)) || off('complete', finished);
}
