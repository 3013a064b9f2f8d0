/** The explanation of an S3 accusation: the chain of bounds from the call that starts it to the accused one. */
import type { Link } from './draft.ts';
import type { Placed } from './placed.ts';

/**
 * Why `accused` cannot have been answered as early as `ret`: the steps from the call that bounds everything down to it. The
 * chain ends as soon as a call's own invoke is bound enough: what lies before it is true too, but not needed. It is needed
 * where it is what bars a call from having ended a lease.
 */
export function chain(inv: Float64Array, placed: Placed, accused: number, ret: number): Link[] {
  const links: Link[] = [];
  const excess = placed.lo - ret;
  let here: Placed = placed;
  let later = accused;
  const toGrant = (): void => {
    // A generation of which nobody saw the grant is spoken of by its call.
    if (here.grant < 0 || here.grant === later) return;
    links.unshift({ kind: 'granted', earlier: here.grant, later, instant: here.lo });
    later = here.grant;
  };
  toGrant();
  const barred = anyBarred(placed);
  while (here.via && here.before) {
    const { row: earlier, ...bound } = here.via;
    links.unshift({ ...bound, earlier, later });
    const { before }: Placed = here;
    const source: number = bound.kind === 'lease' ? earlier : before.after.row;
    const instant: number = bound.from ?? before.after.instant;
    const spare = Math.max(0, instant - inv[source]!);
    if (spare < excess && !barred) return links.map((link) => sooner(link, spare));
    here = before;
    later = source;
    toGrant();
  }
  return links;
}

/** Whether some call would end a lease sooner, if only what lies before it allowed: then nothing may be left out. */
function anyBarred(placed: Placed): boolean {
  for (let here: Placed | undefined = placed; here; here = here.before) {
    if (here.via?.kind === 'ended' || here.before?.barred) return true;
  }
  return false;
}

const sooner = (link: Link, by: number): Link => ({
  ...link,
  instant: link.instant - by,
  ...(link.from === undefined ? {} : { from: link.from - by }),
});

/** The rows that a chain names, `more`, and the accused last. */
export function rowsOf(links: readonly Link[], accused: number, more: readonly number[]): number[] {
  const rows = new Set<number>(more);
  for (const { earlier, beside = [] } of links) {
    for (const row of beside) rows.add(row);
    rows.add(earlier);
  }
  rows.delete(-1);
  rows.delete(accused);
  return [...rows, accused];
}
