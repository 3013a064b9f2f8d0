/** Hand-made results, near those of a real run; a test changes what it is about. */
import type { Violation, WitnessOperation } from '../../../harness/checker/finding.ts';
import { GUARANTEES, type GuaranteeId } from '../../../harness/checker/guarantee.ts';
import type { ObligationResult } from '../../../harness/obligation/obligation.ts';
import type { GuaranteeResult, Percentiles, Results } from '../../../harness/report/results.ts';
import { parseScenario } from '../../../harness/scenario/load.ts';
import { DEFAULT_DECLARES } from '../../../harness/store-module/declares.ts';

export function obligation(id: string, name: string, seen: number, min: number): ObligationResult {
  return {
    id,
    name,
    statement: `What counts for ${name}.`,
    seen,
    min,
    defaultMin: min,
    met: seen >= min,
    advice: `Change something so that ${name} is seen more often.`,
  };
}

export function guarantee(
  id: GuaranteeId,
  opportunities: number,
  violations: readonly Violation[] = [],
): GuaranteeResult {
  const { name, statement, opportunity, notProven } = GUARANTEES.find((one) => one.id === id)!;
  return {
    guarantee: id,
    name,
    statement,
    opportunity,
    notProven,
    opportunities,
    broken: violations.length,
    violations,
    atMost: violations.length > 0 || opportunities === 0 ? undefined : Math.min(1, 3 / opportunities),
    verdict: violations.length > 0 ? 'broken' : opportunities === 0 ? 'no opportunity' : 'held',
  };
}

const percentiles = (p50: number, p95: number, p99: number, max: number): Percentiles => ({
  count: 900,
  p50,
  p95,
  p99,
  max,
});

export const NONE: Percentiles = { count: 0, p50: undefined, p95: undefined, p99: undefined, max: undefined };

const SECOND = 1e9;

function call(
  label: string,
  request: string,
  at: number,
  op: string,
  generation: string,
  detail: string,
): WitnessOperation {
  const inv = at * SECOND;
  return { request, label, op, generation, inv, ret: inv + 1e6, outcome: 'accepted', detail, accused: false };
}

/** The violation that DESIGN.md shows. */
export const STALE_COMPLETE: Violation = {
  guarantee: 'S4',
  key: 'claims/item-17',
  statement: 'claims/item-17 was completed under generation 4 after generation 5 had been granted',
  witness: [
    call('w3', '3.0.41', 112.001, 'claim', '4', 'generation 4, lease 150 ms'),
    call('w1', '1.1.60', 112.23, 'claim', '5', 'generation 5, lease 150 ms'),
    { ...call('w3', '3.0.42', 112.402, 'complete', '4', 'generation 4'), accused: true },
  ],
  because: ['generation 5 was granted 172 ms before this call was sent'],
  assumed: ['one host clock', 'the store declares lock fencing'],
  at: 112.403 * SECOND,
  confirmedBy: 'oracle',
};

export const TIMELINE = {
  zero: 100 * SECOND,
  events: [
    { at: 112.056 * SECOND, label: 'w3', incarnation: 3, text: 'w3 is stopped (SIGSTOP)' },
    { at: 112.3 * SECOND, label: 'w2', incarnation: 2, text: 'w2 is dead (SIGKILL)' },
    { at: 112.4 * SECOND, label: 'w3', incarnation: 3, text: 'w3 runs again (SIGCONT)' },
  ],
};

/** A run in which everything went well. */
export const VALID: Results = {
  schemaVersion: 1,
  fencepost: '0.1.0',
  run: '2026-01-02T03-04-05-81237',
  scenario: 'kill-mid-lease',
  store: 'sqlite',
  seed: 81237,
  startedAt: '2026-01-02T03:04:05.000Z',
  verdict: 'valid',
  reasons: [],
  interrupted: false,
  guarantees: [
    guarantee('S4', 81),
    guarantee('S4c', 49),
    guarantee('S5', 3140),
    guarantee('S7', 3140),
    guarantee('S13', 4012),
  ],
  obligations: [
    obligation('O1', 'killed in lease', 33, 20),
    obligation('O2', 'reclaimed', 64, 10),
    obligation('O3', 'zombies', 55, 5),
    obligation('O12', 'respawned', 33, 5),
    obligation('O17', 'twins', 12, 3),
  ],
  warnings: [],
  notTested: [],
  observations: [],
  assumed: ['one host clock'],
  numbers: {
    mainMs: 14_200,
    claims: 4012,
    completes: 3140,
    heartbeats: 2200,
    reclaims: 64,
    conflictRate: 0.018,
    reclaimRate: 0.016,
    workDoneTwice: 29,
    leasesLost: { died: 30, stopped: 31, starved: 2, otherwise: 1 },
    believedByTwo: percentiles(41, 160, 210, 240),
    staleRefused: { complete: 49, heartbeat: 19, release: 6, nack: 7 },
    latency: {
      claim: percentiles(0.42, 1.9, 7.3, 31),
      heartbeat: percentiles(0.31, 1.2, 4.4, 22),
      complete: percentiles(0.38, 1.6, 5.1, 28),
    },
    task: percentiles(20, 61, 97, 140),
    reclaimDelay: percentiles(31, 70, 88, 120),
    loopLag: percentiles(1.1, 2.4, 9, 30),
  },
  faults: [
    { fault: 'kill', confirmed: 43, missed: 0, failed: 0 },
    { fault: 'pause', confirmed: 42, missed: 2, failed: 0 },
    { fault: 'twin', confirmed: 31, missed: 0, failed: 0 },
  ],
  phases: [{ phase: 'main', ms: 14_200 }],
  workers: { labels: 4, incarnations: 78 },
  history: { files: 79, records: 22_000, operations: 11_000, unknown: 40, problems: [] },
  firstViolationMs: undefined,
  declares: DEFAULT_DECLARES,
  declaredScenario: parseScenario('name: kill-mid-lease', 'x.yaml'),
};
