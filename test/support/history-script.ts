/**
 * Hand-made histories that read like a script. Times are milliseconds; every call goes through the real `HistoryBuilder`
 * as the records that a worker would have written.
 *
 * @example
 * const h = script();
 * const w1 = h.worker('w1');
 * w1.claim('item', { at: [0, 5], generation: 1, leaseMs: 10 });
 * w1.complete('item', { at: [20, 21], generation: 1 });
 * h.history();
 */
import { HistoryBuilder } from '../../harness/history/builder.ts';
import type { History } from '../../harness/history/history.ts';
import {
  type ClientRecord,
  HISTORY_FORMAT,
  type InvokeRecord,
  type LeaseRecord,
  type OkRecord,
  type OperationName,
  type Phase,
  type RowRecord,
} from '../../harness/history/record.ts';
import type { RefusalCode } from '../../src/store.ts';

/** Sent at, answered at; one number for a call that was sent and never answered. */
export type When = number | readonly [number, number];
export type Answer = 'accepted' | RefusalCode | 'fail' | 'info';

export interface Common {
  readonly at: When;
  /** Default: accepted, or unknown where no answer time is given. */
  readonly answer?: Answer;
  readonly lane?: number;
}

export interface ClaimCall extends Common {
  readonly generation?: number | string;
  readonly token?: string;
  /** Default 10. */
  readonly leaseMs?: number;
  readonly reacquire?: boolean;
  readonly expiresAtMs?: number;
  /** The key that the answer tells; default the one asked for. */
  readonly given?: string;
  readonly attempt?: number;
  /** Owner that the answer names. */
  readonly owner?: string;
  readonly value?: string;
}

export interface BatchCall extends Common {
  readonly prefix?: string;
  readonly limit?: number;
  readonly leaseMs?: number;
  readonly grants?: readonly {
    readonly key: string;
    readonly generation: number;
    readonly expiresAtMs?: number;
    readonly attempt?: number;
  }[];
}

export interface HolderCall extends Common {
  readonly generation?: number | string;
  readonly token?: string;
  /** heartbeat: the token that the answer tells; default the one handed in. */
  readonly renewed?: string;
  /** heartbeat: the lease that the answer tells; default 10. */
  readonly leaseMs?: number;
  /** heartbeat: the extension asked for. */
  readonly extendMs?: number;
  /** complete: default the digest of `{"by": request}`. */
  readonly value?: string;
}

export interface EnqueueCall extends Common {
  readonly value?: string;
  readonly maxAttempts?: number;
  readonly notBeforeMs?: number;
}

/** Client records and the file each stands in, as `rawRecords` gives them. */
export interface ScriptRecord {
  readonly file: string;
  readonly record: Readonly<Record<string, unknown>>;
}

export interface Script {
  /** A worker process; the same label may live more than once. */
  worker(label: string): Worker;
  /** The final scan, in pages of the rows given; a last empty page ends it unless `complete` is false. */
  scan(
    at: readonly [number, number],
    rows: readonly RowRecord[],
    options?: { readonly complete?: boolean },
  ): void;
  /** The supervisor enters a phase. */
  phase(phase: Phase, at: number): void;
  /** The process of the final reads. */
  scanner(): Pick<Worker, 'send'>;
  history(options?: { readonly embedded?: boolean }): History;
  /** The same records, for second counts. */
  records(): ScriptRecord[];
}

export interface Worker {
  readonly incarnation: number;
  enqueue(key: string | readonly string[], call: EnqueueCall): string;
  claim(key: string, call: ClaimCall): string;
  claimNext(call: BatchCall): string;
  heartbeat(key: string, call: HolderCall): string;
  complete(key: string, call: HolderCall): string;
  nack(key: string, call: HolderCall): string;
  release(key: string, call: HolderCall): string;
  forceRelease(key: string, call: Common): string;
  /** Any call, by its fields: of entries and the feed see `board-script.ts`. */
  send(op: OperationName, call: Common, invoke: Partial<InvokeRecord>, accepted?: Partial<OkRecord>): string;
  /** The supervisor saw the process end: with an embedded store nothing of it acts later. */
  exits(at: number): void;
}

const NS = 1e6;
const LEASE_MS = 10;

export function script(): Script {
  const phases: { type: 'phase'; t: number; phase: Phase }[] = [];
  const exits: { incarnation: number; at: number }[] = [];
  const files: { label: string; role: 'worker' | 'scanner'; records: ClientRecord[] }[] = [];

  const open = (label: string, role: 'worker' | 'scanner') => {
    const incarnation = files.length + 1;
    const records: ClientRecord[] = [
      { type: 'header', format: HISTORY_FORMAT, run: 'script', incarnation, label, role, t: 0 },
    ];
    files.push({ label, role, records });
    let calls = 0;
    const call = (
      op: OperationName,
      { at, answer, lane = 0 }: Common,
      invoke: Partial<InvokeRecord>,
      accepted: Partial<OkRecord> | ((request: string) => Partial<OkRecord>) = {},
    ): string => {
      const number = ++calls;
      const request = `${incarnation}.${lane}.${number}`;
      const [inv, ret] = typeof at === 'number' ? [at, undefined] : at;
      const about = { lane, call: number };
      records.push({ type: 'invoke', t: inv * NS, op, ...about, ...invoke });
      const outcome = answer ?? (ret === undefined ? 'info' : 'accepted');
      if (ret === undefined) return request;
      if (outcome === 'fail' || outcome === 'info') {
        records.push({ type: outcome, t: ret * NS, ...about, error: { code: 'SCRIPT', message: 'as told' } });
      } else if (outcome === 'accepted') {
        const more = typeof accepted === 'function' ? accepted(request) : accepted;
        records.push({ type: 'ok', t: ret * NS, ...about, accepted: true, ...more });
      } else {
        records.push({ type: 'ok', t: ret * NS, ...about, accepted: false, code: outcome });
      }
      return request;
    };
    return { incarnation, call, next: () => `${incarnation}.0.${calls + 1}` };
  };

  return {
    worker(label) {
      const { incarnation, call } = open(label, 'worker');
      const holder = (op: OperationName) => (key: string, one: HolderCall) => {
        const { generation, token, leaseMs = LEASE_MS } = one;
        const named = {
          key,
          ...(generation === undefined ? {} : { generation }),
          ...(token === undefined ? {} : { token }),
        };
        if (op === 'heartbeat') {
          const { renewed: token } = one;
          const lease: LeaseRecord = {
            ...named,
            ...(token === undefined ? {} : { token }),
            leaseMs,
            owner: label,
          };
          const asked = one.extendMs === undefined ? {} : { leaseMs: one.extendMs };
          return call(op, one, { ...named, ...asked }, { leases: [lease] });
        }
        return call(op, one, named);
      };
      let completions = 0;
      return {
        incarnation,
        enqueue(key, one) {
          const keys = typeof key === 'string' ? [key] : key;
          const { value = '{}', notBeforeMs, maxAttempts } = one;
          const items = keys.map((name) => ({
            key: name,
            value,
            ...(maxAttempts === undefined ? {} : { maxAttempts }),
            ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
          }));
          return call('enqueue', one, { items });
        },
        claim(key, one) {
          const { leaseMs = LEASE_MS, reacquire, owner = label, generation, token, expiresAtMs, value } = one;
          const { given, attempt } = one;
          const lease: LeaseRecord = {
            key: given ?? key,
            ...(attempt === undefined ? {} : { attempt }),
            leaseMs,
            owner,
            ...(generation === undefined ? {} : { generation }),
            ...(token === undefined ? {} : { token }),
            ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
            ...(value === undefined ? {} : { value }),
          };
          return call(
            'claim',
            one,
            { key, leaseMs, ...(reacquire ? { reacquire } : {}) },
            { leases: [lease] },
          );
        },
        claimNext(one) {
          const { prefix = '', limit = 1, leaseMs = LEASE_MS, grants = [] } = one;
          return call(
            'claimNext',
            one,
            { prefix, limit, leaseMs },
            { leases: grants.map((grant) => ({ ...grant, leaseMs, owner: label })) },
          );
        },
        heartbeat: holder('heartbeat'),
        nack: holder('nack'),
        release: holder('release'),
        complete(key, one) {
          completions += 1;
          const { generation, token, value = `{"by":"${incarnation}/${completions}"}` } = one;
          return call('complete', one, {
            key,
            value,
            ...(generation === undefined ? {} : { generation }),
            ...(token === undefined ? {} : { token }),
          });
        },
        forceRelease: (key, one) => call('forceRelease', one, { key }),
        send: call,
        exits: (at) => {
          exits.push({ incarnation, at });
        },
      };
    },
    phase: (phase, at) => {
      phases.push({ type: 'phase', t: at * NS, phase });
    },
    scanner: () => ({ send: open('scan', 'scanner').call }),
    scan(at, rows, { complete = true } = {}) {
      const { call } = open('scan', 'scanner');
      const limit = complete ? rows.length + 1 : rows.length;
      call('scan', { at }, { limit }, { rows });
    },
    history({ embedded = false } = {}) {
      const builder = new HistoryBuilder();
      for (const { incarnation, file, record, line } of lines())
        builder.client(record, file, line, incarnation);
      for (const { incarnation: dead, at } of exits) {
        builder.supervisor({ type: 'exit', t: at * NS, incarnation: dead, code: null, signal: 'SIGKILL' });
      }
      for (const phase of phases) builder.supervisor(phase);
      return builder.snapshot({ embedded });
    },
    records: () => [
      ...[...lines()].map(({ file, record }) => ({
        file,
        record: record as unknown as Record<string, unknown>,
      })),
      ...phases.map((record) => ({ file: 'supervisor.ndjson', record })),
      ...exits.map(({ incarnation, at }) => ({
        file: 'supervisor.ndjson',
        record: { type: 'exit', t: at * NS, incarnation },
      })),
    ],
  };

  function* lines(): Generator<{ incarnation: number; file: string; record: ClientRecord; line: number }> {
    for (const [index, { label, records }] of files.entries()) {
      const incarnation = index + 1;
      const file = `${label}-${incarnation}.ndjson`;
      for (const [line, record] of records.entries()) yield { incarnation, file, record, line: line + 1 };
    }
  }
}
