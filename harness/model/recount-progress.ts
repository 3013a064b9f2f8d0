/** L3 and L4 once more, from the raw records: whether a process had a row of failures, and nothing that may explain it. */

import { isNoRoom } from './no-room.ts';
import type { RawCall, RawRecord } from './raw-calls.ts';
import { drainOf } from './recount-liveness.ts';

const IN_A_ROW = 20;

/** Looks at every row of that many calls of the process. */
export function gotNowhere(
  records: readonly RawRecord[],
  calls: readonly RawCall[],
  guarantee: 'L3' | 'L4',
  incarnation: string,
): boolean {
  const ended = endedCalls(records);
  const drain = drainOf(records);
  const own = calls
    .filter(
      ({ client, request, op }) =>
        op !== 'plan' && client.startsWith(`${incarnation}.`) && ended.has(request),
    )
    .sort((a, b) => a.inv - b.inv);
  const isFailure = ({ outcome }: RawCall): boolean => outcome === 'fail' || outcome === 'info';
  const others = calls.filter(
    (call) =>
      !call.scans && call.op !== 'plan' && !call.client.startsWith(`${incarnation}.`) && !isFailure(call),
  );
  const nothing = (some: readonly RawCall[], othersFrom: number): boolean => {
    if (some.length < IN_A_ROW || !some.every(isFailure)) return false;
    const last = some.at(-1)!;
    const until = Number.isFinite(last.ret) ? last.ret : last.inv;
    return others.some(({ inv, ret }) => inv >= othersFrom && ret <= until);
  };
  if (guarantee === 'L4') {
    if (!drain) return false;
    return nothing(
      own.filter(({ inv }) => inv >= drain.from && inv < drain.to).slice(-IN_A_ROW),
      Number.NEGATIVE_INFINITY,
    );
  }
  const on = disturbances(records);
  const phase = (...names: string[]): number | undefined => {
    const found = records.find(
      ({ record }) => record.type === 'phase' && names.includes(String(record.phase)),
    );
    return found && Number(found.record.t);
  };
  const from = phase('lead-in', 'main') ?? Number.POSITIVE_INFINITY;
  const to = phase('heal', 'drain') ?? Number.POSITIVE_INFINITY;
  return own.some((first, i) => {
    const row = own.slice(i, i + IN_A_ROW);
    const last = row.at(-1)!;
    const until = Number.isFinite(last.ret) ? last.ret : last.inv;
    if (!nothing(row, first.inv) || first.inv < from || until > to) return false;
    return !on.some((one) => one.from <= until && one.to >= first.inv);
  });
}

/** Requests that were answered, by an error too, other than that of a full disk. */
function endedCalls(records: readonly RawRecord[]): Set<string> {
  const incarnations = new Map<string, unknown>();
  const ended = new Set<string>();
  for (const { file, record } of records) {
    if (record.type === 'header') incarnations.set(file, record.incarnation);
    const error = record.error as { readonly code: string; readonly message: string } | undefined;
    if (error && isNoRoom(error)) continue;
    if (record.type === 'ok' || record.type === 'fail' || record.type === 'info')
      ended.add(`${incarnations.get(file)}.${record.lane}.${record.call}`);
  }
  return ended;
}

interface Stretch {
  from: number;
  to: number;
}

/** Everything but kills: faults from intent to healed, stops from the state that was read to the next, and holds of the store. */
function disturbances(records: readonly RawRecord[]): Stretch[] {
  const open = new Map<string, Stretch>();
  const all: Stretch[] = [];
  const begin = (name: string, at: number): void => {
    if (open.has(name)) return;
    const stretch = { from: at, to: Number.POSITIVE_INFINITY };
    open.set(name, stretch);
    all.push(stretch);
  };
  const end = (name: string, at: number): void => {
    const stretch = open.get(name);
    if (stretch) stretch.to = at;
    open.delete(name);
  };
  for (const { record } of records) {
    const at = Number(record.t);
    switch (record.type) {
      case 'fault':
        if (record.fault === 'kill') break;
        if (record.stage === 'healed' || record.outcome === 'missed') end(`fault ${record.id}`, at);
        else begin(`fault ${record.id}`, at);
        break;
      case 'state':
        if (record.state === 'stopped') begin(`stop ${record.incarnation}`, at);
        else end(`stop ${record.incarnation}`, at);
        break;
      case 'exit':
        end(`stop ${record.incarnation}`, at);
        break;
      case 'hold':
        if (record.held === true) begin(`hold ${record.id}`, at);
        else end(`hold ${record.id}`, at);
        break;
    }
  }
  return all;
}
