/** A worker process of board tests: one message, one answer. Ends when its parent goes. */
import { openSync, writeSync } from 'node:fs';
import { createBoard, createSqliteStore } from '../../dist/src/index.js';

const open = async (file, label) => {
  const store = await createSqliteStore({ file, items: 'on-demand' });
  return { store, board: createBoard({ store, label }) };
};
const must = (outcome) => {
  if (!outcome.accepted) throw new Error(`${outcome.refusal.code}: ${outcome.refusal.message}`);
  return outcome.value;
};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const jobs = {
  /** Opens a file at the given instant of the monotonic clock, together with everybody else, and writes to it. */
  async open({ file, atNs, label }) {
    while (process.hrtime.bigint() < BigInt(atNs));
    const { store, board } = await open(file, label);
    const lease = must(await board.claim(`claims/${label}`, { leaseMs: 60_000 }));
    must(await board.append('facts/opened', label));
    must(await board.complete(lease, label));
    await store.close();
    return { done: true };
  },

  /** Read-then-write transactions without a pause. */
  async readThenWrite({ file, label, forMs }) {
    const { store, board } = await open(file, label);
    const end = Date.now() + forMs;
    let writes = 0;
    let longestMs = 0;
    while (Date.now() < end) {
      const began = performance.now();
      must(await board.update(`results/${label}/n`, (value) => (value ?? 0) + 1));
      must(await board.append('facts/log', writes));
      longestMs = Math.max(longestMs, performance.now() - began);
      writes += 1;
    }
    await store.close();
    return { writes, longestMs };
  },

  /** Takes and gives back one item for ever, noting each generation before the next call. */
  async spin({ file, key, label, path }) {
    const { board } = await open(file, label);
    const log = openSync(path, 'a');
    process.send({ spinning: true });
    for (;;) {
      const claimed = await board.claim(key, { leaseMs: 1 });
      if (claimed.accepted) writeSync(log, `${claimed.value.generation}\n`);
    }
  },

  /**
   * Claims, extends and completes items for ever, always the lowest number that is to be had; so the item of a dead worker is
   * taken again as soon as its lease is over. Notes each acknowledged result before the next call.
   */
  async work({ file, label, path, leaseMs }) {
    const { board } = await open(file, label);
    const log = openSync(path, 'a');
    process.send({ working: true });
    let first = 0;
    for (let number = 0; ; number += 1) {
      const key = `claims/item-${number}`;
      const claimed = await board.claim(key, { leaseMs });
      if (!claimed.accepted) {
        if (claimed.refusal.code === 'completed' && number === first) first += 1;
        continue;
      }
      await sleep(leaseMs / 3);
      const kept = await board.heartbeat(claimed.value);
      if (!kept.accepted) continue;
      const result = { by: label, generation: Number(kept.value.generation) };
      const done = await board.complete(kept.value, result);
      if (done.accepted) writeSync(log, `${JSON.stringify({ key, result })}\n`);
      number = first - 1;
    }
  },
};

process.on('disconnect', () => process.exit(0));
process.on('message', async ({ job, ...options }) => {
  try {
    process.send(await jobs[job](options));
  } catch (error) {
    process.send({ failed: `${error.code ?? ''} ${error.stack}` });
  }
});
process.send({ ready: true });
