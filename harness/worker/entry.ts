/**
 * The child process of a run, compiled: reads its job from the environment and does it. One of five kinds: probe, prepare,
 * destroy (one answer and out), worker (claims and works until told to stop), scanner (reads everything once).
 *
 * It ends when its parent goes, whatever it is doing: on the disconnect of the channel, and by looking at its parent's pid
 * in case that is missed (trap F23). It ignores SIGINT: a Ctrl-C belongs to the coordinator, which ends it in order.
 */
import { UsageError } from '../scenario/usage-error.ts';
import { type FromChild, type Job, JOB_VARIABLE } from './job.ts';
import { destroyStore, prepareStore, probeStore } from './questions.ts';
import { scan } from './scanner.ts';
import { runWorker } from './worker.ts';

const PARENT_POLL_MS = 500;
/** Exit code of an uncaught error in this process; the supervisor takes it for a harness error. */
const CRASHED = 70;

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

const text = process.env[JOB_VARIABLE];
if (text === undefined) throw new Error(`Expected ${JOB_VARIABLE} to hold a job. This file is started by fencepost itself.`);
delete process.env[JOB_VARIABLE];

try {
  await run(JSON.parse(text) as Job);
  process.exit(0);
} catch (error) {
  await send({ type: 'crash', message: (error as Error)?.stack ?? String(error) });
  process.exit(CRASHED);
}

async function run(job: Job): Promise<void> {
  switch (job.kind) {
    case 'probe':
      return answer(() => probeStore(job));
    case 'prepare':
      return answer(() => prepareStore(job));
    case 'destroy':
      return answer(() => destroyStore(job));
    case 'worker':
      return runWorker(job, send);
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
