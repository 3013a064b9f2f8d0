/** Starting, running, cancelling, ending: spec/jobs.md checks 2-5, 36, 43-45, 49-52, 60. */
import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../src/jobs/job.ts';
import { createJobManager } from '../../../src/jobs/manager.ts';
import { drawId } from '../../../src/jobs/options.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { ENGINES, gate, ORIGIN, STALE_MS, start, useJobs, withStore } from './jobs.ts';

describe.each(ENGINES)('running on %s', (engine) => {
  const world = useJobs(engine);

  it('jobs 2: a pending record exists before the function starts', async () => {
    const { jobs } = world.boot({ maxWorkers: 1 });
    const first = gate();
    await start(jobs, first.work);
    const second = gate();
    const id = await start(jobs, second.work, { origin: ORIGIN });
    expect(second.calls).toBe(0);
    expect(await world.stored(id)).toMatchObject({
      status: 'pending',
      createdAtMs: 1_000_000,
      startedAtMs: null,
      origin: ORIGIN,
      delivered: false,
      revision: 1,
    });
    let seen: JobRecord | undefined;
    const third = await start(jobs, async ({ jobId }) => {
      seen = await world.stored(jobId);
    });
    first.open();
    second.open();
    await jobs.getResult(third);
    expect(seen).toMatchObject({ status: 'running', revision: 2 });
  });

  it('jobs 3: a result is stored with its times', async () => {
    const { jobs } = world.boot();
    const work = gate();
    const id = await start(jobs, work.work);
    await world.settle();
    world.clock.advance(25);
    work.open('ok');
    expect(await jobs.getResult(id)).toBe('ok');
    const stored = await world.stored(id);
    expect(stored).toMatchObject({ status: 'completed', result: { value: 'ok' }, error: null });
    expect([stored.startedAtMs, stored.completedAtMs]).toEqual([1_000_000, 1_000_025]);
    expect(await jobs.getJobInfo(id)).toMatchObject({ durationMs: 25, result: 'ok' });
  });

  it('jobs 4: what is thrown is stored, and the worker takes the next job', async () => {
    const { jobs } = world.boot({ maxWorkers: 1 });
    const bad = await start(jobs, () => {
      throw new RangeError('no room');
    });
    const odd = await start(jobs, () => Promise.reject('a text'));
    const good = await start(jobs, () => 7);
    expect(await jobs.getResult(good)).toBe(7);
    expect(await world.stored(bad)).toMatchObject({
      status: 'failed',
      error: 'RangeError: no room',
      result: null,
    });
    expect(await world.stored(odd)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('a text'),
    });
    await expect(jobs.getResult(bad)).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringContaining('no room'),
      cause: expect.any(RangeError),
    });
  });

  it('jobs 5: the store hears pending, running and the end, in that order', async () => {
    const seen: string[] = [];
    const store = withStore(world.store, {
      upsert(record, condition, by) {
        seen.push(`${record.jobId} ${record.status} ${record.revision}`);
        return world.store.upsert(record, condition, by);
      },
    });
    const { jobs } = world.boot({ store });
    await start(jobs, () => 1, { id: 'a' });
    await jobs.getResult('a');
    await start(jobs, () => Promise.reject(new Error('x')), { id: 'b' });
    await expect(jobs.getResult('b')).rejects.toMatchObject({ code: 'JOB_FAILED' });
    expect(seen).toEqual([
      'a pending 1',
      'a running 2',
      'a completed 3',
      'b pending 1',
      'b running 2',
      'b failed 3',
    ]);
  });

  it('jobs 36: a time-out leaves the job as it is', async () => {
    const { jobs } = world.boot();
    const work = gate();
    const id = await start(jobs, work.work);
    const result = jobs.getResult(id, { timeoutMs: 100 });
    const settled = expect(result).rejects.toMatchObject({ code: 'JOB_TIMEOUT' });
    await world.clock.advanceAsync(100);
    await settled;
    expect(await jobs.getStatus(id)).toBe('running');
    const stop = new AbortController();
    const stopped = expect(jobs.getResult(id, { signal: stop.signal })).rejects.toThrow('enough');
    stop.abort(new Error('enough'));
    await stopped;
    work.open('late and fine');
    expect(await jobs.getResult(id, { timeoutMs: 100 })).toBe('late and fine');
  });

  it('jobs 43: a queued job can be cancelled, and never runs', async () => {
    const { jobs, notices } = world.boot({ maxWorkers: 1 });
    const busy = gate();
    await start(jobs, busy.work);
    const waiting = gate();
    const told: number[] = [];
    const id = await start(jobs, waiting.work, { origin: ORIGIN, onComplete: () => told.push(1) });
    expect(await jobs.cancelJob(id)).toBe(true);
    expect(await world.stored(id)).toMatchObject({ status: 'cancelled', completedAtMs: 1_000_000 });
    await expect(jobs.getResult(id)).rejects.toMatchObject({ code: 'JOB_CANCELLED' });
    busy.open();
    await world.settle();
    expect([waiting.calls, told, jobs.activeJobs]).toEqual([0, [], 0]);
    expect(notices.filter(({ kind }) => kind === 'ended')).toHaveLength(2);
  });

  it('jobs 44: a running, finished or unknown job cannot be cancelled', async () => {
    const { jobs } = world.boot();
    const work = gate();
    const id = await start(jobs, work.work);
    await world.settle();
    expect(await jobs.cancelJob(id)).toBe(false);
    work.open('done');
    await jobs.getResult(id);
    expect(await jobs.cancelJob(id)).toBe(false);
    expect(await jobs.cancelJob('nobody')).toBe(false);
    expect(await world.stored(id)).toMatchObject({ status: 'completed' });
    expect((await world.store.list(undefined, { limit: 10 })).jobs).toHaveLength(1);
  });

  it('jobs 45: never more than four at once, and activeJobs counts pending and running', async () => {
    const { jobs } = world.boot();
    let running = 0;
    let most = 0;
    const gates = Array.from({ length: 10 }, () => gate());
    for (const { work } of gates) {
      await start(jobs, async (context) => {
        running += 1;
        most = Math.max(most, running);
        await work(context);
        running -= 1;
      });
    }
    await world.settle();
    expect([running, jobs.activeJobs]).toEqual([4, 10]);
    for (const { open } of gates) {
      open();
      await world.settle();
    }
    expect([most, running, jobs.activeJobs]).toEqual([4, 0, 0]);
    expect(await jobs.listJobs('completed')).toHaveLength(10);
  });

  it('jobs 49: a result with a cycle completes, with a marker in its place', async () => {
    const { jobs } = world.boot();
    const cyclic: Record<string, unknown> = { name: 'ring' };
    cyclic.self = cyclic;
    const id = await start(jobs, () => cyclic);
    expect(await jobs.getResult(id)).toBe(cyclic);
    expect(await world.stored(id)).toMatchObject({
      status: 'completed',
      result: { notSerialisable: expect.stringContaining('cycles'), text: expect.stringContaining('ring') },
    });
    const next = world.reboot().jobs;
    expect(await next.getJobInfo(id)).toMatchObject({
      notSerialisable: { text: expect.stringContaining('ring') },
    });
    await expect(next.getResult(id)).rejects.toMatchObject({ code: 'JOB_RESULT_TEXT' });
  });

  it.each([[10n], [Number.NaN], [new Date(0)], [() => 1], [[undefined]], [new Map()]])(
    'jobs 49: nor does JSON carry %o',
    async (value) => {
      const { jobs } = world.boot();
      const id = await start(jobs, () => value);
      expect(await jobs.getResult(id)).toBe(value);
      expect((await world.stored(id)).result).toMatchObject({ notSerialisable: expect.any(String) });
    },
  );

  it.each([
    [null],
    [{ a: [1, { b: null }] }],
    [[]],
    ['x'.repeat(300_000)],
    ['zażółć 漢字 🦀 \ud800 \u0000'],
    [0],
    [false],
    [''],
  ])('jobs 50: a result comes back as it went (%#)', async (value) => {
    const { jobs } = world.boot();
    const id = await start(jobs, () => value);
    await jobs.getResult(id);
    expect(await world.reboot().jobs.getResult(id)).toEqual(value);
  });

  it('jobs 50: a job that returns nothing has no result, which is not null', async () => {
    const { jobs } = world.boot();
    const id = await start(jobs, () => {});
    await jobs.getResult(id);
    expect((await world.stored(id)).result).toBeNull();
    expect(await world.reboot().jobs.getResult(id)).toBeUndefined();
  });

  it('jobs 51: an id is used once, whether its job lives, has ended, or is only stored', async () => {
    const { jobs } = world.boot();
    const work = gate();
    const other = gate();
    const [one, two] = await Promise.all([
      jobs.startJob(work.work, { id: 'mine', origin: ORIGIN }),
      jobs.startJob(other.work, { id: 'mine' }),
    ]);
    expect([one.accepted, two]).toMatchObject([true, { accepted: false, refusal: { code: 'duplicate' } }]);
    work.open('first');
    await jobs.getResult('mine');
    const before = await world.stored('mine');
    expect(await jobs.startJob(other.work, { id: 'mine' })).toMatchObject({ accepted: false });
    expect(await world.boot().jobs.startJob(other.work, { id: 'mine' })).toMatchObject({
      accepted: false,
      refusal: { code: 'duplicate' },
    });
    await world.settle();
    expect([await world.stored('mine'), other.calls]).toEqual([before, 0]);
  });

  it('jobs 60: a shutdown that does not wait cancels what is queued; what runs is lost at the next boot', async () => {
    const { jobs } = world.boot({ maxWorkers: 1 });
    let signal: AbortSignal | undefined;
    const work = gate();
    const running = await start(jobs, (context) => {
      signal = context.signal;
      return work.work(context);
    });
    const queued = await start(jobs, gate().work);
    await world.settle();
    const waiting = expect(jobs.getResult(running)).rejects.toMatchObject({ code: 'JOBS_CLOSED' });
    await jobs.shutdown({ wait: false });
    await waiting;
    expect(signal?.aborted).toBe(true);
    expect(await world.stored(queued)).toMatchObject({ status: 'cancelled' });
    expect(await world.stored(running)).toMatchObject({ status: 'running' });
    expect(await jobs.startJob(() => 1)).toMatchObject({ accepted: false, refusal: { code: 'closed' } });
    work.open('too late');
    await world.settle();
    expect(await world.stored(running)).toMatchObject({ status: 'running' });
    expect(world.clock.timers()).toBe(0);
    // Its instance has said its last word: nobody waits for a heartbeat to grow stale.
    expect(await world.boot().jobs.reconcileOnStart()).toMatchObject({ lost: 1 });
    expect(await world.stored(running)).toMatchObject({ status: 'lost' });
  });

  it('a shutdown that waits sees queued and running jobs to their end', async () => {
    const { jobs } = world.boot({ maxWorkers: 1 });
    const gates = [gate(), gate()];
    const ids = await Promise.all(gates.map(({ work }) => start(jobs, work)));
    const closing = jobs.shutdown();
    await world.settle();
    expect(await jobs.startJob(() => 1)).toMatchObject({ accepted: false });
    // A polite stop goes on giving signs of life (cases.md A14).
    await world.clock.advanceAsync(2 * STALE_MS);
    expect(await world.boot().jobs.reconcileOnStart()).toMatchObject({ lost: 0 });
    for (const { open } of gates) open('ok');
    await closing;
    for (const id of ids) expect(await world.stored(id)).toMatchObject({ status: 'completed' });
  });

  it('a shutdown waits no longer than its grace', async () => {
    const { jobs } = world.boot({ maxWorkers: 1 });
    let stopped = false;
    const running = await start(jobs, ({ signal }) => {
      signal.addEventListener('abort', () => {
        stopped = true;
      });
      return new Promise(() => {});
    });
    const queued = await start(jobs, () => 1);
    await world.settle();
    const closing = jobs.shutdown({ graceMs: 3000 });
    await world.clock.advanceAsync(3000);
    await closing;
    expect(stopped).toBe(true);
    expect(await world.stored(running)).toMatchObject({ status: 'running' });
    expect(await world.stored(queued)).toMatchObject({ status: 'cancelled' });
  });

  it('a time limit ends the job, and its place is free when the function has stopped', async () => {
    const { jobs } = world.boot({ maxWorkers: 1 });
    const work = gate();
    const id = await start(jobs, work.work, { timeLimitMs: 50 });
    const next = gate();
    await start(jobs, next.work);
    await world.clock.advanceAsync(50);
    await expect(jobs.getResult(id)).rejects.toMatchObject({ cause: { code: 'JOB_TIME_LIMIT' } });
    expect(await world.stored(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('50 ms'),
    });
    expect(next.calls).toBe(0);
    work.open('late');
    await world.settle();
    expect(next.calls).toBe(1);
    expect(await world.stored(id)).toMatchObject({ status: 'failed' });
  });

  it('times beyond 24.8 days work (cases.md A16)', async () => {
    const days30 = 2_592_000_000;
    const { jobs } = world.boot({ heartbeatMs: 86_400_000, staleAfterMs: 2 * 86_400_000 });
    const quick = await start(jobs, () => 'quick', { timeLimitMs: days30 });
    expect(await jobs.getResult(quick, { timeoutMs: days30 })).toBe('quick');
    const slow = gate();
    const id = await start(jobs, slow.work, { timeLimitMs: days30 });
    let timedOut = false;
    const result = jobs.getResult(id, { timeoutMs: days30 - 1 }).catch(() => {
      timedOut = true;
    });
    await world.clock.advanceAsync(days30 - 2);
    expect([timedOut, await jobs.getStatus(id)]).toEqual([false, 'running']);
    await world.clock.advanceAsync(1);
    await result;
    expect([timedOut, await jobs.getStatus(id)]).toEqual([true, 'running']);
    await world.clock.advanceAsync(1);
    expect(await jobs.getStatus(id)).toBe('failed');
  });
});

it('jobs 52: a hundred thousand ids, and none twice', () => {
  const ids = new Set(Array.from({ length: 100_000 }, drawId));
  expect(ids.size).toBe(100_000);
  expect([...ids].every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
});

it('jobs 1: without a store a reconcile does nothing, and jobs run all the same', async () => {
  const jobs = createJobManager({ clock: createFakeClock() });
  expect(await jobs.reconcileOnStart(() => true)).toEqual({ lost: 0, redelivered: 0, rehydrated: 0 });
  const id = await start(jobs, () => 5);
  expect([await jobs.getResult(id), await jobs.getStatus(id)]).toEqual([5, 'completed']);
  expect(await jobs.listJobs()).toHaveLength(1);
  expect(await jobs.prune(0)).toBe(0);
});

it.each([
  [{ maxWorkers: 0 }],
  [{ heartbeatMs: 0 }],
  [{ heartbeatMs: 5000, staleAfterMs: 9999 }],
  [{ deliveryTimeoutMs: Number.POSITIVE_INFINITY }],
  [{ deliver: 'mail' as never }],
])('options that are none are refused: %o', (options) => {
  expect(() => createJobManager(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});

const one = () => 1;

it.each([
  [undefined, {}],
  [one, { id: '' }],
  [one, { id: 'a\ud800' }],
  [one, { origin: [] }],
  [one, { origin: { at: new Date(0) } }],
  [one, { targets: ['a'] }],
  [one, { origin: ORIGIN, targets: ['a', 'a'] }],
  [one, { timeLimitMs: 0 }],
  [one, { timeLimitMs: Number.POSITIVE_INFINITY }],
  [one, { onComplete: 1 }],
] as const)('a start that is none is refused (%#)', async (work, options) => {
  const jobs = createJobManager();
  await expect(jobs.startJob(work as never, options as never)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
  expect(jobs.activeJobs).toBe(0);
});
