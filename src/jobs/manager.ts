/** The job manager: starts, runs, cancels and ends jobs, and hands everything else to its parts (spec/jobs.md). */

import { setMaxListeners } from 'node:events';
import { checkDuration } from '../board/validate.ts';
import { afterLong } from '../clock.ts';
import { Deliveries } from './deliveries.ts';
import { type Ended, JobEntry } from './entry.ts';
import { Heart } from './heart.ts';
import { infoOf } from './info.ts';
import { Keeper } from './keeper.ts';
import { createLookups } from './lookups.ts';
import { News } from './news.ts';
import { checkAge, checkFunction, fillOptions, fillStart } from './options.ts';
import { Pool } from './pool.ts';
import { handBack, markLost } from './reconcile.ts';
import { errorText, storedResult } from './result.ts';
import { after, isTerminal, newJob } from './rules.ts';
import type { Instance } from './store.ts';
import { StoreClock } from './store-clock.ts';
import type { JobManager, JobManagerOptions, JobRefusal, ReconcileCounts, StartOutcome } from './types.ts';

const CLEANUP_AGE_MS = 3_600_000;
const PRUNED_AT_ONCE = 1000;
/** A change that is not stored makes nothing worse than a crash would: the next one carries it along. */
const SOON_TRIES = 2;
/** How a job ended is worth waiting for: without it the job is lost at the next boot. */
const END_TRIES = 6;
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
  const keeper = new Keeper({ store, clock, instance, news, onFenced: fenced });
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
  const pool = new Pool({ clock, maxWorkers: options.maxWorkers, begin, end });
  const isBusy = () => active() > 0 || deliveries.busy;
  const heart = new Heart({ store, clock, instance, heartbeatMs: options.heartbeatMs, isBusy, news });
  let closed = false;
  /** Running jobs are given up: how they end is not stored any more. */
  let abandoned = false;
  let marking: Promise<unknown> | undefined;
  let passes: Promise<unknown> = Promise.resolve();
  const lookups = createLookups({
    store,
    clock,
    entries,
    marking: () => marking,
    closing: closing.signal,
  });

  const active = () => [...entries.values()].filter(({ record }) => !isTerminal(record)).length;

  async function begin(entry: JobEntry): Promise<boolean> {
    const nowMs = await storeClock.now();
    const fate = await keeper.write(entry, (record) => after(record, { kind: 'taken', nowMs }), SOON_TRIES);
    if (fate === 'fenced') fenced(entry);
    // A shutdown that does not wait may have come meanwhile.
    return fate !== 'fenced' && !abandoned;
  }

  async function end(entry: JobEntry, ended: Ended): Promise<void> {
    if (abandoned) return;
    const nowMs = await storeClock.now();
    const deliverer = deliveries.firstDeliverer(entry);
    const fate = await keeper.write(
      entry,
      (record) =>
        'value' in ended
          ? after(record, { kind: 'returned', nowMs, result: storedResult(ended.value), deliverer })
          : after(record, { kind: 'threw', nowMs, error: errorText(ended.thrown), deliverer }),
      END_TRIES,
    );
    if (fate === 'fenced') {
      fenced(entry, true);
      return;
    }
    entry.ended = ended;
    entry.tellEnd();
    news.tell({ kind: 'ended', job: infoOf(entry.record) });
    deliveries.first(entry);
  }

  /** Somebody took this process for dead. What they wrote stays, and memory says the same. */
  function fenced(entry: JobEntry, late = isTerminal(entry.record)): void {
    entry.controller.abort(new Error('This job was marked as lost by another process.'));
    if (entry.theirs === undefined) entries.delete(entry.record.jobId);
    else {
      entry.record = entry.theirs;
      entry.storedRevision = entry.theirs.revision;
      entry.ended = undefined;
    }
    entry.tellEnd();
    news.fenced(entry.record, late);
  }

  async function cancel(entry: JobEntry): Promise<void> {
    const nowMs = await storeClock.now();
    const fate = await keeper.write(
      entry,
      (record) => after(record, { kind: 'cancelled', nowMs }),
      END_TRIES,
    );
    if (fate === 'fenced') return fenced(entry);
    entry.tellEnd();
    news.tell({ kind: 'ended', job: infoOf(entry.record) });
  }

  /** One pass at a time: two of them would hand the same results back twice. */
  function reconcile(): Promise<ReconcileCounts> {
    if (store === undefined) return Promise.resolve(NOTHING);
    const context = {
      ...options,
      store,
      storeClock,
      instance,
      owing,
      entries,
      news,
    };
    const pass = passes.then(async () => {
      const marked = markLost(context);
      marking = marked;
      const found = await marked;
      marking = undefined;
      return handBack(deliveries, found);
    });
    passes = pass.catch(() => {});
    return pass;
  }

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
      if (closed) await cancel(entry);
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
      await cancel(entry);
      return entry.record.status === 'cancelled';
    },

    listJobs: async (status) => (await lookups.list(status)).map(infoOf),

    async reconcileOnStart(deliver) {
      checkFunction('deliver', deliver);
      if (deliver !== undefined) deliveries.handler = deliver;
      return reconcile();
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
      for (const entry of pool.close()) await cancel(entry);
      abandoned = pool.running.length > 0;
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
