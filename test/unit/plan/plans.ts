/** Plans of one store, each on a handle of its own, under one fake clock. */
import { afterEach, beforeEach } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { createPlan } from '../../../src/plan/plan.ts';
import type { DurablePlan, PlanClaim, PlanOptions, PlanOutcome } from '../../../src/plan/types.ts';
import type { EntryStore, Json, Store } from '../../../src/store.ts';
import { createWorld, type Engine, type Handle, request, type World } from '../../support/world.ts';

export { ENGINES } from '../../support/world.ts';

export const LEASE_MS = 60_000;
export const PLAN_ID = 'release-7';
export const KEY = `blackboard:${PLAN_ID}`;
export const TASKS = ['write the notes', 'tag', 'publish'];

export interface Plans {
  readonly world: World;
  /** A plan on a connection of its own. */
  open(options?: Partial<PlanOptions>): Promise<DurablePlan & { readonly store: Handle }>;
  /** The stored document, and its version. */
  stored(): Promise<{ readonly version: number; readonly text: string }>;
  /** Writes whatever it is under the key of the plan. */
  store(value: Json): Promise<void>;
}

/** Makes a fresh world for every test of the block. */
export function usePlans(engine: Engine): Plans {
  let world: World;
  beforeEach(() => {
    world = createWorld(engine);
  });
  afterEach(() => world.end());
  return {
    get world() {
      return world;
    },
    async open(options = {}) {
      const store = await world.open();
      const plan = createPlan({ store, planId: PLAN_ID, leaseMs: LEASE_MS, clock: hasty(), ...options });
      return { ...plan, store };
    },
    async stored() {
      const store = await world.open();
      const entry = await store.entries.get(KEY);
      return { version: entry?.version ?? 0, text: JSON.stringify(entry?.value ?? null) };
    },
    async store(value) {
      const store = await world.open();
      await store.entries.commit([{ key: KEY, op: 'set', value, author: 'somebody', request: request() }]);
    },
  };
}

/** A clock on which a pause is over at once, and has been as long as it was asked to be. */
export function hasty(): Clock {
  let nowMs = 0;
  return {
    bootId: undefined,
    monotonicMs: () => nowMs,
    wallMs: () => nowMs,
    after(ms, fn) {
      nowMs += ms;
      queueMicrotask(fn);
      return () => {};
    },
  };
}

/** The store with something that happens just before each of its commits: between the read and the swap of a verb. */
export function interrupted(store: Store, before: (round: number) => Promise<unknown>): Store {
  const entries = store.entries as EntryStore;
  let round = 0;
  return {
    ...store,
    entries: {
      get: (key) => entries.get(key),
      list: (prefix, page) => entries.list(prefix, page),
      history: (key, page) => entries.history(key, page),
      async commit(writes, options) {
        round += 1;
        await before(round);
        return entries.commit(writes, options);
      },
    },
  };
}

/** The value of an accepted answer. */
export function ok<T>(outcome: PlanOutcome<T>): T {
  if (outcome.accepted) return outcome.value;
  throw new Error(`Expected an accepted answer, got ${outcome.refusal.code}: ${outcome.refusal.message}`);
}

/** The refusal of an answer. */
export function no(outcome: PlanOutcome<unknown>) {
  if (outcome.accepted) throw new Error('Expected a refusal, got an accepted answer.');
  return outcome.refusal;
}

/** `accepted`, or the code of the refusal. */
export const codeOf = (outcome: PlanOutcome<unknown>): string =>
  outcome.accepted ? 'accepted' : outcome.refusal.code;

/** Index and text, as a claim answers them. */
export const taskOf = ({ index, text }: PlanClaim) => [index, text];

/** One task of a plan as it stands. */
export async function task(plan: DurablePlan, index: number) {
  const found = (await plan.snapshot())?.tasks[index];
  if (found === undefined) throw new Error(`Expected a task ${index}, found none.`);
  return found;
}

export const statuses = async (plan: DurablePlan) => (await plan.snapshot())?.tasks.map((one) => one.status);
