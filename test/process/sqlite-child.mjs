/** A process that uses a store file as it is told: one message, one answer. Ends when its parent goes. */
import { openSync, writeSync } from 'node:fs';
import { createSqliteStore } from '../../dist/src/stores/sqlite/store.js';

const jobs = {
  /** Opens the file at the given instant of the monotonic clock, together with everybody else, and adds an item. */
  async open({ file, atNs, key }) {
    while (process.hrtime.bigint() < BigInt(atNs));
    const store = await createSqliteStore({ file });
    const added = await store.work.enqueue([{ key, payload: null }], { request: key });
    const nowMs = store.nowMs();
    store.close();
    return { added: added.accepted, nowMs };
  },

  /** Claims and completes until nothing is left. */
  async drain({ file, owner }) {
    const store = await createSqliteStore({ file });
    const keys = [];
    for (let call = 0; ; call += 1) {
      const claimed = await store.work.claimNext('', {
        owner,
        leaseMs: 60_000,
        request: `${owner}-c${call}`,
      });
      if (!claimed.accepted) break;
      const [lease] = claimed.value;
      const done = await store.work.complete(lease, { request: `${owner}-d${call}`, result: owner });
      if (!done.accepted) throw new Error(done.refusal.message);
      keys.push(lease.key);
    }
    store.close();
    return { keys };
  },

  /** Adds one to a number under each key in turn, by compare-and-set, until it has done so `times` times. */
  async bump({ file, keys, owner, times }) {
    const store = await createSqliteStore({ file });
    let conflicts = 0;
    let longestMs = 0;
    for (let done = 0, call = 0; done < times; call += 1) {
      const key = keys[done % keys.length];
      const entry = await store.entries.get(key);
      const request = `${owner}-${call}`;
      const log = { key: `log/${owner}`, op: 'append', value: key, author: owner, request };
      const next = { key, op: 'set', value: (entry?.value ?? 0) + 1, author: owner, request };
      const before = performance.now();
      const outcome = await store.entries.commit([log, { ...next, ifVersion: entry?.version ?? 0 }]);
      longestMs = Math.max(longestMs, performance.now() - before);
      if (outcome.accepted) done += 1;
      else if (outcome.refusal.code === 'conflict') conflicts += 1;
      else throw new Error(outcome.refusal.message);
    }
    store.close();
    return { conflicts, longestMs };
  },

  /** Appends for ever, two entries a commit, noting each answer before the next call. */
  async append({ file, owner, path }) {
    const store = await createSqliteStore({ file });
    const log = openSync(path, 'a');
    process.send({ appending: true });
    for (let call = 0; ; call += 1) {
      const write = {
        key: `log/${owner}`,
        op: 'append',
        value: call,
        author: owner,
        request: `${owner}-${call}`,
      };
      const outcome = await store.entries.commit([write, { ...write, key: 'log/all' }]);
      if (outcome.accepted) writeSync(log, `${outcome.value[1].version}\n`);
    }
  },

  /** Takes and gives back one item for ever, noting each generation before the next call. */
  async spin({ file, key, owner, path }) {
    const store = await createSqliteStore({ file });
    const log = openSync(path, 'a');
    process.send({ spinning: true });
    for (let call = 0; ; call += 1) {
      const claimed = await store.work.claim(key, {
        owner,
        leaseMs: 1,
        request: `${owner}-${call}`,
        reacquire: true,
      });
      if (claimed.accepted) writeSync(log, `${claimed.value.token}\n`);
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
