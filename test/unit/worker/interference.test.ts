/** Calls that are late, and answers that are lost: each call still acts exactly once. */
import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../harness/random/random.ts';
import { Interference } from '../../../harness/worker/interference.ts';

const make = (): Interference => new Interference(randomStream(1, 'test'));

it('hands a call through at once while nothing is on', () => {
  expect(make().around(() => 7)).toBe(7);
});

describe('lost answers', () => {
  it.each([
    ['an answer', () => 7],
    ['a later answer', async () => 7],
    [
      'an error',
      () => {
        throw Object.assign(new Error('busy'), { definite: true });
      },
    ],
  ])('hides %s behind an error that says nothing', async (_what, store) => {
    const between = make();
    let calls = 0;
    between.begin({ id: 1, fault: 'lose-reply', share: 1 });
    const call = between.around(() => {
      calls += 1;
      return store();
    });
    await expect(call).rejects.toMatchObject({ code: 'REPLY_LOST' });
    await expect(call).rejects.not.toHaveProperty('definite');
    expect(calls).toBe(1);
    expect(await between.end(1)).toBe(1);
  });

  it('leaves the others alone when they are to hit a share of 0, and all once they have ended', async () => {
    const between = make();
    between.begin({ id: 1, fault: 'lose-reply', share: 0 });
    expect(between.around(() => 7)).toBe(7);
    between.begin({ id: 2, fault: 'lose-reply', share: 1 });
    expect(await between.end(2)).toBe(0);
    expect(between.around(() => 7)).toBe(7);
  });
});

describe('slow calls', () => {
  it('act once, answer what the store answered, and end only when none is held back', async () => {
    const between = make();
    between.begin({ id: 1, fault: 'slow', share: 1, delayMs: { min: 20, max: 20 } });
    let isAnswered = false;
    const call = Promise.resolve(between.around(() => 7)).then((value) => {
      isAnswered = true;
      return value;
    });
    expect(await between.end(1)).toBe(1);
    await Promise.resolve();
    expect(isAnswered).toBe(true);
    expect(await call).toBe(7);
  });
});

it('knows nothing of an order that it never had', async () => {
  expect(await make().end(9)).toBeUndefined();
});
