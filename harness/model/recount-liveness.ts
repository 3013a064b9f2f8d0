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
  const takes = (call: RawCall, key: string): boolean => {
    if (call.outcome === 'accepted') return list(call.answer.leases).some((lease) => lease.key === key);
    return call.op === 'claim' ? call.invoke.key === key : key.startsWith(String(call.invoke.prefix ?? ''));
  };
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
  const keys = new Set(
    calls.flatMap((call) =>
      call.op === 'enqueue' ? list(call.invoke.items).map(({ key }) => String(key)) : [],
    ),
  );
  for (const call of claims) for (const lease of list(call.answer.leases)) keys.add(String(lease.key));
  const nothing = claims.filter(
    (call) =>
      call.inv >= drain.from &&
      call.ret <= drain.to &&
      (call.op === 'claim'
        ? call.answer.code === 'held'
        : call.answer.code === 'empty' ||
          (call.outcome === 'accepted' && list(call.answer.leases).length === 0)),
  );
  for (const key of keys) {
    const own = calls.filter((call) => call.invoke.key === key && may(call));
    if (own.some((call) => call.op === 'complete')) continue;
    const made = calls.filter(
      (call) =>
        call.op === 'enqueue' && may(call) && list(call.invoke.items).some((item) => item.key === key),
    );
    const taken = claims.filter((call) => may(call) && takes(call, key));
    const ends = [
      ...made.map((call) => call.ret),
      ...taken.map((call) => call.ret + lasts(leaseOf(call, key))),
      ...own
        .filter((call) => call.op === 'heartbeat')
        .map((call) => call.ret + lasts(call.invoke.leaseMs ?? list(call.answer.leases)[0]?.leaseMs)),
    ];
    const due = Math.max(...ends) + reapNs + GRACE_NS;
    const after = nothing.filter(
      (call) =>
        call.inv > due &&
        (call.op === 'claim' ? call.invoke.key === key : takes({ ...call, outcome: 'info' }, key)),
    );
    const pair = after.some((a) =>
      after.some(
        (b) =>
          a.client.split('.')[0] !== b.client.split('.')[0] &&
          a.ret < b.inv &&
          b.inv >= a.inv + reapNs &&
          !claims.some((call) => call.inv <= a.ret && call.ret >= b.inv),
      ),
    );
    if (pair) broken.add(key);
  }
  return broken;
}
