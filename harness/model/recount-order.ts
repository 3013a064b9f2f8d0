/** S17 once more, from the raw records: the grants of one item against every item that was there before it. */
import type { Declares } from '../store-module/declares.ts';
import { type Fields, list, type RawCall } from './raw-calls.ts';

const claims = ({ op }: RawCall): boolean => op === 'claim' || op === 'claimNext';
const may = ({ outcome }: RawCall): boolean => outcome === 'accepted' || outcome === 'info';

interface Named {
  readonly call: RawCall;
  readonly fields: Fields;
}

/** Whether an item was granted while one that had been enqueued before it was open. Sorts the calls by key when first asked. */
export function recountOrder(calls: readonly RawCall[], declares: Declares): (key: string) => boolean {
  let known: World | undefined;
  return (key) => {
    known ??= worldOf(calls, declares);
    return overtakes(known, key);
  };
}

interface World {
  readonly enqueues: ReadonlyMap<string, readonly Named[]>;
  readonly grants: ReadonlyMap<string, readonly Named[]>;
  readonly unknown: readonly RawCall[];
  /** Failed, or of unknown outcome: it may have held an item back while it was under way. */
  readonly unanswered: readonly RawCall[];
  readonly countsAttempts: boolean;
}

function worldOf(calls: readonly RawCall[], declares: Declares): World {
  const byKey = (some: readonly RawCall[], parts: (call: RawCall) => Fields[]) => {
    const named = some.flatMap((call) => parts(call).map((fields) => ({ call, fields })));
    const keys = new Map<string, Named[]>();
    for (const one of named) {
      const key = String(one.fields.key);
      const own = keys.get(key);
      if (own) own.push(one);
      else keys.set(key, [one]);
    }
    return keys;
  };
  const taking = calls.filter(claims);
  return {
    enqueues: byKey(
      calls.filter((call) => call.op === 'enqueue' && may(call)),
      ({ invoke }) => list(invoke.items),
    ),
    grants: byKey(
      taking.filter(({ outcome }) => outcome === 'accepted'),
      ({ answer }) => list(answer.leases),
    ),
    unknown: taking.filter(({ outcome }) => outcome === 'info'),
    unanswered: taking.filter((call) => call.outcome === 'fail' || call.outcome === 'info'),
    countsAttempts: declares.maxAttempts && !declares.releaseRefundsAttempt,
  };
}

/** When the first claim was sent that can have taken the item. */
function takenFrom({ enqueues, grants, unknown, countsAttempts }: World, key: string): number {
  const own = [...(grants.get(key) ?? [])].sort((a, b) => a.call.inv - b.call.inv);
  const first = own[0];
  const granted = first?.call.inv ?? Number.POSITIVE_INFINITY;
  if (first && countsAttempts && first.fields.attempt === 1) return granted;
  const made = enqueues.get(key)![0]!.call.inv;
  const takers = unknown.filter(({ op, invoke, ret }) =>
    op === 'claim' ? invoke.key === key : key.startsWith(String(invoke.prefix ?? '')) && ret >= made,
  );
  return Math.min(granted, ...takers.map(({ inv }) => inv));
}

function overtakes(world: World, key: string): boolean {
  const { enqueues, grants, unanswered } = world;
  const [made, ...more] = enqueues.get(key) ?? [];
  if (!made || more.length > 0) return false;
  const since = takenFrom(world, key);
  return (grants.get(key) ?? []).some(({ call }) => {
    if (call.op !== 'claimNext' || since < call.inv) return false;
    if (unanswered.some((other) => other.inv <= call.ret && other.ret >= call.inv)) return false;
    return [...enqueues].some(([left, [earlier, ...others]]) => {
      if (!earlier || others.length > 0 || !left.startsWith(String(call.invoke.prefix ?? ''))) return false;
      if (earlier.call.outcome !== 'accepted' || earlier.fields.notBeforeMs !== undefined) return false;
      if (!(earlier.call.ret < Math.min(made.call.inv, call.inv))) return false;
      return takenFrom(world, left) > call.ret;
    });
  });
}
