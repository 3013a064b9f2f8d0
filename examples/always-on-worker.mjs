#!/usr/bin/env node
/**
 * A worker that wakes up, advances a plan by one task and exits. Start it from cron, a timer, a loop in the shell: as many at once as
 * you like, and kill it whenever you like. The plan is in the file, and the next wake-up goes on.
 *
 *   while node examples/always-on-worker.mjs plan.db; do sleep 1; done
 *
 * Exits 0 while there is more to do (or others do it), and 10 when the plan is complete, so that such a loop ends.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPlan, createSqliteStore } from 'fencepost';

const TASKS = ['fetch the pages', 'count the words', 'sort the counts', 'write the report'];
/** A wake-up that is killed has used an attempt. Be generous where wake-ups die of other things than their task. */
const MAX_ATTEMPTS = 20;
const COMPLETE = 10;

const [file = 'plan.db', leaseMs = '30000', workMs = '200'] = process.argv.slice(2);
// A label is not an identity: two wake-ups, also one before and one after a restart, must not share an owner.
const owner = `always-on-${randomUUID().slice(0, 8)}`;

const store = await createSqliteStore({ file });
const plan = createPlan({
  store,
  planId: 'word-count',
  label: owner,
  leaseMs: Number(leaseMs),
  maxAttempts: MAX_ATTEMPTS,
});

// Of two first wake-ups one makes the plan. The other is refused, and works on it.
if ((await plan.snapshot()) === undefined) await plan.setPlan('count the words of a site', TASKS);

const claimed = await plan.claimNext({ owner });
if (claimed.accepted) await advance(claimed.value);
else console.log(claimed.refusal.code);
process.exitCode = (await plan.snapshot())?.complete ? COMPLETE : 0;
await store.close();

/** Does one task, and closes it under the claim: if somebody took over meanwhile, the result is refused and dropped. */
async function advance(claim) {
  let close;
  try {
    const summary = await work(claim.text);
    close = () => plan.markDone(claim.index, summary, claim);
  } catch (error) {
    close = () => plan.markFailed(claim.index, String(error), claim);
  }
  const { accepted, refusal } = await close();
  console.log(accepted ? `closed ${claim.index}` : `dropped ${claim.index}: ${refusal.code}`);
}

/** Put your work here. What it does outside of the plan may happen twice: a killed wake-up is done again. */
async function work(text) {
  await sleep(Number(workMs));
  return `${text}: ok, by ${owner}`;
}
