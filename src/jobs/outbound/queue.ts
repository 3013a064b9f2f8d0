/**
 * The outbound queue (spec/jobs.md D7): persist, claim, send, mark. A crash between claim and mark leaves an entry that may have arrived; only one whose
 * sender is dead, or whose claim is too old, is taken over, so two live processes do not send the same (the flaw of D6-3).
 */
import { checkDuration, checkWhole } from '../../board/validate.ts';
import { afterLong, systemClock } from '../../clock.ts';
import { invalidArgument } from '../../errors.ts';
import { encodeJson } from '../../lease/json.ts';
import type { Json } from '../../store.ts';
import { Aliveness } from '../aliveness.ts';
import { deliveryPauseMs } from '../backoff.ts';
import { ask } from '../delivery-attempt.ts';
import { Heart } from '../heart.ts';
import { messageOf } from '../news.ts';
import { drawId } from '../options.ts';
import { systemProcesses } from '../process-probe.ts';
import type { Instance } from '../store.ts';
import type { OutboundEntry } from './entry.ts';
import { claimed, failed, newEntry, recovered, sent } from './rules.ts';
import type { DrainCounts, OutboundQueue, OutboundQueueOptions } from './types.ts';

const AT_ONCE = 100;
const ROUNDS = 10;
/** After a store that failed, while started. */
const AFTER_FAILURE_MS = 5000;
const KEY_MAX = 1024;

/**
 * Makes a queue. Nothing is read or sent yet; call `start`, or `drain`, at the start of the process.
 *
 * @throws FencepostError `INVALID_ARGUMENT`; from the methods also the failures of the store
 * @example
 * const queue = createOutboundQueue({ store: createSqliteOutboundStore({ file: 'jobs.db' }), send: post });
 * await queue.start();
 * await queue.enqueue({ key: 'job-7/chat', lane: 'chat', payload: { text: 'done' } });
 */
export function createOutboundQueue(given: OutboundQueueOptions): OutboundQueue {
  const options = fill(given);
  const { store, clock, random, processes, ordering, staleAfterMs } = options;
  const self = processes.self();
  const instance: Instance = { id: options.uniqueId(), ...(self === undefined ? {} : { process: self }) };
  let sending = false;
  let started = false;
  let closed = false;
  let cancelTimer = () => {};
  let drains: Promise<unknown> = Promise.resolve();
  const heart = new Heart({
    store,
    clock,
    instance,
    heartbeatMs: options.heartbeatMs,
    isBusy: () => sending,
    onFailure: (error) => warn(`A heartbeat of the outbound queue failed: ${messageOf(error)}`),
  });

  function warn(message: string, entry?: OutboundEntry): void {
    if (options.onWarning === undefined) process.emitWarning(message, 'OutboundWarning');
    else options.onWarning(message, entry);
  }

  /** Writes what the rule makes of the entry as it stands now. Undefined: there is nothing to write. */
  async function change(
    entry: OutboundEntry,
    rule: (stored: OutboundEntry) => OutboundEntry | undefined,
  ): Promise<OutboundEntry | undefined> {
    let stored: OutboundEntry | undefined = entry;
    for (let round = 0; round < ROUNDS && stored !== undefined; round += 1) {
      const next = rule(stored);
      if (next === undefined) return undefined;
      if (await store.put(next, stored.revision, instance)) return next;
      stored = await store.get(entry.key);
    }
    return undefined;
  }

  /** One attempt, unless somebody else is faster. */
  async function sendOne(entry: OutboundEntry): Promise<'sent' | 'failed' | undefined> {
    const mine = claimed(entry, instance.id, await store.nowMs());
    if (!(await store.put(mine, entry.revision, instance))) return undefined;
    const attempt = await ask(clock, options.sendTimeoutMs, (signal) => options.send(mine, { signal }));
    const nowMs = await store.nowMs();
    if (attempt.state === 'delivered') {
      await change(mine, (stored) => sent(stored, nowMs));
      return 'sent';
    }
    warn(`Sending ${entry.key} failed: ${attempt.error}`, mine);
    const permanent = attempt.state === 'given-up';
    const askedMs = attempt.state === 'owed' ? attempt.retryAfterMs : undefined;
    const pauseMs = deliveryPauseMs(mine.attempts, random(), askedMs);
    const how = { error: attempt.error, permanent, pauseMs };
    await change(mine, (stored) => failed(stored, instance.id, how, nowMs, options));
    return 'failed';
  }

  /** Takes over what will not be finished, and asks whether it had arrived. */
  async function recover(): Promise<Pick<DrainCounts, 'recovered' | 'confirmed'>> {
    const counts = { recovered: 0, confirmed: 0 };
    const aliveness = new Aliveness({ store, now: async () => store.nowMs(), staleAfterMs, processes });
    for (const entry of await store.sending()) {
      const nowMs = await store.nowMs();
      const isOld = nowMs - (entry.claimedAtMs ?? 0) > options.claimStaleAfterMs;
      const { sender } = entry;
      const isAlive = sender === instance.id ? sending : sender !== null && (await aliveness.isAlive(sender));
      if (isAlive && !isOld) continue;
      const taken = recovered(entry, nowMs);
      if (!(await store.put(taken, entry.revision, instance))) continue;
      counts.recovered += 1;
      if (await hasArrived(taken)) {
        await change(taken, (stored) => sent(stored, nowMs));
        counts.confirmed += 1;
      }
    }
    return counts;
  }

  async function hasArrived(entry: OutboundEntry): Promise<boolean> {
    try {
      return (await options.confirm?.(entry)) === true;
    } catch (error) {
      warn(`Whether ${entry.key} arrived could not be told: ${messageOf(error)}`, entry);
      return false;
    }
  }

  async function drainOnce(): Promise<DrainCounts> {
    const counts = { ...(await recover()), sent: 0, failed: 0 };
    sending = true;
    heart.wake();
    try {
      for (let progress = true; progress && !closed; ) {
        progress = false;
        for (const entry of await store.eligible(ordering, await store.nowMs(), AT_ONCE)) {
          if (closed) break;
          const how = await sendOne(entry);
          if (how === undefined) continue;
          counts[how] += 1;
          progress = true;
        }
      }
    } finally {
      sending = false;
    }
    const settledBeforeMs = (await store.nowMs()) - options.retentionMs;
    await store.evict({ settledBeforeMs, maxEntries: options.maxEntries });
    return counts;
  }

  /** One drain at a time: the order of a lane is kept. */
  function drain(): Promise<DrainCounts> {
    const done = drains.then(drainOnce);
    drains = done.catch(() => {});
    return done;
  }

  async function goOn(): Promise<void> {
    try {
      await drain();
      await arm();
    } catch (error) {
      warn(`Draining the outbound queue failed, and is tried again: ${messageOf(error)}`);
      again(AFTER_FAILURE_MS);
    }
  }

  async function arm(): Promise<void> {
    const nowMs = await store.nowMs();
    const dueMs = await store.nextDueMs(ordering, nowMs);
    if (dueMs !== undefined) again(Math.max(1, dueMs - nowMs));
  }

  /** What is to be sent later does not keep a process alive: it is stored. */
  function again(ms: number): void {
    cancelTimer();
    if (!closed) cancelTimer = afterLong(clock, ms, () => void goOn(), true);
  }

  return {
    async enqueue({ key, lane = '', payload }) {
      if (typeof key !== 'string' || key === '' || key.length > KEY_MAX) {
        throw invalidArgument('key', `a text of 1 to ${KEY_MAX} characters`, key);
      }
      const kept = JSON.parse(encodeJson('payload', payload)) as Json;
      const entry = newEntry(key, lane, kept, await store.nowMs());
      const isNew = await store.put(entry, 0, instance);
      if (isNew && started) again(0);
      const stored = isNew ? entry : await store.get(key);
      // Evicted in between: its time was over, so this is the first of its key again.
      return stored === undefined ? this.enqueue({ key, lane, payload }) : { entry: stored, isNew };
    },
    drain,
    async start() {
      started = true;
      const counts = await drain();
      await arm();
      return counts;
    },
    get: async (key) => store.get(key),
    list: async () => store.list(),
    async close() {
      closed = true;
      cancelTimer();
      await drains;
      heart.stop();
      await store.end(instance.id);
    },
  };
}

function fill(given: OutboundQueueOptions) {
  const filled = {
    ordering: 'strict' as const,
    maxAttempts: 5,
    deadAfterMs: 21_600_000,
    claimStaleAfterMs: 300_000,
    sendTimeoutMs: 60_000,
    retentionMs: 604_800_000,
    maxEntries: 50_000,
    heartbeatMs: 5000,
    staleAfterMs: 15_000,
    clock: systemClock,
    random: Math.random,
    uniqueId: drawId,
    processes: systemProcesses,
    ...given,
  };
  const times = [
    'deadAfterMs',
    'claimStaleAfterMs',
    'sendTimeoutMs',
    'retentionMs',
    'heartbeatMs',
    'staleAfterMs',
  ];
  for (const name of times) checkDuration(name, filled[name as 'retentionMs']);
  checkWhole('maxAttempts', filled.maxAttempts, 1);
  checkWhole('maxEntries', filled.maxEntries, 1);
  if (filled.sendTimeoutMs >= filled.claimStaleAfterMs) {
    throw invalidArgument(
      'sendTimeoutMs',
      `below \`claimStaleAfterMs\` (${filled.claimStaleAfterMs})`,
      filled.sendTimeoutMs,
    );
  }
  return filled;
}
