/** The verdict: each situation, alone, with its verdict and the code of its reason. */
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../harness/report/results.ts';
import { declaresSchema } from '../../../harness/store-module/declares.ts';
import { STORE_UNREACHABLE_EXIT } from '../../../harness/worker/job.ts';
import { refused } from '../../support/records.ts';
import { clean, finding, judged, SCENARIO, type Spoiled, violation } from './situation.ts';

type Row = readonly [situation: string, verdict: Verdict, code: string | undefined, spoiled: Spoiled];

const problem = (
  kind: 'broken' | 'incomplete' | 'torn-tail' | 'shape' | 'crash',
  file = 'w1-1.ndjson',
): Spoiled => ({
  add: ({ script }) => script.builder.problem({ kind, file, line: 3, message: 'the message' }),
});
const checked = (change: Partial<typeof clean>): Spoiled => ({ input: { checked: { ...clean, ...change } } });
const demanding = (id: string): Spoiled => ({
  input: { scenario: { ...SCENARIO, obligations: { ...SCENARIO.obligations, [id]: 1 } } },
});
const wall = declaresSchema.parse({ embedded: true, clock: 'store-wall', clockStepMs: 50 });

const table: readonly Row[] = [
  ['nothing wrong', 'valid', undefined, {}],
  [
    'a confirmed violation',
    'violated',
    'GUARANTEE_BROKEN',
    checked({ findings: [finding({ broken: 1, violations: [violation()] })] }),
  ],
  [
    'an unconfirmed violation',
    'harness-error',
    'VIOLATION_UNCONFIRMED',
    checked({ findings: [finding({ broken: 1, violations: [violation({ confirmedBy: undefined })] })] }),
  ],
  [
    'a violation without witness',
    'harness-error',
    'VIOLATION_UNCONFIRMED',
    checked({ findings: [finding({ broken: 1 })] }),
  ],
  [
    'oracles that disagree',
    'harness-error',
    'ORACLES_DISAGREE',
    checked({ disagreements: [{ message: 'x' }] }),
  ],
  [
    'a checker that threw (F12)',
    'harness-error',
    'CHECKER_CRASHED',
    checked({ crashed: [{ checker: 'S5', error: 'x' }] }),
  ],
  [
    'no opportunity',
    'inconclusive',
    'NO_OPPORTUNITY',
    checked({ findings: [finding({ opportunities: 0 })] }),
  ],
  [
    'a spent budget',
    'inconclusive',
    'CHECK_BUDGET_SPENT',
    { input: { checked: undefined, budget: '60 s were over' } },
  ],
  [
    'fewer opportunities than were asked for',
    'inconclusive',
    'TOO_FEW_OPPORTUNITIES',
    { input: { scenario: { ...SCENARIO, minOpportunities: 31 } } },
  ],
  [
    'as many opportunities as were asked for',
    'valid',
    undefined,
    { input: { scenario: { ...SCENARIO, minOpportunities: 30 } } },
  ],
  ['an unmet obligation', 'inconclusive', 'OBLIGATION_UNMET', demanding('O1')],
  ['a broken record', 'harness-error', 'HISTORY_BROKEN', problem('broken')],
  ['an uncaught error in a worker', 'harness-error', 'WORKER_CRASHED', problem('crash')],
  ['an answer of the wrong shape', 'inconclusive', 'WRONG_SHAPE', problem('shape')],
  ['a history that ends early', 'inconclusive', 'HISTORY_INCOMPLETE', problem('incomplete')],
  ['a torn tail of a process that nobody killed', 'inconclusive', 'TORN_TAIL', problem('torn-tail')],
  ['a torn tail of the supervisor', 'inconclusive', 'TORN_TAIL', problem('torn-tail', 'supervisor.ndjson')],
  [
    'a torn tail of a process that we killed',
    'valid',
    undefined,
    {
      without: ['exits'],
      add: ({ script, w2 }) => {
        script.kill(w2, 150, 152);
        script.builder.problem({ kind: 'torn-tail', file: w2.file, line: 3, message: 'cut' });
      },
    },
  ],
  [
    'a worker killed by somebody else (F10)',
    'inconclusive',
    'FOREIGN_KILL',
    { add: ({ script, w2 }) => script.exit(w2, 150, null, 'SIGKILL'), without: ['exits'] },
  ],
  [
    'a worker killed by another signal than ours',
    'inconclusive',
    'FOREIGN_KILL',
    {
      add: ({ script, w2 }) => script.signal(w2, 'SIGTERM', 140).exit(w2, 150, null, 'SIGKILL'),
      without: ['exits'],
    },
  ],
  [
    'a signal of ours after the death (F10)',
    'inconclusive',
    'FOREIGN_KILL',
    {
      add: ({ script, w2 }) => script.exit(w2, 150, null, 'SIGKILL').signal(w2, 'SIGKILL', 160),
      without: ['exits'],
    },
  ],
  [
    'a worker killed by us',
    'valid',
    undefined,
    { add: ({ script, w1, w2 }) => script.kill(w2, 150, 152).exit(w1, 390), without: ['exits'] },
  ],
  [
    'a worker that ended by SIGTERM of ours',
    'valid',
    undefined,
    { add: ({ script, w2 }) => script.signal(w2, 'SIGTERM', 140).exit(w2, 150, 143), without: ['exits'] },
  ],
  [
    'an exit code of an error',
    'harness-error',
    'WORKER_CRASHED',
    { add: ({ script, w2 }) => script.exit(w2, 150, 1), without: ['exits'] },
  ],
  [
    'a worker that could not open its store',
    'inconclusive',
    'STORE_UNREACHABLE',
    { add: ({ script, w2 }) => script.exit(w2, 150, STORE_UNREACHABLE_EXIT), without: ['exits'] },
  ],
  [
    'a fault that failed',
    'harness-error',
    'FAULT_FAILED',
    { add: ({ script }) => script.fault('pause', 140, 'failed') },
  ],
  [
    'a heal that failed (F14)',
    'harness-error',
    'HEAL_FAILED',
    { add: ({ script }) => script.fault('pause', 140, 'confirmed', 'failed') },
  ],
  [
    'a fault that nobody healed',
    'inconclusive',
    'HEAL_UNCONFIRMED',
    { add: ({ script }) => script.fault('pause', 140, 'confirmed', false) },
  ],
  ['a fault that missed', 'valid', undefined, { add: ({ script }) => script.fault('pause', 140, 'missed') }],
  ['a fault that was healed', 'valid', undefined, { add: ({ script }) => script.fault('pause', 140) }],
  [
    'a worker still stopped in drain (F15)',
    'inconclusive',
    'HEAL_UNCONFIRMED',
    { add: ({ script, w2 }) => script.stop(w2, 150, 320) },
  ],
  [
    'a worker stopped to the end',
    'inconclusive',
    'HEAL_UNCONFIRMED',
    { add: ({ script, w2 }) => script.stop(w2, 150), without: ['exits'] },
  ],
  [
    'a worker stopped and continued in main',
    'valid',
    undefined,
    { add: ({ script, w2 }) => script.stop(w2, 150, 180) },
  ],
  [
    'items left open by the drain',
    'inconclusive',
    'DRAIN_UNFINISHED',
    { rows: [{ key: 'a', state: 'open' }] },
  ],
  [
    'items left leased by the drain',
    'inconclusive',
    'DRAIN_UNFINISHED',
    { rows: [{ key: 'a', state: 'leased' }] },
  ],
  ['dead items after the drain', 'valid', undefined, { rows: [{ key: 'a', state: 'dead' }] }],
  ['no final scan (F6, H07)', 'inconclusive', 'SCAN_MISSING', { without: ['scan'] }],
  [
    'a final scan without its last page',
    'inconclusive',
    'SCAN_INCOMPLETE',
    { without: ['scan'], add: ({ scanner }) => scanner.scan(420, 430, [{ key: 'a', state: 'done' }], 1) },
  ],
  [
    'a final scan before the end of drain (F6)',
    'inconclusive',
    'SCAN_TOO_EARLY',
    { without: ['scan'], add: ({ scanner }) => scanner.scan(350, 360, [{ key: 'a', state: 'done' }]) },
  ],
  [
    'a final scan beside a call of a worker (F6)',
    'inconclusive',
    'SCAN_TOO_EARLY',
    { add: ({ w2 }) => w2.claim(415, 425, refused('empty')) },
  ],
  ['an end before drain', 'inconclusive', 'PHASE_NOT_REACHED', { without: ['done'] }],
  ['a Ctrl-C', 'inconclusive', 'INTERRUPTED', { input: { interrupted: true }, without: ['scan', 'done'] }],
  [
    'a suspend (F18)',
    'inconclusive',
    'SUSPENDED',
    { add: ({ script }) => script.clock(100, 1_000, 5_000).clock(200, 4_100, 8_100) },
  ],
  [
    'clocks that agree',
    'valid',
    undefined,
    { add: ({ script }) => script.clock(100, 1_000, 5_000).clock(200, 1_110, 5_095) },
  ],
  [
    'a step of the wall clock under a monotonic store',
    'valid',
    undefined,
    { add: ({ script }) => script.clock(100, 1_000, 5_000).clock(200, 1_100, 9_000) },
  ],
  [
    'a step of the wall clock under a store that depends on it (F18)',
    'inconclusive',
    'CLOCK_STEPPED',
    {
      input: { declares: wall },
      add: ({ script }) => script.clock(100, 1_000, 5_000).clock(200, 1_100, 4_000),
    },
  ],
  [
    'a step within the declared bound',
    'valid',
    undefined,
    {
      input: { declares: wall },
      add: ({ script }) => script.clock(100, 1_000, 5_000).clock(200, 1_100, 5_140),
    },
  ],
];

describe('judge', () => {
  it.each(table)('%s: %s %s', (_situation, verdict, code, spoiled) => {
    const results = judged(spoiled);
    expect([results.verdict, results.reasons.map((reason) => reason.code)]).toEqual([
      verdict,
      code ? [code] : [],
    ]);
    for (const reason of results.reasons)
      if (reason.code !== 'GUARANTEE_BROKEN') expect(reason.fix).toBeTruthy();
  });

  it('gives the same results for the same input', () => {
    expect(judged(demanding('O1'))).toEqual(judged(demanding('O1')));
  });

  it('names the first items that the drain left, and how many there are', () => {
    const rows = Array.from({ length: 9 }, (_, i) => ({ key: `item-${i}`, state: 'open' as const }));
    const [reason] = judged({ rows }).reasons;
    expect(reason?.message).toBe(
      '9 items were neither done nor dead after drain: item-0 (open), item-1 (open), item-2 (open), item-3 (open), item-4 (open) and 4 more.',
    );
  });

  it('names the error and the worker of a crash (A32), once', () => {
    const results = judged({
      add: ({ script, w2 }) => {
        w2.record({ type: 'crash', t: 150e6, message: 'boom' });
        script.exit(w2, 151, 1);
      },
      without: ['exits'],
    });
    expect(
      results.reasons.filter(({ code }) => code === 'WORKER_CRASHED').map(({ message }) => message),
    ).toEqual(['Uncaught error in worker w2 (incarnation 2): boom']);
  });

  it('counts like reasons beyond five instead of listing them', () => {
    const results = judged({
      add: ({ script }) => {
        for (let line = 1; line <= 9; line++) {
          script.builder.problem({ kind: 'shape', file: 'w1-1.ndjson', line, message: `field ${line}` });
        }
      },
    });
    expect(results.reasons).toHaveLength(5);
    expect(results.reasons[4]?.message).toContain('(and 4 more like it)');
  });

  it('calls a run empty in which nothing succeeded while faults were on (A27)', () => {
    const results = judged({
      without: ['work'],
      add: ({ w1 }) => {
        for (let i = 0; i < 99; i++) w1.claim(101 + i, 101.5 + i, i % 2 ? refused('closed') : 'info');
        w1.enqueue(310, 311, ['a']).grant(320, 321, 'a', 1).complete(330, 331, 'a', 1);
      },
    });
    expect(results.verdict).toBe('inconclusive');
    expect(results.reasons).toEqual([
      expect.objectContaining({
        code: 'NO_SUCCESS_IN_MAIN',
        message: 'no successful claim, heartbeat or complete in the fault phase',
      }),
    ]);
  });

  it('lists a confirmed violation beside a harness error, which decides', () => {
    const broken = { ...clean, findings: [finding({ broken: 1, violations: [violation()] })] };
    const results = judged({ ...problem('broken'), input: { checked: broken } });
    expect(results.verdict).toBe('harness-error');
    expect(results.reasons.map(({ code }) => code)).toEqual(['HISTORY_BROKEN', 'GUARANTEE_BROKEN']);
    expect(results.guarantees[0]).toMatchObject({ verdict: 'broken', broken: 1, atMost: undefined });
    expect(results.firstViolationMs).toBe(30);
  });

  it('calls a violation a violation though the run was not finished', () => {
    const broken = { ...clean, findings: [finding({ broken: 1, violations: [violation()] })] };
    const results = judged({ without: ['scan', 'done'], input: { checked: broken, interrupted: true } });
    expect(results.verdict).toBe('violated');
    expect(results.reasons.map(({ code }) => code)).toEqual(['GUARANTEE_BROKEN', 'INTERRUPTED']);
  });

  it('states the strength of a clean result by the rule of three', () => {
    const findings = [
      finding(),
      finding({ guarantee: 'S1', opportunities: 2 }),
      finding({ guarantee: 'S2', opportunities: 0 }),
    ];
    const results = judged(checked({ findings }));
    expect(results.guarantees.map(({ atMost, verdict }) => [atMost, verdict])).toEqual([
      [0.1, 'held'],
      [1, 'held'],
      [undefined, 'no opportunity'],
    ]);
  });

  it('lists what was not tested, and why', () => {
    const results = judged({
      input: {
        methods: ['enqueue', 'claimNext', 'complete'],
        checked: {
          ...clean,
          findings: [finding(), finding({ guarantee: 'S6', opportunities: 0, notTested: 'no scan' })],
        },
      },
      without: ['scan'],
    });
    expect(results.verdict).toBe('valid');
    expect(results.notTested).toEqual(
      expect.arrayContaining([
        'S6: no scan',
        'O4.heartbeat stale heartbeat refused: the store has no `heartbeat`',
        'The final state of the items: the store has no `scan`.',
      ]),
    );
    expect(results.guarantees[1]?.verdict).toBe('not tested');
  });

  it('finds what a drain left by the clients when the store has no scan', () => {
    const results = judged({
      input: { methods: ['enqueue', 'claimNext', 'complete'] },
      add: ({ w1 }) =>
        w1
          .enqueue(150, 151, ['b', 'c'])
          .grant(152, 153, 'c', 1)
          .complete(154, 155, 'c', 1, refused('completed')),
      without: ['scan'],
    });
    expect(results.reasons.map(({ message }) => message)).toEqual([
      expect.stringContaining('b (not finished)'),
    ]);
  });

  it('asks for no finished items of a store that cannot finish any', () => {
    const methods = ['claim', 'release', 'scan'] as const;
    expect(judged({ input: { methods }, rows: [{ key: 'a', state: 'open' }] }).verdict).toBe('valid');
    expect(judged({ input: { methods }, rows: [{ key: 'a', state: 'leased' }] }).verdict).toBe(
      'inconclusive',
    );
  });
});

describe('judge, files without a run', () => {
  const bare = { run: undefined, methods: undefined, scenario: undefined };

  it('demands no obligations, and says so', () => {
    const results = judged({ input: bare, without: ['scan', 'exits', 'done'] });
    expect([results.verdict, results.obligations]).toEqual(['valid', []]);
    expect(results.notTested).toEqual([expect.stringContaining('Obligations were not asked')]);
  });

  it('is inconclusive when nothing happened in it', () => {
    const results = judged({
      input: { ...bare, checked: { ...clean, findings: [] } },
      without: ['work', 'scan'],
    });
    expect(results.verdict).toBe('inconclusive');
    expect(results.reasons.map(({ code }) => code)).toEqual(['NO_OPPORTUNITY', 'NO_SUCCESS_IN_MAIN']);
  });

  it('is inconclusive with a torn tail, whoever tore it (A26)', () => {
    const results = judged({ ...problem('torn-tail'), input: bare });
    expect(
      results.reasons.map(({ code, message }) => [code, message.includes('w1-1.ndjson line 3')]),
    ).toEqual([['TORN_TAIL', true]]);
  });
});
