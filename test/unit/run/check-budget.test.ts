/** A check that is ended by its budget says what it was at, and what it had found by then stands. */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import type { Finding } from '../../../harness/checker/finding.ts';
import { runBounded } from '../../../harness/run/check.ts';
import type { CheckTask } from '../../../harness/run/check-task.ts';
import { judge } from '../../../harness/run/judge.ts';
import { DEFAULT_DECLARES } from '../../../harness/store-module/declares.ts';
import { Script } from '../../support/records.ts';
import { STALE_COMPLETE } from '../report/sample.ts';

const broken: Finding = { guarantee: 'S6', opportunities: 5, broken: 1, violations: [STALE_COMPLETE] };
const task = {
  paths: [],
  interrupted: false,
  item: undefined,
  runId: 'r',
  expectsRun: false,
  finding: broken,
} as CheckTask;

/** Nothing was found by then. */
const sound: Finding = { ...broken, broken: 0, violations: [] };

const judged = (
  partial: readonly Finding[],
  budget = 'the check took longer than 1 s, while S1 was being judged',
) =>
  judge({
    history: new Script().builder.snapshot({ embedded: false }),
    declares: DEFAULT_DECLARES,
    run: undefined,
    methods: undefined,
    scenario: undefined,
    checked: undefined,
    budget,
    partial,
    guarantees: [],
    interrupted: false,
    version: '0',
    store: 'test',
    files: 1,
  });

describe('a stuck partition', () => {
  const filename = resolve('test/fixtures/stuck-check.mjs');
  const ends = (maxMs: number) => runBounded(task, { maxMs, maxMemoryMib: 2048 }, { filename });

  it('ends as inconclusive, with its items named, and keeps what was judged before', async () => {
    let ended = await ends(500);
    // On a busy machine the thread may not have come to its partition yet.
    for (let maxMs = 1000; 'budget' in ended && !ended.budget.includes('items') && maxMs < 60_000; maxMs *= 2)
      ended = await ends(maxMs);
    expect(ended).toMatchObject({
      budget: expect.stringMatching(
        /^the check took longer than [\d.]+ s, while S1, S2 was being judged at items 1 to 9 of 20, `work\/1` to `work\/9`$/,
      ),
      partial: [broken],
    });
    const { verdict, reasons } = judged([sound], 'budget' in ended ? ended.budget : undefined);
    expect(verdict).toBe('inconclusive');
    expect(reasons[0]?.message).toMatch(/at items 1 to 9 of 20, `work\/1` to `work\/9`\.$/);
  }, 130_000);

  it('is ended by memory too', async () => {
    const ended = await runBounded(task, { maxMs: 60_000, maxMemoryMib: 1 }, { filename }).catch(String);
    expect(ended).toMatchObject({ budget: expect.stringMatching(/needed more than 1 MiB/) });
  }, 70_000);
});

describe('what was judged by then', () => {
  it('a violation stays one', () => {
    const { verdict, reasons, guarantees } = judged([broken]);
    expect(verdict).toBe('violated');
    expect(reasons.map(({ code }) => code)).toEqual(['GUARANTEE_BROKEN', 'CHECK_BUDGET_SPENT']);
    expect(guarantees.map(({ guarantee }) => guarantee)).toEqual(['S6']);
  });

  it('is never valid', () => {
    const { verdict, reasons } = judged([sound]);
    expect(verdict).toBe('inconclusive');
    expect(reasons[0]!.message).toMatch(/while S1 was being judged/);
  });
});

describe('the progress of a judgement', () => {
  it('names every checker, every item once, and hands out the findings of the answer', () => {
    const script = new Script();
    const worker = script.worker('w1');
    const keys = Array.from({ length: 5000 }, (_, i) => `k${i}`);
    worker.enqueue(0, 1, keys);
    const told: Finding[] = [];
    const checkers: string[] = [];
    const ranges: [number, number][] = [];
    const { findings } = judgeHistory(
      script.builder.snapshot({ embedded: false }),
      DEFAULT_DECLARES,
      undefined,
      undefined,
      {
        progress: {
          begins: (checker) => checkers.push(checker),
          items: (from, to) => ranges.push([from, to]),
          judged: (some) => told.push(...some),
        },
      },
    );
    expect(ranges).toEqual([
      [0, 4096],
      [4096, 5000],
    ]);
    expect(checkers.join(', ').split(', ').sort()).toEqual(findings.map(({ guarantee }) => guarantee).sort());
    expect(new Map(told.map((one) => [one.guarantee, one]))).toEqual(
      new Map(findings.map((one) => [one.guarantee, one])),
    );
  });
});
