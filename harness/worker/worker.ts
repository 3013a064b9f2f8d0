/**
 * A worker: opens the store, says that it is ready, and runs its lanes until it is told to retire. The workload decides
 * what the lanes do; this file decides when they begin and end.
 */
import type { Phase } from '../history/record.ts';
import { stamp } from '../history/writer.ts';
import { randomStream } from '../random/random.ts';
import { keyedWork } from '../workload/keyed.ts';
import { type Lane, slotPrefix, WORK_PREFIX, type Workload } from '../workload/lane.ts';
import { work } from '../workload/work.ts';
import type { FromChild, ToChild, WorkerJob } from './job.ts';
import { watchLoop } from './loop-lag.ts';
import { quietWatch } from './quiet.ts';
import { openSession, type Session } from './session.ts';

export async function runWorker(job: WorkerJob, send: (message: FromChild) => Promise<void>): Promise<void> {
  const session = await openSession(job);
  try {
    const workload = await workloadOf(job);
    await runLanes(job, workload, session, send);
  } catch (error) {
    session.crash(error);
    throw error;
  }
  await session.end();
}

async function runLanes(
  job: WorkerJob,
  workload: Workload,
  session: Session,
  send: (message: FromChild) => Promise<void>,
): Promise<void> {
  let phase: Phase = job.phase;
  let ending = false;
  const quiet = quietWatch(job, (isQuiet) => void send({ type: 'quiet', quiet: isQuiet }));
  process.on('message', (message: ToChild) => {
    if (message.type === 'retire') ending = true;
    else if (message.type === 'phase') phase = message.phase;
  });
  const stopWatching = watchLoop(session.writer);
  await send({ type: 'ready' });
  const keys = keyMaker(job);
  const methods = new Set(job.methods);
  try {
    await Promise.all(
      Array.from({ length: job.scenario.lanes }, (_, index) => {
        const lane: Lane = {
          client: session.client(),
          random: randomStream(job.seed, `${job.label}/${job.life}/${index}`),
          scenario: job.scenario,
          declares: job.declares,
          methods,
          label: job.label,
          phase: () => phase,
          ending: () => ending,
          startedAtMs: job.startedAtMs,
          nowMs: () => stamp() / 1e6,
          sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
          newKey: keys,
          found: (work) => quiet.found(index, work, phase),
        };
        return workload(lane);
      }),
    );
  } finally {
    stopWatching();
    quiet.stop();
  }
}

/** Keys carry the incarnation, so that no two workers ever make the same. */
function keyMaker(job: WorkerJob): (slot: boolean) => string {
  let made = 0;
  return (slot) => `${slot ? slotPrefix(job.label) : WORK_PREFIX}${job.incarnation}-${made++}`;
}

async function workloadOf(job: WorkerJob): Promise<Workload> {
  if (job.workloadUrl === undefined) {
    return job.methods.includes('claimNext') && job.methods.includes('enqueue') ? work : keyedWork;
  }
  const module = (await import(job.workloadUrl)) as { default?: unknown };
  if (typeof module.default !== 'function') {
    throw new Error(
      `Expected ${job.workloadUrl} to have a workload, (lane) => Promise<void>, as its default export`,
    );
  }
  return module.default as Workload;
}
