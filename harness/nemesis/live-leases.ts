/** Who holds what right now, as the histories tell it while they grow. Only for choosing targets; nothing is judged by it. */
import type { HistoryBuilder, RowObserver } from '../history/builder.ts';
import { OP, OUTCOME, type PlanVerb } from '../history/history.ts';
import { stamp } from '../history/writer.ts';

/** An item, by its index; or a task of a plan, by its name. */
export type Held = number | string;

const taskOf = ({ plan, task, epoch, claim }: PlanVerb): string => `${plan}/${claim?.epoch ?? epoch}/${task}`;

export class LiveLeases implements RowObserver {
  /** Incarnation → what it holds → end of its lease in ns, counted from before the claim was sent. */
  readonly #held = new Map<number, Map<Held, number>>();
  /** Item or task → the incarnation that was granted it last. */
  readonly #lastGrant = new Map<Held, number>();
  #builder: HistoryBuilder | undefined;

  /** The builder whose rows are observed; the two need one another. */
  attach(builder: HistoryBuilder): void {
    this.#builder = builder;
  }

  invoked(row: number): void {
    const c = this.#builder!.columns;
    const op = c.op[row];
    if (op === OP.plan) {
      const verb = this.#builder!.planVerb(row);
      if (verb?.verb === 'markDone' || verb?.verb === 'markFailed')
        this.#held.get(c.incarnation[row]!)?.delete(taskOf(verb));
      return;
    }
    if (op === OP.complete || op === OP.release || op === OP.nack)
      this.#held.get(c.incarnation[row]!)?.delete(c.item[row]!);
  }

  completed(row: number): void {
    const c = this.#builder!.columns;
    if (c.outcome[row] !== OUTCOME.accepted) return;
    const op = c.op[row];
    if (op === OP.plan) {
      const verb = this.#builder!.planVerb(row);
      if (verb?.claim) this.#grant(row, taskOf(verb), verb.leaseMs, verb.claim.kind === 'claimed');
      return;
    }
    const isGrant = op === OP.claim || op === OP.claimNext;
    if (!isGrant && op !== OP.heartbeat) return;
    this.#grant(row, c.item[row]!, c.leaseMs[row]!, isGrant);
  }

  #grant(row: number, what: Held, leaseMs: number, isGrant: boolean): void {
    const c = this.#builder!.columns;
    const incarnation = c.incarnation[row]!;
    let held = this.#held.get(incarnation);
    if (!held) {
      held = new Map();
      this.#held.set(incarnation, held);
    }
    held.set(what, c.inv[row]! + leaseMs * 1e6);
    if (isGrant) this.#lastGrant.set(what, incarnation);
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

  /** The items and tasks it holds now. */
  items(incarnation: number): Held[] {
    const now = stamp();
    return [...(this.#held.get(incarnation) ?? [])].filter(([, until]) => until > now).map(([what]) => what);
  }

  /** Whether it holds one of the items that only its label claims. */
  holdsSlot(incarnation: number, keyOf: (item: number) => string): boolean {
    return this.items(incarnation).some(
      (item) => typeof item === 'number' && keyOf(item).startsWith('slot/'),
    );
  }

  /** Whether one of these was last granted to this incarnation. */
  tookOver(incarnation: number, items: readonly Held[]): boolean {
    return items.some((item) => this.#lastGrant.get(item) === incarnation);
  }

  keyOf(item: number): string {
    return this.#builder!.keyOf(item);
  }
}
