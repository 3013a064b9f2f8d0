/** The guarantees that Fencepost judges: ids, names, statements, and the file that decides each (spec/checking.md 3.5). */

export interface Guarantee {
  readonly id: GuaranteeId;
  readonly name: string;
  /** What must hold, in one sentence. */
  readonly statement: string;
  /** What one opportunity is: the event that gave the store a chance to break it. */
  readonly opportunity: string;
  /** What a clean result does not prove. */
  readonly notProven: string;
  readonly file: string;
}

/** In the order of every report. */
export const GUARANTEE_IDS = [
  'S1',
  'S2',
  'S3',
  'S4',
  'S4c',
  'S5',
  'S6',
  'S7',
  'S8',
  'S9',
  'S10',
  'S11',
  'S12',
  'S13',
  'S14',
  'S15a',
  'S15b',
  'S16',
  'S17',
  'S19',
  'S20',
  'S21',
  'S22',
  'P1',
  'P2',
  'P3',
  'P4',
  'P5',
  'P6',
  'P7',
  'P8',
  'L1',
  'L2',
  'L3',
  'L4',
] as const;
export type GuaranteeId = (typeof GUARANTEE_IDS)[number];

/** Every guarantee, in the order of `GUARANTEE_IDS`. */
export const GUARANTEES: readonly Guarantee[] = [
  {
    id: 'S1',
    name: 'generations unique',
    statement: 'No two grants of one item carry the same generation.',
    opportunity: 'a grant of an item that had been granted before',
    notProven: 'Generations are compared within one item only, also where the store declares a wider scope.',
    file: 'harness/checker/lease-order.ts',
  },
  {
    id: 'S2',
    name: 'generations rise',
    statement: 'A grant that came after another grant of the item carries the higher generation.',
    opportunity: 'a grant of an item that had been granted before',
    notProven: 'Nothing about grants that overlapped in time: their order is unknown.',
    file: 'harness/checker/lease-order.ts',
  },
  {
    id: 'S3',
    name: 'lease exclusive',
    statement:
      'An item is granted again only once the former lease ended, was given back, or was reacquired by its owner.',
    opportunity: 'a grant of an item that had been granted before',
    notProven:
      'A grant that was early by less than the width of the calls, the grain and the clock bounds goes unseen.',
    file: 'harness/checker/lease-placement.ts',
  },
  {
    id: 'S4',
    name: 'stale writer refused',
    statement:
      'A heartbeat, complete or nack under an older generation is refused once a newer one was granted.',
    opportunity:
      'a heartbeat, complete or nack that reached the store after a newer generation had certainly been granted',
    notProven: 'Nothing about stale calls that a worker did not send, or that overlapped the newer grant.',
    file: 'harness/checker/lease-order.ts',
  },
  {
    id: 'S4c',
    name: 'newest generation completes',
    statement:
      'The completion that was accepted carries the greatest generation that the item was ever granted under.',
    opportunity: 'an answered completion under a generation that is not the greatest of its item',
    notProven: 'Nothing about completions whose outcome is unknown and that no read showed.',
    file: 'harness/checker/lease-terminal.ts',
  },
  {
    id: 'S5',
    name: 'one accepted completion',
    statement: 'At most one completion of an item is accepted.',
    opportunity: 'an accepted completion',
    notProven:
      'That the work was run only once: a lapsed lease lets it run again, and one acceptance decides.',
    file: 'harness/checker/lease-terminal.ts',
  },
  {
    id: 'S6',
    name: 'no enqueue lost',
    statement: 'Every item whose enqueue was accepted is in the final scan.',
    opportunity: 'an item whose enqueue was accepted before the final scan began',
    notProven: 'Nothing about power loss unless the run took the power away.',
    file: 'harness/checker/lost-enqueue.ts',
  },
  {
    id: 'S7',
    name: 'no result lost',
    statement: 'A result whose completion was accepted is what the final scan shows.',
    opportunity: 'a completion that was accepted before the final scan read its item',
    notProven:
      'Nothing about power loss unless the run took the power away; results are compared by their digest.',
    file: 'harness/checker/lease-terminal.ts',
  },
  {
    id: 'S8',
    name: 'nothing from nowhere',
    statement: 'Every grant, row and result stems from a call that may have made it.',
    opportunity: 'a grant, or an item in the final scan',
    notProven: 'A call of unknown outcome counts as a possible maker.',
    file: 'harness/checker/phantom.ts',
  },
  {
    id: 'S9',
    name: 'a failure changes nothing',
    statement: 'A call that was refused, or failed for certain, left nothing behind.',
    opportunity: 'a refused or failed enqueue or completion of an item in the final scan',
    notProven:
      'Only what the final scan shows can be told: request ids where the store shows them, else values.',
    file: 'harness/checker/fail-means-nothing.ts',
  },
  {
    id: 'S10',
    name: 'finished stays finished',
    statement: 'After an accepted completion the item is not granted again, and its lease not renewed.',
    opportunity:
      'an answered call on a finished item, or a finished item that a later claim could have taken',
    notProven: 'Nothing about items that finished after the last claim.',
    file: 'harness/checker/lease-terminal.ts',
  },
  {
    id: 'S11',
    name: 'late call refused',
    statement: 'A heartbeat, complete, nack or fenced write is accepted only while its lease stands.',
    opportunity: 'an answered holder call sent after its lease was certainly over and before any newer grant',
    notProven:
      "The end of a lease as the store reports it (`expiresAtMs`) is not judged: nothing places the store's clock on ours yet. " +
      'A release after the end is accepted by rule.',
    file: 'harness/checker/lease-late.ts',
  },
  {
    id: 'S12',
    name: 'attempts counted',
    statement:
      'Every grant counts as one attempt; an item is granted as often as its limit allows, no more, and is dead no sooner.',
    opportunity:
      'an item of the final scan that shows its attempts or is dead, or a grant that used up the last attempt',
    notProven:
      'Claims of unknown outcome may count or not. Where a release may give its attempt back, every release may.',
    file: 'harness/checker/attempts.ts',
  },
  {
    id: 'S13',
    name: 'claims are sane',
    statement:
      'A claim hands out what was asked for: no more items, none twice, none of another prefix, none too early, none unseen.',
    opportunity: 'an accepted claim',
    notProven: 'Not-before times are judged only where the grant tells the end of its lease.',
    file: 'harness/checker/claim-sanity.ts',
  },
  {
    id: 'S14',
    name: 'foreign release refused',
    statement: 'A release under an older generation is refused once a newer one was granted.',
    opportunity: 'a release that reached the store after a newer generation had certainly been granted',
    notProven:
      'A release after the end of its own lease, before anybody else has the item, is accepted by rule.',
    file: 'harness/checker/lease-order.ts',
  },
  {
    id: 'S15a',
    name: 'fenced writes in order',
    statement:
      'A write of an entry under a lease is refused once one under a later lease of that item was accepted there.',
    opportunity:
      'an answered fenced write of an entry that a later lease of the same item had certainly written',
    notProven:
      'Nothing about writes that overlapped in time, nor about entries that are written under leases of several items.',
    file: 'harness/checker/fenced-order.ts',
  },
  {
    id: 'S15b',
    name: 'stale write refused',
    statement:
      'A write of an entry under a lease is refused once a newer generation of its item was granted.',
    opportunity: 'a fenced write that reached the store after a newer generation had certainly been granted',
    notProven:
      'Nothing about writes that overlapped the newer grant, nor about writes that name no lease as their fence.',
    file: 'harness/checker/lease-order.ts',
  },
  {
    id: 'S16',
    name: 'no update lost',
    statement:
      'A conditional write is accepted only from the version that it names; versions rise and never return; reads show the newest that was written.',
    opportunity: 'an accepted write of an entry, one refused as conflict, or a read',
    notProven:
      'Nothing about accesses that overlapped in time; a write of unknown outcome counts as a possible one. ' +
      'What a commit requires of other keys (`require`) is not judged.',
    file: 'harness/checker/register.ts',
  },
  {
    id: 'S17',
    name: 'first come, first served',
    statement:
      'A claim by prefix hands out no item while one that was enqueued before it, and is due, is open.',
    opportunity: 'the first grant of an item while another one of the prefix was certainly open',
    notProven:
      'Nothing about items that were handed back, whose lease ran out, or that were to wait; nor about those that a claim of unknown outcome may have taken, and claims beside one that failed or is unknown.',
    file: 'harness/checker/claim-order.ts',
  },
  {
    id: 'S19',
    name: 'nothing lost in the count',
    statement:
      'The final scan holds as many items, and as many finished ones, as the accepted calls made, give or take the unknown ones.',
    opportunity: 'an item in the final scan',
    notProven: 'A loss that a phantom makes up for; the guarantees of single items see those.',
    file: 'harness/checker/conservation.ts',
  },
  {
    id: 'S20',
    name: 'event ids unique',
    statement: 'The id of an event is a whole number above 0, and is never given out twice.',
    opportunity: 'an event id that a page of the feed showed',
    notProven: 'Nothing about events that no page showed before their id came back.',
    file: 'harness/checker/ids-unique.ts',
  },
  {
    id: 'S21',
    name: 'no spurious refusal',
    statement:
      'A heartbeat, complete, nack, release or fenced write is not refused as stale or gone while its lease certainly stands.',
    opportunity: 'an answered holder call that came while its lease certainly stood',
    notProven:
      'Nothing about calls near the end of a lease, by the width of the calls, the grain and the clock bounds; nor about calls beside one of unknown outcome that may have ended the lease.',
    file: 'harness/checker/lease-refusals.ts',
  },
  {
    id: 'S22',
    name: 'feed skips nothing',
    statement:
      'A follower meets every event once, in the order of ids; every accepted change of an entry or an item has exactly one event, in the order of the changes.',
    opportunity: 'a page of the feed, or an accepted change that some page must show',
    notProven:
      'Changes of items of which the feed shows no event of that kind at all, and changes in a part that was trimmed before anybody read it, are not compared; the feed may be behind, if it never skips.',
    file: 'harness/checker/feed.ts',
  },
  {
    id: 'P1',
    name: 'one result a task',
    statement:
      'At most one result of a task of a plan is accepted, out of a claim, and it is in every version from then on.',
    opportunity: 'an accepted `markDone`',
    notProven:
      'That the work was run only once. A result is compared with the versions only where every one of them was read at the end.',
    file: 'harness/checker/plan.ts',
  },
  {
    id: 'P2',
    name: 'stale close refused',
    statement:
      'A close under an older generation of a task, or under a plan that was replaced, is refused once the task was handed out again.',
    opportunity:
      'a `markDone` or `markFailed` that was answered after a later hand-out of its task, or of a task of a later plan, was certain',
    notProven:
      'Nothing about closes that overlapped the later hand-out, unless the versions show what they closed; nor about callers that name no generation.',
    file: 'harness/checker/plan-verbs.ts',
  },
  {
    id: 'P3',
    name: 'hand-outs counted',
    statement:
      'Attempts and generation of a task rise by one with every hand-out and never else; it is handed out as often as its limit allows, and fails for good no sooner.',
    opportunity: 'an accepted claim of a task, or a refused one that found the attempts used up',
    notProven: 'Handles of different limits on one plan are held to the largest and the smallest of them.',
    file: 'harness/checker/plan-versions.ts',
  },
  {
    id: 'P4',
    name: 'closed stays closed',
    statement:
      'A task that is done or cancelled keeps its state, and one that failed can only be cancelled; none of them is handed out.',
    opportunity: 'an answered claim or close of a task that had certainly been closed with a result',
    notProven: 'Nothing about plans whose versions the store has dropped.',
    file: 'harness/checker/plan-versions.ts',
  },
  {
    id: 'P5',
    name: 'indices stable',
    statement: 'No task of a plan moves, changes its text or disappears; new ones come behind the others.',
    opportunity: 'an accepted verb: each writes the plan as a whole',
    notProven: 'Nothing about plans whose versions the store has dropped.',
    file: 'harness/checker/plan-versions.ts',
  },
  {
    id: 'P6',
    name: 'renewed once',
    statement: 'A claim is renewed at most once, by its holder, while it is alive.',
    opportunity: 'an accepted renewal, or one refused as held',
    notProven: 'Whether a renewal was refused that should have been accepted.',
    file: 'harness/checker/plan-versions.ts',
  },
  {
    id: 'P7',
    name: 'claim exclusive',
    statement:
      'A claimed task is handed out again only after the deadline that its claimer recorded, unless it was handed back.',
    opportunity: 'an accepted claim of a task that had been handed out before, or one refused as held',
    notProven:
      'A hand-out that was early by less than the width of the calls, the grain and the clock bounds, where the plan itself read its clock wrongly.',
    file: 'harness/checker/plan-verbs.ts',
  },
  {
    id: 'P8',
    name: 'schedule audited',
    statement:
      'Events of schedules are only appended, one with each accepted change, and a task shows what its last event says.',
    opportunity: 'an accepted `setTaskSchedule`',
    notProven: 'Nothing about plans whose versions the store has dropped.',
    file: 'harness/checker/plan-versions.ts',
  },
  {
    id: 'L1',
    name: 'handed out again',
    statement: 'With the faults off, an item whose lease is over is found by the claims that ask for it.',
    opportunity: 'an item that was granted again in drain, or that two claims passed over there',
    notProven:
      'How soon, beyond the declared `reapIntervalMs`. Items that one worker alone may claim are not judged, nor those that a claim of unknown outcome may have taken for good.',
    file: 'harness/checker/reclaim.ts',
  },
  {
    id: 'L2',
    name: 'work comes to an end',
    statement: 'With the faults off, all items come to be done or dead.',
    opportunity: 'a drain',
    notProven: 'A drain that was too short to tell ends as `inconclusive`.',
    file: 'harness/checker/drained.ts',
  },
  {
    id: 'L3',
    name: 'healthy workers get on',
    statement:
      'While nothing but kills of others is on, and others are served, not every call of a worker fails.',
    opportunity: 'twenty calls in a row of one worker, answered while nothing was stopped or held up',
    notProven:
      'Nothing about a store that serves nobody, workers that are answered now and then, or are kept waiting; nor about the time in which a worker is stopped or the store is held.',
    file: 'harness/checker/progress.ts',
  },
  {
    id: 'L4',
    name: 'works again after the faults',
    statement:
      'When all faults are over, a store that served before does not fail all of the last calls of a worker.',
    opportunity: 'a worker that had twenty calls answered in drain',
    notProven: 'Nothing about a full disk, nor about workers whose drain was too short for twenty calls.',
    file: 'harness/checker/progress.ts',
  },
];

const BY_ID: ReadonlyMap<GuaranteeId, Guarantee> = new Map(
  GUARANTEES.map((guarantee) => [guarantee.id, guarantee]),
);

/** The registry's entry of one id. */
export function guaranteeOf(id: GuaranteeId): Guarantee {
  return BY_ID.get(id)!;
}
