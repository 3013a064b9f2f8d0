/**
 * The child process of a run, compiled: waits for its job and does it. One of six kinds: probe, prepare, destroy (one
 * answer and out), hog (keeps writers out until told to let go), worker (claims and works until told to stop), scanner (reads everything once). A process that waits
 * with everything loaded is a spare: it takes the place of a killed worker at once, however busy the machine is.
 *
 * It ends when its parent goes, whatever it is doing: on the disconnect of the channel, and by looking at its parent's pid
 * in case that is missed (trap F23). It ignores SIGINT: a Ctrl-C belongs to the coordinator, which ends it in order.
 */

import { HistoryUnwritable } from '../history/writer.ts';
import { UsageError } from '../scenario/usage-error.ts';
import {
  CRASHED_EXIT,
  type FromChild,
  HISTORY_UNWRITABLE_EXIT,
  type Job,
  PRELOAD_VARIABLE,
  SKEWABLE_VARIABLE,
  STORE_UNREACHABLE_EXIT,
} from './job.ts';
import { openMailbox } from './mailbox.ts';
import { scan } from './scanner.ts';
import { StoreUnreachable } from './session.ts';
import { installWallClock } from './wall-clock.ts';
import { runWorker } from './worker.ts';

const PARENT_POLL_MS = 500;

const send = (message: FromChild): Promise<void> =>
  new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, () => resolve());
    else resolve();
  });

const parent = process.ppid;
process.on('SIGINT', () => {});
process.once('disconnect', () => process.exit(0));
setInterval(() => {
  if (process.ppid !== parent) process.exit(0);
}, PARENT_POLL_MS).unref();

const mailbox = openMailbox();
if (process.env[SKEWABLE_VARIABLE] !== undefined) installWallClock();
const preload = process.env[PRELOAD_VARIABLE];
// What is wrong with the module shows when it is loaded for the job.
if (preload !== undefined) await import(preload).catch(() => {});

try {
  await run(await mailbox.job);
  process.exit(0);
} catch (error) {
  await send({ type: 'crash', message: (error as Error)?.stack ?? String(error) });
  process.exit(exitOf(error));
}

function exitOf(error: unknown): number {
  if (error instanceof StoreUnreachable) return STORE_UNREACHABLE_EXIT;
  return error instanceof HistoryUnwritable ? HISTORY_UNWRITABLE_EXIT : CRASHED_EXIT;
}

async function run(job: Job): Promise<void> {
  switch (job.kind) {
    case 'probe':
    case 'prepare':
    case 'destroy': {
      // Loaded here only: it brings the schema library, and a worker should be ready as soon as it can.
      const { answerTo } = await import('./questions.ts');
      return answer(() => answerTo(job, (what) => void send({ type: 'step', what })));
    }
    case 'hog': {
      const { hog } = await import('./hog.ts');
      return hog(job, send, mailbox.listen);
    }
    case 'worker':
      // How an orchestrator asks for the end: what is in hand is finished, nothing more is claimed.
      process.on('SIGTERM', () => mailbox.put({ type: 'retire' }));
      return runWorker(job, send, mailbox.listen);
    case 'scanner':
      return scan(job, send);
  }
}

async function answer(question: () => Promise<unknown>): Promise<void> {
  try {
    await send({ type: 'result', result: (await question()) ?? null });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await send({ type: 'refused', problems: error.problems });
  }
}
