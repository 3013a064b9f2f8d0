/**
 * The second opinion: an exhaustive search over a few operations of one item. Every order that real time allows, every
 * unanswered operation acting or not, `lease-automaton.ts` as the specification, and its time bounds as difference
 * constraints that Bellman and Ford's algorithm decides. Slow, plain, and independent of the sweep.
 */
import type { Declares } from '../store-module/declares.ts';
import {
  type Constraint,
  type LeaseState,
  type Rules,
  rulesOf,
  START,
  type Step,
  transitions,
} from './lease-automaton.ts';

/** Slices are meant to be small; longer ones are searched as far as the budget goes. */
export const SLICE_LIMIT = 8;
const MAX_STEPS = 200_000;

export type Answer = 'possible' | 'impossible' | 'unknown';

export interface OracleOptions {
  /** The slice holds every renewal of its leases, so the latest end of a lease may be held against a call. Default true. */
  readonly bounded?: boolean;
}

interface Search {
  readonly steps: readonly Step[];
  readonly rules: Rules;
  readonly granted: ReadonlySet<number | string>;
  /** Steps in the order tried, by index into `steps`. */
  readonly placed: number[];
  readonly constraints: Constraint[];
  /** Bit i: step i was placed. */
  taken: number;
  readonly certain: number;
  budget: number;
}

/** Whether a correct store can have given these answers. `unknown` when the search was given up. */
export function decide(steps: readonly Step[], declares: Declares, options: OracleOptions = {}): Answer {
  if (steps.length > 30) return 'unknown';
  const search: Search = {
    steps,
    rules: rulesOf(declares, options.bounded ?? true),
    granted: new Set(steps.flatMap(({ kind, token, renewed }) => (kind === 'grant' ? token : renewed) ?? [])),
    placed: [],
    constraints: [],
    taken: 0,
    certain: steps.reduce((bits, step, i) => (step.certain ? bits | (1 << i) : bits), 0),
    budget: MAX_STEPS,
  };
  const found = extend(search, START);
  if (found) return 'possible';
  return search.budget < 0 ? 'unknown' : 'impossible';
}

function extend(search: Search, state: LeaseState): boolean {
  const { steps, placed, constraints, rules, granted } = search;
  search.budget -= 1;
  if (search.budget < 0) return false;
  if ((search.taken & search.certain) === search.certain) return true;
  const at = placed.length;
  for (let i = 0; i < steps.length; i++) {
    if ((search.taken & (1 << i)) !== 0 || !mayComeNext(search, i)) continue;
    for (const { state: next, constraint } of transitions(state, steps[i]!, at, rules, granted)) {
      placed.push(i);
      search.taken |= 1 << i;
      if (constraint) constraints.push(constraint);
      const fits = feasible(search) && extend(search, next);
      if (constraint) constraints.pop();
      search.taken &= ~(1 << i);
      placed.pop();
      if (fits) return true;
    }
  }
  return false;
}

/** Nothing that must act and was over before it began is still to come. */
function mayComeNext({ steps, taken }: Search, i: number): boolean {
  const { inv } = steps[i]!;
  return !steps.some((step, j) => j !== i && step.certain && (taken & (1 << j)) === 0 && step.ret < inv);
}

/** Whether instants exist for the calls placed so far: the least ones, by relaxation, must stay within every interval. */
function feasible({ steps, placed, constraints }: Search): boolean {
  const least = placed.map((i) => steps[i]!.inv);
  for (let round = 0; round <= placed.length; round++) {
    let changed = false;
    for (let k = 1; k < placed.length; k++) {
      if (least[k - 1]! > least[k]!) {
        least[k] = least[k - 1]!;
        changed = true;
      }
    }
    for (const { from, to, weight } of constraints) {
      if (least[from]! + weight > least[to]!) {
        least[to] = least[from]! + weight;
        changed = true;
      }
    }
    if (placed.some((i, k) => least[k]! > steps[i]!.ret)) return false;
    if (!changed) return true;
  }
  // Still rising after as many rounds as there are calls: the bounds chase each other, so no instants exist.
  return false;
}
