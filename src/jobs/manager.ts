/** The job manager: starts, runs, cancels and ends jobs, and hands everything else to its parts (spec/jobs.md). */

import { setMaxListeners } from 'node:events';
import { checkDuration } from '../board/validate.ts';
import { afterLong } from '../clock.ts';
import { Deliveries } from './deliveries.ts';
import { JobEntry } from './entry.ts';
import { Heart } from './heart.ts';
import { infoOf } from './info.ts';
import { Keeper } from './keeper.ts';
import { Life } from './life.ts';
import { createLookups } from './lookups.ts';
import { News } from './news.ts';
import { checkAge, checkFunction, fillOptions, fillStart } from './options.ts';
import { Passes } from './passes.ts';
import { Pool } from './pool.ts';
import { isTerminal, newJob } from './rules.ts';
import type { Instance } from './store.ts';
import { StoreClock } from './store-clock.ts';
import type { JobManager, JobManagerOptions, JobRefusal, ReconcileCounts, StartOutcome } from './types.ts';

const CLEANUP_AGE_MS = 3_600_000;
const PRUNED_AT_ONCE = 1000;
const NOTHING: ReconcileCounts = { lost: 0, redelivered: 0, rehydrated: 0 };

/**
 * Makes a manager. Nothing is read or written yet; call `reconcileOnStart` once its handler is there.
 *
 * @throws FencepostError `INVALID_ARGUMENT`
 * @example
 * const jobs = createJobManager({ store: createSqliteJobStore({ file: 'jobs.db' }), deliver: tellTheChat });
 * await jobs.reconcileOnStart();
 * const started = await jobs.startJob(({ signal }) => summarise(signal), { origin: { chat: 'C1' } });
 */
export function createJobManager(given: JobManagerOptions = {}): JobManager {
  const options = fillOptions(given);
  const { store, clock, processes } = options;
  const self = processes.self();
  const instance: Instance = { id: options.uniqueId(), ...(self === undefined ? {} : { process: self }) };
  const owing = { lost: options.deliverLost };
  const entries = new Map<string, JobEntry>();
  const closing = new AbortController();
  // Everybody who waits for a result listens; there is no right number of them.
  setMaxListeners(0, closing.signal);
  const news = new News(options.observe);
  const storeClock = new StoreClock(clock, store);
  const keeper = new Keeper({ store, clock, instance, news, onFenced: (entry) => life.fenced(entry) });
  const deliveries = new Deliveries({
    instanceId: instance.id,
    keeper,
    clock,
    random: options.random,
    owing,
    timeoutMs: options.deliveryTimeoutMs,
    news,
    onBusy: () => heart.wake(),
  });
  deliveries.handler = options.deliver;
  const life = new Life({ keeper, storeClock, news, entries, deliveries });
  const pool = new Pool({
    clock,
    maxWorkers: options.maxWorkers,
    begin: (entry) => life.begin(entry),
    end: (entry, ended) => life.end(entry, ended),
  });
  const isBusy = () => active() > 0 || deliveries.busy;
  const heart = new Heart({
    store,
    clock,
    instance,
    heartbeatMs: options.heartbeatMs,
    isBusy,
    onFailure(error) {
      news.count('heartbeatFailures');
      news.warn('A heartbeat of background jobs failed', error);
    },
  });
  let closed = false;
  const passes =
    store === undefined
      ? undefined
      : new Passes({ ...options, store, storeClock, instance, owing, entries, news }, deliveries);
  const lookups = createLookups({
    store,
    clock,
    entries,
    marking: () => passes?.marking,
    closing: closing.signal,
  });

  const active = () => [...entries.values()].filter(({ record }) => !isTerminal(record)).length;

  async function forget(maxAgeMs: number): Promise<number> {
    const nowMs = await storeClock.now();
    const old = [...entries.values()].filter(
      (entry) =>
        isTerminal(entry.record) &&
        entry.record.completedAtMs !== null &&
        nowMs - entry.record.completedAtMs > maxAgeMs &&
        // The store does not know yet how it ended: memory is all there is.
        !keeper.isUnwritten(entry),
    );
    for (const { record } of old) entries.delete(record.jobId);
    return old.length;
  }

  return {
    instanceId: instance.id,

    async startJob(work, start = {}): Promise<StartOutcome> {
      const { jobId, origin, targets } = fillStart(work, start, options.uniqueId);
      if (closed) return refused('closed', 'Expected the job manager to be open, found it shut down.');
      if (entries.has(jobId)) return refused('duplicate', `Expected no job ${jobId}, found one of that id.`);
      const { onComplete, timeLimitMs, strict = false } = start;
      const record = newJob({ jobId, nowMs: 0, owner: instance.id, origin, targets });
      const entry = new JobEntry(record, 0, { run: work, onComplete, timeLimitMs });
      // Taken before anything is awaited: a second start under the same id meets it.
      entries.set(jobId, entry);
      try {
        entry.record = { ...record, createdAtMs: await storeClock.now() };
        if (!(await keeper.create(entry))) {
          entries.delete(jobId);
          return refused(
            'duplicate',
            `Expected no job ${jobId}, found one in the store. It was not touched.`,
          );
        }
      } catch (error) {
        if (strict) {
          entries.delete(jobId);
          throw error;
        }
        keeper.later(entry, error);
      }
      heart.wake();
      if (closed) await life.cancel(entry);
      else pool.add(entry);
      return { accepted: true, value: { jobId } };
    },

    getStatus: async (jobId) => (await lookups.find(jobId)).status,
    getJobInfo: async (jobId) => infoOf(await lookups.find(jobId)),
    async getResult(jobId, { timeoutMs, signal } = {}) {
      if (timeoutMs !== undefined) checkAge('timeoutMs', timeoutMs);
      return lookups.result(jobId, timeoutMs, signal);
    },

    async cancelJob(jobId) {
      const entry = entries.get(jobId);
      // Taken out of the queue at once, so no worker takes it while the store is written.
      if (entry === undefined || !pool.take(entry)) return false;
      await life.cancel(entry);
      return entry.record.status === 'cancelled';
    },

    listJobs: async (status) => (await lookups.list(status)).map(infoOf),

    async reconcileOnStart(deliver) {
      checkFunction('deliver', deliver);
      if (deliver !== undefined) deliveries.handler = deliver;
      return passes === undefined ? NOTHING : passes.next();
    },

    cleanupCompleted: async (maxAgeMs = CLEANUP_AGE_MS) => forget(checkAge('maxAgeMs', maxAgeMs)),

    async prune(maxAgeMs) {
      const beforeMs = (await storeClock.now()) - checkAge('maxAgeMs', maxAgeMs);
      let pruned = 0;
      for (let some = PRUNED_AT_ONCE; store !== undefined && some === PRUNED_AT_ONCE; pruned += some) {
        some = await store.prune(beforeMs, PRUNED_AT_ONCE, owing);
      }
      await forget(maxAgeMs);
      return pruned;
    },

    async shutdown({ wait = true, graceMs } = {}) {
      if (graceMs !== undefined) checkDuration('graceMs', graceMs);
      closed = true;
      if (wait)
        await within(graceMs, async () => {
          await pool.idle();
          await deliveries.idle();
        });
      for (const entry of pool.close()) await life.cancel(entry);
      life.abandon();
      for (const { controller } of pool.running)
        controller.abort(new Error('The job manager was shut down.'));
      deliveries.close();
      await keeper.flush();
      keeper.close();
      heart.stop();
      closing.abort();
      try {
        await store?.end(instance.id);
      } catch (error) {
        news.warn('The last word of a job manager could not be stored', error);
      }
    },

    get activeJobs() {
      return active();
    },

    health: () => ({
      ...news.health(),
      unwritten: keeper.unwritten,
      waitingForDelivery: deliveries.waiting,
    }),
  };

  function within(ms: number | undefined, body: () => Promise<void>): Promise<void> {
    const done = body();
    if (ms === undefined) return done;
    return new Promise((resolve, reject) => {
      const cancelTimer = afterLong(clock, ms, resolve);
      done.then(resolve, reject).finally(cancelTimer);
    });
  }
}

const refused = (code: JobRefusal['code'], message: string): StartOutcome => ({
  accepted: false,
  refusal: { code, message },
});
