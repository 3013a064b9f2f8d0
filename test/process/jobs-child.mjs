/** A process with background jobs, for tests: one message, one answer. Dies at a given window, or when its parent goes. */
import { appendFileSync } from 'node:fs';
// Not the public face: board and command would be loaded with it, and a start would take twice as long.
import { createJobManager } from '../../dist/src/jobs/manager.js';
import { createOutboundQueue } from '../../dist/src/jobs/outbound/queue.js';
import { createSqliteOutboundStore } from '../../dist/src/stores/sqlite/jobs/outbound.js';
import { createSqliteJobStore } from '../../dist/src/stores/sqlite/jobs/store.js';

const die = () => {
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way to a process that runs: nothing below may happen before it arrives.
  for (;;);
};

/** Where in the life of a job the process dies. `note` writes a line that outlives it. */
const WINDOWS = {
  'before pending is stored': { commits: ['pending'] },
  'pending is stored': { stored: ['pending'] },
  'running is stored, the function has not begun': { stored: ['running'] },
  'in the function': { work: die },
  'the function has returned, its end is not stored': { commits: ['completed'] },
  'completed is stored, the callback has not begun': { stored: ['completed'] },
  'failed is stored, the callback has not begun': { stored: ['failed'], fails: true },
  'the callback has returned, its mark is not stored': { commits: ['completed delivered'] },
  'the mark is stored': { stored: ['completed delivered'] },
};

const stateOf = ({ status, delivered }) => (delivered ? `${status} delivered` : status);
const held = new Map();

const verbs = {
  /** Starts one job and dies in its window. */
  async crash({ file, log, window }) {
    const { commits = [], stored = [], work = () => 'r', fails = false } = WINDOWS[window];
    let writing = '';
    const own = createSqliteJobStore({
      file,
      // Inside the transaction, after the write and before the commit.
      pausePoint: (name) => name === 'written' && commits.includes(writing) && die(),
    });
    const store = {
      ...own,
      async upsert(record, condition, by) {
        writing = stateOf(record);
        const written = await own.upsert(record, condition, by);
        writing = '';
        if (stored.includes(stateOf(record))) die();
        return written;
      },
    };
    const note = (text) => appendFileSync(log, `${text}\n`);
    const jobs = createJobManager({ store });
    await jobs.startJob(
      () => {
        note('ran');
        if (fails) throw new Error('broke');
        return work();
      },
      { id: 'job', origin: { chat: 'C1' }, onComplete: () => note('told') },
    );
    await jobs.shutdown();
    return { survived: true };
  },

  /** Sends one entry of two, and dies while it sends the other: it has left, and is not marked. */
  async outbound({ file, log }) {
    const queue = createOutboundQueue({
      store: createSqliteOutboundStore({ file }),
      send({ key }) {
        appendFileSync(log, `${key}\n`);
        if (key === 'second') die();
      },
    });
    for (const key of ['first', 'second', 'third']) await queue.enqueue({ key, payload: null });
    await queue.drain();
    return { survived: true };
  },

  /** Runs a job until it is told to finish it. */
  async hold({ file, heartbeatMs, staleAfterMs }) {
    const jobs = createJobManager({ store: createSqliteJobStore({ file }), heartbeatMs, staleAfterMs });
    const { value } = await jobs.startJob(() => new Promise((resolve) => held.set('finish', resolve)));
    held.set('jobs', jobs);
    held.set('jobId', value.jobId);
    while (!held.has('finish')) await new Promise((resolve) => setImmediate(resolve));
    return { jobId: value.jobId };
  },

  /** Finishes it, and tells what came of it. */
  async finish() {
    const jobs = held.get('jobs');
    held.get('finish')('late');
    const ended = await jobs.getResult(held.get('jobId')).catch((error) => error.code);
    return { ended, health: jobs.health() };
  },

  /** Many jobs at once on a file that others write too. */
  async many({ file, label, count }) {
    const jobs = createJobManager({ store: createSqliteJobStore({ file }), maxWorkers: 8 });
    const ids = Array.from({ length: count }, (_, i) => `${label} ${i}`);
    await Promise.all(ids.map((id) => jobs.startJob(async () => id, { id, strict: true })));
    const results = await Promise.all(ids.map((id) => jobs.getResult(id)));
    await jobs.shutdown();
    return { results, health: jobs.health() };
  },
};

process.on('disconnect', () => process.exit(0));
process.on('message', async ({ verb, ...options }) => {
  try {
    process.send(await verbs[verb](options));
  } catch (error) {
    process.send({ failed: `${error.code ?? ''} ${error.stack}` });
  }
});
process.send({ ready: true });
