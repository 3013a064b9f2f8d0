/** The fields of every record of a client's file. Source of the reader's checks and of the JSON Schema. */
import type { PlanRefusalCode } from '../../src/plan/types.ts';
import type { RefusalCode } from '../../src/store.ts';
import {
  anything,
  demanding,
  type FieldsOf,
  flag,
  generation,
  listOf,
  milliseconds,
  nanoseconds,
  number,
  objectOf,
  oneOf,
  optional,
  shape,
  text,
  whole,
} from './field.ts';
import { PLAN_REFUSALS, REFUSALS } from './history.ts';
import {
  type AtRecord,
  type ClientRecord,
  type CrashRecord,
  type EndRecord,
  type EnqueuedItem,
  type EntryRecord,
  type ErrorRecord,
  type EventRecord,
  type HeaderRecord,
  HISTORY_FORMAT,
  type InvokeRecord,
  type LeaseRecord,
  type LoopRecord,
  type OkRecord,
  OPERATIONS,
  type OperationName,
  type OrderRecord,
  PLAN_VERBS,
  type PlanCallRecord,
  type PlanClaimRecord,
  type RowRecord,
  type ShapeRecord,
  type WallRecord,
  type WriteRecord,
} from './record.ts';
import type { Shape } from './shape.ts';

/** Lane and call make one number below 2^53, and fit the columns. */
export const MAX_LANES = 2 ** 21;
export const MAX_CALLS = 2 ** 32;
const UINT32 = 2 ** 32 - 1;

/** Number and check sum of a line (R4). The check sum itself is verified on the bytes. */
const sealed = { n: optional(whole()), c: optional(text) };
type Seal = { readonly n?: number; readonly c?: string };

export const incarnation = whole(UINT32);
const call = { t: nanoseconds, lane: whole(MAX_LANES - 1), call: whole(MAX_CALLS - 1) };
const count = whole(UINT32);

const write = shape<WriteRecord>({
  key: text,
  op: oneOf('append', 'set', 'delete'),
  value: optional(text),
  ifVersion: optional(whole()),
  fence: optional(text),
  generation: optional(generation),
  token: optional(text),
  keep: optional(oneOf('latest')),
});
const entry = shape<EntryRecord>({
  key: text,
  version: whole(),
  value: optional(text),
  author: optional(text),
  request: optional(text),
  content: optional(anything),
});
const event = shape<EventRecord>({
  id: whole(),
  kind: text,
  key: text,
  version: optional(whole()),
  generation: optional(generation),
});
const item = shape<EnqueuedItem>({
  key: text,
  value: text,
  maxAttempts: optional(count),
  notBeforeMs: optional(number),
});
const lease = shape<LeaseRecord>({
  key: text,
  generation: optional(generation),
  token: optional(text),
  owner: optional(text),
  leaseMs: milliseconds,
  attempt: optional(count),
  acquiredAtMs: optional(number),
  expiresAtMs: optional(number),
  value: optional(text),
  kind: optional(oneOf('fresh', 'reclaimed', 'reacquired')),
});
const row = shape<RowRecord>({
  key: text,
  state: oneOf('open', 'leased', 'done', 'dead'),
  generation: optional(generation),
  attempts: optional(whole()),
  owner: optional(text),
  value: optional(text),
  completedBy: optional(text),
  enqueuedBy: optional(text),
});
const planCall = shape<PlanCallRecord>({
  verb: oneOf(...PLAN_VERBS),
  key: text,
  task: optional(whole()),
  generation: optional(whole()),
  epoch: optional(whole()),
  renew: optional(flag),
  leaseMs: optional(milliseconds),
  maxAttempts: optional(count),
  value: optional(text),
});
const planClaim = shape<PlanClaimRecord>({
  task: whole(),
  generation: whole(),
  epoch: whole(),
  attempts: whole(),
  kind: oneOf('claimed', 'renewed'),
  parked: whole(),
});
const required = shape<{ readonly key: string; readonly version: number }>({ key: text, version: whole() });

const invokeFields: FieldsOf<InvokeRecord & Seal> = {
  type: oneOf('invoke'),
  ...call,
  op: oneOf(...OPERATIONS),
  key: optional(text),
  prefix: optional(text),
  limit: optional(whole(UINT32, 1)),
  generation: optional(generation),
  token: optional(text),
  leaseMs: optional(milliseconds),
  reacquire: optional(flag),
  value: optional(text),
  items: optional(listOf(item, 1)),
  writes: optional(listOf(write)),
  require: optional(listOf(required)),
  cursor: optional(whole()),
  before: optional(whole()),
  plan: optional(objectOf(planCall)),
  ...sealed,
};
const INVOKE = shape<InvokeRecord & Seal>(invokeFields);

/** What the invoke of each operation must say: item and arguments are never looked up later (trap F20). */
const ASKS: Readonly<Record<OperationName, readonly (keyof InvokeRecord)[]>> = {
  enqueue: ['items'],
  claim: ['key', 'leaseMs'],
  claimNext: ['prefix', 'leaseMs'],
  heartbeat: ['key'],
  complete: ['key'],
  nack: ['key'],
  release: ['key'],
  forceRelease: ['key'],
  scan: ['limit'],
  commit: ['writes'],
  get: ['key'],
  list: ['prefix', 'limit'],
  history: ['key', 'limit'],
  since: ['cursor', 'limit'],
  trim: ['before'],
  plan: ['plan'],
};

/** The shape of an invoke, by its operation. */
export const INVOKES = Object.fromEntries(
  OPERATIONS.map((op) => [
    op,
    demanding(shape<InvokeRecord & Seal>({ ...invokeFields, op: oneOf(op) }), ASKS[op]),
  ]),
) as Readonly<Record<OperationName, Shape>>;

const okFields: FieldsOf<OkRecord & Seal> = {
  type: oneOf('ok'),
  ...call,
  accepted: flag,
  code: optional(
    oneOf(
      ...(REFUSALS satisfies readonly RefusalCode[]),
      ...(PLAN_REFUSALS satisfies readonly PlanRefusalCode[]),
    ),
  ),
  holder: optional(text),
  current: optional(number),
  leases: optional(listOf(lease)),
  rows: optional(listOf(row)),
  entries: optional(listOf(entry)),
  events: optional(listOf(event)),
  cursor: optional(whole()),
  gap: optional(flag),
  plan: optional(objectOf(planClaim)),
  ...sealed,
};
const OK = shape<OkRecord & Seal>(okFields);
export const ACCEPTED = shape<OkRecord & Seal>({
  ...okFields,
  accepted: { is: (value) => value === true, expected: 'true', schema: { const: true } },
});
export const REFUSED = demanding(
  shape<OkRecord & Seal>({
    ...okFields,
    accepted: { is: (value) => value === false, expected: 'false', schema: { const: false } },
  }),
  ['code'],
);

const failed = (type: 'fail' | 'info'): Shape =>
  shape<ErrorRecord & Seal>({
    type: oneOf(type),
    ...call,
    error: objectOf(shape<ErrorRecord['error']>({ code: text, message: text })),
    ...sealed,
  });

/** By type; `invoke` and `ok` are looked at once more, by operation and by outcome. */
export const CLIENT_RECORDS: Readonly<Record<ClientRecord['type'], Shape>> = {
  header: shape<HeaderRecord & Seal>({
    type: oneOf('header'),
    format: oneOf(HISTORY_FORMAT),
    run: text,
    incarnation,
    label: text,
    role: oneOf('worker', 'scanner'),
    pid: optional(whole()),
    host: optional(text),
    t: nanoseconds,
    wallMs: optional(number),
    declares: optional(anything),
    ...sealed,
  }),
  invoke: INVOKE,
  ok: OK,
  fail: failed('fail'),
  info: failed('info'),
  loop: shape<LoopRecord & Seal>({
    type: oneOf('loop'),
    t: nanoseconds,
    p99Ms: milliseconds,
    maxMs: milliseconds,
    ...sealed,
  }),
  order: shape<OrderRecord & Seal>({
    type: oneOf('order'),
    t: nanoseconds,
    id: whole(),
    fault: text,
    stage: oneOf('begin', 'end'),
    calls: optional(whole()),
    ...sealed,
  }),
  at: shape<AtRecord & Seal>({
    type: oneOf('at'),
    t: nanoseconds,
    id: whole(),
    fault: text,
    boundary: oneOf('before-send', 'in-transaction', 'after-send', 'after-reply'),
    cut: oneOf('kill', 'stop'),
    op: optional(oneOf(...OPERATIONS)),
    lane: optional(whole()),
    call: optional(whole()),
    point: optional(text),
    ...sealed,
  }),
  wall: shape<WallRecord & Seal>({ type: oneOf('wall'), t: nanoseconds, wallMs: number, ...sealed }),
  crash: shape<CrashRecord & Seal>({
    type: oneOf('crash'),
    t: nanoseconds,
    lane: optional(whole()),
    message: text,
    stack: optional(text),
    ...sealed,
  }),
  shape: shape<ShapeRecord & Seal>({
    type: oneOf('shape'),
    ...call,
    op: oneOf(...OPERATIONS),
    message: text,
    ...sealed,
  }),
  end: shape<EndRecord & Seal>({ type: oneOf('end'), t: nanoseconds, records: whole(), ...sealed }),
};
