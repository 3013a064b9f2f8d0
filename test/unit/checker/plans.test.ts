/** P1 to P8 on the smallest histories that break them, and on their innocent neighbours. */
import { describe, expect, it } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { HistoryBuilder } from '../../../harness/history/builder.ts';
import type { ClientRecord, PlanCallRecord } from '../../../harness/history/record.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';

const MS = 1e6;
const KEY = 'plan/0';
const LEASE_MS = 100;

type At = readonly [number, number];
type Outcome = 'accepted' | 'info' | 'fail' | 'refused';

/** A few workers and a scanner, call by call. Times in ms. */
class Story {
  readonly #files = new Map<number, object[]>();
  readonly #calls = new Map<number, number>();
  #versions: object[] = [];

  verb(
    worker: number,
    at: At,
    call: Omit<PlanCallRecord, 'key'>,
    { outcome = 'accepted', plan, code = 'stale' }: { outcome?: Outcome; plan?: object; code?: string } = {},
  ): string {
    const number = this.#calls.get(worker) ?? 0;
    this.#calls.set(worker, number + 1);
    // An unknown outcome retires a lane, so each call has its own.
    const id = { lane: number, call: 0 };
    const records = this.#files.get(worker) ?? [];
    this.#files.set(worker, records);
    records.push({ type: 'invoke', t: at[0] * MS, ...id, op: 'plan', plan: { key: KEY, ...call } });
    const t = at[1] * MS;
    if (outcome === 'accepted') records.push({ type: 'ok', t, ...id, accepted: true, ...(plan && { plan }) });
    if (outcome === 'refused') records.push({ type: 'ok', t, ...id, accepted: false, code });
    if (outcome === 'fail') records.push({ type: 'fail', t, ...id, error: { code: 'X', message: 'x' } });
    return `${worker}.${number}.0`;
  }

  claim(worker: number, at: At, generation: number, more: Partial<Claim> = {}): string {
    const { epoch = 1, task = 0, attempts = generation, kind = 'claimed', outcome } = more;
    const plan = { task, generation, epoch, attempts, kind, parked: 0 };
    const asked =
      kind === 'renewed'
        ? ({ verb: 'claimTask', task, generation, epoch, renew: true } as const)
        : ({ verb: 'claimNext' } as const);
    return this.verb(
      worker,
      at,
      { ...asked, leaseMs: LEASE_MS, maxAttempts: 3 },
      { plan, ...(outcome && { outcome }) },
    );
  }

  close(worker: number, at: At, generation: number, more: Partial<Close> = {}): string {
    const { verb = 'markDone', outcome = 'accepted', epoch = 1, value = `${worker}` } = more;
    return this.verb(worker, at, { verb, task: 0, generation, epoch, maxAttempts: 3, value }, { outcome });
  }

  /** What the scanner reads at the end, oldest first. */
  reads(...documents: readonly object[]): this {
    this.#versions = documents.map((content, i) => ({ key: KEY, version: i + 1, content })).reverse();
    return this;
  }

  judge(declares: Partial<Declares> = {}) {
    const all = { ...DEFAULT_DECLARES, ...declares };
    if (this.#versions.length > 0) {
      this.#files.set(9, [
        { type: 'invoke', t: 9_000 * MS, lane: 0, call: 0, op: 'history', key: KEY, limit: 50 },
        { type: 'ok', t: 9_001 * MS, lane: 0, call: 0, accepted: true, entries: this.#versions },
      ]);
    }
    const builder = new HistoryBuilder();
    const raw: { file: string; record: Record<string, unknown> }[] = [];
    for (const [incarnation, records] of this.#files) {
      const file = `${incarnation}.ndjson`;
      const role = incarnation === 9 ? ('scanner' as const) : ('worker' as const);
      const header = {
        type: 'header',
        format: 1,
        run: 'r',
        incarnation,
        label: `w${incarnation}`,
        role,
        t: 0,
      } as const;
      for (const record of [header, ...records]) {
        builder.client(record as ClientRecord, file, 1, incarnation);
        raw.push({ file, record: record as Record<string, unknown> });
      }
    }
    const history = builder.snapshot({ embedded: false });
    const { findings, disagreements, crashed } = judgeHistory(history, all, undefined, () => raw);
    expect([disagreements, crashed]).toEqual([[], []]);
    const ofPlans = findings.filter(({ guarantee }) => guarantee.startsWith('P'));
    return {
      broken: ofPlans.flatMap(({ guarantee, broken }) => (broken > 0 ? [guarantee] : [])),
      statements: ofPlans.flatMap(({ violations }) => violations.map(({ statement }) => statement)),
      confirmed: ofPlans.flatMap(({ violations }) => violations.map(({ confirmedBy }) => confirmedBy)),
      opportunities: Object.fromEntries(
        ofPlans.map(({ guarantee, opportunities }) => [guarantee, opportunities]),
      ),
    };
  }
}

interface Claim {
  epoch: number;
  task: number;
  attempts: number;
  kind: 'claimed' | 'renewed';
  outcome: Outcome;
}

interface Close {
  verb: 'markDone' | 'markFailed';
  outcome: Outcome;
  epoch: number;
  value: string;
}

const expectBroken = (story: Story, ids: readonly string[]) => {
  const { broken, confirmed } = story.judge();
  expect(broken).toEqual(ids);
  expect(confirmed.every((by) => by === 'recount')).toBe(true);
};

describe('answers to verbs', () => {
  it('P1: two results of one task', () => {
    const story = new Story();
    story.claim(1, [0, 1], 1);
    story.close(1, [2, 10], 1);
    story.close(2, [3, 9], 1);
    expectBroken(story, ['P1']);
    expect(story.judge().statements[0]).toBe(
      'two results of task 0 of plan/0 were accepted; a task has one result',
    );
  });

  it('P1: two closes of which one is unknown are innocent, and so are results of two epochs', () => {
    const story = new Story();
    story.claim(1, [0, 1], 1);
    story.close(1, [2, 3], 1, { outcome: 'info' });
    story.close(2, [4, 5], 1);
    story.claim(1, [20, 21], 1, { epoch: 2 });
    story.close(1, [22, 23], 1, { epoch: 2 });
    expectBroken(story, []);
  });

  it('P2: a close after a later hand-out was answered; at the same time it is innocent', () => {
    const story = (at: At) => {
      const one = new Story();
      one.claim(1, [0, 1], 1);
      one.claim(2, [200, 210], 2);
      one.close(1, at, 1, { verb: 'markFailed' });
      return one;
    };
    expectBroken(story([211, 212]), ['P2']);
    expectBroken(story([210, 212]), []);
    expect(story([211, 212]).judge().opportunities.P2).toBe(1);
  });

  it('P2: a close under a plan that was replaced', () => {
    const story = new Story();
    story.claim(1, [0, 1], 1);
    story.claim(2, [5, 6], 1, { epoch: 2, task: 3 });
    story.close(1, [7, 8], 1);
    expectBroken(story, ['P2']);
  });

  it('P2: refused, it is what was hoped for: an opportunity', () => {
    const story = new Story();
    story.claim(1, [0, 1], 1);
    story.claim(2, [200, 201], 2);
    story.close(1, [202, 203], 1, { outcome: 'refused' });
    expectBroken(story, []);
    expect(story.judge().opportunities.P2).toBe(1);
  });

  it('P3: one hand-out twice, one beyond the limit, one that was not counted', () => {
    const twice = new Story();
    twice.claim(1, [0, 9], 1);
    twice.claim(2, [1, 8], 1);
    expectBroken(twice, ['P3']);
    const beyond = new Story();
    beyond.claim(1, [0, 1], 4);
    expectBroken(beyond, ['P3']);
    const uncounted = new Story();
    uncounted.claim(1, [0, 1], 1);
    uncounted.claim(1, [200, 201], 2, { attempts: 1 });
    expectBroken(uncounted, ['P3']);
  });

  it('P4: handed out after its result was accepted', () => {
    const story = new Story();
    story.claim(1, [0, 1], 1);
    story.close(1, [2, 3], 1);
    story.claim(2, [4, 5], 2);
    expectBroken(story, ['P4']);
  });

  it('P6: renewed twice under one generation; once under each of two it is innocent', () => {
    const story = new Story();
    story.claim(1, [0, 1], 1);
    story.claim(1, [2, 3], 1, { kind: 'renewed' });
    story.claim(2, [400, 401], 2);
    story.claim(2, [402, 403], 2, { kind: 'renewed' });
    expectBroken(story, []);
    story.claim(2, [404, 405], 2, { kind: 'renewed' });
    expectBroken(story, ['P6']);
  });

  it('P7: handed out before its deadline; not where a close that may have acted lies between, nor within the bounds', () => {
    const story = (at: At) => {
      const one = new Story();
      one.claim(1, [0, 5], 1);
      one.claim(2, at, 2);
      return one;
    };
    // The grain of the clock is 1 ms.
    expectBroken(story([90, 98]), ['P7']);
    expectBroken(story([90, 100]), []);
    expect(story([90, 98]).judge({ clockStepMs: 5 }).broken).toEqual([]);
    for (const outcome of ['accepted', 'info'] as const) {
      const closed = story([90, 98]);
      closed.close(1, [50, 60], 1, { verb: 'markFailed', outcome });
      expectBroken(closed, []);
    }
    const refused = story([90, 98]);
    refused.close(1, [50, 60], 1, { verb: 'markFailed', outcome: 'refused' });
    expectBroken(refused, ['P7']);
  });
});

describe('versions at the end', () => {
  const plan = (verb: string, ...tasks: readonly object[]) => ({
    version: 1,
    planId: '0',
    epoch: 1,
    reasoning: 'r',
    createdAtMs: 0,
    updatedAtMs: 1_000,
    tasks,
    verb,
  });
  const todo = { text: 'a', status: 'todo', attempts: 0, generation: 0 };
  const claimed = {
    ...todo,
    status: 'claimed',
    attempts: 1,
    generation: 1,
    owner: 'w1',
    claimedAtMs: 0,
    leaseEndsAtMs: 100,
    renewed: false,
  };
  const done = (result: string) => ({
    ...todo,
    status: 'done',
    attempts: 1,
    generation: 1,
    result,
    completedAtMs: 1,
  });

  it('what was accepted is there; what has no answer may be there', () => {
    for (const outcome of ['accepted', 'info'] as const) {
      const story = new Story();
      const made = story.verb(1, [0, 1], { verb: 'setPlan', value: 'a' });
      const claim = story.claim(1, [2, 3], 1, { outcome });
      const close = story.close(1, [4, 5], 1, { outcome, value: 'x' });
      expectBroken(story.reads(plan(made, todo), plan(claim, claimed), plan(close, done('x'))), []);
    }
  });

  it('P1: an accepted result that no version shows; not accused while a version may be missing', () => {
    const story = new Story();
    const made = story.verb(1, [0, 1], { verb: 'setPlan', value: 'a' });
    const claim = story.claim(1, [2, 3], 1);
    story.close(1, [4, 5], 1, { value: 'x' });
    expectBroken(story.reads(plan(made, todo), plan(claim, claimed)), ['P1']);
    const other = new Story();
    other.close(1, [4, 5], 1, { value: 'x' });
    expectBroken(other, []);
  });

  it('P1: a close that was refused, and is there all the same', () => {
    for (const outcome of ['refused', 'fail'] as const) {
      const story = new Story();
      const made = story.verb(1, [0, 1], { verb: 'setPlan', value: 'a' });
      const claim = story.claim(1, [2, 3], 1);
      const close = story.close(1, [4, 5], 1, { outcome, value: 'x' });
      expectBroken(story.reads(plan(made, todo), plan(claim, claimed), plan(close, done('x'))), ['P1']);
    }
  });

  it('P2: a close without an answer that took effect under a claim of somebody else', () => {
    const story = new Story();
    const made = story.verb(1, [0, 1], { verb: 'setPlan', value: 'a' });
    const first = story.claim(1, [2, 3], 1);
    const second = story.claim(2, [2_000, 2_001], 2);
    const close = story.close(1, [2_000, 2_005], 1, { outcome: 'info', value: 'x' });
    const again = {
      ...claimed,
      attempts: 2,
      generation: 2,
      owner: 'w2',
      claimedAtMs: 500,
      leaseEndsAtMs: 600,
    };
    const closed = { ...done('x'), attempts: 2, generation: 2 };
    expectBroken(
      story.reads(plan(made, todo), plan(first, claimed), plan(second, again), plan(close, closed)),
      ['P2'],
    );
  });

  it('a claim that was refused may have parked a task, and nothing else', () => {
    const used = { ...claimed, attempts: 3, generation: 3 };
    const parked = {
      ...todo,
      status: 'failed',
      attempts: 3,
      generation: 3,
      error: 'exhausted',
      completedAtMs: 1,
    };
    const story = new Story();
    const third = story.claim(1, [0, 1], 3);
    const refused = story.verb(
      2,
      [300, 301],
      { verb: 'claimNext', leaseMs: LEASE_MS, maxAttempts: 3 },
      { outcome: 'refused', code: 'parked' },
    );
    expectBroken(story.reads(plan(third, used), plan(refused, parked)), []);
    expect(story.judge().opportunities.P3).toBe(2);
    expectBroken(story.reads(plan(third, used), plan(refused, { ...todo, attempts: 3, generation: 3 })), [
      'P3',
    ]);
  });

  it('a version that is no plan is passed over, and nothing is concluded from what it may have held', () => {
    const story = new Story();
    const made = story.verb(1, [0, 1], { verb: 'setPlan', value: 'a' });
    story.claim(1, [2, 3], 1);
    expectBroken(story.reads(plan(made, todo), { nonsense: true }, plan('?', done('x'))), []);
  });
});
