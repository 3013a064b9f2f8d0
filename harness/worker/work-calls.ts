/** The calls of the work facet, recorded. */
import type { Item, Json, Lease, NewItem, Page, Store, WorkStore } from '../../src/store.ts';
import { digest } from '../history/digest.ts';
import type { LeaseRecord, RowRecord } from '../history/record.ts';
import { type Answer, type CallRecorder, type Fields, generationField, tokenField } from './call-recorder.ts';

export interface WorkCalls {
  enqueue(items: readonly NewItem[]): Promise<Answer<void>>;
  claim(key: string, leaseMs: number): Promise<Answer<Lease>>;
  claimNext(prefix: string, leaseMs: number, limit: number): Promise<Answer<readonly Lease[]>>;
  heartbeat(lease: Lease): Promise<Answer<Lease>>;
  /** The result names the call that wrote it, so that a read shows who did (R7). */
  complete(lease: Lease): Promise<Answer<void>>;
  nack(lease: Lease, error: string): Promise<Answer<void>>;
  release(lease: Lease): Promise<Answer<void>>;
  /** A page of the final read. */
  scan(page: Page): Promise<Answer<readonly Item[]>>;
}

/** Whoever calls a method makes sure that the store has it. */
export function workCalls(recorder: CallRecorder, store: Pick<Store, 'work'>, owner: string): WorkCalls {
  const work = store.work as Required<WorkStore>;
  return {
    enqueue(items) {
      const described = items.map(({ key, payload, maxAttempts, notBeforeMs }) => ({
        key,
        value: digest(payload),
        ...(maxAttempts === undefined ? {} : { maxAttempts }),
        ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
      }));
      return recorder.record('enqueue', { items: described }, (request) => work.enqueue(items, { request }));
    },
    claim: (key, leaseMs) =>
      recorder.record(
        'claim',
        { key, leaseMs },
        (request) => work.claim(key, { owner, leaseMs, request }),
        (lease) => ({ leases: [leaseRecord(lease)] }),
      ),
    claimNext: (prefix, leaseMs, limit) =>
      recorder.record(
        'claimNext',
        { prefix, limit, leaseMs },
        (request) => work.claimNext(prefix, { owner, leaseMs, request, limit }),
        (leases) => ({ leases: leases.map(leaseRecord) }),
      ),
    heartbeat: (lease) =>
      recorder.record(
        'heartbeat',
        holderFields(lease),
        (request) => work.heartbeat(lease, { request }),
        (renewed) => ({ leases: [leaseRecord(renewed)] }),
      ),
    complete(lease) {
      const result: Json = { by: recorder.nextRequest };
      return recorder.record('complete', { ...holderFields(lease), value: digest(result) }, (request) =>
        work.complete(lease, { request, result }),
      );
    },
    nack: (lease, error) =>
      recorder.record('nack', holderFields(lease), (request) => work.nack(lease, { request, error })),
    release: (lease) =>
      recorder.record('release', holderFields(lease), (request) => work.release(lease, { request })),
    scan: (page) =>
      recorder.recordRead(
        'scan',
        { ...(page.after === undefined ? {} : { key: page.after }), limit: page.limit },
        () => work.scan(page),
        (items) => ({ rows: items.map(rowRecord) }),
      ),
  };
}

const holderFields = (lease: Lease): Fields => ({
  key: lease.key,
  ...tokenField(lease),
});

function leaseRecord(lease: Lease): LeaseRecord {
  const { key, owner, token, generation, leaseMs, attempt, acquiredAtMs, expiresAtMs, payload, kind } = lease;
  return {
    key,
    ...(generation === undefined ? { token } : { generation: generationField(generation) }),
    owner,
    leaseMs,
    ...(attempt === undefined ? {} : { attempt }),
    ...(acquiredAtMs === undefined ? {} : { acquiredAtMs }),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    ...(payload === undefined ? {} : { value: digest(payload) }),
    ...(kind === undefined ? {} : { kind }),
  };
}

function rowRecord(item: Item): RowRecord {
  const { key, state, generation, attempts, owner, result, completedBy, enqueuedBy } = item;
  return {
    key,
    state,
    ...(generation === undefined ? {} : { generation: generationField(generation) }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(owner === undefined ? {} : { owner }),
    ...(result === undefined ? {} : { value: digest(result) }),
    ...(completedBy === undefined ? {} : { completedBy }),
    ...(enqueuedBy === undefined ? {} : { enqueuedBy }),
  };
}
