/** L1 and L2 once more, from the raw records: which items two claims should have found when all was quiet, and did not. */
import type { Declares } from '../store-module/declares.ts';
import { type Fields, list, type RawCall, type RawRecord } from './raw-calls.ts';

const GRACE_NS = 20e6;

/** When drain began and ended, as the supervisor noted it. */
export function drainOf(records: Iterable<RawRecord>): { from: number; to: number } | undefined {
  let from: number | undefined;
  let to = Number.POSITIVE_INFINITY;
  for (const { record } of records) {
    if (record.type !== 'phase') continue;
    if (record.phase === 'drain') from = Number(record.t);
    else if (from !== undefined && to === Number.POSITIVE_INFINITY) to = Number(record.t);
  }
  return from === undefined ? undefined : { from, to };
}

/** Calls by each of the keys that they are about. */
function grouped(
  calls: readonly RawCall[],
  keysOf: (call: RawCall) => readonly string[],
): Map<string, RawCall[]> {
  const groups = new Map<string, RawCall[]>();
  for (const call of calls) {
    for (const key of keysOf(call)) {
      const group = groups.get(key);
      if (group) group.push(call);
      else groups.set(key, [call]);
    }
  }
  return groups;
}

/** Keys that were certainly open while two claims found nothing. */
export function passedOver(
  calls: readonly RawCall[],
  drain: { readonly from: number; readonly to: number } | undefined,
  declares: Declares,
): Set<string> {
  const broken = new Set<string>();
  if (!drain) return broken;
  const may = (call: RawCall): boolean => call.outcome === 'accepted' || call.outcome === 'info';
  const claims = calls.filter((call) => call.op === 'claim' || call.op === 'claimNext');
  const asksFor = (call: RawCall, key: string): boolean =>
    call.op === 'claim' ? call.invoke.key === key : key.startsWith(String(call.invoke.prefix ?? ''));
  const slackMs = declares.grainMs + declares.clockStepMs;
  const reapNs = declares.reapIntervalMs * 1e6;
  const longest = Math.max(
    0,
    ...calls
      .flatMap((call) => [call.invoke.leaseMs, ...list(call.answer.leases).map((lease) => lease.leaseMs)])
      .map((ms) => Number(ms ?? 0)),
  );
  const lasts = (leaseMs: unknown): number =>
    (Math.max(Number(leaseMs ?? longest), declares.minLeaseMs) * (1 + declares.clockDrift) + slackMs) * 1e6;
  const leaseOf = (call: RawCall, key: string): unknown =>
    list(call.answer.leases).find((lease: Fields) => lease.key === key)?.leaseMs ?? call.invoke.leaseMs;
  const nothing = claims.filter(
    (call) =>
      call.inv >= drain.from &&
      call.ret <= drain.to &&
      (call.op === 'claim'
        ? call.answer.code === 'held'
        : call.answer.code === 'empty' ||
          (call.outcome === 'accepted' && list(call.answer.leases).length === 0)),
  );
  if (nothing.length === 0) return broken;
  const late = claims.filter((call) => call.ret >= drain.from);
  const latest = Math.max(...nothing.map((call) => call.inv));
  // One pass over the calls: a search through all of them for each key would take minutes of a long run.
  const made = grouped(calls, (call) =>
    call.op === 'enqueue' && may(call) ? list(call.invoke.items).map((item) => String(item.key)) : [],
  );
  const granted = grouped(claims, (call) => list(call.answer.leases).map((lease) => String(lease.key)));
  const unanswered = claims.filter((call) => call.outcome === 'info');
  const named = grouped(calls, (call) => (may(call) ? [String(call.invoke.key)] : []));
  for (const key of new Set([...made.keys(), ...granted.keys()])) {
    const own = named.get(key) ?? [];
    if (own.some((call) => call.op === 'complete')) continue;
    const taken = [
      ...(granted.get(key) ?? []).filter(may),
      ...unanswered.filter((call) => asksFor(call, key)),
    ];
    const ends = [
      ...(made.get(key) ?? []).map((call) => call.ret),
      ...taken.map((call) => call.ret + lasts(leaseOf(call, key))),
      ...own
        .filter((call) => call.op === 'heartbeat')
        .map((call) => call.ret + lasts(call.invoke.leaseMs ?? list(call.answer.leases)[0]?.leaseMs)),
    ];
    const due = Math.max(...ends) + reapNs + GRACE_NS;
    if (due >= latest) continue;
    const after = nothing.filter((call) => call.inv > due && asksFor(call, key));
    const pair = after.some((a) =>
      after.some(
        (b) =>
          a.client.split('.')[0] !== b.client.split('.')[0] &&
          a.ret < b.inv &&
          b.inv >= a.inv + reapNs &&
          !late.some((call) => call.inv <= a.ret && call.ret >= b.inv),
      ),
    );
    if (pair) broken.add(key);
  }
  return broken;
}
