/** What a workload needs of a store: told before anything starts, with what to do about it. Pure. */
import type { Store } from '../../src/store.ts';
import type { OperationName } from '../history/record.ts';
import { type WorkloadKind, worksOnLeases } from '../scenario/kind.ts';
import type { Declares } from './declares.ts';
import { ProbeFailure } from './probe-problem.ts';

/**
 * Does nothing when the store can do what the workload asks.
 * @throws {@link ProbeFailure} that names what is missing.
 */
export function demand(
  workload: WorkloadKind,
  store: Store,
  methods: ReadonlySet<OperationName>,
  declares: Declares,
): void {
  if (worksOnLeases(workload)) {
    const missing = missingWork(store, methods, declares);
    if (missing) throw missing;
  }
  if (workload !== 'work' && store.entries === undefined) {
    throw new ProbeFailure({
      what: 'The store has no `entries` facet.',
      why: `The workload \`${workload}\` writes and reads entries; without them there is nothing to test.`,
      fix: 'Add `entries: { get, commit, history, list }`, or take `workload: { kind: work }`.',
    });
  }
  if (workload === 'feed' && store.feed === undefined) {
    throw new ProbeFailure({
      what: 'The store has no `feed` facet.',
      why: 'The workload `feed` follows it; without one there is nothing to test.',
      fix: 'Add `feed: { since }`, or take `workload: { kind: register }`.',
    });
  }
}

/** Whether a lease can be taken at all; the reason when it cannot. */
export function missingWork(
  store: Store,
  methods: ReadonlySet<OperationName>,
  declares: Declares,
): ProbeFailure | undefined {
  const missing = (what: string, fix: string) =>
    new ProbeFailure({ what, why: 'Without it no lease can be taken, and there is nothing to test.', fix });
  if (store.work === undefined)
    return missing('The store has no `work` facet.', 'Add `work: { claim, complete, … }`.');
  if (!methods.has('claim') && !methods.has('claimNext')) {
    return missing('The work facet has neither `claim` nor `claimNext`.', 'Add one of the two.');
  }
  if (!methods.has('enqueue') && declares.items === 'enqueued') {
    return missing(
      "The work facet has no `enqueue`, and declares `items: 'enqueued'`.",
      "Add `enqueue`, or declare `items: 'on-demand'` when the first claim makes the item.",
    );
  }
  return undefined;
}
