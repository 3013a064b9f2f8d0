/** Who holds what right now, as the histories tell it while they grow. Only for choosing targets; nothing is judged by it. */
import type { HistoryBuilder, RowObserver } from '../history/builder.ts';
import { OP, OUTCOME } from '../history/history.ts';
import { stamp } from '../history/writer.ts';

export class LiveLeases implements RowObserver {
  /** Incarnation → item → end of its lease in ns, counted from before the claim was sent. */
  readonly #held = new Map<number, Map<number, number>>();
  /** Item → the incarnation that was granted it last. */
  readonly #lastGrant = new Map<number, number>();
  #builder: HistoryBuilder | undefined;

  /** The builder whose rows are observed; the two need one another. */
  attach(builder: HistoryBuilder): void {
    this.#builder = builder;
  }

  invoked(row: number): void {
    const c = this.#builder!.columns;
    const op = c.op[row];
    if (op === OP.complete || op === OP.release || op === OP.nack)
      this.#held.get(c.incarnation[row]!)?.delete(c.item[row]!);
  }

  completed(row: number): void {
    const c = this.#builder!.columns;
    if (c.outcome[row] !== OUTCOME.accepted) return;
    const op = c.op[row];
    const isGrant = op === OP.claim || op === OP.claimNext;
    if (!isGrant && op !== OP.heartbeat) return;
    const incarnation = c.incarnation[row]!;
    const item = c.item[row]!;
    let held = this.#held.get(incarnation);
    if (!held) {
      held = new Map();
      this.#held.set(incarnation, held);
    }
    held.set(item, c.inv[row]! + c.leaseMs[row]! * 1e6);
    if (isGrant) this.#lastGrant.set(item, incarnation);
  }

  /** Whether this incarnation holds an unexpired lease. */
  holds(incarnation: number): boolean {
    return this.remainingMs(incarnation) > 0;
  }

  /** How long its longest lease still lasts, ms; 0 when it holds none. */
  remainingMs(incarnation: number): number {
    const latest = Math.max(0, ...(this.#held.get(incarnation)?.values() ?? []));
    return Math.max(0, (latest - stamp()) / 1e6);
  }

  /** The items it holds now. */
  items(incarnation: number): number[] {
    const now = stamp();
    return [...(this.#held.get(incarnation) ?? [])].filter(([, until]) => until > now).map(([item]) => item);
  }

  /** Whether it holds one of the items that only its label claims. */
  holdsSlot(incarnation: number, keyOf: (item: number) => string): boolean {
    return this.items(incarnation).some((item) => keyOf(item).startsWith('slot/'));
  }

  /** Whether one of these items was last granted to this incarnation. */
  tookOver(incarnation: number, items: readonly number[]): boolean {
    return items.some((item) => this.#lastGrant.get(item) === incarnation);
  }

  keyOf(item: number): string {
    return this.#builder!.keyOf(item);
  }
}
