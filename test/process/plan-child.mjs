/** A worker process of plan tests: one message, one answer. Ends when its parent goes. */

import { openSync, writeSync } from 'node:fs';
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
