/** A durable plan over a store: every verb checks its arguments, then swaps the document by one rule. */
import { randomUUID } from 'node:crypto';
import { checkDuration, checkLabel, checkWhole } from '../board/validate.ts';
import { systemClock } from '../clock.ts';
import { invalidArgument } from '../errors.ts';
import { isComplete, isOpen, type PlanDocument } from './document.ts';
import { createPace } from './pace.ts';
import { NO_PLAN, renderPlan } from './render.ts';
import { type PlanRules, planRules } from './rule-set.ts';
import type { Limits, Rule } from './rules.ts';
import type { Claimer } from './rules-claim.ts';
import { type Patience, type Place, readPlan, swap } from './swap.ts';
import type {
  ClaimOptions,
  ClaimTaskOptions,
  Closer,
  DurablePlan,
  PlanOptions,
  PlanOutcome,
  PlanRefusal,
  PlanSnapshot,
} from './types.ts';
import * as check from './validate.ts';

const LEASE_MS = 900_000;
const MAX_ATTEMPTS = 3;
const KEY_PREFIX = 'blackboard:';
const CAS_RETRIES = 8;
const CLOSE_BUDGET_MS = 30_000;

/** Options of `createPlan`, and what tests replace. */
export interface PlanHandleOptions extends PlanOptions {
  /** Replaces rules; for plans that are broken on purpose. @default the rules of this package */
  readonly rules?: Partial<PlanRules>;
}

/**
 * Makes a handle on a plan. Nothing is read or written yet.
 *
 * @throws FencepostError `INVALID_ARGUMENT`
 * @example
 * const plan = createPlan({ store, planId: 'release-7', leaseMs: 60_000 });
 * await plan.setPlan('ship it', ['write the notes', 'tag', 'publish']);
 * const claimed = await plan.claimNext({ owner: 'w1' });
 * if (claimed.accepted) await plan.markDone(claimed.value.index, 'notes are in NOTES.md', claimed.value);
 */
export function createPlan(options: PlanHandleOptions): DurablePlan {
  const limits = readLimits(options);
  const place = readPlace(options, limits.label);
  const { uniqueId = randomUUID } = options;
  const rules = { ...planRules, ...options.rules };

  const claimer = (owner: string | undefined): Claimer =>
    owner === undefined ? { owner: uniqueId(), anonymous: true } : { owner, anonymous: false };

  /** Writes by a rule, and answers the plan that was written as text. */
  async function change(
    wrong: PlanRefusal | undefined,
    rule: () => Rule<PlanDocument>,
    patience: Patience = 'rounds',
  ): Promise<PlanOutcome<string>> {
    if (wrong !== undefined) return { accepted: false, refusal: wrong };
    const outcome = await swap(place, patience, rule());
    if (!outcome.accepted) return outcome;
    return { accepted: true, value: renderPlan(outcome.value, outcome.value.updatedAtMs, limits) };
  }

  async function render(): Promise<string> {
    const { plan, nowMs } = await readPlan(place);
    return plan === undefined ? NO_PLAN : renderPlan(plan, nowMs, limits);
  }

  return {
    planId: limits.planId,

    async setPlan(reasoning, given, { replace } = {}) {
      const texts = check.readTasks(given);
      const wrong = check.firstOf(
        check.checkSaying('reasoning', reasoning),
        'code' in texts ? texts : undefined,
        check.checkFlag('replace', replace),
      );
      return change(wrong, () =>
        rules.setPlan(limits, reasoning, texts as readonly string[], replace === true),
      );
    },

    getPlan: render,
    render,

    async snapshot() {
      const { plan } = await readPlan(place);
      return plan === undefined ? undefined : snapshotOf(plan);
    },

    async addTasks(given) {
      const texts = check.readTasks(given);
      return change('code' in texts ? texts : undefined, () => rules.addTasks(texts as readonly string[]));
    },

    async cancelTask(index, expectedText, reason) {
      const wrong = check.firstOf(
        check.checkIndex(index),
        check.checkText('expectedText', expectedText),
        check.checkSaying('reason', reason),
      );
      return change(wrong, () => rules.cancelTask(limits, index, expectedText, reason));
    },

    async setTaskSchedule(index, expectedText, schedule) {
      const wrong = check.firstOf(
        check.checkIndex(index),
        check.checkText('expectedText', expectedText),
        check.checkSchedule(schedule),
      );
      return change(wrong, () => rules.setTaskSchedule(index, expectedText, schedule));
    },

    async claimNext(by: ClaimOptions = {}) {
      const wrong = check.checkOptions('options', by) ?? check.checkOwner(by.owner);
      if (wrong !== undefined) return { accepted: false, refusal: wrong };
      return swap(place, 'rounds', rules.claimNext(limits, claimer(by.owner)));
    },

    async claimTask(index, expectedText, by: ClaimTaskOptions = {}) {
      const wrong =
        check.firstOf(check.checkIndex(index), check.checkText('expectedText', expectedText)) ??
        check.checkCloser(by) ??
        check.checkFlag('renew', by.renew);
      if (wrong !== undefined) return { accepted: false, refusal: wrong };
      return swap(place, 'rounds', rules.claimTask(limits, claimer(by.owner), index, expectedText, by));
    },

    async markDone(index, summary, by: Closer = {}) {
      const wrong = check.firstOf(
        check.checkIndex(index),
        check.checkSaying('summary', summary),
        check.checkCloser(by),
      );
      return change(wrong, () => rules.markDone(limits, index, summary, by), 'budget');
    },

    async markFailed(index, error, by: Closer = {}) {
      const wrong = check.firstOf(
        check.checkIndex(index),
        check.checkSaying('error', error),
        check.checkCloser(by),
      );
      return change(wrong, () => rules.markFailed(limits, index, error, by), 'budget');
    },
  };
}

function readLimits(options: PlanOptions): Limits {
  const {
    planId,
    leaseMs = LEASE_MS,
    maxAttempts = MAX_ATTEMPTS,
    strict = false,
    label = 'anonymous',
  } = options;
  if (typeof planId !== 'string' || planId === '')
    throw invalidArgument('planId', 'a non-empty text', planId);
  if (typeof strict !== 'boolean') throw invalidArgument('strict', 'true or false', strict);
  return {
    planId,
    leaseMs: checkDuration('leaseMs', leaseMs),
    maxAttempts: checkWhole('maxAttempts', maxAttempts, 1),
    strict,
    label: checkLabel('label', label),
  };
}

function readPlace(options: PlanOptions, label: string): Place {
  const { store, planId, keyPrefix = KEY_PREFIX, casRetries = CAS_RETRIES } = options;
  if (typeof keyPrefix !== 'string') throw invalidArgument('keyPrefix', 'a text', keyPrefix);
  return {
    store,
    key: `${keyPrefix}${planId}`,
    label,
    casRetries: checkWhole('casRetries', casRetries, 1),
    closeBudgetMs: checkDuration('closeBudgetMs', options.closeBudgetMs ?? CLOSE_BUDGET_MS),
    clock: options.clock ?? systemClock,
    pace: createPace(options.random ?? Math.random),
    request: options.uniqueId ?? randomUUID,
  };
}

function snapshotOf(plan: PlanDocument): PlanSnapshot {
  const { version: _, ...shown } = plan;
  return {
    ...shown,
    complete: isComplete(plan),
    open: [...plan.tasks.entries()].filter(([, task]) => isOpen(task)).map(([index]) => index),
  };
}
