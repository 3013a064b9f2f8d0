/**
 * The order of one key's accesses: which call made which version, and what real time says of every access. Pure.
 *
 * `floor(x)`: the greatest version that was certainly made before x was sent. `ceiling(x)`: the lowest version that can only
 * have been made after x was answered. The state that x met is one of floor(x) .. ceiling(x) - 1.
 */
import type { EntrySight, EntryWrite, KeyAccesses } from './entry-accesses.ts';

/** A version and the access that proves the bound. */
export interface Bound {
  readonly version: number;
  readonly row: number;
  readonly ret: number;
  /** The access made the version; else it only showed it. */
  readonly wrote: boolean;
}

export interface KeyOrder {
  readonly key: KeyAccesses;
  /** The call that made a version: accepted, or of unknown outcome and the only one that can have written what was shown. */
  readonly maker: ReadonlyMap<number, EntryWrite>;
  /** A sight of each version that was shown; one that shows the entry before one that only tells of it. */
  readonly shown: ReadonlyMap<number, EntrySight>;
  /** What accepted conditional writes say of the version that they followed: that it was a value, or a deletion. */
  readonly followed: ReadonlyMap<number, boolean>;
  /** Calls of unknown outcome that are the maker of no version that we know. */
  readonly open: readonly EntryWrite[];
  /** The greatest version that was made for certain. */
  readonly newest: number;
  /** Among accesses that were answered before an instant, the one that proves the greatest version. */
  readonly floor: (inv: number, wrote?: boolean) => Bound | undefined;
  /** Among accesses that were sent after an instant, the one that proves the lowest ceiling. */
  readonly ceiling: (ret: number, wrote?: boolean) => Bound | undefined;
  /** Version `version` was made at the earliest then; the effects before it are of lower versions. */
  readonly earliest: (version: number) => number;
  /** ... and at the latest then. */
  readonly latest: (version: number) => Bound | undefined;
}

/** Works them out, in O(n log n). */
export function orderOf(key: KeyAccesses): KeyOrder {
  const maker = new Map<number, EntryWrite>();
  for (const write of key.made) if (!maker.has(write.version)) maker.set(write.version, write);
  const shown = new Map<number, EntrySight>();
  for (const sight of key.sights) {
    if (sight.version < 1) continue;
    const known = shown.get(sight.version);
    if (!known || (!known.live && sight.live)) shown.set(sight.version, sight);
  }
  const followed = new Map<number, boolean>();
  const open = resolve(key, maker, shown);
  for (const [version, { expected }] of maker) {
    if (expected !== undefined && version > 1 && !followed.has(version - 1))
      followed.set(version - 1, expected > 0);
  }
  const proofs: Proof[] = [];
  for (const [version, { row, inv, ret }] of maker) {
    // Of a call of unknown outcome only the beginning is known; that it acted by then, the sight of it proves.
    proofs.push({ version, row, inv, ret, wrote: true, below: version, current: true });
  }
  for (const write of key.made) {
    if (maker.get(write.version) !== write) {
      const { version, row, inv, ret } = write;
      proofs.push({ version, row, inv, ret, wrote: true, below: version, current: true });
    }
  }
  let newest = 0;
  for (const { version, row, inv, ret, current } of key.sights) {
    if (version >= 1) proofs.push({ version, row, inv, ret, wrote: false, below: version + 1, current });
  }
  for (const { version } of proofs) newest = Math.max(newest, version);
  return {
    key,
    maker,
    shown,
    followed,
    open,
    newest,
    ...(realTime(proofs) satisfies Pick<KeyOrder, 'floor' | 'ceiling'>),
    ...windows(proofs),
  };
}

interface Proof {
  readonly version: number;
  readonly row: number;
  readonly inv: number;
  readonly ret: number;
  readonly wrote: boolean;
  /** Whatever was answered before this was sent met a version below. */
  readonly below: number;
  readonly current: boolean;
}

/** Values are unique by construction, so a value that was shown names its writer where only one can have written it. */
function resolve(
  { perhaps }: KeyAccesses,
  maker: Map<number, EntryWrite>,
  shown: ReadonlyMap<number, EntrySight>,
): EntryWrite[] {
  if (perhaps.length === 0) return [];
  const byValue = new Map<number, EntryWrite | 'several'>();
  for (const write of perhaps) {
    if (!write.deletes && write.value >= 0)
      byValue.set(write.value, byValue.has(write.value) ? 'several' : write);
  }
  const found = new Set<EntryWrite>();
  for (const [version, sight] of shown) {
    if (version < 1 || maker.has(version) || sight.value < 0) continue;
    const writer = byValue.get(sight.value);
    if (writer === undefined || writer === 'several' || writer.inv > sight.ret || found.has(writer)) continue;
    const { expected = 0 } = writer;
    if (expected > 0 && expected !== version - 1) continue;
    found.add(writer);
    maker.set(version, writer);
  }
  return found.size === 0 ? perhaps : perhaps.filter((write) => !found.has(write));
}

/** Bounds by instant: the running best over the accesses sorted by answer, and by invoke. */
function realTime(proofs: readonly Proof[]): Pick<KeyOrder, 'floor' | 'ceiling'> {
  const answered = proofs.filter(({ ret }) => Number.isFinite(ret)).sort((a, b) => a.ret - b.ret);
  const sent = proofs.filter(({ current }) => current).sort((a, b) => b.inv - a.inv);
  const at = (proof: Proof, version: number): Bound => {
    const { row, ret, wrote } = proof;
    return { version, row, ret, wrote };
  };
  const floors = running(answered, (proof, best) =>
    proof.version > (best?.version ?? 0) ? at(proof, proof.version) : best,
  );
  const ceilings = running(sent, (proof, best) =>
    best === undefined || proof.below < best.version ? at(proof, proof.below) : best,
  );
  const writes = answered.filter(({ wrote }) => wrote);
  const floorsOfWrites = running(writes, (proof, best) =>
    proof.version > (best?.version ?? 0) ? at(proof, proof.version) : best,
  );
  const later = sent.filter(({ wrote }) => wrote);
  const ceilingsOfWrites = running(later, (proof, best) =>
    best === undefined || proof.below < best.version ? at(proof, proof.below) : best,
  );
  return {
    floor: (inv, wrote = false) =>
      wrote
        ? floorsOfWrites[count(writes, ({ ret }) => ret < inv) - 1]
        : floors[count(answered, ({ ret }) => ret < inv) - 1],
    ceiling: (ret, wrote = false) =>
      wrote
        ? ceilingsOfWrites[count(later, ({ inv }) => inv > ret) - 1]
        : ceilings[count(sent, ({ inv }) => inv > ret) - 1],
  };
}

/** Bounds by version: nothing below it acts later than it does, nothing above earlier. */
function windows(proofs: readonly Proof[]): Pick<KeyOrder, 'earliest' | 'latest'> {
  const rising = [...proofs].sort((a, b) => a.version - b.version);
  let begun = Number.NEGATIVE_INFINITY;
  const since = rising.map(({ inv, current }) => {
    if (current) begun = Math.max(begun, inv);
    return begun;
  });
  const until = new Array<Bound>(rising.length);
  for (let i = rising.length - 1; i >= 0; i--) {
    const { version, row, ret, wrote } = rising[i]!;
    const next = until[i + 1];
    until[i] = next && next.ret <= ret ? next : { version, row, ret, wrote };
  }
  return {
    earliest: (version) => {
      const below = count(rising, (proof) => proof.version < version);
      return below === 0 ? Number.NEGATIVE_INFINITY : since[below - 1]!;
    },
    latest: (version) => until[count(rising, (proof) => proof.version < version)],
  };
}

function running<T>(from: readonly T[], next: (one: T, best: Bound | undefined) => Bound | undefined) {
  const out: (Bound | undefined)[] = [];
  let best: Bound | undefined;
  for (const one of from) {
    best = next(one, best);
    out.push(best);
  }
  return out;
}

/** How many at the front of the list satisfy a condition that holds for a prefix of it. */
function count<T>(list: readonly T[], holds: (one: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
