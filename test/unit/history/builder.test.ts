/** What a foreign or damaged history must not be taken for. */
import { expect, it } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { HistoryBuilder } from '../../../harness/history/builder.ts';
import type { ClientRecord, OperationName } from '../../../harness/history/record.ts';
import { DEFAULT_DECLARES } from '../../../harness/store-module/declares.ts';

const MS = 1e6;

function build(...lives: readonly (readonly [number, string, 'worker' | 'scanner', readonly object[]])[]) {
  const builder = new HistoryBuilder();
  for (const [incarnation, label, role, records] of lives) {
    const header = { type: 'header', format: 1, run: 'r', incarnation, label, role, t: 0 } as const;
    builder.client(header, `${label}.ndjson`, 1, incarnation);
    for (const record of records) builder.client(record as ClientRecord, `${label}.ndjson`, 2, incarnation);
  }
  return builder.snapshot({ embedded: false });
}

function call(
  op: OperationName,
  number: number,
  at: readonly [number, number],
  asked: object,
  answer: object,
): object[] {
  const id = { lane: 0, call: number };
  return [
    { type: 'invoke', t: at[0] * MS, ...id, op, ...asked },
    { type: 'ok', t: at[1] * MS, ...id, accepted: true, ...answer },
  ];
}

const lease = (generation: number, owner: string): object => ({
  leases: [{ key: 'k', generation, owner, leaseMs: 10 }],
});
const enqueued = call('enqueue', 0, [0, 1], { items: [{ key: 'k', value: '1' }] }, {});

it('a stale heartbeat that is answered with the lease that stands is judged by the one it handed in', () => {
  const history = build(
    [
      1,
      'w1',
      'worker',
      [
        ...enqueued,
        ...call('claim', 1, [2, 3], { key: 'k', leaseMs: 10 }, lease(1, 'w1')),
        ...call('heartbeat', 2, [40, 41], { key: 'k', generation: 1 }, lease(2, 'w2')),
      ],
    ],
    [2, 'w2', 'worker', call('claim', 0, [30, 31], { key: 'k', leaseMs: 10 }, lease(2, 'w2'))],
  );
  const { findings } = judgeHistory(history, DEFAULT_DECLARES, undefined);
  expect(findings.find((finding) => finding.guarantee === 'S4')?.broken).toBe(1);
});

it('a call that is read twice is refused, not judged as two calls', () => {
  expect(() => build([1, 'w1', 'worker', [...enqueued, ...enqueued]])).toThrow(/invoked twice/);
});

it('two lives under one number are refused', () => {
  expect(() => build([1, 'w1', 'worker', []], [1, 'w2', 'worker', []])).toThrow(
    /to be one life, got the labels w1 and w2/,
  );
});

it('a scan from the start begins the final read anew', () => {
  const row = { rows: [{ key: 'k', state: 'open' }] };
  const history = build(
    [1, 'w1', 'worker', enqueued],
    [
      2,
      'scan',
      'scanner',
      [...call('scan', 0, [5, 6], { limit: 10 }, row), ...call('scan', 1, [7, 8], { limit: 10 }, row)],
    ],
  );
  expect(history.scan?.rows).toHaveLength(1);
  expect(history.scan?.startedAt).toBe(7 * MS);
});

it('a scan by a worker is not the final read', () => {
  const row = { rows: [{ key: 'k', state: 'open' }] };
  const history = build([1, 'w1', 'worker', [...enqueued, ...call('scan', 1, [5, 6], { limit: 10 }, row)]]);
  expect(history.scan).toBeUndefined();
});
