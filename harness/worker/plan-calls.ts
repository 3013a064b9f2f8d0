/**
 * Durable plans over the store under test, recorded twice: each verb with what came of it, and inside of it each read and commit
 * that it makes, on a lane of their own. So the verdict on the store (S16) and the verdicts on the plan (P1 to P8) come from the
 * same calls.
 */
import { createPlan } from '../../src/plan/plan.ts';
import type {
  Closer,
  DurablePlan,
  PlanClaim,
  PlanOptions,
  PlanOutcome,
  PlanRefusal,
  PlanSnapshot,
} from '../../src/plan/types.ts';
import type { EntryStore, Json, Outcome, Store, Write } from '../../src/store.ts';
import type { PlanCallRecord, PlanClaimRecord } from '../history/record.ts';
import { entryRecord, writeRecord } from './board-calls.ts';
import { type Answer, CallRecorder, type RecorderOptions } from './call-recorder.ts';
import { PLAN_PREFIX } from './plan-prefix.ts';

export interface PlanCallsOptions extends RecorderOptions {
  /** Behind the validating wrapper. */
  readonly store: Pick<Store, 'nowMs' | 'entries'>;
  /** The owner of its claims, and the author of its writes. */
  readonly label: string;
  readonly leaseMs: number;
  readonly maxAttempts: number;
  /** Plans of the store module, else those of this package. */
  readonly make?: ((options: PlanOptions) => DurablePlan) | undefined;
}

/** A close gives up after this time; its task is then handed out again. */
const CLOSE_BUDGET_MS = 5_000;
/** Verbs end by themselves, in their rounds or their budget; only a plan that hangs comes to this. */
const VERB_LIMIT_MS = 60_000;

type PlanAnswer<T> = Promise<Answer<T, PlanRefusal>>;

/**
 * One plan. Texts, results, errors and reasons are the client's: each begins with the name of the call that wrote it, so that every
 * version shows who did (R7).
 */
export interface RecordedPlan {
  setPlan(tasks: number, replace: boolean): PlanAnswer<string>;
  addTasks(tasks: number): PlanAnswer<string>;
  cancelTask(index: number, text: string): PlanAnswer<string>;
  setTaskSchedule(index: number, text: string, at: PlanInstants): PlanAnswer<string>;
  claimNext(): PlanAnswer<PlanClaim>;
  claimTask(index: number, text: string): PlanAnswer<PlanClaim>;
  renew(claim: PlanClaim): PlanAnswer<PlanClaim>;
  markDone(claim: PlanClaim): PlanAnswer<string>;
  markFailed(claim: PlanClaim): PlanAnswer<string>;
  /** The plan at this moment; undefined without one, or when the read had no answer. */
  snapshot(): Promise<PlanSnapshot | undefined>;
}

export interface PlanInstants {
  readonly plannedStartAtMs?: number;
  readonly dueAtMs?: number;
}

export interface PlanCalls {
  open(planId: string): RecordedPlan;
}

/** Plans of one lane. Whoever calls it makes sure that the store has entries. */
export function planCalls(options: PlanCallsOptions): PlanCalls {
  const { hooks: _, ...verbOptions } = options;
  // Faults are done to the calls of the store, not to what stands around them.
  const verbs = new CallRecorder({ ...verbOptions, callLimitMs: VERB_LIMIT_MS });
  // A version is named by the verb that made it, too.
  let verb = '';
  const store = recordedStore(options.store, new CallRecorder(options), () => verb);
  const make = options.make ?? createPlan;
  let drawn = 0;
  const recording = (): Pick<Recorded, 'record' | 'nextRequest'> => ({
    nextRequest: () => verbs.nextRequest,
    record(call, run, describe) {
      verb = verbs.nextRequest;
      return verbs.record('plan', { plan: call }, run, describe);
    },
  });
  return {
    open(planId) {
      const { label, leaseMs, maxAttempts } = options;
      const plan = make({
        store,
        planId,
        keyPrefix: PLAN_PREFIX,
        label,
        leaseMs,
        maxAttempts,
        closeBudgetMs: CLOSE_BUDGET_MS,
        uniqueId: () => `${verbs.nextRequest}-${drawn++}`,
      });
      return recordedPlan({ plan, owner: label, leaseMs, maxAttempts, ...recording() });
    },
  };
}

interface Recorded {
  readonly plan: DurablePlan;
  readonly owner: string;
  readonly leaseMs: number;
  readonly maxAttempts: number;
  readonly nextRequest: () => string;
  readonly record: <T>(
    call: PlanCallRecord,
    run: () => Promise<PlanOutcome<T>>,
    describe?: (value: T) => { readonly plan: PlanClaimRecord },
  ) => PlanAnswer<T>;
}

function recordedPlan(recorded: Recorded): RecordedPlan {
  const { plan, owner, leaseMs, maxAttempts, record } = recorded;
  const key = `${PLAN_PREFIX}${plan.planId}`;
  type Said = Omit<PlanCallRecord, 'key' | 'value'>;
  const write = (said: Said, call: (value: string) => Promise<PlanOutcome<string>>): PlanAnswer<string> => {
    const value = recorded.nextRequest();
    return record({ ...said, key, value }, () => call(value));
  };
  const claim = (said: Said, call: () => Promise<PlanOutcome<PlanClaim>>): PlanAnswer<PlanClaim> =>
    record({ ...said, key, leaseMs, maxAttempts }, call, (value) => ({ plan: claimRecord(value) }));
  const texts = (value: string, count: number): string[] =>
    Array.from({ length: count }, (_, i) => `${value}/${i}`);
  const named = ({ index, generation, epoch }: PlanClaim) => ({ task: index, generation, epoch });
  const closing = (held: PlanClaim) => ({ ...named(held), maxAttempts });
  const closer = ({ generation, epoch }: PlanClaim): Closer => ({ owner, generation, epoch });
  return {
    setPlan: (tasks, replace) =>
      write({ verb: 'setPlan' }, (value) => plan.setPlan(value, texts(value, tasks), { replace })),
    addTasks: (tasks) => write({ verb: 'addTasks' }, (value) => plan.addTasks(texts(value, tasks))),
    cancelTask: (task, text) =>
      write({ verb: 'cancelTask', task }, (value) => plan.cancelTask(task, text, value)),
    setTaskSchedule: (task, text, at) =>
      write({ verb: 'setTaskSchedule', task }, (value) =>
        plan.setTaskSchedule(task, text, { ...at, reason: value }),
      ),
    claimNext: () => claim({ verb: 'claimNext' }, () => plan.claimNext({ owner })),
    claimTask: (task, text) =>
      claim({ verb: 'claimTask', task }, () => plan.claimTask(task, text, { owner })),
    renew: (held) =>
      claim({ verb: 'claimTask', ...named(held), renew: true }, () =>
        plan.claimTask(held.index, held.text, { ...closer(held), renew: true }),
      ),
    markDone: (held) =>
      write({ verb: 'markDone', ...closing(held) }, (value) =>
        plan.markDone(held.index, value, closer(held)),
      ),
    markFailed: (held) =>
      write({ verb: 'markFailed', ...closing(held) }, (value) =>
        plan.markFailed(held.index, value, closer(held)),
      ),
    snapshot: () => plan.snapshot().catch(() => undefined),
  };
}

const claimRecord = (claim: PlanClaim): PlanClaimRecord => ({
  task: claim.index,
  generation: claim.generation,
  epoch: claim.epoch,
  attempts: claim.attempts,
  kind: claim.kind,
  parked: claim.parked.length,
});

/** The store as a plan sees it: every read and commit is recorded, and every version is kept for the final read. */
function recordedStore(store: PlanCallsOptions['store'], recorder: CallRecorder, verb: () => string): Store {
  const entries = store.entries as EntryStore;
  return {
    nowMs: () => store.nowMs(),
    close() {},
    entries: {
      ...entries,
      get: async (key) =>
        valueIn(
          await recorder.recordRead(
            'get',
            { key },
            () => entries.get(key),
            (entry) => ({ entries: entry === undefined ? [] : [entryRecord(entry)] }),
          ),
        ),
      async commit(writes) {
        const by = recorder.nextRequest;
        const kept = writes.map((write) => keptBy(write, by, verb()));
        const answer = await recorder.record(
          'commit',
          { writes: kept.map(writeRecord) },
          () => entries.commit(kept),
          (made) => ({ entries: made.map(entryRecord) }),
        );
        return answer.outcome === 'refused'
          ? ({ accepted: false, refusal: answer.refusal } satisfies Outcome<never>)
          : { accepted: true, value: valueIn(answer) };
      },
    },
  };
}

/** Named by the commit and the verb that wrote it, in its value too; older versions stay. */
function keptBy({ keep: _, value, ...write }: Write, by: string, verb: string): Write {
  return { ...write, request: by, value: { ...(value as { readonly [key: string]: Json }), by, verb } };
}

/** What was answered. A call without an answer ends the verb as it would without a recorder. */
function valueIn<T>(answer: Answer<T>): T {
  if (answer.outcome === 'accepted') return answer.value;
  throw answer.outcome === 'refused' ? new Error(answer.refusal.message) : answer.error;
}
