/** Case A07: a follower that polls does not keep the write-ahead file from being reset; one that holds a snapshot does. */
import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { set } from '../../support/entries.ts';
import { createWorld, enqueue, type Handle, ok, type World, worker } from '../../support/world.ts';

const COMMITS = 400;
const WRITES = 50;
/** Pages between two checkpoints, each with its frame header. */
const CHECKPOINT_BYTES = 1000 * (4096 + 24);

let world: World;
let writer: Handle;
let follower: Handle;
beforeEach(async () => {
  world = createWorld('sqlite');
  writer = await world.open();
  follower = await world.open();
});
afterEach(() => world.end());

/** 20,000 events in commits of 50. Calls `between` after each. Answers the largest size of the write-ahead file. */
async function write(between: () => Promise<void>): Promise<number> {
  let largest = 0;
  for (let i = 0; i < COMMITS; i += 1) {
    const writes = Array.from({ length: WRITES }, (_, k) =>
      set(`k/${k}`, 'x'.repeat(100), { keep: 'latest' }),
    );
    ok(await writer.entries.commit(writes));
    await between();
    largest = Math.max(largest, statSync(`${world.file}-wal`).size);
  }
  return largest;
}

it('a follower that polls sees all of 20,000 events, and the file stays near one checkpoint', async () => {
  const ids: number[] = [];
  let cursor = 0;
  const poll = async () => {
    for (;;) {
      const page = await follower.feed.since(cursor, 30);
      if (page.events.length === 0) return;
      ids.push(...page.events.map((event) => event.id));
      cursor = page.cursor;
    }
  };
  const largest = await write(poll);
  expect(ids).toEqual(Array.from({ length: COMMITS * WRITES }, (_, i) => i + 1));
  expect(largest).toBeLessThan(1.5 * CHECKPOINT_BYTES);
});

it('claims go on beside the follower: each is answered, and the file stays as small', async () => {
  const keys = Array.from({ length: COMMITS }, (_, i) => `claims/${i}`);
  await enqueue(writer, ...keys);
  let cursor = 0;
  let completed = 0;
  const largest = await write(async () => {
    cursor = (await follower.feed.since(cursor, WRITES)).cursor;
    const [lease] = ok(await worker(writer, 'w1').claimNext('claims/', 1000));
    ok(await worker(writer, 'w1').complete(lease!, 'done'));
    completed += 1;
  });
  expect(completed).toBe(COMMITS);
  expect(largest).toBeLessThan(1.5 * CHECKPOINT_BYTES);
});

it('the same beside a reader that keeps its snapshot open: the file grows. So the bound above means something', async () => {
  const reader = new Database(world.file, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM events').get();
  const largest = await write(async () => {});
  expect(largest).toBeGreaterThan(3 * CHECKPOINT_BYTES);
  reader.exec('COMMIT');
  reader.close();
});
