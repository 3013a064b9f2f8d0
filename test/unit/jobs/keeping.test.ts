/** Looking things up, forgetting, and a store that fails: spec/jobs.md checks 33-35, 39-42, 46-48, 53. */
import { describe, expect, it } from 'vitest';
import { FencepostError } from '../../../src/errors.ts';
import { ENGINES, gate, ORIGIN, raw, start, useJobs, withStore } from './jobs.ts';

const HOUR = 3_600_000;

describe.each(ENGINES)('looking up on %s', (engine) => {
  const world = useJobs(engine);

  it('jobs 33: an unknown id is not found', async () => {
    const { jobs } = world.boot();
    for (const ask of [jobs.getStatus('x'), jobs.getJobInfo('x'), jobs.getResult('x')]) {
      await expect(ask).rejects.toMatchObject({ code: 'JOB_UNKNOWN', message: expect.stringContaining('x') });
    }
  });

  it('jobs 34, jobs 35: after a restart a job has the same result, error, origin and times', async () => {
    const { jobs } = world.boot();
    const work = gate();
    await start(jobs, work.work, { id: 'good', origin: { chat: 'C1', thread: 7 } });
    await start(jobs, () => Promise.reject(new Error('broke')), { id: 'bad', origin: ORIGIN });
    await world.settle();
    world.clock.advance(40);
    work.open({ answer: 42 });
    await jobs.getResult('good');
    const before = [await jobs.getJobInfo('good'), await jobs.getJobInfo('bad')];
    const next = world.reboot().jobs;
    expect([await next.getJobInfo('good'), await next.getJobInfo('bad')]).toEqual(before);
    expect(before[0]).toMatchObject({ durationMs: 40, origin: { chat: 'C1', thread: 7 } });
    expect(await next.getResult('good')).toEqual({ answer: 42 });
    await expect(next.getResult('bad')).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringContaining('broke'),
    });
  });

  it('jobs 35: a result of a job that another process runs is waited for', async () => {
    const work = gate();
    const id = await start(world.boot().jobs, work.work);
    await world.settle();
    const result = world.boot().jobs.getResult(id, { timeoutMs: 10_000 });
    await world.clock.advanceAsync(1000);
    work.open('far');
    await world.clock.advanceAsync(1000);
    expect(await result).toBe('far');
  });

  it('jobs 39, jobs 40: cleanup forgets ended jobs that are older, and answers how many', async () => {
    const { jobs } = world.boot({ maxWorkers: 1 });
    await world.seed({ jobId: 'lost', status: 'running' });
    await jobs.reconcileOnStart();
    await start(jobs, () => 1, { id: 'completed' });
    await start(jobs, () => Promise.reject(new Error('x')), { id: 'failed' });
    await jobs.getResult('failed').catch(() => {});
    const work = gate();
    await start(jobs, work.work, { id: 'running' });
    await start(jobs, () => 1, { id: 'cancelled' });
    await start(jobs, () => 1, { id: 'pending' });
    await jobs.cancelJob('cancelled');
    await world.settle();
    world.clock.advance(HOUR);
    expect(await jobs.cleanupCompleted()).toBe(0);
    world.clock.advance(1);
    expect(await jobs.cleanupCompleted()).toBe(4);
    expect(await jobs.cleanupCompleted(0)).toBe(0);
    expect([await jobs.getStatus('running'), await jobs.getStatus('pending'), jobs.activeJobs]).toEqual([
      'running',
      'pending',
      2,
    ]);
    await expect(jobs.cleanupCompleted(-1)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('jobs 41: what memory forgot the store knows; what was pruned nobody does', async () => {
    const { jobs } = world.boot();
    const id = await start(jobs, () => 'r');
    await jobs.getResult(id);
    world.clock.advance(10);
    expect(await jobs.cleanupCompleted(9)).toBe(1);
    expect([await jobs.getStatus(id), await jobs.getResult(id)]).toEqual(['completed', 'r']);
    expect(await jobs.prune(10)).toBe(0);
    expect(await jobs.prune(9)).toBe(1);
    await expect(jobs.getStatus(id)).rejects.toMatchObject({ code: 'JOB_UNKNOWN' });
  });

  it('jobs 41: a prune forgets in memory too', async () => {
    const { jobs } = world.boot();
    const id = await start(jobs, () => 'r');
    await jobs.getResult(id);
    world.clock.advance(10);
    expect(await jobs.prune(0)).toBe(1);
    await expect(jobs.getStatus(id)).rejects.toMatchObject({ code: 'JOB_UNKNOWN' });
    expect(await jobs.listJobs()).toEqual([]);
  });

  it('jobs 42: a prune removes no job that owes a delivery, and none that has not ended', async () => {
    const owed = {
      origin: ORIGIN,
      deliveries: [{ target: 'origin', state: 'owed', attempts: 0, error: null }],
    } as const;
    await world.seed({ jobId: 'owes', status: 'completed', ...owed });
    await world.seed({ jobId: 'owes too', status: 'failed', error: 'x', ...owed });
    await world.seed({ jobId: 'delivered', status: 'completed', ...owed, delivered: true });
    await world.seed({ jobId: 'no origin', status: 'completed' });
    await world.seed({ jobId: 'lost', status: 'lost', ...owed });
    await world.seed({ jobId: 'running', status: 'running' });
    world.clock.advance(HOUR);
    const asking = world.boot({ deliverLost: true }).jobs;
    expect(await asking.prune(1)).toBe(2);
    expect((await asking.listJobs()).map(({ jobId }) => jobId)).toEqual([
      'owes',
      'owes too',
      'lost',
      'running',
    ]);
    const { jobs } = world.boot();
    expect(await jobs.prune(1)).toBe(1);
    expect((await jobs.listJobs()).map(({ jobId }) => jobId)).toEqual(['owes', 'owes too', 'running']);
  });

  it('a prune of thousands goes on until nothing is left', async () => {
    for (let i = 0; i < 1100; i += 1) await world.seed({ jobId: `j${i}`, status: 'completed' });
    world.clock.advance(HOUR);
    const { jobs } = world.boot();
    expect(await jobs.prune(1)).toBe(1100);
    expect(await jobs.listJobs()).toEqual([]);
    expect(await world.store.instance('dead')).toBeUndefined();
  });

  it('instances that still have a job are not pruned', async () => {
    const { jobs } = world.boot();
    await start(jobs, gate().work);
    await world.settle();
    world.clock.advance(HOUR);
    await world.boot().jobs.prune(0);
    expect(await world.store.instance(jobs.instanceId)).toMatchObject({ ended: false });
  });

  it('a listing shows what memory knows better', async () => {
    let broken = false;
    const store = withStore(world.store, {
      upsert(record, condition, by) {
        if (broken) throw new Error('no disk');
        return world.store.upsert(record, condition, by);
      },
    });
    const { jobs } = world.boot({ store });
    const work = gate();
    const id = await start(jobs, work.work);
    await world.settle();
    broken = true;
    work.open(1);
    await world.clock.advanceAsync(20_000);
    expect((await jobs.listJobs('completed')).map(({ jobId }) => jobId)).toEqual([id]);
    expect(await jobs.listJobs('running')).toEqual([]);
  });
});

describe.each(ENGINES)('a store that fails, on %s', (engine) => {
  const world = useJobs(engine);
  const failing = (isBroken: (status: string) => boolean) =>
    withStore(world.store, {
      upsert(record, condition, by) {
        if (isBroken(record.status)) throw new Error('no disk');
        return world.store.upsert(record, condition, by);
      },
    });

  it('jobs 46: the job completes all the same; failures are counted, told and visible', async () => {
    const told: string[] = [];
    const { jobs, notices } = world.boot({ store: failing(() => true) });
    const id = await start(jobs, () => 'r', { onComplete: ({ status }) => told.push(status) });
    await world.clock.advanceAsync(10_000);
    expect([await jobs.getStatus(id), await jobs.getResult(id), told]).toEqual([
      'completed',
      'r',
      ['completed'],
    ]);
    expect(jobs.health()).toMatchObject({ unwritten: 1, lastError: expect.stringContaining('no disk') });
    expect(jobs.health().writeFailures).toBeGreaterThan(3);
    expect(notices).toContainEqual({
      kind: 'warning',
      message: expect.stringContaining('no disk'),
      jobId: id,
    });
    expect(await jobs.cleanupCompleted(0)).toBe(0);
  });

  it('jobs 46: once the store works again it is told everything', async () => {
    let isBroken = true;
    const { jobs } = world.boot({ store: failing(() => isBroken) });
    const id = await start(jobs, () => 'r');
    await world.clock.advanceAsync(10_000);
    isBroken = false;
    await world.clock.advanceAsync(30_000);
    expect(await world.stored(id)).toMatchObject({ status: 'completed', result: { value: 'r' } });
    expect([jobs.health().unwritten, world.clock.timers()]).toEqual([0, 0]);
  });

  it('jobs 46: a strict start fails instead, and leaves nothing behind', async () => {
    const { jobs } = world.boot({ store: failing(() => true) });
    const work = gate();
    await expect(jobs.startJob(work.work, { id: 'a', strict: true })).rejects.toThrow('no disk');
    await expect(jobs.getStatus('a')).rejects.toMatchObject({ code: 'JOB_UNKNOWN' });
    expect([work.calls, jobs.activeJobs]).toEqual([0, 0]);
  });

  it('jobs 47: an end that could not be stored at once is stored before anybody is told', async () => {
    let failures = 0;
    const store = failing((status) => {
      if (status === 'completed') failures += 1;
      return status === 'completed' && failures === 1;
    });
    const { jobs } = world.boot({ store });
    const seen: unknown[] = [];
    const id = await start(jobs, () => 'r', {
      onComplete: async () => seen.push((await world.stored(id)).status),
    });
    await world.clock.advanceAsync(1000);
    expect(seen).toEqual(['completed']);
    const next = world.reboot().jobs;
    expect(await next.reconcileOnStart()).toMatchObject({ lost: 0 });
    expect(await next.getStatus(id)).toBe('completed');
  });

  it('a write that landed although its answer was lost is recognised', async () => {
    let lost = 0;
    const store = withStore(world.store, {
      async upsert(record, condition, by) {
        const written = await world.store.upsert(record, condition, by);
        lost += 1;
        if (lost % 2 === 1) throw new FencepostError('STORE_FAILED', 'no answer', { definite: false });
        return written;
      },
    });
    const { jobs } = world.boot({ store });
    const id = await start(jobs, () => 'r', { origin: ORIGIN, onComplete: () => true });
    await world.clock.advanceAsync(10_000);
    expect(await jobs.getResult(id)).toBe('r');
    expect(await world.stored(id)).toMatchObject({ status: 'completed', delivered: true });
    expect(jobs.health()).toMatchObject({ fenced: 0, unwritten: 0 });
  });

  it('a pending record that landed although its answer was lost is no duplicate', async () => {
    let isLost = false;
    const store = withStore(world.store, {
      async upsert(record, condition, by) {
        const written = await world.store.upsert(record, condition, by);
        if (isLost) throw new FencepostError('STORE_FAILED', 'no answer', { definite: false });
        return written;
      },
    });
    const { jobs } = world.boot({ store, maxWorkers: 1 });
    const busy = gate();
    await start(jobs, busy.work);
    await world.settle();
    isLost = true;
    const id = await start(jobs, () => 'r');
    isLost = false;
    await world.clock.advanceAsync(1000);
    expect([await jobs.getStatus(id), jobs.health()]).toMatchObject(['pending', { unwritten: 0, fenced: 0 }]);
    busy.open();
    expect(await jobs.getResult(id)).toBe('r');
  });

  it('jobs 48: a slow store never has an earlier state land on a later one', async () => {
    const landed: string[] = [];
    let delayMs = 900;
    const store = withStore(world.store, {
      async upsert(record, condition, by) {
        // The first write is the slowest.
        delayMs -= 300;
        await new Promise<void>((resolve) => void world.clock.after(Math.max(1, delayMs), resolve));
        const written = await world.store.upsert(record, condition, by);
        landed.push(`${record.status} ${written}`);
        return written;
      },
    });
    const { jobs } = world.boot({ store });
    const started = start(jobs, () => 'r');
    await world.clock.advanceAsync(5000);
    const id = await started;
    expect(landed).toEqual(['pending true', 'running true', 'completed true']);
    // A straggler of an earlier state is refused by its revision.
    const stored = await world.stored(id);
    expect(
      await world.store.upsert({ ...stored, status: 'running', revision: 2 }, { ifRevision: 1 }, { id: 'x' }),
    ).toBe(false);
    expect(await world.stored(id)).toMatchObject({ status: 'completed' });
  });

  it('heartbeats that fail are counted, and tried again', async () => {
    let isBroken = true;
    let beats = 0;
    const store = withStore(world.store, {
      beat(instance) {
        beats += 1;
        if (isBroken) throw new Error('no disk');
        return world.store.beat(instance);
      },
    });
    const { jobs } = world.boot({ store });
    await start(jobs, gate().work);
    await world.clock.advanceAsync(12_000);
    expect([beats, jobs.health().heartbeatFailures]).toEqual([2, 2]);
    isBroken = false;
    await world.clock.advanceAsync(5000);
    expect((await world.store.instance(jobs.instanceId))?.heartbeatAtMs).toBe(1_015_000);
  });

  it('an instance with nothing to finish gives no signs of life, and keeps no timer', async () => {
    const { jobs } = world.boot();
    await jobs.getResult(await start(jobs, () => 1));
    await world.clock.advanceAsync(20_000);
    expect(world.clock.timers()).toBe(0);
  });

  it('jobs 53: 32 concurrent writers through one store object, and no row is lost', async () => {
    const { jobs } = world.boot({ maxWorkers: 32 });
    const ids = await Promise.all(
      Array.from({ length: 320 }, (_, i) => start(jobs, async () => `r${i}`, { id: `j${i}` })),
    );
    expect(await Promise.all(ids.map((id) => jobs.getResult(id)))).toEqual(ids.map((_, i) => `r${i}`));
    const stored = (await world.store.list('completed', { limit: 1000 })).jobs;
    expect(stored.map(({ jobId, revision }) => [jobId, revision]).toSorted()).toEqual(
      ids.map((id) => [id, 3]).toSorted(),
    );
    expect(jobs.health().writeFailures).toBe(0);
  });
});

describe('a file that somebody else works on', () => {
  const world = useJobs('sqlite');

  it('a row that vanished under a running job is not made anew (cases.md A15)', async () => {
    const { jobs } = world.boot();
    const work = gate();
    await start(jobs, work.work, { id: 'a' });
    await world.settle();
    raw(world.file, 'DELETE FROM background_jobs');
    const result = jobs.getResult('a');
    work.open(1);
    await expect(result).rejects.toMatchObject({ code: 'JOB_UNKNOWN' });
    expect(await world.store.get('a')).toBeUndefined();
    expect(jobs.health()).toMatchObject({ fenced: 1, lateFinishes: 1 });
    expect(await start(jobs, () => 'again', { id: 'a' })).toBe('a');
    expect(await jobs.getResult('a')).toBe('again');
  });
});
