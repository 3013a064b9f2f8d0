/**
 * The sequential specification of one item: what a correct store may answer when calls act one after another. The oracle
 * searches orders of calls for one that this accepts. It shares nothing with the sweep of `checker/`, on purpose.
 *
 * State: the greatest generation granted, its owner, the phase `open | leased | done`, and for a lease the call that set it
 * last with the shortest and longest length it was ever set to. A lapsed lease stays `leased`: lapsing is a bound on times.
 *
 * | call | needs | does | bound on its instant e |
 * | --- | --- | --- | --- |
 * | grant t | not done, t above every former one | leased under t | if leased before: e >= e(last setter) + shortest*(1-rho) - sigma - grain, unless the owner reacquires |
 * | unanswered claim | not done | as a grant, of a generation that nobody knows | as a grant |
 * | heartbeat t | leased, t current | becomes the last setter; t may be replaced by a new token | late bound |
 * | nack t | leased, t current | open | late bound |
 * | complete t | leased, t current | done | late bound |
 * | release t | t current | leased: open; else nothing | none |
 * | fenced write t | leased, t current | nothing | late bound |
 * | force release | nothing | leased: open, or nothing (it may find it lapsed) | none |
 * | refused holder call t | leased, t current only if lapsed | nothing | then: e >= e(last setter) + shortest*(1-rho) - sigma - grain |
 * | read | done exactly if it shows done, with that result | nothing | none |
 *
 * Late bound, with `lateCalls: refused`: e <= e(last setter) + longest*(1+rho) + sigma + grain.
 * With `allowed-if-not-superseded`: no late bound; heartbeat, nack and fenced write need only that t is current, and change
 * nothing where no lease stands; complete needs that t is current and the item not done.
 *
 * `fencing: none | resource`, or no tokens: a holder call needs no lease. A heartbeat may set the lease or not; nack and release
 * may end it or not; complete needs only that the item is not done. No late bound.
 * `tokens: opaque`: "above every former one" becomes "not equal to any former one"; `none`: nothing is compared.
 *
 * A generation of which the slice holds no grant was granted at some instant before the first call under it that acted for
 * certain (or before an unanswered completion that acts), for a time nobody knows: it bounds nothing.
 */
import type { Declares } from '../store-module/declares.ts';

/** One call of a slice. Times in ns; `ret` may be +Infinity. */
export interface Step {
  readonly kind:
    | 'grant'
    | 'claim'
    | 'heartbeat'
    | 'complete'
    | 'nack'
    | 'release'
    /** A write of an entry that names the lease as its fence. */
    | 'write'
    | 'forceRelease'
    | 'read'
    /** A holder call that was refused as stale or gone: it acted on nothing, and saw that its lease was over. */
    | 'refusal';
  /** It acted for certain; else it may act once or never. */
  readonly certain: boolean;
  readonly inv: number;
  readonly ret: number;
  /** Comparable where tokens ascend; undefined where the call tells none. */
  readonly token: number | string | undefined;
  /** heartbeat: the token that its answer put in place of the one handed in. */
  readonly renewed?: number | string | undefined;
  readonly owner: number;
  readonly leaseMs: number;
  readonly reacquire: boolean;
  readonly request: string;
  /** complete, read: the result; -1 where it is not told. */
  readonly value: number;
  /** read: whether it shows the item done. */
  readonly done?: boolean;
  /** read: the request it shows as the writer. */
  readonly by?: string | undefined;
}

/** The declarations as the automaton uses them. */
export interface Rules {
  readonly ordered: boolean;
  readonly unique: boolean;
  readonly fenced: boolean;
  readonly refusesLate: boolean;
  /** The latest-end bound is used. Off for slices that do not hold every renewal of their leases. */
  readonly bounded: boolean;
  readonly drift: number;
  readonly slackMs: number;
  readonly minLeaseMs: number;
  readonly maxLeaseMs: number;
}

/** `e(to) - e(from) >= weight`, over positions in the order. */
export interface Constraint {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

export interface LeaseState {
  readonly phase: 'open' | 'leased' | 'done';
  readonly token: number | string | undefined;
  /** Every token granted so far. */
  readonly former: readonly (number | string)[];
  readonly owner: number;
  /** Position of the last setter; -1 where the lease was set before the slice. */
  readonly setter: number;
  readonly shortestMs: number;
  readonly longestMs: number;
  readonly result: { readonly request: string; readonly value: number } | undefined;
}

export interface Transition {
  readonly state: LeaseState;
  readonly constraint?: Constraint;
}

/** The owner of a generation of which the slice holds no grant. */
const UNKNOWN = -1;

export const START: LeaseState = {
  phase: 'open',
  token: undefined,
  former: [],
  owner: UNKNOWN,
  setter: -1,
  shortestMs: Number.NaN,
  longestMs: Number.NaN,
  result: undefined,
};

export function rulesOf(declares: Declares, bounded: boolean): Rules {
  const tokens = declares.tokens !== 'none';
  return {
    ordered: declares.tokens === 'ascending',
    unique: tokens,
    fenced: tokens && declares.fencing === 'lock',
    refusesLate: declares.lateCalls === 'refused',
    bounded,
    drift: declares.clockDrift,
    slackMs: declares.clockStepMs + declares.grainMs,
    minLeaseMs: declares.minLeaseMs,
    maxLeaseMs: declares.maxLeaseMs,
  };
}

/** Every way in which a call may act at position `at`. None: it cannot act here. `granted`: tokens whose grant is in the slice. */
export function transitions(
  state: LeaseState,
  step: Step,
  at: number,
  rules: Rules,
  granted: ReadonlySet<number | string>,
): Transition[] {
  switch (step.kind) {
    case 'grant':
      return lease(state, step, at, rules, step.token);
    case 'claim':
      return lease(state, step, at, rules, undefined);
    case 'forceRelease':
      return state.phase === 'leased' ? [{ state: { ...state, phase: 'open' } }, { state }] : [{ state }];
    case 'refusal': {
      const holds =
        rules.fenced && state.phase === 'leased' && step.token !== undefined && state.token === step.token;
      return [{ state, ...(holds ? lapse(state, at, rules) : {}) }];
    }
    case 'read':
      return shows(state, step) ? [{ state }] : [];
    default: {
      if (!rules.fenced || step.token === undefined) return unfenced(state, step, at);
      const known =
        step.certain || step.kind === 'complete' ? adopt(state, step.token, rules, granted) : state;
      if (!known || known.token !== step.token) return [];
      return rules.refusesLate ? strict(known, step, at, rules) : lenient(known, step, at);
    }
  }
}

/** A grant, or an unanswered claim that acts: the same rule, but for the generation. */
function lease(state: LeaseState, step: Step, at: number, rules: Rules, token: Step['token']): Transition[] {
  if (state.phase === 'done') return [];
  if (token !== undefined && rules.unique) {
    if (state.former.includes(token)) return [];
    if (rules.ordered && state.former.some((former) => former >= token)) return [];
  }
  const next: LeaseState = {
    phase: 'leased',
    token,
    former: token === undefined ? state.former : [...state.former, token],
    owner: step.owner,
    setter: at,
    shortestMs: step.leaseMs,
    longestMs: step.leaseMs,
    result: undefined,
  };
  if (step.reacquire && (state.owner === UNKNOWN || step.owner === state.owner)) return [{ state: next }];
  return [{ state: next, ...lapse(state, at, rules) }];
}

/** What comes here needs that no lease stands: the last setter's is over. */
function lapse(state: LeaseState, at: number, rules: Rules): { constraint?: Constraint } {
  if (state.phase !== 'leased' || state.setter < 0 || Number.isNaN(state.shortestMs)) return {};
  const lasts =
    Math.max(0, Math.min(state.shortestMs, rules.maxLeaseMs) * (1 - rules.drift) - rules.slackMs) * 1e6;
  return { constraint: { from: state.setter, to: at, weight: lasts } };
}

/** A token whose grant the slice does not hold was granted before its first call here. */
function adopt(
  state: LeaseState,
  token: number | string,
  rules: Rules,
  granted: ReadonlySet<number | string>,
): LeaseState | undefined {
  if (state.token === token || granted.has(token) || state.former.includes(token)) return state;
  if (state.phase === 'done') return undefined;
  if (rules.ordered && state.former.some((former) => former >= token)) return undefined;
  return { ...START, phase: 'leased', token, former: [...state.former, token] };
}

function late(state: LeaseState, at: number, rules: Rules): { constraint?: Constraint } {
  if (!rules.bounded || state.setter < 0 || Number.isNaN(state.longestMs)) return {};
  const lasts = (Math.max(state.longestMs, rules.minLeaseMs) * (1 + rules.drift) + rules.slackMs) * 1e6;
  return { constraint: { from: at, to: state.setter, weight: -lasts } };
}

function renewed(state: LeaseState, step: Step, at: number): LeaseState {
  const leaseMs = Number.isNaN(step.leaseMs) ? state.shortestMs : step.leaseMs;
  const { renewed: token } = step;
  return {
    ...state,
    ...(token === undefined ? {} : { token, former: [...state.former, token] }),
    setter: at,
    shortestMs: Math.min(leaseMs, Number.isNaN(state.shortestMs) ? leaseMs : state.shortestMs),
    // A grant of unknown length may still outlast what its renewals say.
    longestMs: Math.max(leaseMs, state.longestMs),
  };
}

const finished = (state: LeaseState, { request, value }: Step): LeaseState => ({
  ...state,
  phase: 'done',
  result: { request, value },
});

function strict(state: LeaseState, step: Step, at: number, rules: Rules): Transition[] {
  if (step.kind === 'release')
    return [{ state: state.phase === 'leased' ? { ...state, phase: 'open' } : state }];
  if (state.phase !== 'leased') return [];
  const bound = late(state, at, rules);
  if (step.kind === 'heartbeat') return [{ state: renewed(state, step, at), ...bound }];
  if (step.kind === 'write') return [{ state, ...bound }];
  if (step.kind === 'nack') return [{ state: { ...state, phase: 'open' }, ...bound }];
  return [{ state: finished(state, step), ...bound }];
}

function lenient(state: LeaseState, step: Step, at: number): Transition[] {
  if (step.kind === 'complete') return state.phase === 'done' ? [] : [{ state: finished(state, step) }];
  if (state.phase !== 'leased' || step.kind === 'write') return [{ state }];
  return [{ state: step.kind === 'heartbeat' ? renewed(state, step, at) : { ...state, phase: 'open' } }];
}

function unfenced(state: LeaseState, step: Step, at: number): Transition[] {
  if (step.kind === 'complete') return state.phase === 'done' ? [] : [{ state: finished(state, step) }];
  if (state.phase !== 'leased' || step.kind === 'write') return [{ state }];
  return [
    { state: step.kind === 'heartbeat' ? renewed(state, step, at) : { ...state, phase: 'open' } },
    { state },
  ];
}

function shows(state: LeaseState, step: Step): boolean {
  if ((state.phase === 'done') !== (step.done ?? false)) return false;
  const { result } = state;
  if (!result) return true;
  if (step.by !== undefined && step.by !== result.request) return false;
  return step.value < 0 || result.value < 0 || step.value === result.value;
}
