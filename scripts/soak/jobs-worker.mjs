/** A process of the study `jobs`: starts jobs until it is told to stop, and writes down what it sees before it goes on. May be killed at any instant. */
import { appendFileSync } from 'node:fs';
import { createJobManager, createSqliteJobStore } from '../../dist/src/index.js';

const { FILE, LOG, LABEL, STALE_MS, BROKEN = '' } = process.env;
const OUTSTANDING = 12;
const note = (word, id) => appendFileSync(LOG, `${JSON.stringify({ note: word, id })}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Ways to be wrong, each of which the study must notice. */
const own = createSqliteJobStore({ file: FILE });
const store = {
  ...own,
  ...(BROKEN === 'liveness'
    ? {
        instance: () => undefined,
        upsert: (record, { ifRevision }, by) => own.upsert(record, { ifRevision }, by),
      }
    : {}),
  ...(BROKEN === 'revision'
    ? {
        async upsert(record, condition, by) {
          for (;;) {
            if (await own.upsert(record, condition, by)) return true;
            const found = await own.get(record.jobId);
            condition = { ifRevision: found.revision };
            record = { ...record, revision: found.revision + 1 };
          }
        },
      }
    : {}),
};

async function deliver(job) {
  // Often enough that a failure meets every other fault.
  if (Math.random() < 0.1) return BROKEN === 'false';
  if (Math.random() < 0.2) await sleep(Math.random() * 5);
  note('told', job.jobId);
  return true;
}

const jobs = createJobManager({
  store,
  deliver,
  heartbeatMs: STALE_MS / 4,
  staleAfterMs: Number(STALE_MS),
  observe() {},
});
const work = async ({ jobId }) => {
  note('ran', jobId);
  await sleep(Math.random() * 4);
  return jobId;
};

let stopping = false;
process.on('message', () => {
  stopping = true;
});
process.on('disconnect', () => process.exit(0));

await jobs.reconcileOnStart();
if (BROKEN === 'rerun') for (const { jobId } of await jobs.listJobs('lost')) await work({ jobId });
let next = 0;
const one = async () => {
  while (!stopping) {
    next += 1;
    const id = `${LABEL} ${next}`;
    await jobs.startJob(work, { id, origin: { label: LABEL } });
    note('started', id);
    const result = await jobs.getResult(id).catch(() => undefined);
    if (result !== undefined) note('ended', id);
    if (next % 200 === 0) await jobs.cleanupCompleted(0);
    // Somebody boots while others work, all the time; this one looks again as a long-lived process would.
    if (next % 100 === 0) await jobs.reconcileOnStart();
  }
};
await Promise.all(Array.from({ length: OUTSTANDING }, one));
await jobs.shutdown();
process.exit(0);
