/**
 * The stores that are broken on purpose, one way each. `fencepost mutants` runs them; a mutant that is not caught is a
 * hole in the checkers or a documented limit.
 */

/** A broken store and what must find it out. */
export interface Mutant {
  readonly id: string;
  readonly title: string;
  /** `core`: a rule or a statement of the SQLite store replaced. `decorator`: wraps any store through the contract. */
  readonly kind: 'core' | 'decorator';
  /** Name of the module in this folder, without its ending. */
  readonly module: string;
  /** The guarantees that it breaks: a verdict `violated` names one of them. */
  readonly breaks: readonly string[];
  /** Without this in the run the mutant is rightly invisible. */
  readonly needs: string;
  /** Name of the scenario that shows it. Default `kill-mid-lease`. */
  readonly scenario?: string;
}

/** All of them, by id. */
export const MUTANTS: readonly Mutant[] = [
  {
    id: 'M01',
    title: 'complete without any token check',
    kind: 'core',
    module: 'm01-complete-without-fence',
    breaks: ['S4c', 'S4', 'S5'],
    needs:
      'A holder is stopped for longer than its lease and sends its final call all the same (pause, zombie late).',
  },
  {
    id: 'M03',
    title: "the fence compares the owner's name, not the token",
    kind: 'core',
    module: 'm03-fence-by-owner-name',
    breaks: ['S4c', 'S4'],
    needs:
      'An item is granted again to the same owner name while the older attempt is alive (twin, or several lanes).',
  },
  {
    id: 'M07',
    title: 'the token is not bumped on a reclaim',
    kind: 'core',
    module: 'm07-token-not-bumped',
    breaks: ['S1', 'S5'],
    needs: 'A lease runs out and the item is claimed again.',
  },
  {
    id: 'M12',
    title: 'leases end at half their time',
    kind: 'core',
    module: 'm12-half-lease',
    breaks: ['S3', 'S21'],
    needs: 'Another claimer waits while a lease is in its second half.',
  },
  {
    id: 'M28',
    title: 'writes do not look at the version they name',
    kind: 'core',
    module: 'm28-no-version-check',
    breaks: ['S16'],
    needs: 'Two writers read the same version of one key before either of them writes (hot keys).',
    scenario: 'register',
  },
  {
    id: 'M29',
    title: 'the version check is skipped 1 time in 100',
    kind: 'core',
    module: 'm29-version-check-skipped',
    breaks: ['S16'],
    needs: 'Many conflicts: one of a hundred checks must fall on a write from an old version (O15).',
    scenario: 'register',
  },
  {
    id: 'M30',
    title: 'event ids are taken outside the transaction',
    kind: 'decorator',
    module: 'm30-sequence-outside',
    breaks: ['S22'],
    needs: 'A follower reads on while a slow writer has an id and has not committed.',
    scenario: 'feed',
  },
  {
    id: 'M43',
    title: 'complete on a superseded lease does nothing and answers accepted',
    kind: 'decorator',
    module: 'm43-complete-swallowed',
    breaks: ['S4c', 'S4', 'S5', 'S7'],
    needs:
      'A holder is stopped until its item was granted again, and sends its final call all the same (zombie late).',
  },
  {
    id: 'M46',
    title: 'versions begin anew after a delete',
    kind: 'core',
    module: 'm46-version-restarts',
    breaks: ['S16'],
    needs: 'A key is deleted and written again.',
    scenario: 'register',
  },
  {
    id: 'M47',
    title: 'the id of a cleared event is given out again',
    kind: 'core',
    module: 'm47-event-id-reused',
    breaks: ['S20', 'S22'],
    needs: 'The newest event is cleared away after a follower has seen it.',
    scenario: 'feed',
  },
  {
    id: 'M53',
    title: 'complete does not test whether the lease is over',
    kind: 'core',
    module: 'm53-complete-after-expiry',
    breaks: ['S11'],
    needs: 'A holder completes after the end of its lease and before the item was granted again.',
  },
];

/** The address to import a mutant from: compiled beside compiled code, the source beside source. */
export function mutantUrl(mutant: Mutant): string {
  const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  return new URL(`./${mutant.module}${ending}`, import.meta.url).href;
}
