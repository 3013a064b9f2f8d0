/** S15a once more, from the raw records: every pair of accepted writes that name the lease of one item as their fence. */
import { type Fields, list, type RawCall } from './raw-calls.ts';

interface Write {
  readonly key: string;
  readonly lock: string;
  readonly generation: bigint;
  readonly inv: number;
  readonly ret: number;
}

/** Keys of entries that an older lease wrote after a later one of the same item. */
export function writtenByOlder(calls: readonly RawCall[]): Set<string> {
  const writes = calls.filter(({ op, outcome }) => op === 'commit' && outcome === 'accepted').flatMap(fenced);
  const broken = new Set<string>();
  const byEntry = new Map<string, Write[]>();
  for (const write of writes) {
    const name = JSON.stringify([write.key, write.lock]);
    byEntry.set(name, [...(byEntry.get(name) ?? []), write]);
  }
  for (const own of byEntry.values())
    for (const late of own)
      if (own.some((early) => early.ret < late.inv && early.generation > late.generation))
        broken.add(late.key);
  return broken;
}

const fenced = ({ invoke, inv, ret }: RawCall): Write[] =>
  list(invoke.writes).flatMap(({ key, fence, generation }: Fields) =>
    fence === undefined || generation === undefined
      ? []
      : [{ key: String(key), lock: String(fence), generation: BigInt(String(generation)), inv, ret }],
  );
