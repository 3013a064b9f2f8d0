/** What workers say of the orders that they were given, as their histories tell it while they grow. */
import type { RowObserver } from '../history/builder.ts';
import type { AtRecord, LoopRecord, NoteRecord } from '../history/record.ts';

interface Told {
  begun: boolean;
  ended: boolean;
  at: AtRecord | undefined;
}

export class LiveNotes implements Pick<RowObserver, 'noted'> {
  /** Fault and incarnation → what it said of the order. */
  readonly #told = new Map<string, Told>();
  /** Crash point → how often a worker stood there. */
  readonly #hits = new Map<string, number>();
  /** Incarnation → how far its wall clock is from its monotonic one, ms, as last read. */
  readonly #wall = new Map<number, number>();
  /** Incarnation → when each of its loop records was written, ns, and the lag that it tells. */
  readonly #lags = new Map<number, { readonly at: number; readonly maxMs: number }[]>();

  noted(record: NoteRecord | LoopRecord, incarnation: number): void {
    switch (record.type) {
      case 'wall':
        this.#wall.set(incarnation, record.wallMs - record.t / 1e6);
        return;
      case 'loop': {
        const lags = this.#lags.get(incarnation);
        const lag = { at: record.t, maxMs: record.maxMs };
        if (lags) lags.push(lag);
        else this.#lags.set(incarnation, [lag]);
        return;
      }
      case 'order': {
        const told = this.#of(record.id, incarnation);
        if (record.stage === 'begin') told.begun = true;
        else told.ended = true;
        return;
      }
      case 'at':
        this.#of(record.id, incarnation).at = record;
        this.#hits.set(cellOf(record), this.hitsOf(record) + 1);
    }
  }

  /** It wrote that it is about to do what it was ordered to. */
  hasBegun(id: number, incarnation: number): boolean {
    return this.#told.get(keyOf(id, incarnation))?.begun ?? false;
  }

  /** It wrote that the order is over and undone. */
  hasEnded(id: number, incarnation: number): boolean {
    return this.#told.get(keyOf(id, incarnation))?.ended ?? false;
  }

  /** Where it stood when it was killed or stopped as ordered; undefined while it was not. */
  cutOf(id: number, incarnation: number): AtRecord | undefined {
    return this.#told.get(keyOf(id, incarnation))?.at;
  }

  /** How often a worker stood at this step of this call for this cut. */
  hitsOf(cell: Pick<AtRecord, 'op' | 'boundary' | 'cut'>): number {
    return this.#hits.get(cellOf(cell)) ?? 0;
  }

  /** Wall clock minus monotonic clock, ms; undefined while it never told. */
  wallOffsetMs(incarnation: number): number | undefined {
    return this.#wall.get(incarnation);
  }

  /** The longest lag of its event loop that a record told since `fromNs`. */
  worstLagMs(incarnation: number, fromNs: number): number {
    const lags = (this.#lags.get(incarnation) ?? []).filter(({ at }) => at >= fromNs);
    return Math.max(0, ...lags.map(({ maxMs }) => maxMs));
  }

  #of(id: number, incarnation: number): Told {
    const key = keyOf(id, incarnation);
    let told = this.#told.get(key);
    if (!told) {
      told = { begun: false, ended: false, at: undefined };
      this.#told.set(key, told);
    }
    return told;
  }
}

const cellOf = ({ op, boundary, cut }: Pick<AtRecord, 'op' | 'boundary' | 'cut'>): string =>
  `${op} ${boundary} ${cut}`;

const keyOf = (id: number, incarnation: number): string => `${id}/${incarnation}`;
