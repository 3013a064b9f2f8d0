import { describe, expect, test } from 'vitest';
import type { Step } from '../../../harness/model/lease-automaton.ts';
import { decide, type OracleOptions } from '../../../harness/model/oracle.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';

const MS = 1e6;

const step = (kind: Step['kind'], inv: number, ret: number, more: Partial<Step> = {}): Step => ({
  kind,
  certain: true,
  inv: inv * MS,
  ret: ret * MS,
  token: kind === 'forceRelease' || kind === 'read' || kind === 'claim' ? undefined : 1,
  owner: 1,
  leaseMs: 10,
  reacquire: false,
  request: `${kind} ${inv}`,
  value: -1,
  ...more,
});
const unknown = (kind: Step['kind'], inv: number, more: Partial<Step> = {}): Step =>
  step(kind, inv, Number.POSITIVE_INFINITY, { certain: false, ...more });

const declares: Declares = { ...DEFAULT_DECLARES, grainMs: 0 };
const LATE: Partial<Declares> = { lateCalls: 'allowed-if-not-superseded' };

interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly answer: 'possible' | 'impossible';
  readonly declares?: Partial<Declares>;
  readonly options?: OracleOptions;
}

const cases: Case[] = [
  { name: 'nothing', steps: [], answer: 'possible' },
  {
    name: 'a lease at the instant the former ends',
    steps: [step('grant', 0, 0), step('grant', 10, 10, { token: 2 })],
    answer: 'possible',
  },
  {
    name: 'a lease one tick early',
    steps: [step('grant', 0, 0), step('grant', 9, 9, { token: 2 })],
    answer: 'impossible',
  },
  {
    name: 'a chain of three',
    steps: [step('grant', 0, 0), step('grant', 5, 15, { token: 2 }), step('grant', 16, 16, { token: 3 })],
    answer: 'impossible',
  },
  {
    name: 'an unknown release may have acted',
    steps: [step('grant', 0, 0), unknown('release', 1), step('grant', 2, 2, { token: 2 })],
    answer: 'possible',
  },
  {
    name: 'it cannot have acted before it was sent',
    steps: [step('grant', 0, 0), unknown('release', 3), step('grant', 2, 2, { token: 2 })],
    answer: 'impossible',
  },
  {
    name: 'a force release ends a lease once',
    steps: [
      step('grant', 0, 0),
      step('forceRelease', 0, 9),
      step('grant', 1, 1, { token: 2 }),
      step('grant', 2, 2, { token: 3 }),
    ],
    answer: 'impossible',
  },
  {
    name: 'the owner reacquires',
    steps: [step('grant', 0, 0), step('grant', 1, 1, { token: 2, reacquire: true })],
    answer: 'possible',
  },
  {
    name: 'another owner does not',
    steps: [step('grant', 0, 0), step('grant', 1, 1, { token: 2, reacquire: true, owner: 2 })],
    answer: 'impossible',
  },
  { name: 'equal generations', steps: [step('grant', 0, 0), step('grant', 20, 20)], answer: 'impossible' },
  {
    name: 'falling generations',
    steps: [step('grant', 0, 0, { token: 2 }), step('grant', 20, 20)],
    answer: 'impossible',
  },
  {
    name: 'equal stamps are at once',
    steps: [step('grant', 0, 20, { token: 2 }), step('grant', 0, 20), step('heartbeat', 20, 20)],
    answer: 'impossible',
  },
  {
    name: 'a call at the last instant of its lease',
    steps: [step('grant', 0, 5), step('complete', 15, 16)],
    answer: 'possible',
  },
  { name: 'a call after it', steps: [step('grant', 0, 5), step('complete', 16, 16)], answer: 'impossible' },
  {
    name: 'a call after it, where that is allowed',
    steps: [step('grant', 0, 5), step('complete', 16, 16)],
    answer: 'possible',
    declares: LATE,
  },
  {
    name: 'a call after it, when renewals were left out',
    steps: [step('grant', 0, 5), step('complete', 16, 16)],
    answer: 'possible',
    options: { bounded: false },
  },
  {
    name: 'a chain of renewals',
    steps: [step('grant', 0, 5), step('heartbeat', 6, 18), step('heartbeat', 28, 28)],
    answer: 'impossible',
  },
  {
    name: 'two completions',
    steps: [step('grant', 0, 0), step('complete', 1, 2), step('complete', 1, 2)],
    answer: 'impossible',
  },
  {
    name: 'a grant after the completion',
    steps: [step('grant', 0, 0), step('complete', 1, 2), step('grant', 20, 21, { token: 2 })],
    answer: 'impossible',
  },
  {
    name: 'a stale completion that overlaps everything',
    steps: [step('grant', 0, 99), step('grant', 0, 99, { token: 2 }), step('complete', 0, 99)],
    answer: 'impossible',
  },
  {
    name: 'a read that shows an unanswered completion',
    steps: [
      step('grant', 0, 0),
      unknown('complete', 1, { value: 7 }),
      step('read', 50, 51, { done: true, value: 7 }),
    ],
    answer: 'possible',
  },
  {
    name: 'a read that shows another result',
    steps: [
      step('grant', 0, 0),
      step('complete', 1, 2, { value: 7 }),
      step('read', 50, 51, { done: true, value: 8 }),
    ],
    answer: 'impossible',
  },
  {
    name: 'a read that shows another request',
    steps: [step('grant', 0, 0), step('complete', 1, 2), step('read', 50, 51, { done: true, by: 'other' })],
    answer: 'impossible',
  },
  {
    name: 'a read of a finished item as open',
    steps: [step('grant', 0, 0), step('complete', 1, 2), step('read', 50, 51, { done: false })],
    answer: 'impossible',
  },
  {
    name: 'an unanswered claim may hold the item for a while',
    steps: [unknown('claim', 0), step('grant', 1, 1)],
    answer: 'possible',
  },
  {
    name: 'not fenced: any release may end any lease',
    steps: [step('grant', 0, 0), step('release', 1, 1, { token: 9 }), step('grant', 2, 2, { token: 2 })],
    answer: 'possible',
    declares: { fencing: 'none' },
  },
  {
    name: 'opaque tokens have no order',
    steps: [step('grant', 0, 0, { token: 'b' }), step('grant', 20, 20, { token: 'a' })],
    answer: 'possible',
    declares: { tokens: 'opaque' },
  },
  {
    name: 'opaque tokens do not repeat',
    steps: [step('grant', 0, 0, { token: 'b' }), step('grant', 20, 20, { token: 'b' })],
    answer: 'impossible',
    declares: { tokens: 'opaque' },
  },
  {
    name: 'drift, step and grain widen both ends',
    steps: [step('grant', 0, 0), step('heartbeat', 13, 13), step('grant', 20, 20, { token: 2 })],
    answer: 'possible',
    declares: { clockDrift: 0.1, clockStepMs: 1, grainMs: 1 },
  },
];

describe('the exhaustive oracle', () => {
  test.each(cases)('$name: $answer', ({ steps, answer, declares: more, options }) => {
    expect(decide(steps, { ...declares, ...more }, options)).toBe(answer);
    // The order in which the calls are listed says nothing.
    expect(decide([...steps].reverse(), { ...declares, ...more }, options)).toBe(answer);
  });

  test('gives up on a slice that is too big, and says so', () => {
    const many = Array.from({ length: 29 }, (_, i) => unknown('heartbeat', i, { token: 1 }));
    expect(decide([step('grant', 0, 0), ...many, step('complete', 900, 901)], declares)).toBe('unknown');
    expect(
      decide(
        Array.from({ length: 31 }, () => step('read', 0, 0)),
        declares,
      ),
    ).toBe('unknown');
  });
});
