/** The options of a manager and of a start, checked and filled in. What is wrong is thrown before anything is written. */
import { randomBytes } from 'node:crypto';
import { checkDuration, checkWhole } from '../board/validate.ts';
import { systemClock } from '../clock.ts';
import { invalidArgument } from '../errors.ts';
import { encodeJson } from '../lease/json.ts';
import type { Json } from '../store.ts';
import type { Origin } from './job.ts';
import { systemProcesses } from './process-probe.ts';
import type { JobManagerOptions, StartOptions } from './types.ts';

const MAX_WORKERS = 4;
const HEARTBEAT_MS = 5000;
const STALE_AFTER_MS = 15_000;
const DELIVERY_TIMEOUT_MS = 60_000;
const ID_MAX = 1024;
/** No id of an instance or a job is ever drawn twice (spec/jobs.md D4-21). */
const ID_BYTES = 16;
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** 128 random bits. */
export const drawId = (): string => randomBytes(ID_BYTES).toString('hex');

/** All filled in. */
export type FilledOptions = Required<Omit<JobManagerOptions, 'store' | 'deliver' | 'observe'>> &
  Pick<JobManagerOptions, 'store' | 'deliver' | 'observe'>;

/** @throws FencepostError `INVALID_ARGUMENT` */
export function fillOptions(options: JobManagerOptions): FilledOptions {
  const {
    maxWorkers = MAX_WORKERS,
    deliverLost = false,
    deliveryTimeoutMs = DELIVERY_TIMEOUT_MS,
    heartbeatMs = HEARTBEAT_MS,
    staleAfterMs = STALE_AFTER_MS,
    clock = systemClock,
    random = Math.random,
    uniqueId = drawId,
    processes = systemProcesses,
  } = options;
  if (checkDuration('staleAfterMs', staleAfterMs) < 2 * checkDuration('heartbeatMs', heartbeatMs)) {
    throw invalidArgument('staleAfterMs', `at least twice \`heartbeatMs\` (${heartbeatMs})`, staleAfterMs);
  }
  checkFunction('deliver', options.deliver);
  return {
    ...options,
    maxWorkers: checkWhole('maxWorkers', maxWorkers, 1),
    deliverLost,
    deliveryTimeoutMs: checkDuration('deliveryTimeoutMs', deliveryTimeoutMs),
    heartbeatMs,
    staleAfterMs,
    clock,
    random,
    uniqueId,
    processes,
  };
}

/** What is known of a job before it starts. */
export interface FilledStart {
  readonly jobId: string;
  readonly origin: Origin;
  readonly targets: readonly string[];
}

/** @throws FencepostError `INVALID_ARGUMENT` */
export function fillStart(work: unknown, options: StartOptions, uniqueId: () => string): FilledStart {
  if (typeof work !== 'function') throw invalidArgument('work', 'a function', work);
  const { id, onComplete, origin = {}, targets = [], timeLimitMs } = options;
  if (id !== undefined && !isText(id)) {
    throw invalidArgument('id', `a well-formed text of 1 to ${ID_MAX} characters without NUL`, id);
  }
  checkFunction('onComplete', onComplete);
  if (typeof origin !== 'object' || origin === null || Array.isArray(origin)) {
    throw invalidArgument('origin', 'a plain object', origin);
  }
  const given = JSON.parse(encodeJson('origin', origin)) as Origin & Json;
  if (!Array.isArray(targets) || !targets.every(isText) || new Set(targets).size !== targets.length) {
    throw invalidArgument('targets', 'a list of different texts', targets);
  }
  if (targets.length > 0 && Object.keys(given).length === 0) {
    throw invalidArgument('origin', 'an object with something in it, since there are targets', origin);
  }
  if (timeLimitMs !== undefined) checkDuration('timeLimitMs', timeLimitMs);
  return { jobId: id ?? uniqueId(), origin: given, targets };
}

export function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw invalidArgument(name, 'a function', value);
}

/** @throws FencepostError `INVALID_ARGUMENT` */
export function checkAge(name: string, ms: unknown): number {
  if (typeof ms === 'number' && ms >= 0 && Number.isFinite(ms)) return ms;
  throw invalidArgument(name, 'a finite number of ms >= 0', ms);
}

const isText = (text: unknown): text is string =>
  typeof text === 'string' && text !== '' && text.length <= ID_MAX && !UNSTORABLE.test(text);
