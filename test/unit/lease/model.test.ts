/** Memory and SQLite against the pure rules, over random calls of three workers with time passing in between. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lease, Outcome } from '../../../src/store.ts';
import { LeaseModel } from '../../support/lease-model.ts';
import { createWorld, ENGINES, type Handle, type World } from '../../support/world.ts';

const OWNERS = ['w1', 'w2', 'w3'];
const key = fc.constantFrom('a/1', 'a/2', 'b/1', 'b/2', 'b/3');
const leaseMs = fc.constantFrom(1, 2, 5, 10, 0.5);
/** Which of the leases granted so far, and whether it is handed in as it was or altered. */
const which = fc.record({
  index: fc.nat(),
  forged: fc.constantFrom('no', 'no', 'no', 'no', 'token', 'owner', 'key'),
});
const newItem = fc.record(
  { key, maxAttempts: fc.constantFrom(1, 2, 3), notBeforeMs: fc.integer({ min: -5, max: 60 }) },
  { requiredKeys: ['key'] },
);

const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('enqueue' as const), items: fc.array(newItem, { maxLength: 3 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('claim' as const),
      key,
      owner: fc.constantFrom(...OWNERS),
      leaseMs,
      reacquire: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('claimNext' as const),
      prefix: fc.constantFrom('', '', 'a/', 'b/', 'c'),
      owner: fc.constantFrom(...OWNERS),
      leaseMs,
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('heartbeat' as const),
      which,
      extendMs: fc.option(leaseMs, { nil: undefined }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ op: fc.constantFrom('complete', 'nack', 'release'), which }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('forceRelease' as const), key }) },
  {
    weight: 5,
    arbitrary: fc.record({ op: fc.constant('advance' as const), ms: fc.constantFrom(1, 1, 2, 4, 9, 30) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The answer in the form of the model. */
const plain = <T>(outcome: Outcome<T>): unknown => {
  if (!outcome.accepted) return outcome.refusal.code;
  return outcome.value === undefined ? 'accepted' : outcome.value;
};

function choose(leases: readonly Lease[], pick: { index: number; forged: string }): Lease | undefined {
  const lease = leases[leases.length - 1 - (pick.index % leases.length)];
  if (lease === undefined) return undefined;
  switch (pick.forged) {
    case 'token':
      return { ...lease, token: String(BigInt(lease.token) + 1n) };
    case 'owner':
      return { ...lease, owner: 'w9' };
    case 'key':
      return { ...lease, key: 'a/1' };
    default:
      return lease;
  }
}

/** Runs one step on the model and on a store. Answers both. */
async function run(
  action: Step,
  model: LeaseModel,
  { work }: Handle,
  leases: Lease[],
): Promise<[unknown, unknown]> {
  const request = 'r';
  switch (action.op) {
    case 'enqueue': {
      const items = action.items.map((item) => ({ payload: null, ...item }));
      return [model.enqueue(action.items), plain(await work.enqueue(items, { request }))];
    }
    case 'claim': {
      const expected = model.claim(action.key, action.owner, action.leaseMs, action.reacquire);
      if (typeof expected !== 'string') leases.push(expected);
      return [expected, plain(await work.claim(action.key, { ...action, request }))];
    }
    case 'claimNext': {
      const expected = model.claimNext(action.prefix, action.owner, action.leaseMs, action.limit);
      if (typeof expected !== 'string') leases.push(...expected);
      return [expected, plain(await work.claimNext(action.prefix, { ...action, request }))];
    }
    case 'forceRelease':
      return [
        model.forceRelease(action.key),
        plain(await work.forceRelease(action.key, { request, by: 'operator' })),
      ];
    case 'advance':
      return [undefined, undefined];
    default:
      break;
  }
  const lease = choose(leases, action.which);
  if (lease === undefined) return [undefined, undefined];
  switch (action.op) {
    case 'heartbeat': {
      const { extendMs } = action;
      const call = extendMs === undefined ? { request } : { request, extendMs };
      return [model.heartbeat(lease, extendMs), plain(await work.heartbeat(lease, call))];
    }
    case 'complete':
      return [model.complete(lease), plain(await work.complete(lease, { request, result: 'x' }))];
    case 'nack':
      return [model.nack(lease), plain(await work.nack(lease, { request, error: 'failed' }))];
    default:
      return [model.release(lease), plain(await work.release(lease, { request }))];
  }
}

async function compare(world: World, steps: readonly Step[]): Promise<void> {
  const model = new LeaseModel();
  const leases: Lease[] = [];
  const handles = [await world.open(), await world.open()] as const;
  for (const [i, action] of steps.entries()) {
    if (action.op === 'advance') world.clock.advance(action.ms);
    model.nowMs = Math.floor(world.clock.monotonicMs());
    const [expected, got] = await run(action, model, handles[i % 2 === 0 ? 0 : 1], leases);
    expect(got, `step ${i}: ${JSON.stringify(action)}`).toEqual(expected);
  }
  const scanned = await handles[0].work.scan({ limit: 100 });
  expect(scanned).toEqual(model.items());
  expect(world.events().map((event) => `${event.kind} ${event.key} ${event.generation}`)).toEqual(
    model.events,
  );
}

describe.each(ENGINES)('%s and the pure rules', (engine) => {
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
