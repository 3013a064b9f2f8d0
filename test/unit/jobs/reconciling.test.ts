/** What a boot finds and does: spec/jobs.md checks 6-18, 22, 27, 28, 30-32, 37, 38, 58, 59; cases.md A12, A13. */
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { UNRECONCILED } from '../../../src/stores/sqlite/jobs/format.ts';
import { ENGINES, gate, ORIGIN, raw, receiver, STALE_MS, start, useJobs, withStore } from './jobs.ts';

const NOTHING = { lost: 0, redelivered: 0, rehydrated: 0 };
const COMPLETED = { status: 'completed', result: { value: 'r' }, origin: ORIGIN } as const;
const OWED = {
  ...COMPLETED,
  deliveries: [{ target: 'origin', state: 'owed', attempts: 0, error: null }],
} as const;

describe.each(ENGINES)('reconciling on %s', (engine) => {
  const world = useJobs(engine);

  it.each(['running', 'pending'] as const)('jobs 6, jobs 7: a job that was %s is lost', async (status) => {
    await world.seed({ jobId: 'a', status, origin: ORIGIN });
    world.clock.advance(100);
    const { jobs } = world.boot();
    expect(await jobs.reconcileOnStart()).toEqual({ lost: 1, redelivered: 0, rehydrated: 1 });
    expect(await world.stored('a')).toMatchObject({
      status: 'lost',
      completedAtMs: 1_000_100,
      origin: ORIGIN,
    });
    expect(await jobs.getStatus('a')).toBe('lost');
    expect(await jobs.getJobInfo('a')).not.toHaveProperty('durationMs');
    await expect(jobs.getResult('a')).rejects.toMatchObject({ code: 'JOB_LOST' });
  });

  it('jobs 8, jobs 9: an undelivered result is handed back once, and no later boot finds anything', async () => {
    await world.seed({ jobId: 'a', ...OWED });
    const { got, deliver } = receiver();
    expect(await world.boot().jobs.reconcileOnStart(deliver)).toEqual({
      lost: 0,
      redelivered: 1,
      rehydrated: 1,
    });
    expect(got).toEqual(['a origin 1']);
    expect(await world.stored('a')).toMatchObject({
      delivered: true,
      deliverer: null,
      deliveries: [{ state: 'delivered', attempts: 1 }],
    });
    expect(await world.reboot().jobs.reconcileOnStart(deliver)).toEqual(NOTHING);
    expect(got).toHaveLength(1);
  });

  it.each([
    ['jobs 10: delivered', { ...COMPLETED, delivered: true }],
    ['jobs 11: without an origin', { ...COMPLETED, origin: {} }],
    ['jobs 12: failed without an origin', { status: 'failed', error: 'x' }],
    ['jobs 12: failed and delivered', { status: 'failed', error: 'x', origin: ORIGIN, delivered: true }],
    ['jobs 12: cancelled', { status: 'cancelled', origin: ORIGIN }],
    ['jobs 12: lost', { status: 'lost', origin: ORIGIN }],
  ] as const)('%s: not listed, nobody is told', async (_, record) => {
    await world.seed({ jobId: 'a', ...record });
    const { got, deliver } = receiver();
    expect(await world.boot().jobs.reconcileOnStart(deliver)).toEqual(NOTHING);
    expect(got).toEqual([]);
  });

  it('jobs 13: two running and one undelivered', async () => {
    await world.seed({ jobId: 'a', status: 'running' });
    await world.seed({ jobId: 'b', ...OWED });
    await world.seed({ jobId: 'c', status: 'running' });
    const { deliver } = receiver();
    expect(await world.boot().jobs.reconcileOnStart(deliver)).toEqual({
      lost: 2,
      redelivered: 1,
      rehydrated: 3,
    });
  });

  it('jobs 14, jobs 15: without a handler it stays owed, and a handler that comes later gets it', async () => {
    await world.seed({ jobId: 'a', status: 'running' });
    await world.seed({ jobId: 'b', ...OWED });
    await world.seed({ jobId: 'c', status: 'running' });
    const { jobs } = world.boot();
    expect(await jobs.reconcileOnStart()).toEqual({ lost: 2, redelivered: 0, rehydrated: 3 });
    expect(await world.stored('b')).toMatchObject({ delivered: false, deliverer: null });
    const { got, deliver } = receiver();
    expect(await jobs.reconcileOnStart(deliver)).toEqual({ lost: 0, redelivered: 1, rehydrated: 1 });
    expect(got).toEqual(['b origin 1']);
  });

  it('jobs 16, jobs 17: a handler that throws on one of three keeps nobody else from theirs; the next boot tries it again', async () => {
    for (const jobId of ['a', 'b', 'c']) await world.seed({ jobId, ...OWED });
    const first = receiver((jobId) => {
      if (jobId === 'a') throw new Error('line is dead');
    });
    const { jobs, notices } = world.boot();
    expect(await jobs.reconcileOnStart(first.deliver)).toEqual({ lost: 0, redelivered: 2, rehydrated: 3 });
    expect(first.got).toEqual(['a origin 1', 'b origin 1', 'c origin 1']);
    expect(await world.stored('a')).toMatchObject({
      delivered: false,
      deliveries: [{ state: 'owed', attempts: 1, error: 'line is dead' }],
    });
    expect(notices).toContainEqual(
      expect.objectContaining({ kind: 'undelivered', target: 'origin', error: 'line is dead' }),
    );
    const next = receiver();
    expect(await world.reboot().jobs.reconcileOnStart(next.deliver)).toMatchObject({ redelivered: 1 });
    expect(next.got).toEqual(['a origin 2']);
  });

  it.each([
    ['answers false', () => false],
    ['answers false later', () => Promise.resolve(false)],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('jobs 18: a handler that %s has not delivered', async (_, answer) => {
    await world.seed({ jobId: 'a', ...OWED });
    const { deliver } = receiver(answer);
    expect(await world.boot().jobs.reconcileOnStart(deliver)).toMatchObject({
      redelivered: 0,
      rehydrated: 1,
    });
    expect(await world.stored('a')).toMatchObject({ delivered: false, deliverer: null });
  });

  it('jobs 22: a failed job whose callback never ran is delivered with its error', async () => {
    await world.seed({ ...OWED, jobId: 'a', status: 'failed', result: null, error: 'Error: broke' });
    const told: unknown[] = [];
    const counts = await world.boot().jobs.reconcileOnStart((job) => told.push([job.status, job.error]));
    expect([counts.redelivered, told]).toEqual([1, [['failed', 'Error: broke']]]);
  });

  it('jobs 27: jobs of another manager that is alive are left alone, and end as they should', async () => {
    const a = world.boot();
    const work = gate();
    const running = await start(a.jobs, work.work);
    await world.clock.advanceAsync(3 * STALE_MS);
    expect(await world.boot().jobs.reconcileOnStart()).toEqual(NOTHING);
    work.open('fine');
    expect(await a.jobs.getResult(running)).toBe('fine');
    expect(await world.stored(running)).toMatchObject({ status: 'completed' });
  });

  it('jobs 28: once its heartbeat is stale, its jobs are lost, at that instant and not a millisecond before', async () => {
    const a = world.boot();
    const id = await start(a.jobs, gate().work);
    await world.settle();
    a.crash();
    const b = world.boot();
    world.clock.advance(STALE_MS - 1);
    expect(await b.jobs.reconcileOnStart()).toEqual(NOTHING);
    world.clock.advance(1);
    expect(await b.jobs.reconcileOnStart()).toMatchObject({ lost: 1 });
    expect(await b.jobs.getStatus(id)).toBe('lost');
  });

  it('a process that is known to be gone is not waited for', async () => {
    const process = { bootId: 'b', pidNamespace: 'n', pid: 7, startTicks: '1' };
    let isGone = false;
    const processes = {
      self: () => process,
      stateOf: (other: unknown) => {
        expect(other).toEqual(process);
        return isGone ? ('gone' as const) : ('there' as const);
      },
    };
    const a = world.boot({ processes });
    await start(a.jobs, gate().work);
    await world.settle();
    a.crash();
    const b = world.boot({ processes });
    expect(await b.jobs.reconcileOnStart()).toEqual(NOTHING);
    isGone = true;
    expect(await b.jobs.reconcileOnStart()).toMatchObject({ lost: 1 });
  });

  it('jobs 29: a process that was taken for dead comes back: lost stays lost, and it learns that it was fenced', async () => {
    const a = world.boot({ maxWorkers: 1 });
    const work = gate();
    const queued = gate();
    const told: unknown[] = [];
    const options = { origin: ORIGIN, onComplete: () => told.push('called') };
    const running = await start(a.jobs, work.work, options);
    const waiting = await start(a.jobs, queued.work, options);
    await world.settle();
    // Stopped: no heartbeat comes, then everything goes on.
    const b = world.boot();
    await world.store.end(a.jobs.instanceId);
    expect(await b.jobs.reconcileOnStart()).toMatchObject({ lost: 2 });
    work.open('late');
    await expect(a.jobs.getResult(running)).rejects.toMatchObject({ code: 'JOB_LOST' });
    await expect(a.jobs.getResult(waiting)).rejects.toMatchObject({ code: 'JOB_LOST' });
    expect(await world.stored(running)).toMatchObject({ status: 'lost', result: null });
    expect([queued.calls, told]).toEqual([0, []]);
    expect(a.jobs.health()).toMatchObject({ fenced: 2, lateFinishes: 1 });
    expect(a.notices.filter(({ kind }) => kind === 'fenced')).toHaveLength(2);
  });

  it('jobs 30: a late reconcile leaves the jobs of its own process alone', async () => {
    const { jobs } = world.boot({ maxWorkers: 1, deliver: () => new Promise(() => {}) });
    const work = gate();
    await start(jobs, () => 'done', { id: 'delivering', origin: ORIGIN });
    await jobs.getResult('delivering');
    await start(jobs, work.work, { id: 'running' });
    await start(jobs, gate().work, { id: 'pending' });
    await world.settle();
    expect(await jobs.reconcileOnStart()).toEqual(NOTHING);
    expect([await jobs.getStatus('running'), await jobs.getStatus('pending')]).toEqual([
      'running',
      'pending',
    ]);
  });

  it('jobs 30: also when its own heartbeats could not be stored', async () => {
    const store = withStore(world.store, {
      beat() {
        throw new Error('no disk');
      },
    });
    const { jobs } = world.boot({ store });
    const id = await start(jobs, gate().work);
    await world.clock.advanceAsync(2 * STALE_MS);
    expect(await jobs.reconcileOnStart()).toEqual(NOTHING);
    expect(await jobs.getStatus(id)).toBe('running');
  });

  it('jobs 31: whoever asks during the pass never sees running of a job that it marks', async () => {
    for (const jobId of ['a', 'b', 'c']) await world.seed({ jobId, status: 'running' });
    const seen: string[] = [];
    const asked: Promise<unknown>[] = [];
    const store = withStore(world.store, {
      async upsert(record, condition, by) {
        for (const jobId of ['a', 'b', 'c']) {
          asked.push(jobs.getStatus(jobId).then((status) => seen.push(status)));
        }
        asked.push(jobs.listJobs().then((all) => seen.push(...all.map(({ status }) => status))));
        await null;
        return world.store.upsert(record, condition, by);
      },
    });
    const { jobs } = world.boot({ store });
    expect(await jobs.getStatus('a')).toBe('running');
    expect(await jobs.reconcileOnStart()).toMatchObject({ lost: 3 });
    await Promise.all(asked);
    expect([seen.length, [...new Set(seen)]]).toEqual([18, ['lost']]);
  });

  it('jobs 32: before the reconcile an interrupted job reads as it was, after it as lost', async () => {
    await world.seed({ jobId: 'a', status: 'running' });
    await world.seed({ jobId: 'b', status: 'pending' });
    const { jobs } = world.boot();
    expect([await jobs.getStatus('a'), await jobs.getStatus('b')]).toEqual(['running', 'pending']);
    await jobs.reconcileOnStart();
    expect([await jobs.getStatus('a'), await jobs.getStatus('b')]).toEqual(['lost', 'lost']);
  });

  it('jobs 37, jobs 38: the lost are listed with their origin, and still are one boot later', async () => {
    await world.seed({ jobId: 'a', status: 'running', origin: ORIGIN });
    await world.seed({ jobId: 'b', status: 'pending' });
    await world.seed({ jobId: 'c', ...COMPLETED });
    const { jobs } = world.boot();
    await jobs.reconcileOnStart();
    const expected = [
      { jobId: 'a', status: 'lost', origin: ORIGIN },
      { jobId: 'b', status: 'lost', origin: {} },
    ];
    expect(await jobs.listJobs('lost')).toMatchObject(expected);
    expect(await world.reboot().jobs.listJobs('lost')).toMatchObject(expected);
  });

  it('oldest first, ties in the order of insertion, one at a time', async () => {
    const nowMs = await world.store.nowMs();
    for (const [jobId, ageMs] of [
      ['d', 0],
      ['b', 5],
      ['a', 9],
      ['c', 5],
    ] as const) {
      await world.seed({ jobId, ...OWED, createdAtMs: nowMs - ageMs });
    }
    let at = 0;
    const got: string[] = [];
    await world.boot().jobs.reconcileOnStart(async ({ jobId }) => {
      at += 1;
      expect(at).toBe(1);
      await null;
      got.push(jobId);
      at -= 1;
    });
    expect(got).toEqual(['a', 'b', 'c', 'd']);
  });

  it('jobs 58: a store that cannot list: zeros, a warning, and the manager works', async () => {
    const store = withStore(world.store, {
      listUnreconciled: () => {
        throw new Error('no disk');
      },
    });
    const { jobs, notices } = world.boot({ store });
    expect(await jobs.reconcileOnStart()).toEqual(NOTHING);
    expect(notices).toContainEqual({ kind: 'warning', message: expect.stringContaining('no disk') });
    const id = await start(jobs, () => 4);
    expect(await jobs.getResult(id)).toBe(4);
  });

  it('a record that is none keeps nobody else from theirs', async () => {
    await world.seed({ jobId: 'b', ...OWED });
    const store = withStore(world.store, {
      async listUnreconciled(page, owing) {
        const found = await world.store.listUnreconciled(page, owing);
        return {
          ...found,
          jobs: [null as never, ...found.jobs],
          unreadable: [{ jobId: 'z', problem: 'torn' }],
        };
      },
    });
    const { jobs, notices } = world.boot({ store });
    expect(await jobs.reconcileOnStart(() => true)).toEqual({ lost: 0, redelivered: 1, rehydrated: 1 });
    expect(notices.filter(({ kind }) => kind === 'warning')).toHaveLength(2);
  });

  it('a job that its owner finished after it was listed is not marked (cases.md A12)', async () => {
    const a = world.boot();
    const work = gate();
    const one = await start(a.jobs, work.work);
    const two = await start(a.jobs, gate().work);
    await world.settle();
    await world.store.end(a.jobs.instanceId);
    const store = withStore(world.store, {
      async listUnreconciled(page, owing) {
        const found = await world.store.listUnreconciled(page, owing);
        work.open('ok');
        await a.jobs.getResult(one);
        return found;
      },
    });
    expect(await world.boot({ store }).jobs.reconcileOnStart()).toMatchObject({ rehydrated: 1, lost: 1 });
    expect(await world.stored(one)).toMatchObject({ status: 'completed', result: { value: 'ok' } });
    expect(await world.stored(two)).toMatchObject({ status: 'lost' });
  });

  it('an owner that gave a sign of life after the look is not taken for dead', async () => {
    const a = world.boot();
    const id = await start(a.jobs, gate().work);
    await world.settle();
    a.crash();
    world.clock.advance(STALE_MS);
    const store = withStore(world.store, {
      async instance(found) {
        const known = await world.store.instance(found);
        await world.store.beat({ id: a.jobs.instanceId });
        return known;
      },
    });
    expect(await world.boot({ store }).jobs.reconcileOnStart()).toEqual(NOTHING);
    expect(await world.stored(id)).toMatchObject({ status: 'running' });
  });

  it('an orphan of which no instance is known is lost at the next reconcile (cases.md A13)', async () => {
    const a = world.boot();
    const id = await start(a.jobs, gate().work);
    await world.settle();
    const store = withStore(world.store, { instance: () => undefined });
    expect(await world.boot({ store }).jobs.reconcileOnStart()).toEqual(NOTHING);
    if (engine === 'sqlite') {
      raw(world.file, 'DELETE FROM job_instances');
      expect(await world.boot().jobs.reconcileOnStart()).toMatchObject({ lost: 1 });
      expect(await world.stored(id)).toMatchObject({ status: 'lost' });
    }
  });

  it('pages of live jobs do not hide one that is stuck', async () => {
    const { store } = world;
    const nowMs = await store.nowMs();
    for (let i = 0; i < 600; i += 1) {
      await world.seed({ jobId: `live ${i}`, status: 'running', owner: 'alive', createdAtMs: nowMs - 1 });
    }
    await store.beat({ id: 'alive' });
    await world.seed({ jobId: 'stuck', status: 'running' });
    const { jobs } = world.boot();
    expect(await jobs.reconcileOnStart()).toEqual({ lost: 1, redelivered: 0, rehydrated: 1 });
    expect(await jobs.getStatus('stuck')).toBe('lost');
  });

  it('of two passes at once the second finds what the first has left', async () => {
    for (const jobId of ['a', 'b']) await world.seed({ jobId, ...OWED });
    const { jobs } = world.boot();
    const { deliver } = receiver((jobId) => jobId === 'a');
    expect(await Promise.all([jobs.reconcileOnStart(deliver), jobs.reconcileOnStart()])).toEqual([
      { lost: 0, redelivered: 1, rehydrated: 2 },
      { lost: 0, redelivered: 0, rehydrated: 1 },
    ]);
  });

  it('two passes at once hand nothing back twice', async () => {
    for (const jobId of ['a', 'b']) await world.seed({ jobId, ...OWED });
    const { got, deliver } = receiver(() => Promise.resolve());
    const [a, b] = [world.boot().jobs, world.boot().jobs];
    const counts = await Promise.all([
      a.reconcileOnStart(deliver),
      a.reconcileOnStart(deliver),
      b.reconcileOnStart(deliver),
    ]);
    expect(got.toSorted()).toEqual(['a origin 1', 'b origin 1']);
    expect(counts.reduce((sum, { redelivered }) => sum + redelivered, 0)).toBe(2);
  });
});

describe('rows of a file', () => {
  const world = useJobs('sqlite');

  it('what is to be reconciled is read by its own index, in order, whatever the history', () => {
    const db = new Database(world.file);
    const plan = db
      .prepare<[], { readonly detail: string }>(
        `EXPLAIN QUERY PLAN SELECT * FROM background_jobs INDEXED BY background_jobs_unreconciled
         WHERE ${UNRECONCILED} AND (created_at_ms, seq) > (0, 0) ORDER BY created_at_ms, seq`,
      )
      .all();
    db.close();
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH background_jobs USING INDEX background_jobs_unreconciled (created_at_ms>?)',
    ]);
  });

  it('jobs 59: one that cannot be read is passed over with a warning, and the others are reconciled', async () => {
    for (const jobId of ['a', 'b', 'c', 'd']) await world.seed({ jobId, status: 'running' });
    raw(world.file, `UPDATE background_jobs SET created_at_ms = -9e999 WHERE job_id = 'a'`);
    raw(world.file, `UPDATE background_jobs SET deliveries = '[[' WHERE job_id = 'b'`);
    raw(world.file, `UPDATE background_jobs SET revision = 0 WHERE job_id = 'c'`);
    const { jobs, notices } = world.boot();
    expect(await jobs.reconcileOnStart()).toEqual({ lost: 1, redelivered: 0, rehydrated: 1 });
    const warned = notices.map((notice) => (notice.kind === 'warning' ? notice.jobId : undefined));
    expect(warned.filter((jobId) => jobId !== undefined).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('text that is no JSON reads as nothing, an origin that is no object as empty', async () => {
    await world.seed({ jobId: 'a', ...OWED });
    await world.seed({ jobId: 'b', ...OWED });
    raw(world.file, `UPDATE background_jobs SET result = '{oops', origin = '[1]' WHERE job_id = 'a'`);
    expect(await world.stored('a')).toMatchObject({ result: null, origin: {} });
    const { got, deliver } = receiver();
    expect(await world.boot().jobs.reconcileOnStart(deliver)).toMatchObject({ redelivered: 1 });
    expect(got).toEqual(['b origin 1']);
  });

  it('a state that is none cannot be written', async () => {
    await world.seed({ jobId: 'a', status: 'running' });
    expect(() => raw(world.file, `UPDATE background_jobs SET status = 'runing'`)).toThrow(/CHECK/);
    expect(() => raw(world.file, `UPDATE background_jobs SET owner = NULL`)).toThrow(/NOT NULL/);
  });
});
