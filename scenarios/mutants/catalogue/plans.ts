/** Mutants of durable plans: the store is sound, a rule of the plan is not. */
import type { Mutant } from '../mutant.ts';

export const PLANS: readonly Mutant[] = [
  {
    id: 'M61',
    title: 'a close of a task looks at nothing',
    kind: 'core',
    module: 'm61-close-looks-at-nothing',
    breaks: ['P1', 'P2'],
    needs: 'A task is closed by somebody after it was closed by somebody else.',
    scenario: 'mutants/plans',
  },
  {
    id: 'M62',
    title: 'a reclaim of a task is not counted',
    kind: 'core',
    module: 'm62-reclaim-not-counted',
    breaks: ['P3'],
    needs: 'A holder dies, is stopped or lets go of its task, and another one takes it.',
    scenario: 'mutants/plans',
  },
  {
    id: 'M63',
    title: 'a closed task is handed out when it is asked for',
    kind: 'core',
    module: 'm63-closed-taken-again',
    breaks: ['P4'],
    needs: 'A task is claimed by its index after it was closed.',
    scenario: 'mutants/plans',
  },
  {
    id: 'M64',
    title: 'new tasks go to the front of the plan',
    kind: 'core',
    module: 'm64-new-tasks-first',
    breaks: ['P5'],
    needs: 'Tasks are added to a plan that has some, and every version is read at the end.',
    scenario: 'mutants/plans',
  },
  {
    id: 'M65',
    title: 'a claim of a task is renewed as often as its holder likes',
    kind: 'core',
    module: 'm65-renewed-for-ever',
    breaks: ['P6'],
    needs: 'A holder renews its claim a second time.',
    scenario: 'mutants/plans',
  },
  {
    id: 'M66',
    title: 'a schedule is changed without an event',
    kind: 'core',
    module: 'm66-schedule-without-event',
    breaks: ['P8'],
    needs: 'A schedule is changed, and every version is read at the end.',
    scenario: 'mutants/plans',
  },
];
