/** Handing results back while the process lives: spec/jobs.md checks 19-21, and D4-9, D4-12, D4-13, D4-26. */
import { describe, expect, it, vi } from 'vitest';
import { deliveryPauseMs, writePauseMs } from '../../../src/jobs/backoff.ts';
import { ENGINES, gate, ORIGIN, receiver, start, useJobs, withStore } from './jobs.ts';

describe.each(ENGINES)('delivering on %s', (engine) => {
  const world = useJobs(engine);

  it('jobs 19: onComplete that answers false has not delivered, and the next boot hands it back', async () => {
    const { jobs } = world.boot();
    const id = await start(jobs, () => 'r', { origin: ORIGIN, onComplete: () => false });
    await world.settle();
    expect(await world.stored(id)).toMatchObject({
      status: 'completed',
      delivered: false,
      deliverer: null,
      deliveries: [{ state: 'owed', attempts: 1, error: 'the handler answered false' }],
    });
    const { got, deliver } = receiver();
    expect(await world.reboot().jobs.reconcileOnStart(deliver)).toMatchObject({ redelivered: 1 });
    expect(got).toEqual([`${id} origin 2`]);
  });

  it('jobs 20: onComplete is told how it ended, after that is stored; its success is stored too', async () => {
    const { jobs, notices } = world.boot();
    const seen: unknown[] = [];
    const onComplete = async (job: { jobId: string; status: string; error?: string }, value: unknown) => {
      seen.push([job.status, job.error, value, (await world.stored(job.jobId)).status]);
    };
    const good = await start(jobs, () => 10n, { origin: ORIGIN, onComplete });
    await world.settle();
    const bad = await start(jobs, () => Promise.reject(new Error('x')), { onComplete });
    await world.settle();
    expect(seen).toEqual([
      ['completed', undefined, 10n, 'completed'],
      ['failed', 'Error: x', undefined, 'failed'],
    ]);
    expect(await world.stored(good)).toMatchObject({ delivered: true, deliverer: null });
    expect(await world.stored(bad)).toMatchObject({ delivered: true, deliverer: null });
    expect(notices.map(({ kind }) => kind)).toEqual(['ended', 'delivered', 'ended', 'delivered']);
  });

  it('jobs 21: onComplete that throws harms neither the job nor the worker, and is not called again', async () => {
    const { jobs } = world.boot({ maxWorkers: 1 });
    let calls = 0;
    const id = await start(jobs, () => 'r', {
      origin: ORIGIN,
      onComplete: () => {
        calls += 1;
        throw new Error('no line');
      },
    });
    expect(await jobs.getResult(id)).toBe('r');
    expect(await jobs.getResult(await start(jobs, () => 'next'))).toBe('next');
    await world.clock.advanceAsync(120_000);
    expect(await world.stored(id)).toMatchObject({ status: 'completed', delivered: false });
    expect([calls, jobs.health()]).toMatchObject([
      1,
      { deliveryFailures: 1, lastError: expect.stringContaining('no line') },
    ]);
  });

  it('a job without an origin is never handed back, even if its onComplete never ran', async () => {
    const { jobs } = world.boot();
    await start(jobs, () => 1, { onComplete: () => false });
    await world.settle();
    const { got, deliver } = receiver();
    expect(await world.reboot().jobs.reconcileOnStart(deliver)).toMatchObject({ rehydrated: 0 });
    expect(got).toEqual([]);
  });

  it('the handler of the manager is told at once, and again with growing pauses until it succeeds', async () => {
    const { got, deliver } = receiver((_, attempt) => attempt > 3);
    const { jobs, notices } = world.boot({ deliver });
    const id = await start(jobs, () => 'r', { origin: ORIGIN });
    await world.settle();
    const after: number[] = [];
    for (const waitMs of [1999, 1, 3599, 1, 6479, 1]) {
      await world.clock.advanceAsync(waitMs);
      after.push(got.length);
    }
    expect(after).toEqual([1, 2, 2, 3, 3, 4]);
    expect(await world.stored(id)).toMatchObject({ delivered: true, deliveries: [{ attempts: 4 }] });
    expect(notices.filter(({ kind }) => kind === 'delivered')).toHaveLength(1);
    expect(jobs.health()).toMatchObject({ deliveryFailures: 3, waitingForDelivery: 0 });
    await world.clock.advanceAsync(600_000);
    expect([got.length, world.clock.timers()]).toEqual([4, 0]);
  });

  it('a failed onComplete is followed by the handler, while the process lives', async () => {
    const { got, deliver } = receiver();
    const { jobs } = world.boot({ deliver });
    const id = await start(jobs, () => 'r', { origin: ORIGIN, onComplete: () => false });
    await world.clock.advanceAsync(2000);
    expect(got).toEqual([`${id} origin 2`]);
  });

  it('a receiver may ask for a longer pause', async () => {
    const { got, deliver } = receiver((_, attempt) => {
      if (attempt === 1) throw Object.assign(new Error('busy'), { retryAfterMs: 60_000 });
    });
    const { jobs } = world.boot({ deliver });
    await start(jobs, () => 'r', { origin: ORIGIN });
    await world.clock.advanceAsync(59_999);
    expect(got).toHaveLength(1);
    await world.clock.advanceAsync(1);
    expect(got).toHaveLength(2);
  });

  it('a handler that does not answer is given up after its time, told so, and tried again', async () => {
    const signals: AbortSignal[] = [];
    const { jobs, notices } = world.boot({
      deliveryTimeoutMs: 1000,
      deliver: (_, { signal }) => {
        signals.push(signal);
        return signals.length > 1 || new Promise(() => {});
      },
    });
    const id = await start(jobs, () => 'r', { origin: ORIGIN });
    await world.clock.advanceAsync(1000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(notices).toContainEqual(
      expect.objectContaining({ kind: 'undelivered', error: expect.stringContaining('unknown') }),
    );
    await world.clock.advanceAsync(2000);
    expect(await world.stored(id)).toMatchObject({ delivered: true });
  });

  it('several targets have a mark each: only those that are owed are tried again', async () => {
    const attempts: string[] = [];
    const { jobs } = world.boot({
      deliver: (_, { target, attempt }) => {
        attempts.push(`${target} ${attempt}`);
        if (target === 'mail') return { giveUp: 'no such address' };
        return target === 'chat' || attempt > 1;
      },
    });
    const id = await start(jobs, () => 'r', { origin: ORIGIN, targets: ['chat', 'mail', 'pager'] });
    await world.settle();
    expect(await world.stored(id)).toMatchObject({ delivered: false, deliverer: null });
    await world.clock.advanceAsync(2000);
    expect(attempts).toEqual(['chat 1', 'mail 1', 'pager 1', 'pager 2']);
    expect(await world.stored(id)).toMatchObject({
      delivered: true,
      deliveries: [
        { target: 'chat', state: 'delivered', attempts: 1, error: null },
        { target: 'mail', state: 'given-up', attempts: 1, error: 'no such address' },
        { target: 'pager', state: 'delivered', attempts: 2 },
      ],
    });
  });

  it('a crash between two targets repeats only what has no mark', async () => {
    const first: string[] = [];
    const { jobs } = world.boot({
      deliver: (_, { target }) => {
        first.push(target);
        return target === 'chat' || new Promise(() => {});
      },
    });
    await start(jobs, () => 'r', { origin: ORIGIN, targets: ['chat', 'mail'] });
    await world.settle();
    const { got, deliver } = receiver();
    expect(await world.reboot().jobs.reconcileOnStart(deliver)).toMatchObject({ redelivered: 1 });
    expect([first, got.length, got[0]]).toEqual([['chat', 'mail'], 1, expect.stringContaining('mail 1')]);
  });

  it('what one process is handing back, another one does not', async () => {
    let finish: (value: unknown) => void = () => {};
    const a = world.boot({ deliver: () => new Promise((resolve) => (finish = resolve)) });
    const id = await start(a.jobs, () => 'r', { origin: ORIGIN });
    await world.settle();
    const { got, deliver } = receiver();
    const b = world.boot();
    expect(await b.jobs.reconcileOnStart(deliver)).toMatchObject({ rehydrated: 0 });
    finish(false);
    await world.settle();
    expect(await b.jobs.reconcileOnStart(deliver)).toMatchObject({ redelivered: 1 });
    // The first one comes back to it, and finds that it is done.
    await world.clock.advanceAsync(10_000);
    expect([got, a.jobs.health().waitingForDelivery]).toEqual([[`${id} origin 2`], 0]);
    expect((await a.jobs.getJobInfo(id)).delivered).toBe(true);
  });

  it('nor does it between two targets', async () => {
    const a = world.boot({ deliver: (_, { target }) => target === 'chat' || new Promise(() => {}) });
    await start(a.jobs, () => 'r', { origin: ORIGIN, targets: ['chat', 'mail'] });
    await world.settle();
    const { got, deliver } = receiver();
    expect(await world.boot().jobs.reconcileOnStart(deliver)).toMatchObject({ rehydrated: 0 });
    expect(got).toEqual([]);
  });

  it('lost jobs are told of only where that is asked for, and then until somebody took it', async () => {
    await world.seed({
      jobId: 'a',
      status: 'running',
      origin: ORIGIN,
      deliveries: [{ target: 'origin', state: 'owed', attempts: 0, error: null }],
    });
    await world.seed({ jobId: 'b', status: 'running' });
    const silent = receiver();
    expect(await world.boot().jobs.reconcileOnStart(silent.deliver)).toEqual({
      lost: 2,
      redelivered: 0,
      rehydrated: 2,
    });
    expect(silent.got).toEqual([]);
    await world.seed({
      jobId: 'c',
      status: 'pending',
      origin: ORIGIN,
      deliveries: [{ target: 'origin', state: 'owed', attempts: 0, error: null }],
    });
    const told: string[] = [];
    const asking = world.boot({ deliverLost: true });
    const counts = await asking.jobs.reconcileOnStart(({ jobId, status }) => {
      told.push(`${jobId} ${status}`);
      return jobId === 'c';
    });
    expect(counts).toEqual({ lost: 1, redelivered: 1, rehydrated: 2 });
    expect(told).toEqual(['a lost', 'c lost']);
    await asking.jobs.shutdown();
    expect(await world.boot({ deliverLost: true }).jobs.reconcileOnStart(() => true)).toMatchObject({
      lost: 0,
      redelivered: 1,
    });
  });

  it('a mark that cannot be stored is stored later', async () => {
    let broken = false;
    const store = withStore(world.store, {
      upsert(record, condition, by) {
        if (broken && record.delivered) throw new Error('disk is full');
        return world.store.upsert(record, condition, by);
      },
    });
    const { got, deliver } = receiver();
    const { jobs } = world.boot({ store, deliver });
    broken = true;
    const id = await start(jobs, () => 'r', { origin: ORIGIN });
    await world.clock.advanceAsync(10_000);
    expect([got.length, jobs.health().unwritten]).toEqual([1, 1]);
    broken = false;
    await world.clock.advanceAsync(60_000);
    expect(await world.stored(id)).toMatchObject({ delivered: true });
    expect([got.length, jobs.health().unwritten]).toEqual([1, 0]);
  });

  it('a shutdown waits for the deliveries under way, and begins no other', async () => {
    let finish: (value: unknown) => void = () => {};
    const { jobs } = world.boot({ deliver: () => new Promise((resolve) => (finish = resolve)) });
    const id = await start(jobs, () => 'r', { origin: ORIGIN });
    await world.settle();
    let closed = false;
    const closing = jobs.shutdown().then(() => {
      closed = true;
    });
    await world.settle();
    expect(closed).toBe(false);
    finish(false);
    await closing;
    expect(await world.stored(id)).toMatchObject({ delivered: false, deliverer: null });
    expect(world.clock.timers()).toBe(0);
  });

  it('an observer hears of every end, and one that throws harms nobody', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const kinds: string[] = [];
    const { jobs } = world.boot({
      observe: (notice) => {
        kinds.push(notice.kind);
        throw new Error('observer');
      },
    });
    await jobs.getResult(await start(jobs, () => 1));
    const work = gate();
    const id = await start(jobs, work.work);
    work.fail(new Error('x'));
    await expect(jobs.getResult(id)).rejects.toMatchObject({ code: 'JOB_FAILED' });
    expect(kinds).toEqual(['ended', 'ended']);
    expect(warned).toHaveBeenCalledTimes(2);
    warned.mockRestore();
  });
});

describe('pauses', () => {
  it('grow by 1.8 from 2 s to 30 s, a quarter more or less, whatever the attempt', () => {
    expect([1, 2, 3, 6, 40, 1e9, 0, -5].map((attempt) => Math.round(deliveryPauseMs(attempt, 0.5)))).toEqual([
      2000, 3600, 6480, 30_000, 30_000, 30_000, 2000, 2000,
    ]);
    expect([deliveryPauseMs(1, 0), deliveryPauseMs(1, 1)]).toEqual([1500, 2500]);
  });

  it('are as long as the receiver asks, up to a day, and never shorter than ours', () => {
    expect(
      [100, 60_000, 1000 * 2 ** 40, Number.NaN, -1, Number.POSITIVE_INFINITY].map((asked) =>
        deliveryPauseMs(1, 0.5, asked),
      ),
    ).toEqual([2000, 60_000, 86_400_000, 2000, 2000, 2000]);
  });

  it('of writes double from 50 ms to 30 s', () => {
    expect([1, 2, 3, 100, 1e6].map(writePauseMs)).toEqual([50, 100, 200, 30_000, 30_000]);
  });
});
