/**
 * A worker: opens the store, says that it is ready, and runs its lanes until it is told to retire. The workload decides
 * what the lanes do; this file decides when they begin and end.
 */
import type { Phase } from '../history/record.ts';
import { stamp } from '../history/writer.ts';
import { randomStream } from '../random/random.ts';
import { laneRoles } from '../scenario/kind.ts';
import { builtIn } from '../workload/choose.ts';
import { type Lane, slotPrefix, WORK_PREFIX, type Workload } from '../workload/lane.ts';
import type { FromChild, WorkerJob } from './job.ts';
import { watchLoop } from './loop-lag.ts';
import type { Order } from './mailbox.ts';
import { quietWatch } from './quiet.ts';
import { openSession, type Session } from './session.ts';

type Send = (message: FromChild) => Promise<void>;
type Listen = (handle: (order: Order) => void) => void;

export async function runWorker(job: WorkerJob, send: Send, listen: Listen): Promise<void> {
  const session = await openSession(job);
  try {
    const workload = await workloadOf(job);
    await runLanes(job, workload, session, send, listen);
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
  send: Send,
  listen: Listen,
): Promise<void> {
  let phase: Phase = job.phase;
  let ending = false;
  const quiet = quietWatch(job, (isQuiet) => void send({ type: 'quiet', quiet: isQuiet }));
  const loop = watchLoop(session.writer);
  listen((order) => {
    switch (order.type) {
      case 'retire':
        ending = true;
        return;
      case 'phase':
        phase = order.phase;
        return;
      case 'order':
        return session.orders?.obey(order.order, loop.flush);
      case 'heal':
        void session.orders?.heal(order.id);
    }
  });
  await send({ type: 'ready' });
  const keys = keyMaker(job);
  const methods = new Set(job.methods);
  const { lanes, workload: chosen } = job.scenario;
  const { kind, followers } = chosen;
  const roles = laneRoles({ kind, lanes, followers, hasFeed: methods.has('since') });
  try {
    await Promise.all(
      roles.map((role, index) => {
        const lane: Lane = {
          client: session.client(),
          plans: session.plans,
          random: randomStream(job.seed, `${job.label}/${job.life}/${index}`),
          scenario: job.scenario,
          declares: job.declares,
          methods,
          label: job.label,
          index,
          role,
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
    loop.stop();
    quiet.stop();
  }
}

/** Keys carry the incarnation, so that no two workers ever make the same. */
function keyMaker(job: WorkerJob): (slot: boolean) => string {
  let made = 0;
  return (slot) => `${slot ? slotPrefix(job.label) : WORK_PREFIX}${job.incarnation}-${made++}`;
}

async function workloadOf(job: WorkerJob): Promise<Workload> {
  if (job.workloadUrl === undefined) return builtIn;
  const module = (await import(job.workloadUrl)) as { default?: unknown };
  if (typeof module.default !== 'function') {
    throw new Error(
      `Expected ${job.workloadUrl} to have a workload, (lane) => Promise<void>, as its default export`,
    );
  }
  return module.default as Workload;
}
