import { describe, expect, it } from 'vitest';
import type { Results } from '../../../harness/report/results.ts';
import { PLAIN } from '../../../harness/report/style.ts';
import { renderText } from '../../../harness/report/text.ts';
import { widthOf } from '../../../src/text/layout.ts';
import { guarantee, NONE, obligation, STALE_COMPLETE, TIMELINE, VALID } from './sample.ts';

function render(changes: Partial<Results>, directory: string | null = 'reports/latest'): string {
  const text = renderText({ ...VALID, ...changes }, { style: PLAIN, directory: directory ?? undefined });
  const tooWide = text.split('\n').filter((line) => widthOf(line) > 80 && !line.includes('fencepost check'));
  expect(tooWide).toEqual([]);
  expect(text).not.toMatch(/undefined|NaN|Infinity| +\n|\n\n\n/);
  return text;
}

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

describe('renderText', () => {
  it('valid', () => {
    expect(render({})).toMatchInlineSnapshot(`
      "fencepost · kill-mid-lease · sqlite · 4 workers · seed 81237

        main       14.2 s   claims 4,012   completes 3,140   reclaims 64
        faults     kill 43   pause 42 (2 missed)   twin 31   78 processes
        evidence   killed in lease 33/20 ✔   reclaimed 64/10 ✔   … all 5 met

      VALID   no item completed twice · no result lost · every stale writer refused

        guarantee                     opportunities   broken   at most, 95 %
        stale writer refused                     81        0           3.7 %   ✔
        newest generation completes              49        0           6.1 %   ✔
        one accepted completion               3,140        0          0.10 %   ✔
        no result lost                        3,140        0          0.10 %   ✔
        claims are sane                       4,012        0          0.07 %   ✔

        rates      conflict 1.8 %   reclaim 1.6 %   work done twice 29 of 3,140
        lost       leases:   holder died 30   stopped 31   starved by this machine 2
                   otherwise 1   believed by two 900, for p95 160 ms
        refused    stale calls:   complete 49   heartbeat 19   release 6   nack 7
        task       p50 20 ms   p95 61 ms   p99 97 ms   max 140 ms
                   lease 150 ms = 2.5 × p95
        claim      p50 0.42 ms   p95 1.9 ms   p99 7.3 ms   max 31 ms
        heartbeat  p50 0.31 ms   p95 1.2 ms   p99 4.4 ms   max 22 ms
        complete   p50 0.38 ms   p95 1.6 ms   p99 5.1 ms   max 28 ms
        reclaim    p50 31 ms   p95 70 ms   p99 88 ms   max 120 ms
                   past the end of the lease
        loop lag   p50 1.1 ms   p95 2.4 ms   p99 9.0 ms   max 30 ms

        run        reports/latest
        next       fencepost check reports/latest
      "
    `);
  });

  it('evidence that every call was made comes last, since it says the least', () => {
    const obligations = [
      obligation('O10.get', 'get in main', 1104, 1),
      obligation('O12', 'writers hurt', 6, 5),
    ];
    expect(render({ obligations })).toContain('writers hurt 6/5 ✔   get in main 1,104/1 ✔   … all 2 met');
  });

  it('violated', () => {
    const text = render({
      verdict: 'violated',
      reasons: [{ verdict: 'violated', code: 'GUARANTEE_BROKEN', message: STALE_COMPLETE.statement }],
      guarantees: [guarantee('S4', 81, [STALE_COMPLETE]), guarantee('S5', 3140)],
      timeline: TIMELINE,
    });
    expect(text).toMatchInlineSnapshot(`
      "fencepost · kill-mid-lease · sqlite · 4 workers · seed 81237

        main       14.2 s   claims 4,012   completes 3,140   reclaims 64
        faults     kill 43   pause 42 (2 missed)   twin 31   78 processes
        evidence   killed in lease 33/20 ✔   reclaimed 64/10 ✔   … all 5 met

      VIOLATED   stale writer refused: claims/item-17 was completed under generation 4
                 after generation 5 had been granted

         12.001 s   w3   claim      generation 4, lease 150 ms
         12.056 s        w3 is stopped (SIGSTOP)
         12.230 s   w1   claim      generation 5, lease 150 ms
         12.400 s        w3 runs again (SIGCONT)
         12.402 s   w3   complete   generation 4                 ← ACCEPTED

        because    generation 5 was granted 172 ms before this call was sent
        assumed    one host clock; the store declares lock fencing
        confirmed  no order of these operations keeps the rule (exhaustive search)
        again      fencepost check reports/latest --item claims/item-17

        guarantee                 opportunities   broken   at most, 95 %
        stale writer refused                 81        1               –   ✘
        one accepted completion           3,140        0          0.10 %   ✔

        rates      conflict 1.8 %   reclaim 1.6 %   work done twice 29 of 3,140
        lost       leases:   holder died 30   stopped 31   starved by this machine 2
                   otherwise 1   believed by two 900, for p95 160 ms
        refused    stale calls:   complete 49   heartbeat 19   release 6   nack 7
        task       p50 20 ms   p95 61 ms   p99 97 ms   max 140 ms
                   lease 150 ms = 2.5 × p95
        claim      p50 0.42 ms   p95 1.9 ms   p99 7.3 ms   max 31 ms
        heartbeat  p50 0.31 ms   p95 1.2 ms   p99 4.4 ms   max 22 ms
        complete   p50 0.38 ms   p95 1.6 ms   p99 5.1 ms   max 28 ms
        reclaim    p50 31 ms   p95 70 ms   p99 88 ms   max 120 ms
                   past the end of the lease
        loop lag   p50 1.1 ms   p95 2.4 ms   p99 9.0 ms   max 30 ms

        run        reports/latest
        next       fencepost check reports/latest --item claims/item-17
      "
    `);
  });

  it('inconclusive: what is missing, and what to change', () => {
    const text = render({
      verdict: 'inconclusive',
      reasons: [
        {
          verdict: 'inconclusive',
          code: 'DRAIN_UNFINISHED',
          message:
            '3 items were neither done nor dead after drain: claims/item-1, claims/item-2, claims/item-3.',
          fix: 'Give the drain more time (`phases.drain.max`).',
        },
        {
          verdict: 'inconclusive',
          code: 'OBLIGATION_UNMET',
          message: 'O1 killed in lease',
          fix: 'longer tasks',
        },
      ],
      obligations: [obligation('O1', 'killed in lease', 3, 20), obligation('O2', 'reclaimed', 64, 10)],
      guarantees: [guarantee('S4', 0), guarantee('S5', 12)],
      notTested: ['The store has no `scan`: results that were lost cannot be seen.'],
    });
    expect(text).toMatchInlineSnapshot(`
      "fencepost · kill-mid-lease · sqlite · 4 workers · seed 81237

        main       14.2 s   claims 4,012   completes 3,140   reclaims 64
        faults     kill 43   pause 42 (2 missed)   twin 31   78 processes
        evidence   killed in lease 3/20 ✘   1 of 2 not met, see below

      INCONCLUSIVE   nothing broken was seen, and too little was seen to say more

        ? killed in lease: seen 3, needed 20 (O1). What counts for killed in lease.
            Change something so that killed in lease is seen more often.

        ? 3 items were neither done nor dead after drain: claims/item-1,
          claims/item-2, claims/item-3.
            Give the drain more time (\`phases.drain.max\`).

        guarantee                 opportunities   broken   at most, 95 %
        stale writer refused                  0        –     never tried   ?
        one accepted completion              12        0            25 %   ✔

        not tested
        – The store has no \`scan\`: results that were lost cannot be seen

        rates      conflict 1.8 %   reclaim 1.6 %   work done twice 29 of 3,140
        lost       leases:   holder died 30   stopped 31   starved by this machine 2
                   otherwise 1   believed by two 900, for p95 160 ms
        refused    stale calls:   complete 49   heartbeat 19   release 6   nack 7
        task       p50 20 ms   p95 61 ms   p99 97 ms   max 140 ms
                   lease 150 ms = 2.5 × p95
        claim      p50 0.42 ms   p95 1.9 ms   p99 7.3 ms   max 31 ms
        heartbeat  p50 0.31 ms   p95 1.2 ms   p99 4.4 ms   max 22 ms
        complete   p50 0.38 ms   p95 1.6 ms   p99 5.1 ms   max 28 ms
        reclaim    p50 31 ms   p95 70 ms   p99 88 ms   max 120 ms
                   past the end of the lease
        loop lag   p50 1.1 ms   p95 2.4 ms   p99 9.0 ms   max 30 ms

        run        reports/latest
        next       Give the drain more time (\`phases.drain.max\`).
      "
    `);
  });

  it('harness-error: the error text and the worker', () => {
    const text = render({
      verdict: 'harness-error',
      reasons: [
        {
          verdict: 'harness-error',
          code: 'WORKER_CRASHED',
          message: 'Uncaught error in worker w2 (incarnation 2): TypeError: task is not a function',
          fix: 'The error is in the workload or in Fencepost, not in an answer of the store.',
        },
        {
          verdict: 'inconclusive',
          code: 'PHASE_NOT_REACHED',
          message: 'The run ended before phase `drain`.',
        },
      ],
      numbers: {
        ...VALID.numbers,
        mainMs: undefined,
        conflictRate: undefined,
        task: NONE,
        reclaimDelay: NONE,
      },
      faults: [],
      obligations: [],
    });
    expect(text).toMatchInlineSnapshot(`
      "fencepost · kill-mid-lease · sqlite · 4 workers · seed 81237

        main       claims 4,012   completes 3,140   reclaims 64
        faults     none   78 processes
        evidence   none was asked for

      HARNESS ERROR   the test itself went wrong; it says nothing about the store

        ✘ Uncaught error in worker w2 (incarnation 2): TypeError: task is not a
          function
            The error is in the workload or in Fencepost, not in an answer of the
            store.

        ? (inconclusive) The run ended before phase \`drain\`.

        rates      conflict none   reclaim 1.6 %   work done twice 29 of 3,140
        lost       leases:   holder died 30   stopped 31   starved by this machine 2
                   otherwise 1   believed by two 900, for p95 160 ms
        refused    stale calls:   complete 49   heartbeat 19   release 6   nack 7
        claim      p50 0.42 ms   p95 1.9 ms   p99 7.3 ms   max 31 ms
        heartbeat  p50 0.31 ms   p95 1.2 ms   p99 4.4 ms   max 22 ms
        complete   p50 0.38 ms   p95 1.6 ms   p99 5.1 ms   max 28 ms
        loop lag   p50 1.1 ms   p95 2.4 ms   p99 9.0 ms   max 30 ms

        run        reports/latest
        next       read reports/latest/workers.log, then report the bug
      "
    `);
  });

  it('shows a violation that was found in a run with a harness error', () => {
    const text = render({
      verdict: 'harness-error',
      reasons: [
        { verdict: 'harness-error', code: 'WORKER_CRASHED', message: 'Uncaught error in worker w2.' },
      ],
      guarantees: [guarantee('S4', 81, [STALE_COMPLETE])],
      timeline: TIMELINE,
    });
    expect(text).toContain('Found in a run with a harness error:');
    expect(text).toContain('VIOLATED   stale writer refused: claims/item-17');
    const unconfirmed = render({
      verdict: 'harness-error',
      guarantees: [guarantee('S4', 81, [{ ...STALE_COMPLETE, confirmedBy: undefined }])],
    });
    expect(unconfirmed).toContain('UNCONFIRMED   stale writer refused');
    expect(unconfirmed).not.toContain('VIOLATED');
  });

  it('interrupted: says that it is partial', () => {
    const reasons = [
      {
        verdict: 'inconclusive',
        code: 'INTERRUPTED',
        message: 'The run was interrupted.',
        fix: 'Run again and let it end.',
      },
    ] as const;
    const text = render({ verdict: 'inconclusive', interrupted: true, reasons });
    expect(text).toContain('INTERRUPTED   this report is partial');
    expect(lastLine(text)).toBe('  next       run again, and let it end');
  });

  it('ends with what to do next, for every verdict', () => {
    expect(lastLine(render({}))).toBe('  next       fencepost check reports/latest');
    expect(lastLine(render({}, null))).toBe('  next       fencepost check RUN-DIR');
    const guarantees = [guarantee('S4', 81, [{ ...STALE_COMPLETE, key: "it's" }])];
    expect(lastLine(render({ verdict: 'violated', guarantees }))).toBe(
      "  next       fencepost check reports/latest --item 'it'\\''s'",
    );
    expect(lastLine(render({ verdict: 'harness-error' }))).toBe(
      '  next       read reports/latest/workers.log, then report the bug',
    );
  });

  it('claims no more than what had a chance to break', () => {
    expect(render({ guarantees: [guarantee('S5', 10), guarantee('S4', 0)] })).toContain(
      'VALID   no item completed twice\n',
    );
    expect(render({ guarantees: [guarantee('S13', 10)] })).toContain('VALID   1 guarantee held\n');
  });

  it('lists many violations in short', () => {
    const guarantees = (['S1', 'S2', 'S3', 'S4', 'S5'] as const).map((id) =>
      guarantee(id, 9, [{ ...STALE_COMPLETE, guarantee: id }, STALE_COMPLETE]),
    );
    const text = render({ verdict: 'violated', guarantees });
    expect(text.match(/VIOLATED/g)).toHaveLength(3);
    expect(text).toContain('Broken as well: stale writer refused (2), one accepted completion (2).');
    expect(text).toContain('1 more like it');
  });

  it('says once why several guarantees were not tested', () => {
    const untested = (id: 'S6' | 'S7') =>
      ({ ...guarantee(id, 0), verdict: 'not tested', notTested: 'the final scan was not read' }) as const;
    const text = render({
      guarantees: [guarantee('S5', 9), untested('S6'), untested('S7')],
      notTested: ['S6: the final scan was not read', 'O4.nack: the store has no `nack`', 'Power loss.'],
    });
    expect(text).toContain(
      [
        '  not tested',
        '  – no enqueue lost, no result lost: the final scan was not read',
        '  – O4.nack: the store has no `nack`',
        '  – Power loss',
      ].join('\n'),
    );
  });
});
