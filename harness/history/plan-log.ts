/** What a history tells of plans: the verbs with their answers, and every version of each plan as the scanner read it. */
import type { Columns } from './columns.ts';
import type { FinalPlans, History, PlanVerb, PlanVersion } from './history.ts';
import type { Interner } from './interner.ts';
import type { EntryRecord, OkRecord, PlanCallRecord } from './record.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class PlanLog {
  readonly #columns: Columns;
  readonly #keys: Interner;
  readonly #verbs: PlanVerb[] = [];
  readonly #byRow = new Map<number, Mutable<PlanVerb>>();
  /** Versions by plan, newest first, as the pages of a history come. */
  readonly #versions = new Map<number, PlanVersion[]>();
  #startedAt: number | undefined;

  constructor(columns: Columns, keys: Interner) {
    this.#columns = columns;
    this.#keys = keys;
  }

  /** The verb at this row, as far as it is known. */
  at(row: number): PlanVerb | undefined {
    return this.#byRow.get(row);
  }

  /** The invoke of a verb. */
  asked(row: number, call: PlanCallRecord): void {
    const verb = {
      row,
      verb: call.verb,
      plan: this.#keys.index(call.key),
      task: call.task,
      generation: call.generation,
      epoch: call.epoch,
      renew: call.renew ?? false,
      leaseMs: call.leaseMs ?? Number.NaN,
      maxAttempts: call.maxAttempts,
      value: call.value,
      code: undefined,
      claim: undefined,
    };
    this.#verbs.push(verb);
    this.#byRow.set(row, verb);
  }

  /** The definite answer to a verb. */
  answered(row: number, { accepted, code, plan }: OkRecord): void {
    const verb = this.#byRow.get(row);
    if (!verb) return;
    if (!accepted) verb.code = code;
    else if (plan !== undefined) {
      verb.claim = plan;
      verb.task = plan.task;
    }
  }

  /** A page of the scanner's history of one key; those of plans show their content. */
  remembered(row: number, entries: readonly EntryRecord[]): void {
    const { item, inv } = this.#columns;
    for (const { version, content } of entries) {
      if (content === undefined) continue;
      this.#startedAt ??= inv[row];
      const known = this.#versions.get(item[row]!);
      if (known) known.push({ version, content, row });
      else this.#versions.set(item[row]!, [{ version, content, row }]);
    }
  }

  /** This part of the history. */
  settle(): Pick<History, 'planVerbs' | 'finalPlans'> {
    return { planVerbs: this.#verbs, finalPlans: this.#final() };
  }

  #final(): FinalPlans | undefined {
    if (this.#startedAt === undefined) return undefined;
    const versions = new Map(
      [...this.#versions].map(
        ([plan, all]) => [plan, [...all].sort((a, b) => a.version - b.version)] as const,
      ),
    );
    const plans = new Set(this.#verbs.map(({ plan }) => plan));
    return {
      versions,
      complete: [...plans].every((plan) => isWhole(versions.get(plan) ?? [], this.#made(plan))),
      startedAt: this.#startedAt,
    };
  }

  /** The highest version of a plan that some call was answered with. */
  #made(plan: number): number {
    const { item, version, length } = this.#columns;
    let highest = 0;
    for (let row = 0; row < length; row++)
      if (item[row] === plan && version[row]! > highest) highest = version[row]!;
    return highest;
  }
}

/** From the first version on, none left out, up to the newest that anybody was shown. */
const isWhole = (versions: readonly PlanVersion[], newest: number): boolean =>
  versions.length >= newest && versions.every(({ version }, i) => version === i + 1);
