/**
 * The one loop that writes a plan: read, decide, write if unchanged; on a lost race read and decide again (spec/plan.md A5.11).
 * So a refusal can appear on a later round, and a refusal writes nothing.
 */
import { entriesOf } from '../board/facets.ts';
import type { Clock } from '../clock.ts';
import { FencepostError } from '../errors.ts';
import type { Entry, Store } from '../store.ts';
import type { PlanDocument } from './document.ts';
import type { Pace } from './pace.ts';
import type { Rule } from './rules.ts';
import { readDocument, storedForm } from './stored.ts';
import type { PlanOutcome } from './types.ts';

/** Where a plan is, and how its handle waits. */
export interface Place {
  readonly store: Store;
  readonly key: string;
  readonly label: string;
  readonly casRetries: number;
  readonly closeBudgetMs: number;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly request: () => string;
}

/** A verb gives up after so many rounds; a close goes on until its budget is spent: its work is done already. */
export type Patience = 'rounds' | 'budget';

/** The plan at this moment, and the store's clock just after. */
export async function readPlan(place: Place): Promise<{
  readonly entry: Entry | undefined;
  readonly plan: PlanDocument | undefined;
  readonly nowMs: number;
}> {
  const { store, key } = place;
  const entry = await entriesOf(store).get(key);
  const nowMs = await store.nowMs();
  return { entry, plan: entry === undefined ? undefined : readDocument(key, entry.value), nowMs };
}

/**
 * Swaps the plan for what the rule decides.
 *
 * @throws FencepostError `PLAN_CONTENDED`: every round was lost to another writer, and nothing was written; `PLAN_CORRUPT`;
 * failures of the store
 */
export async function swap<T>(place: Place, patience: Patience, rule: Rule<T>): Promise<PlanOutcome<T>> {
  const beganMs = place.clock.monotonicMs();
  for (let round = 1; ; round += 1) {
    const roundBeganMs = place.clock.monotonicMs();
    const waitedMs = () => place.clock.monotonicMs() - beganMs;
    try {
      const answer = await tryOnce(place, rule);
      if (answer !== undefined) {
        if (round === 1) place.pace.won();
        return answer;
      }
    } catch (error) {
      // A close waits on for a store that is only busy: it has had no effect, and the work is done already.
      if (patience === 'rounds' || !isBusy(error) || waitedMs() >= place.closeBudgetMs) throw error;
    }
    const over = patience === 'rounds' ? round >= place.casRetries : waitedMs() >= place.closeBudgetMs;
    if (over) throw contended(place.key, round, waitedMs());
    await pause(place, place.clock.monotonicMs() - roundBeganMs);
  }
}

/** One round. Undefined: the race was lost. */
async function tryOnce<T>(place: Place, rule: Rule<T>): Promise<PlanOutcome<T> | undefined> {
  const { entry, plan, nowMs } = await readPlan(place);
  const { next, answer } = rule(plan, nowMs);
  return next === undefined || (await write(place, entry, next)) ? answer : undefined;
}

const isBusy = (error: unknown): boolean =>
  error instanceof FencepostError && error.code === 'STORE_BUSY' && error.definite;

/** False: somebody else has written the plan in between. */
async function write(
  { store, key, label, request }: Place,
  entry: Entry | undefined,
  next: PlanDocument,
): Promise<boolean> {
  const outcome = await entriesOf(store).commit([
    {
      key,
      op: 'set',
      value: storedForm(next),
      author: label,
      request: request(),
      ifVersion: entry?.version ?? 0,
      keep: 'latest',
    },
  ]);
  if (outcome.accepted) return true;
  if (outcome.refusal.code === 'conflict') return false;
  throw new FencepostError(
    'STORE_FAILED',
    `Expected ${key} to be written or in conflict, found it refused as ${outcome.refusal.code}: ${outcome.refusal.message}`,
    { definite: true },
  );
}

function pause({ clock, pace }: Place, roundMs: number): Promise<void> {
  const ms = pace.lost(roundMs);
  return new Promise((resolve) => void clock.after(ms, resolve));
}

function contended(key: string, lost: number, waitedMs: number): FencepostError {
  return new FencepostError(
    'PLAN_CONTENDED',
    `Expected to write ${key}, found it changed by others in each of ${lost} rounds (${Math.round(waitedMs)} ms). Nothing was written: call again.`,
    { definite: true },
  );
}
