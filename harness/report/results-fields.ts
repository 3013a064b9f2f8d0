/** The fields of `results.json`, as JSON carries them. Source of its JSON Schema; names and optionality are those of the types. */
import type { Finding, Violation, WitnessOperation } from '../checker/finding.ts';
import { GUARANTEE_IDS } from '../checker/guarantee.ts';
import {
  atLeast,
  type FieldsOf,
  flag,
  listOf,
  listOfValues,
  milliseconds,
  number,
  objectOf,
  oneOf,
  optional,
  orNull,
  shape,
  text,
  whole,
} from '../history/field.ts';
import type { Shape, Value } from '../history/shape.ts';
import type { ObligationResult } from '../obligation/obligation.ts';
import {
  type BoardNumbers,
  type FaultCount,
  type GuaranteeResult,
  type KillCell,
  type LostLeases,
  type Numbers,
  type Observation,
  type Percentiles,
  type PlanNumbers,
  RESULTS_SCHEMA_VERSION,
  type Reason,
  type Results,
  VERDICTS,
} from './results.ts';
import type { Timeline, TimelineEvent } from './timeline.ts';

const texts = listOfValues(text);
const count = whole();
const share = optional(atLeast(0, '1'));
/** An instant on the clock of the history, ns; null where it never came. */
const instant = orNull(number);

const percentiles = objectOf(
  shape<Percentiles>({
    count,
    p50: optional(milliseconds),
    p95: optional(milliseconds),
    p99: optional(milliseconds),
    max: optional(milliseconds),
  }),
);

const witness = shape<WitnessOperation>({
  request: text,
  label: text,
  op: text,
  generation: optional(text),
  inv: instant,
  ret: instant,
  outcome: oneOf('accepted', 'refused', 'fail', 'info'),
  detail: text,
  accused: flag,
});

const violation = shape<Violation>({
  guarantee: oneOf(...GUARANTEE_IDS),
  key: optional(text),
  statement: text,
  witness: listOf(witness),
  because: texts,
  assumed: texts,
  at: instant,
  confirmedBy: optional(oneOf('oracle', 'recount')),
});

const findingFields: FieldsOf<Finding> = {
  guarantee: oneOf(...GUARANTEE_IDS),
  opportunities: count,
  broken: count,
  violations: listOf(violation),
  notTested: optional(text),
};

const guarantee = shape<GuaranteeResult>({
  ...findingFields,
  name: text,
  statement: text,
  opportunity: text,
  notProven: text,
  atMost: share,
  verdict: oneOf('held', 'broken', 'no opportunity', 'not tested'),
});

const obligation = shape<ObligationResult>({
  id: text,
  name: text,
  statement: text,
  seen: count,
  min: count,
  defaultMin: count,
  met: flag,
  advice: text,
  notTested: optional(text),
});

const numbers = shape<Numbers>({
  mainMs: optional(milliseconds),
  claims: count,
  completes: count,
  heartbeats: count,
  reclaims: count,
  conflictRate: share,
  reclaimRate: share,
  workDoneTwice: count,
  leasesLost: objectOf(shape<LostLeases>({ died: count, stopped: count, starved: count, otherwise: count })),
  believedByTwo: percentiles,
  staleRefused: objectOf(
    shape<Numbers['staleRefused']>({ complete: count, heartbeat: count, release: count, nack: count }),
  ),
  latency: objectOf(
    shape<Numbers['latency']>({ claim: percentiles, heartbeat: percentiles, complete: percentiles }),
  ),
  task: percentiles,
  reclaimDelay: percentiles,
  loopLag: percentiles,
  board: optional(
    objectOf(
      shape<BoardNumbers>({
        commits: count,
        conflicts: count,
        conflictRate: share,
        appends: count,
        eventsFollowed: count,
        commit: percentiles,
      }),
    ),
  ),
  plans: optional(
    objectOf(
      shape<PlanNumbers>({
        handOuts: count,
        handedOutAgain: count,
        results: count,
        handedBack: count,
        renewals: count,
        cancelled: count,
        rescheduled: count,
        closesRefused: count,
        unknown: count,
      }),
    ),
  ),
});

const timeline = shape<Timeline>({
  zero: instant,
  events: listOf(shape<TimelineEvent>({ at: instant, label: text, incarnation: count, text })),
});

const anObject: Value = {
  is: (value) => typeof value === 'object' && value !== null,
  expected: 'an object',
  schema: { type: 'object' },
};

/** Fields that it does not name are allowed: a command may add some, and readers ignore what they do not know. */
export const RESULTS: Shape = shape<Results>({
  schemaVersion: oneOf(RESULTS_SCHEMA_VERSION),
  fencepost: text,
  run: text,
  scenario: text,
  store: text,
  seed: optional(number),
  startedAt: optional(text),
  verdict: oneOf(...VERDICTS),
  reasons: listOf(
    shape<Reason>({
      verdict: oneOf('inconclusive', 'violated', 'harness-error'),
      code: text,
      message: text,
      fix: optional(text),
    }),
  ),
  interrupted: flag,
  guarantees: listOf(guarantee),
  obligations: listOf(obligation),
  warnings: texts,
  notTested: texts,
  observations: listOf(shape<Observation>({ id: text, statement: text, seen: count, of: count })),
  assumed: texts,
  numbers: objectOf(numbers),
  faults: listOf(shape<FaultCount>({ fault: text, confirmed: count, missed: count, failed: count })),
  killMatrix: optional(
    listOf(
      shape<KillCell>({
        op: text,
        boundary: text,
        cut: oneOf('kill', 'stop'),
        hits: count,
        violations: count,
        verdict: oneOf('held', 'broken', 'not hit'),
      }),
    ),
  ),
  phases: listOf(shape<Results['phases'][number]>({ phase: text, ms: milliseconds })),
  workers: objectOf(shape<Results['workers']>({ labels: count, incarnations: count })),
  history: objectOf(
    shape<Results['history']>({
      files: count,
      records: count,
      operations: count,
      unknown: count,
      problems: texts,
    }),
  ),
  firstViolationMs: optional(number),
  timeline: optional(objectOf(timeline)),
  declares: anObject,
  declaredScenario: optional(anObject),
});
