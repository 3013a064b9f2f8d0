/** The published JSON Schemas accept what Fencepost writes and reads, and refuse what its reader refuses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkClientRecord, checkSupervisorRecord } from '../../../harness/history/check-record.ts';
import { RecordError } from '../../../harness/history/record-error.ts';
import { renderJson } from '../../../harness/report/json.ts';
import { schemaProblems } from '../../support/published-schemas.ts';
import { header, records } from '../history/files.ts';
import { guarantee, STALE_COMPLETE, TIMELINE, VALID } from './sample.ts';

const lease = {
  key: 'a',
  generation: '90071992547409930',
  owner: 'w1',
  leaseMs: 5,
  attempt: 1,
  kind: 'fresh',
};
const clients: readonly object[] = [
  header(),
  ...records,
  { type: 'invoke', t: 1, lane: 0, call: 0, op: 'claim', key: 'a', leaseMs: 5, reacquire: true, n: 3 },
  { type: 'ok', t: 2, lane: 0, call: 0, accepted: true, leases: [lease] },
  { type: 'ok', t: 2, lane: 0, call: 0, accepted: false, code: 'held', holder: 'w2', current: 4 },
  {
    type: 'invoke',
    t: 1,
    lane: 0,
    call: 1,
    op: 'commit',
    writes: [{ key: 'a', op: 'set', value: '1', ifVersion: 0 }],
    require: [{ key: 'b', version: 1 }],
  },
  { type: 'ok', t: 2, lane: 0, call: 1, accepted: true, entries: [{ key: 'a', version: 1, value: '1' }] },
  { type: 'invoke', t: 1, lane: 0, call: 2, op: 'since', cursor: 0, limit: 5 },
  {
    type: 'ok',
    t: 2,
    lane: 0,
    call: 2,
    accepted: true,
    events: [{ id: 1, kind: 'set', key: 'a' }],
    cursor: 1,
    gap: false,
  },
  { type: 'fail', t: 3, lane: 0, call: 3, error: { code: 'BUSY', message: '' } },
  { type: 'shape', t: 3, lane: 0, call: 3, op: 'claim', message: 'odd' },
  { type: 'crash', t: 3, message: 'oh' },
  { type: 'end', t: 4, records: 7 },
];
const supervisors: readonly object[] = [
  {
    type: 'run',
    format: 1,
    run: 'r',
    t: 1,
    wallMs: 1,
    seed: 1,
    scenario: {},
    declares: {},
    methods: ['claim'],
  },
  { type: 'phase', t: 1, phase: 'main' },
  { type: 'spawn', t: 1, incarnation: 1, label: 'w1', role: 'worker', pid: 5, file: 'a', why: 'start' },
  { type: 'exit', t: 1, incarnation: 1, code: null, signal: 'SIGKILL' },
  { type: 'clock', t: 1, bootMs: 1, wallMs: 2 },
  { type: 'manifest', t: 1, files: [{ file: 'a', incarnation: 1, bytes: 5 }] },
];

/** Whether the reader takes it. */
function reads(check: (record: object) => void, record: object): boolean {
  try {
    check(record);
    return true;
  } catch (error) {
    if (error instanceof RecordError) return false;
    throw error;
  }
}

/** Values of every kind that JSON can carry, near the ones that fields hold. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1, 1.5, 2 ** 21, 2 ** 32, 2 ** 53, 1e300, '', 'a', '12', '0x1'),
  fc.constantFrom<unknown>([], [1], ['a'], {}, [{}], { key: 'a' }, [{ key: 1 }], [{ key: 'a', leaseMs: -1 }]),
  fc.constantFrom<unknown>('claim', 'commit', 'header', 'ok', 'stale', 'worker', 'stopped', 'main'),
);

describe('history records', () => {
  it.each([...clients, ...supervisors])('accepts %j', (record) => {
    expect(schemaProblems('history-record', JSON.parse(JSON.stringify(record)))).toEqual([]);
  });

  it.each([
    ['clients', clients, checkClientRecord as (record: object) => void],
    ['the supervisor', supervisors, checkSupervisorRecord as (record: object) => void],
  ] as const)(
    'schema and reader agree on thousands of changed records of %s (property)',
    (_whose, all, check) => {
      const changed = fc.constantFrom(...all).chain((record) =>
        fc.record({
          record: fc.constant(record as Readonly<Record<string, unknown>>),
          // `type` decides between the reader's two tables, which the one schema holds together.
          name: fc.constantFrom(...Object.keys(record).filter((name) => name !== 'type'), 'more'),
          value: fc.option(odd, { nil: undefined }),
        }),
      );
      let refused = 0;
      fc.assert(
        fc.property(changed, ({ record, name, value }) => {
          const one = JSON.parse(JSON.stringify({ ...record, [name]: value })) as object;
          const isRead = reads(check, one);
          if (!isRead) refused += 1;
          expect([schemaProblems('history-record', one).length === 0, one]).toEqual([isRead, one]);
        }),
        { numRuns: 1500 },
      );
      expect(refused).toBeGreaterThan(250);
    },
  );
});

describe('results', () => {
  const written = (more = {}): unknown => JSON.parse(renderJson({ ...VALID, ...more }));

  it('accepts what is written', () => {
    expect(schemaProblems('results', written())).toEqual([]);
    const violated = {
      verdict: 'violated',
      guarantees: [guarantee('S4', 81, [STALE_COMPLETE])],
      timeline: TIMELINE,
      firstViolationMs: 1100,
    };
    expect(schemaProblems('results', written(violated))).toEqual([]);
  });

  it.each([
    ['a verdict of another kind', { verdict: 'fine' }],
    ['a number as text', { workers: { labels: '4', incarnations: 4 } }],
    ['a field left out', { reasons: undefined }],
  ])('refuses %s', (_what, more) => {
    expect(schemaProblems('results', written(more))).not.toEqual([]);
  });
});

describe('scenarios', () => {
  it.each(readdirSync('scenarios').filter((name) => name.endsWith('.yaml')))('accepts %s', (name) => {
    expect(schemaProblems('scenario', parse(readFileSync(join('scenarios', name), 'utf8')))).toEqual([]);
  });

  it('refuses an unknown key and a wrong value', () => {
    expect(schemaProblems('scenario', { leases: '1s' })).not.toEqual([]);
    expect(schemaProblems('scenario', { workers: 'many' })).not.toEqual([]);
  });
});
