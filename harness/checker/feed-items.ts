/**
 * S22, items: every accepted change of an item has exactly one event, of its kind and generation; one of unknown outcome has
 * at most one.
 *
 * Violated iff the feed was read without a hole from before the call to the end and no page shows its event; or more events
 * of one kind, item and generation were shown than calls can have made. Kinds are those of the contract (`Event.kind`); a kind
 * of which the feed shows no event at all is not judged, and neither is an event without a generation. A release counts only
 * while its lease stood, and the end of a lease only where no other call can have ended it: else it may have changed nothing.
 *
 *      w1   ├claim i┤ generation 2
 *      scan                         ├ events …, none of them of a grant of i under generation 2 ┤
 */
import { type History, OP, OUTCOME } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { type Bounds, boundsOf } from './bounds.ts';
import type { Tally } from './draft.ts';
import type { SeenEvent, SeenEvents } from './feed-events.ts';
import { eachEvent, type Match, mustShow, tellMissing, tellTwice } from './feed-matches.ts';
import { tellItemOrder } from './feed-order.ts';
import { generation } from './words.ts';

/** Kinds of events of items, and the change that each tells of. */
const CHANGES: Readonly<Record<string, Change>> = {
  enqueued: 'enqueued',
  claimed: 'granted',
  reclaimed: 'granted',
  reacquired: 'granted',
  completed: 'completed',
  nacked: 'nacked',
  released: 'released',
  'force-released': 'force-released',
  dead: 'dead',
};
type Change = 'enqueued' | 'granted' | 'completed' | 'nacked' | 'released' | 'force-released' | 'dead';

const CALLS: ReadonlyMap<number, Change> = new Map([
  [OP.enqueue, 'enqueued'],
  [OP.claim, 'granted'],
  [OP.claimNext, 'granted'],
  [OP.complete, 'completed'],
  [OP.nack, 'nacked'],
  [OP.release, 'released'],
]);

export const isItemKind = (kind: string): boolean => Object.hasOwn(CHANGES, kind);

/** Calls and events of one change: one item, one kind, one generation. */
interface Told {
  readonly item: number;
  readonly change: Change;
  readonly generation: number;
  readonly events: SeenEvent[];
  /** Accepted. */
  readonly rows: number[];
  /** Of unknown outcome. */
  perhaps: number;
}

export interface ItemEvents {
  readonly told: ReadonlyMap<string, Told>;
  /** Changes of which the feed tells at all. */
  readonly shown: ReadonlySet<Change>;
  readonly matches: readonly Match[];
}

/** Finds the event of every change of an item; tells of changes with too many events, and of events in a wrong order. */
export function matchItems(history: History, seen: SeenEvents, declares: Declares, found: Tally): ItemEvents {
  const told = new Map<string, Told>();
  const shown = new Set<Change>();
  const of = (item: number, change: Change, given: number): Told => {
    // An item is enqueued before its first generation.
    const under = change === 'enqueued' ? 0 : given;
    const name = `${item} ${change} ${under}`;
    const known = told.get(name);
    if (known) return known;
    const fresh: Told = { item, change, generation: under, events: [], rows: [], perhaps: 0 };
    told.set(name, fresh);
    return fresh;
  };
  for (const one of eachEvent(seen)) {
    const { kind, item, generation: under } = one.event;
    const change = isItemKind(kind) ? CHANGES[kind]! : undefined;
    if (change === undefined || (Number.isNaN(under) && change !== 'enqueued')) continue;
    shown.add(change);
    of(item, change, under).events.push(one);
  }
  const { ops } = history;
  for (let row = 0; row < ops.length; row++) {
    const change = CALLS.get(ops.op[row]!);
    const item = ops.item[row]!;
    const under = ops.generation[row]!;
    if (change === undefined || item < 0 || (Number.isNaN(under) && change !== 'enqueued')) continue;
    if (ops.outcome[row] === OUTCOME.accepted) of(item, change, under).rows.push(row);
    else if (ops.outcome[row] === OUTCOME.info) of(item, change, under).perhaps += 1;
  }
  const bounds = boundsOf(declares);
  const matches: Match[] = [];
  for (const one of told.values()) {
    const { events, rows, perhaps, change, item, generation: under } = one;
    const [row] = rows;
    const alone = events.length === 1 && rows.length === 1 && perhaps === 0;
    const granted = told.get(`${item} granted ${under}`);
    // A release of a lease that is over may be accepted and change nothing.
    if (alone && (change !== 'released' || stood(history, bounds, granted, row!)))
      matches.push({ row: row!, seen: events[0]! });
    if (events.length > 1 && events.length > Math.max(1, possible(history, one)))
      tellTwice(history, events[0]!, events.at(-1)!, because(one), found);
  }
  if (declares.tokens === 'ascending') outOfGeneration(history, told, found);
  return { told, shown, matches };
}

/** How many calls can have made this change. */
function possible(history: History, { item, change, rows, perhaps }: Told): number {
  if (change !== 'granted') return rows.length + perhaps;
  // A claim of unknown outcome may have been granted any generation.
  const { ops, prefixes, keys } = history;
  let seen = rows.length;
  for (let row = 0; row < ops.length; row++) {
    if (ops.outcome[row] !== OUTCOME.info) continue;
    const prefix = prefixes.get(row) ?? '';
    const isNext = ops.op[row] === OP.claimNext && keys[item]!.startsWith(prefix);
    if (isNext || (ops.op[row] === OP.claim && ops.item[row] === item)) seen += 1;
  }
  return seen;
}

function because({ change }: Told): string {
  return change === 'dead'
    ? 'an item dies once'
    : 'fewer calls than that were sent that can have had this effect under this generation';
}

/** Of one item: grants in the order of their generations, and the end of a lease behind its grant. */
function outOfGeneration(history: History, told: ReadonlyMap<string, Told>, found: Tally): void {
  const byItem = new Map<number, Told[]>();
  for (const one of told.values()) {
    if (one.events.length === 0 || one.change === 'enqueued' || one.change === 'force-released') continue;
    const known = byItem.get(one.item);
    if (known) known.push(one);
    else byItem.set(one.item, [one]);
  }
  for (const all of byItem.values()) {
    all.sort((a, b) => a.generation - b.generation);
    let newest: SeenEvent | undefined;
    for (const { change, events } of all) {
      if (change !== 'granted') continue;
      const grant = earliest(events);
      if (newest && newest.event.id > grant.event.id)
        tellItemOrder(history, newest, grant, 'the second grant has the higher generation', found);
      if (newest === undefined || grant.event.id > newest.event.id) newest = grant;
    }
    for (const { change, generation: under, events } of all) {
      if (change === 'granted') continue;
      const grant = all.find((one) => one.change === 'granted' && one.generation === under);
      const end = earliest(events);
      if (grant && earliest(grant.events).event.id > end.event.id)
        tellItemOrder(history, earliest(grant.events), end, 'a lease ends after it was granted', found);
    }
  }
}

const earliest = (events: readonly SeenEvent[]): SeenEvent =>
  events.reduce((a, b) => (b.event.id < a.event.id ? b : a));

/** Tells of changes without an event. `since`: calls sent after it must have one. */
export function checkItems(
  history: History,
  { told, shown }: ItemEvents,
  declares: Declares,
  since: number,
  found: Tally,
): void {
  const { ops } = history;
  const bounds = boundsOf(declares);
  const forced = new Set<number>();
  for (let row = 0; row < ops.length; row++) {
    const may = ops.outcome[row] === OUTCOME.accepted || ops.outcome[row] === OUTCOME.info;
    if (may && ops.op[row] === OP.forceRelease) forced.add(ops.item[row]!);
  }
  const grants = new Map<number, Told[]>();
  for (const one of told.values()) {
    if (one.change !== 'granted') continue;
    const known = grants.get(one.item);
    if (known) known.push(one);
    else grants.set(one.item, [one]);
  }
  const get = (item: number, change: Change, under: number) => told.get(`${item} ${change} ${under}`);
  for (const { item, change, generation: under, events, rows } of told.values()) {
    const row = rows[0];
    if (row === undefined || rows.length > 1 || !shown.has(change) || !mustShow(history, row, since))
      continue;
    if (change === 'completed' || change === 'nacked' || change === 'released') {
      const ends = (['completed', 'nacked', 'released'] as const).map((one) => get(item, one, under));
      const calls = ends.reduce((sum, one) => sum + (one ? one.rows.length + one.perhaps : 0), 0);
      if (calls > 1 || forced.has(item) || overtaken(history, grants.get(item) ?? [], under, row)) continue;
      if (change === 'released' && !stood(history, bounds, get(item, 'granted', under), row)) continue;
    }
    found.opportunities += 1;
    if (events.length > 0) continue;
    const what = change === 'enqueued' ? 'which made it an item' : `under ${generation(history, row)}`;
    tellMissing(history, row, what, found);
  }
}

/** Whether a newer grant may have come before the call: that it was accepted then is S4's to judge, and so is what it changed. */
function overtaken({ ops }: History, grants: readonly Told[], under: number, row: number): boolean {
  return grants.some(
    ({ generation: newer, rows }) => newer > under && rows.some((grant) => ops.inv[grant]! < ops.ret[row]!),
  );
}

/** Whether the lease certainly stood at the answer of a call: a heartbeat never shortens it. */
function stood({ ops }: History, { atLeast }: Bounds, grant: Told | undefined, row: number): boolean {
  const granted = grant?.rows.length === 1 ? grant.rows[0]! : undefined;
  return granted !== undefined && ops.ret[row]! < ops.inv[granted]! + atLeast(ops.leaseMs[granted]!);
}
