/** A worker process of plan tests: one message, one answer. Ends when its parent goes. */

import { randomUUID } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { chaoticStep } from '../../dist/harness/workload/plan.js';
import { createPlan, createSqliteStore } from '../../dist/src/index.js';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const open = async (file, label, leaseMs) => {
  const store = await createSqliteStore({ file });
  return createPlan({ store, planId: 'p', label, leaseMs, maxAttempts: 1000 });
};

const jobs = {
  /** Makes a plan at the given instant of the monotonic clock, together with everybody else. */
  async make({ file, label, atNs }) {
    const plan = await open(file, label, 60_000);
    while (process.hrtime.bigint() < BigInt(atNs));
    const outcome = await plan.setPlan(label, [label]);
    return { code: outcome.accepted ? 'accepted' : outcome.refusal.code };
  },

  /** Claims without closing until nothing is left, and answers what it was handed. */
  async take({ file, label }) {
    const plan = await open(file, label, 600_000);
    const taken = [];
    for (;;) {
      const claimed = await patiently(() => plan.claimNext({ owner: label }));
      if (!claimed.accepted) return { taken, code: claimed.refusal.code };
      taken.push(claimed.value.index);
    }
  },

  /** Does tasks until the plan is complete. Notes each acknowledged result before the next call. */
  async work({ file, label, leaseMs, workMs, path }) {
    const plan = await open(file, label, leaseMs);
    const log = openSync(path, 'a');
    process.send({ working: true });
    let gaveUp = 0;
    for (;;) {
      const claimed = await patiently(
        () => plan.claimNext({ owner: label }),
        () => {
          gaveUp += 1;
        },
      );
      if (!claimed.accepted && claimed.refusal.code === 'complete') break;
      if (!claimed.accepted) {
        await sleep(5);
        continue;
      }
      if (workMs > 0) await sleep(workMs);
      const { index, generation } = claimed.value;
      const result = `${label} ${generation}`;
      const closed = await plan.markDone(index, result, claimed.value);
      if (closed.accepted) writeSync(log, `${JSON.stringify({ index, result })}\n`);
      else writeSync(log, `${JSON.stringify({ index, refused: closed.refusal.code })}\n`);
    }
    return { complete: true, gaveUp };
  },

  /** All verbs at random on a few plans, for ever. Every version of a plan is kept. Notes what came of each verb before the next. */
  async chaos({ file, label, planIds, leaseMs, maxAttempts, path }) {
    const store = await createSqliteStore({ file });
    const { entries } = store;
    const keeping = {
      ...store,
      nowMs: () => store.nowMs(),
      entries: {
        get: (key) => entries.get(key),
        list: (prefix, page) => entries.list(prefix, page),
        history: (key, page) => entries.history(key, page),
        commit: (writes) => entries.commit(writes.map(({ keep: _, ...write }) => write)),
      },
    };
    const log = openSync(path, 'a');
    const note = (line) => writeSync(log, `${JSON.stringify(line)}\n`);
    const workers = planIds.map((planId) => ({
      plan: createPlan({ store: keeping, planId, leaseMs, maxAttempts, label }),
      owner: label,
      random: Math.random,
      unique: randomUUID,
      acknowledged: (acknowledged) => note({ acknowledged }),
      tell: (verb, code) => note({ told: `${verb} ${code}` }),
      hand: [],
    }));
    process.send({ working: true });
    for (let step = 0; ; step += 1) {
      await patiently(() => chaoticStep(workers[step % workers.length]));
      await sleep(Math.random() * 10);
    }
  },
};

/** A claim that lost all its rounds, or waited for the file in vain, has written nothing and may be called again. No close needs this. */
async function patiently(verb, lost = () => {}) {
  for (;;) {
    try {
      return await verb();
    } catch (error) {
      if (!['PLAN_CONTENDED', 'STORE_BUSY'].includes(error.code)) throw error;
      lost();
    }
  }
}

process.on('disconnect', () => process.exit(0));
process.on('message', async ({ job, ...options }) => {
  try {
    process.send(await jobs[job](options));
  } catch (error) {
    process.send({ failed: `${error.code ?? ''} ${error.stack}` });
  }
});
process.send({ ready: true });
