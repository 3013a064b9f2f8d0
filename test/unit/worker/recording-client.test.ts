/** The order on which every verdict rests (spec/checking.md 3.2): R1 invoke first, R2 answer time first, R6 a lane retires. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HistoryWriter } from '../../../harness/history/writer.ts';
import { ShapeError } from '../../../harness/store-module/shape-error.ts';
import { type RecordingClient, recordingClient } from '../../../harness/worker/recording-client.ts';
import type { Lease, WorkStore } from '../../../src/store.ts';

let folder: string;
let writer: HistoryWriter;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-client-'));
  writer = HistoryWriter.create(folder, 'w1-1', {
    type: 'header',
    format: 1,
    run: 'test',
    incarnation: 1,
    label: 'w1',
    role: 'worker',
    t: 0,
  });
});
afterEach(() => {
  writer[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const onDisk = (): Record<string, unknown>[] =>
  readFileSync(writer.file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

function clientOf(work: WorkStore, callLimitMs = 1_000): RecordingClient {
  let lanes = 0;
  return recordingClient({
    store: { work },
    writer,
    incarnation: 1,
    label: 'w1',
    lanes: { next: () => lanes++ },
    definiteErrors: ['BUSY'],
    callLimitMs,
  });
}

const lease: Lease = { key: 'work/a', owner: 'w1', token: '4', generation: 4n, leaseMs: 150 };
const failing = (error: unknown): WorkStore => ({
  complete: () => {
    throw error;
  },
});

describe('the recording client', () => {
  it('has the invoke record on disk before the call is made, with item, generation and result (R1, F20)', async () => {
    let seen: Record<string, unknown>[] = [];
    const client = clientOf({
      complete: () => {
        seen = onDisk();
        return { accepted: true, value: undefined };
      },
    });
    await client.complete(lease);
    expect(seen).toMatchObject([
      {
        type: 'invoke',
        op: 'complete',
        key: 'work/a',
        generation: 4,
        value: '{"by":"1.0.0"}',
        lane: 0,
        call: 0,
      },
    ]);
  });

  it('tells the store the request id that it recorded', async () => {
    const requests: string[] = [];
    const client = clientOf({
      release: (_, { request }) => {
        requests.push(request);
        return { accepted: true, value: undefined };
      },
    });
    await client.release(lease);
    await client.release(lease);
    expect(requests).toEqual(['1.0.0', '1.0.1']);
  });

  it('records a refusal as a definite answer with its code', async () => {
    const refusal = { code: 'stale', message: 'generation 5 was granted', holder: 'w2', current: 5 } as const;
    const answer = await clientOf({ complete: () => ({ accepted: false, refusal }) }).complete(lease);
    expect(answer).toMatchObject({ outcome: 'refused', refusal: { code: 'stale' } });
    expect(onDisk()[1]).toMatchObject({
      type: 'ok',
      accepted: false,
      code: 'stale',
      holder: 'w2',
      current: 5,
    });
  });

  it.each([
    ['says so itself', Object.assign(new Error('no'), { definite: true })],
    ['is declared by its code', Object.assign(new Error('no'), { code: 'BUSY' })],
  ])('records an error that %s as fail, and goes on with the lane', async (_, error) => {
    const client = clientOf(failing(error));
    await client.complete(lease);
    await client.complete(lease);
    expect(onDisk().map(({ type, lane, call }) => [type, lane, call])).toEqual([
      ['invoke', 0, 0],
      ['fail', 0, 0],
      ['invoke', 0, 1],
      ['fail', 0, 1],
    ]);
  });

  it.each([
    ['an error of any other kind', new Error('connection reset')],
    ['a thrown value that is no error', 'oops'],
    ['an error whose word for definite is not true', Object.assign(new Error('no'), { definite: 1 })],
  ])('records %s as unknown, and never uses the lane again (R6)', async (_, error) => {
    const client = clientOf(failing(error));
    expect(await client.complete(lease)).toMatchObject({ outcome: 'info' });
    await client.complete(lease);
    expect(onDisk().map(({ type, lane, call }) => [type, lane, call])).toEqual([
      ['invoke', 0, 0],
      ['info', 0, 0],
      ['invoke', 1, 0],
      ['info', 1, 0],
    ]);
  });

  it('records a call without an answer as unknown once its time is up', async () => {
    const client = clientOf({ complete: () => new Promise(() => {}) }, 20);
    expect(await client.complete(lease)).toMatchObject({ outcome: 'info' });
    expect(onDisk()[1]).toMatchObject({ type: 'info', error: { code: 'TimeLimitError' } });
  });

  it('records an answer of the wrong shape, and the call as unknown', async () => {
    await clientOf(failing(new ShapeError('complete', '', 'an outcome', 'yes'))).complete(lease);
    expect(onDisk().map(({ type }) => type)).toEqual(['invoke', 'shape', 'info']);
    expect(onDisk()[1]?.message).toMatch(/complete\(\) must answer an outcome, got "yes" \(string\)/);
  });

  it('records generations beyond 2^53 as text', async () => {
    const huge = { ...lease, generation: 2n ** 60n };
    await clientOf({ complete: () => ({ accepted: true, value: undefined }) }).complete(huge);
    expect(onDisk()[0]?.generation).toBe('1152921504606846976');
  });
});
