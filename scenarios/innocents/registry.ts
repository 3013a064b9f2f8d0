/**
 * Stores that are odd and correct: whatever they do, they must never be accused. Those that a live store can be; the others are
 * histories (test/unit/checker/odd-innocents.test.ts). `npm run soak -- innocents-live` runs them.
 */

/** An odd store. */
export interface Innocent {
  readonly id: string;
  readonly title: string;
  /** Name of the module in this folder, without its ending. */
  readonly module: string;
  /** Name of the scenario that shows what is odd. Default `innocents/eight-seconds`. */
  readonly scenario?: string;
}

/** All of them, by id. The SQLite store itself is I03, I05 and I12: work done twice and accepted once, late calls refused, no reaper. */
export const INNOCENTS: readonly Innocent[] = [
  { id: 'I01', title: 'generations with gaps', module: 'i01-token-gaps' },
  { id: 'I04', title: 'late calls allowed, as declared', module: 'i04-late-calls-allowed' },
  { id: 'I06', title: 'grants in any order', module: 'i06-any-order' },
  {
    id: 'I09',
    title: 'writes fenced by what was written, not by the lease, as declared',
    module: 'i09-fenced-by-resource',
    scenario: 'mixed',
  },
  { id: 'I10', title: 'leases longer than asked for', module: 'i10-longer-leases' },
  { id: 'I11', title: 'three calls in ten are busy', module: 'i11-busy-storms' },
  { id: 'I14', title: 'one answer in five gets lost', module: 'i14-answers-lost' },
  { id: 'I15', title: 'clock steps within what is declared', module: 'i15-clock-steps' },
  { id: 'I16', title: 'the whole store stands still for a while', module: 'i16-global-stall' },
  { id: 'I18', title: 'fewer items than asked for', module: 'i18-partial-batches' },
];
