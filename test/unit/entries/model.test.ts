/** Memory and SQLite against a plain model, over random commits, leases, trims and reads with time passing in between. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lease, Outcome, Write } from '../../../src/store.ts';
import { EntryModel, textOf } from '../../support/entry-model.ts';
import { createWorld, ENGINES, enqueue, type Handle, type World } from '../../support/world.ts';

const ITEMS = ['claims/1', 'claims/2'];
const OWNERS = ['w1', 'w2'];
const key = fc.constantFrom('a/1', 'a/2', 'b', 'claims/1', '\u{e000}', '\u{1f4a9}');
const version = fc.constantFrom(0, 0, 1, 2, 3, 4, 5);

/** Which of the leases granted so far, and what is altered on it. */
const fence = fc.record({
  index: fc.nat(),
  forged: fc.constantFrom('no', 'no', 'no', 'token', 'owner', 'key'),
});
const write = fc.record({
  key,
  op: fc.constantFrom('append' as const, 'set' as const, 'set' as const, 'delete' as const),
  value: fc.jsonValue({ maxDepth: 2 }),
  author: fc.constantFrom(...OWNERS),
  /** `right`: the version that the key has, so that not nearly every commit is refused. */
  ifVersion: fc.oneof(fc.constant('none' as const), fc.constant('right' as const), version),
  guard: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 9n }) },
    { weight: 2, arbitrary: fence },
  ),
  latest: fc.boolean(),
});

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('commit' as const),
      writes: fc.array(write, { maxLength: 3 }),
      require: fc.array(fc.record({ key, version: fc.option(version, { nil: undefined }) }), {
        maxLength: 1,
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('claim' as const),
      key: fc.constantFrom(...ITEMS),
      owner: fc.constantFrom(...OWNERS),
      reacquire: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('complete' as const), fence }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('release' as const), fence }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('since' as const), limit: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('sinceAny' as const), cursor: fc.nat({ max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('trim' as const), beforeId: fc.nat({ max: 40 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('list' as const),
      prefix: fc.constantFrom('', '', 'a/', 'b', 'c'),
      after: fc.option(key, { nil: undefined }),
      limit: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('history' as const),
      key,
      before: fc.option(version, { nil: undefined }),
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('get' as const), key }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('advance' as const), ms: fc.constantFrom(1, 4, 10) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type WriteSeed = typeof write extends fc.Arbitrary<infer T> ? T : never;
type FenceSeed = typeof fence extends fc.Arbitrary<infer T> ? T : never;

/** What one run keeps between its steps. */
interface Run {
  readonly model: EntryModel;
  readonly leases: Lease[];
  /** The follower that never looks anywhere else than its cursor says. */
  cursor: number;
}

const plain = <T>(outcome: Outcome<T>): unknown => {
  if (!outcome.accepted) return outcome.refusal.code;
  return outcome.value === undefined ? 'accepted' : outcome.value;
};

function leaseOf({ leases }: Run, { index, forged }: FenceSeed): Lease | undefined {
  const lease = leases[leases.length - 1 - (index % leases.length)];
  if (lease === undefined || forged === 'no') return lease;
  const altered = { token: String(BigInt(lease.token) + 1n), owner: 'w9', key: 'claims/9' };
  return { ...lease, [forged]: altered[forged as keyof typeof altered] };
}

function writeOf(run: Run, seed: WriteSeed): Write {
  const { op, value, author, guard, latest } = seed;
  const right = run.model.get(seed.key)?.version ?? 0;
  const ifVersion = seed.ifVersion === 'right' ? right : seed.ifVersion;
  const lease = typeof guard === 'object' ? leaseOf(run, guard) : undefined;
  return {
    key: seed.key,
    op,
    request: 'r',
    // Mostly the holder writes under its lease itself.
    author: lease === undefined || seed.value === null ? author : lease.owner,
    ...(op === 'delete' ? {} : { value: JSON.parse(JSON.stringify(value)) }),
    ...(op === 'append' || ifVersion === 'none' ? {} : { ifVersion }),
    ...(op === 'append' || !latest ? {} : { keep: 'latest' as const }),
    ...(lease === undefined ? {} : { fence: lease }),
    ...(typeof guard === 'bigint' ? { generation: guard } : {}),
  };
}

async function page(store: Handle, cursor: number, limit: number) {
  const found = await store.feed.since(cursor, limit);
  return { ...found, events: found.events.map(textOf) };
}

/** Runs one step on the model and on a store. Answers both. */
async function act(action: Step, run: Run, store: Handle): Promise<[unknown, unknown]> {
  const { model } = run;
  switch (action.op) {
    case 'commit': {
      const writes = action.writes.map((seed) => writeOf(run, seed));
      const require = action.require.map((wanted) => ({
        key: wanted.key,
        version: wanted.version ?? model.get(wanted.key)?.version ?? 0,
      }));
      return [model.commit(writes, require), plain(await store.entries.commit(writes, { require }))];
    }
    case 'claim': {
      const { owner, reacquire } = action;
      const expected = model.claim(action.key, owner, 10, reacquire);
      if (typeof expected !== 'string') run.leases.push(expected);
      const by = { owner, leaseMs: 10, request: 'r', reacquire };
      return [expected, plain(await store.work.claim(action.key, by))];
    }
    case 'complete':
    case 'release': {
      const lease = leaseOf(run, action.fence);
      if (lease === undefined) return [undefined, undefined];
      if (action.op === 'release') {
        return [model.release(lease), plain(await store.work.release(lease, { request: 'r' }))];
      }
      return [model.complete(lease), plain(await store.work.complete(lease, { request: 'r', result: 'x' }))];
    }
    case 'since': {
      const got = await page(store, run.cursor, action.limit);
      const expected = model.since(run.cursor, action.limit);
      run.cursor = got.cursor;
      return [expected, got];
    }
    case 'sinceAny':
      return [model.since(action.cursor, 100), await page(store, action.cursor, 100)];
    case 'trim':
      model.trim(action.beforeId);
      return [undefined, await store.feed.trim(action.beforeId)];
    case 'list': {
      const { prefix, after, limit } = action;
      const asked = after === undefined ? { limit } : { after, limit };
      return [model.list(prefix, after, limit), await store.entries.list(prefix, asked)];
    }
    case 'history': {
      const { before, limit } = action;
      const asked = before === undefined ? { limit } : { before, limit };
      return [
        model.history(action.key, before ?? Number.POSITIVE_INFINITY, limit),
        await store.entries.history(action.key, asked),
      ];
    }
    case 'get':
      return [model.get(action.key), await store.entries.get(action.key)];
    case 'advance':
      return [undefined, undefined];
  }
}

async function compare(world: World, steps: readonly Step[]): Promise<void> {
  const run: Run = { model: new EntryModel(), leases: [], cursor: 0 };
  const handles = [await world.open(), await world.open()] as const;
  run.model.enqueue(ITEMS.map((item) => ({ key: item })));
  await enqueue(handles[0], ...ITEMS);
  for (const [i, action] of steps.entries()) {
    if (action.op === 'advance') world.clock.advance(action.ms);
    run.model.nowMs = Math.floor(world.clock.monotonicMs());
    const [expected, got] = await act(action, run, handles[i % 2 === 0 ? 0 : 1]);
    expect(
      got,
      `step ${i}: ${JSON.stringify(action, (_, v) => (typeof v === 'bigint' ? `${v}n` : v))}`,
    ).toEqual(expected);
  }
  const [store] = handles;
  expect(await store.entries.list('', { limit: 100 })).toEqual(run.model.list('', undefined, 100));
  expect(await page(store, 0, 1000)).toEqual(run.model.since(0, 1000));
  expect(countsOf(await store.counters())).toEqual(eventCounts(run.model));
}

/** Counters that events carry: trimming must not change them. */
const countsOf = ({ appends, sets, deletes, claims, completes }: Readonly<Record<string, number>>) => ({
  appends,
  sets,
  deletes,
  claims,
  completes,
});

function eventCounts({ events }: EntryModel) {
  const count = (...kinds: string[]) =>
    events.filter((event) => kinds.includes(event.split(' ')[0] ?? '')).length;
  return {
    appends: count('appended'),
    sets: count('set'),
    deletes: count('deleted'),
    claims: count('claimed', 'reclaimed', 'reacquired'),
    completes: count('completed'),
  };
}

describe.each(ENGINES)('%s and the plain model', (engine) => {
  it('answer alike and end alike, whatever is called in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        const world = createWorld(engine);
        try {
          await compare(world, steps);
        } finally {
          world.end();
        }
      }),
      { numRuns: engine === 'memory' ? 300 : 100 },
    );
  });
});
