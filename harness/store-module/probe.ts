/**
 * A short try of a store in a scratch namespace, before any worker starts: does it answer, is it empty, do its answers
 * have the shape of the contract, can it do what the workload asks? It judges no guarantee: a store that breaks one must
 * get as far as the run that shows it.
 *
 * It runs in a process of its own, which whoever starts it can end: a store that blocks the event loop cannot be timed
 * out from within.
 */
import type { Store } from '../../src/store.ts';
import type { OperationName } from '../history/record.ts';
import type { WorkloadKind } from '../scenario/kind.ts';
import type { Declares } from './declares.ts';
import { demand, missingWork } from './demand.ts';
import { methodsOf } from './methods.ts';
import { boardIsEmpty, probeEntries, probeFeed } from './probe-board.ts';
import { ProbeCalls } from './probe-calls.ts';
import { explainProblem, type ProbeProblem } from './probe-problem.ts';
import { WorkProbe } from './probe-work.ts';
import { validating } from './validating.ts';

export type { ProbeProblem };

/** What the probe found. No problem: the store can be tested. */
export interface ProbeReport {
  readonly methods: readonly OperationName[];
  readonly problems: readonly ProbeProblem[];
}

/** Limits of a probe, and what the store must be able to do. */
export interface ProbeOptions {
  /** Default `work`. */
  readonly workload?: WorkloadKind;
  /** For each call. Default 5 s. */
  readonly callLimitMs?: number;
  /** Told of each call before it is made. */
  readonly onCall?: (op: string) => void;
  /** Lease that the probe asks for. Default 10 s, within the bounds that the store declares. */
  readonly leaseMs?: number;
}

/** Tries a store that was opened in a namespace of its own. Never throws: what goes wrong is in the report. */
export async function probe(
  store: Store,
  declares: Declares,
  options: ProbeOptions = {},
): Promise<ProbeReport> {
  const problems: ProbeProblem[] = [];
  let methods: readonly OperationName[] = [];
  try {
    methods = methodsOf(store);
    const expected = { generations: declares.tokens === 'ascending' };
    await tryAll(
      validating(store, () => {}, expected),
      declares,
      new Set(methods),
      options,
    );
  } catch (error) {
    problems.push(explainProblem(error));
  }
  return { methods, problems };
}

async function tryAll(
  store: Store,
  declares: Declares,
  methods: ReadonlySet<OperationName>,
  options: ProbeOptions,
): Promise<void> {
  demand(options.workload ?? 'work', store, methods, declares);
  const calls = new ProbeCalls(options.callLimitMs ?? 5_000, options.onCall);
  const { work, entries, feed } = store;
  await calls.call('nowMs', () => store.nowMs());
  await boardIsEmpty(entries, feed, calls);
  // A work facet that cannot lease is no matter where nothing is leased: then it is left alone.
  if (work !== undefined && missingWork(store, methods, declares) === undefined) {
    await new WorkProbe(work, calls, methods, declares, options.leaseMs ?? 10_000).run();
  }
  if (entries) await probeEntries(entries, calls);
  if (feed) await probeFeed(feed, calls);
  if (store.counters !== undefined) await calls.call('counters', () => store.counters!());
}
