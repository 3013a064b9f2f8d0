/** Who writes entries right now, as the histories tell it while they grow. Only for choosing targets; nothing is judged by it. */
import type { HistoryBuilder, RowObserver } from '../history/builder.ts';
import { OP } from '../history/history.ts';

export class LiveWrites implements RowObserver {
  /** Incarnation → commits that were sent and have no answer yet. */
  readonly #open = new Map<number, number>();
  /** Incarnation → when its last commit was sent, ns. */
  readonly #lastAt = new Map<number, number>();
  #builder: HistoryBuilder | undefined;

  /** The builder whose rows are observed; the two need one another. */
  attach(builder: HistoryBuilder): void {
    this.#builder = builder;
  }

  invoked(row: number): void {
    const c = this.#builder!.columns;
    if (c.op[row] !== OP.commit) return;
    const incarnation = c.incarnation[row]!;
    this.#open.set(incarnation, (this.#open.get(incarnation) ?? 0) + 1);
    this.#lastAt.set(incarnation, c.inv[row]!);
  }

  completed(row: number): void {
    const c = this.#builder!.columns;
    if (c.op[row] !== OP.commit) return;
    const incarnation = c.incarnation[row]!;
    this.#open.set(incarnation, (this.#open.get(incarnation) ?? 1) - 1);
  }

  /** Whether a commit of this incarnation is under way. */
  writing(incarnation: number): boolean {
    return (this.#open.get(incarnation) ?? 0) > 0;
  }

  /** When its last commit was sent, ns of the monotonic clock; -Infinity when it never wrote. */
  lastWriteAt(incarnation: number): number {
    return this.#lastAt.get(incarnation) ?? Number.NEGATIVE_INFINITY;
  }
}
