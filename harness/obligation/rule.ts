/** The form of one obligation part: what counts, how often, and when a store cannot show it. */
import type { History } from '../history/history.ts';
import type { Tenures } from '../measure/tenures.ts';
import type { Window } from '../measure/window.ts';
import type { ObligationContext } from './context.ts';

/** A history with what every obligation needs of it, built once. */
export interface Evidence {
  readonly history: History;
  readonly tenures: Tenures;
  /** The time with the faults on. */
  readonly main: Window;
}

/** One part of an obligation. */
export interface ObligationRule {
  /** `O1`, or `O4.complete` where an obligation has parts. */
  readonly id: string;
  readonly name: string;
  readonly statement: string;
  /** Default minimum, for any length of run. */
  readonly min: number;
  readonly advice: string;
  /** False: no part of this run's workload; then it is not listed at all. Left out: always asked. */
  readonly asked?: (context: ObligationContext) => boolean;
  /** Why this store cannot show it; undefined when it can. */
  readonly notTested?: (context: ObligationContext) => string | undefined;
  /** How often it was observed. Reads what the supervisor and the clients saw, never a fault's own notes. */
  readonly count: (evidence: Evidence, context: ObligationContext) => number;
}

/** Whether the workload claims items; evidence about leases is asked for only then. */
export const claims = ({ workload }: ObligationContext): boolean =>
  workload.includes('claim') || workload.includes('claimNext');

/** The reason why a store without any of these methods cannot show something. */
export const lacks = (
  context: ObligationContext,
  ...methods: ObligationContext['methods'][number][]
): string | undefined =>
  methods.some((method) => context.methods.includes(method))
    ? undefined
    : `the store has no ${methods.map((method) => `\`${method}\``).join(' or ')}`;

/** The reason why nothing can be said about refusals of stale calls. */
export const unfenced = (context: ObligationContext): string | undefined =>
  context.declares.fencing === 'lock'
    ? undefined
    : `the store declares fencing \`${context.declares.fencing}\`: a stale call need not be refused`;
