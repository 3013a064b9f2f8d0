import type { Hog } from '../process/store-hands.ts';
import { leases } from './choose.ts';
import { CONFIRMED, type Fault, failed, missed } from './fault.ts';

/** A backup, a migration, a forgotten debugger: somebody has the write lock and does nothing with it. */
export const hog: Fault = {
  name: 'hog',
  does: "starts a process that sits on the store's write lock for a time",
  needs: 'a store module that exports `hog(options)`',
  confirmedBy: 'the word of the process that has the lock; what it did shows in writes that wait',
  healedBy: 'its word that it let go, and its exit',
  cannotShow: 'a worker that is stopped inside its own transaction (stall)',
  target: 'store',
  unmet: ({ canHog, scenario }) =>
    canHog
      ? undefined
      : {
          level: 'refusal',
          what: `The store \`${scenario.store}\` does not export \`hog\`, and the scenario gives that fault a weight.`,
          why: 'Nobody else knows how to take the write lock of this store.',
          fix: 'Export `hog({ namespace, location })` from the store module, or set `faults.hog: 0`.',
        },
  begin(_targets, context) {
    let process: Hog | undefined;
    return {
      inject() {
        process = context.store.startHog(context.id);
        return true;
      },
      async confirm() {
        const problem = await process!.held();
        return problem === undefined ? CONFIRMED : missed(`the lock was not to be had: ${problem}`);
      },
      last: () => context.sleep(leases(context.plan.options.hog.leases, context)),
      heal: () => process!.release(),
      confirmHealed: async () =>
        (await process!.gone()) ? CONFIRMED : failed('it was told to let go, and did not end'),
    };
  },
};
