/**
 * Runs every checker over a history and confirms what they accuse. Pure: the same history gives the same answer. A checker
 * that throws is reported, never passed over.
 */
import type { History } from '../history/history.ts';
import type { OperationName } from '../history/record.ts';
import type { Declares } from '../store-module/declares.ts';
import { checkAttempts } from './attempts.ts';
import { checkClaimOrder } from './claim-order.ts';
import { checkClaims } from './claim-sanity.ts';
import { confirmation, confirmTally, type Disagreement, type RawRecord } from './confirm.ts';
import { checkConservation } from './conservation.ts';
import type { Tally } from './draft.ts';
import { checkDrained } from './drained.ts';
import { checkFailures } from './fail-means-nothing.ts';
import { checkFeed } from './feed.ts';
import { checkFencedOrder } from './fenced-order.ts';
import type { Finding } from './finding.ts';
import { GUARANTEE_IDS, type GuaranteeId } from './guarantee.ts';
import { checkIds } from './ids-unique.ts';
import { LEASE_GUARANTEES } from './lease-context.ts';
import { leaseSweep } from './lease-sweep.ts';
import { checkEnqueues } from './lost-enqueue.ts';
import { checkPhantoms } from './phantom.ts';
import { checkPlans } from './plan.ts';
import { PLAN_GUARANTEES } from './plan-accuse.ts';
import { checkProgress } from './progress.ts';
import { checkReclaim } from './reclaim.ts';
import { checkRegister } from './register.ts';
import { reasonNotTested } from './tested.ts';

export type { Disagreement, RawRecord } from './confirm.ts';

/** What the checkers found, and whether they can be believed. */
export interface Judgement {
  /** One for each guarantee, in the order of `GUARANTEE_IDS`. */
  readonly findings: readonly Finding[];
  /** A checker accused, and the second opinion did not agree: a bug of ours. */
  readonly disagreements: readonly Disagreement[];
  readonly crashed: readonly Crash[];
}

export interface Crash {
  readonly checker: string;
  readonly error: string;
}

export interface JudgeOptions {
  /**
   * For a history that still grows: ns until which every file was certainly read. A violation with a later operation is not
   * told yet, since a call that explains it may not have been read.
   */
  readonly knownUntil?: number;
  /** Told how far the judgement has come. */
  readonly progress?: CheckProgress | undefined;
}

/** Listens to a judgement, so that one that is ended before its end can say what it was at, and what stands. */
export interface CheckProgress {
  /** The guarantees that are judged next. */
  begins(checker: string): void;
  /** The items that are judged next: `from` up to `to`, which is left out. */
  items(from: number, to: number): void;
  /** What the checker found, confirmed. */
  judged(findings: readonly Finding[]): void;
}

/**
 * Judges a history.
 *
 * `methods` are those that the store has; undefined where nobody told. `rawRecords` gives the records once more, for the
 * second count that confirms S6, S8, S9, S12, S13, S15a, S16, S17, S19, S20, S22, P1 to P8, L1 to L4; without it their violations stay unconfirmed.
 */
export function judgeHistory(
  history: History,
  declares: Declares,
  methods: readonly OperationName[] | undefined,
  rawRecords?: () => Iterable<RawRecord>,
  options: JudgeOptions = {},
): Judgement {
  const crashed: Crash[] = [];
  const second = confirmation(history, declares, rawRecords);
  const findings = new Map<GuaranteeId, Finding>();
  for (const { ids, run } of CHECKERS) {
    const checker = ids.join(', ');
    options.progress?.begins(checker);
    const tallies = new Map<GuaranteeId, Tally>();
    guard(checker, crashed, () => {
      for (const one of run(history, declares, options.progress)) tallies.set(one.guarantee, one);
    });
    for (const id of ids) {
      const found = tallies.get(id);
      findings.set(id, found ? findingOf(found) : nothing(id, 'its checker threw'));
    }
    options.progress?.judged(ids.map((id) => findings.get(id)!));
  }
  return {
    findings: GUARANTEE_IDS.map((id) => findings.get(id) ?? nothing(id, 'no checker judges it')),
    disagreements: second.disagreements,
    crashed,
  };

  function findingOf(found: Tally): Finding {
    const id = found.guarantee;
    const reason = found.notTested ?? reasonNotTested(id, history, declares, methods);
    if (reason !== undefined) return nothing(id, reason);
    withhold(found, options.knownUntil);
    const { opportunities, broken } = found;
    let violations: Finding['violations'] = [];
    guard(`confirmation of ${id}`, crashed, () => {
      violations = confirmTally(found, second);
    });
    return { guarantee: id, opportunities, broken, violations };
  }
}

type Checker = (
  history: History,
  declares: Declares,
  progress: CheckProgress | undefined,
) => readonly Tally[];

const CHECKERS: readonly { readonly ids: readonly GuaranteeId[]; readonly run: Checker }[] = [
  {
    ids: LEASE_GUARANTEES,
    run: (history, declares, progress) =>
      Object.values(leaseSweep(history, declares, { partition: (from, to) => progress?.items(from, to) })),
  },
  { ids: ['S6'], run: (history, declares) => [checkEnqueues(history, declares)] },
  { ids: ['S8'], run: (history, declares) => [checkPhantoms(history, declares)] },
  { ids: ['S9'], run: (history, declares) => [checkFailures(history, declares)] },
  { ids: ['S12'], run: (history, declares) => [checkAttempts(history, declares)] },
  { ids: ['S13'], run: (history, declares) => [checkClaims(history, declares)] },
  { ids: ['S15a'], run: (history) => [checkFencedOrder(history)] },
  { ids: ['S16'], run: (history, declares) => [checkRegister(history, declares)] },
  { ids: ['S17'], run: (history, declares) => [checkClaimOrder(history, declares)] },
  { ids: ['S19'], run: (history, declares) => [checkConservation(history, declares)] },
  { ids: ['S20'], run: (history) => [checkIds(history)] },
  { ids: ['S22'], run: (history, declares) => [checkFeed(history, declares)] },
  { ids: PLAN_GUARANTEES, run: (history, declares) => checkPlans(history, declares) },
  { ids: ['L1', 'L2'], run: liveness },
  { ids: ['L3', 'L4'], run: (history) => checkProgress(history) },
];

function liveness(history: History, declares: Declares): readonly Tally[] {
  const reclaim = checkReclaim(history, declares);
  return [reclaim, checkDrained(history, declares, reclaim)];
}

function guard(checker: string, crashed: Crash[], run: () => void): void {
  try {
    run();
  } catch (error) {
    crashed.push({ checker, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

const nothing = (guarantee: GuaranteeId, notTested: string): Finding => ({
  guarantee,
  opportunities: 0,
  broken: 0,
  violations: [],
  notTested,
});

/** Leaves out what later records may still explain. */
function withhold(found: Tally, knownUntil: number | undefined): void {
  if (knownUntil === undefined) return;
  found.drafts = found.drafts.filter((draft) => draft.at <= knownUntil);
  found.broken = found.drafts.length;
}
