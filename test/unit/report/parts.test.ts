import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { History, Incarnation } from '../../../harness/history/history.ts';
import { renderJson } from '../../../harness/report/json.ts';
import { count, milliseconds, percent, plural, seconds } from '../../../harness/report/numbers.ts';
import { progressBlock, progressLine } from '../../../harness/report/progress.ts';
import { story } from '../../../harness/report/story.ts';
import { PLAIN, showsUnicode, styleFor } from '../../../harness/report/style.ts';
import { timelineOf } from '../../../harness/report/timeline.ts';
import type { Progress } from '../../../harness/run/api.ts';
import { flow, pad, widthOf, wrap } from '../../../src/text/layout.ts';
import { obligation, STALE_COMPLETE, TIMELINE, VALID } from './sample.ts';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [3140, '3,140'],
    [1_234_567, '1,234,567'],
  ])('count %d', (value, text) => {
    expect(count(value)).toBe(text);
  });

  it.each([
    [undefined, 'none'],
    [0, '0.00 ms'],
    [0.42, '0.42 ms'],
    [0.999, '1.0 ms'],
    [9.94, '9.9 ms'],
    [9.96, '10 ms'],
    [20, '20 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [14_240, '14.2 s'],
    [185_000, '3 min 5 s'],
    [119_960, '2 min 0 s'],
  ])('milliseconds %s', (value, text) => {
    expect(milliseconds(value)).toBe(text);
  });

  it.each([
    [undefined, 'none'],
    [0, '0 %'],
    [3 / 3140, '0.10 %'],
    [3 / 81, '3.7 %'],
    [0.018, '1.8 %'],
    [0.12, '12 %'],
    [1, '100 %'],
    [0.00003, '0.003 %'],
  ])('percent %s', (value, text) => {
    expect(percent(value)).toBe(text);
  });

  it('seconds and plural', () => {
    expect([
      seconds(400),
      plural(1, 'worker'),
      plural(4, 'worker'),
      plural(2, 'process', 'processes'),
    ]).toEqual(['0.4 s', '1 worker', '4 workers', '2 processes']);
  });
});

describe('layout', () => {
  it('gives colours no width', () => {
    expect(widthOf('\u001b[31mred\u001b[39m')).toBe(3);
    expect(pad('\u001b[31mred\u001b[39m', 5)).toBe('\u001b[31mred\u001b[39m  ');
    expect(pad('7', 3, 'right')).toBe('  7');
  });

  it('breaks between words, and inside one that is longer than a line', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('a /very/long/path b', 6)).toEqual(['a', '/very/', 'long/', 'path b']);
    expect(wrap('{"abcdefgh"}', 5)).toEqual(['{"abc', 'defgh', '"}']);
    expect(flow(['one two three', 'x'], 7, '   ')).toEqual(['one two', 'three', 'x']);
    expect(widthOf('日本é\u0301')).toBe(5);
    expect(wrap('', 5)).toEqual([]);
    expect(flow(['a b', 'c d'], 5, '   ')).toEqual(['a b', 'c d']);
  });
});

describe('style', () => {
  const stream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });

  it.each([
    [{}, 'linux', true],
    [{ LANG: 'de_DE.UTF-8' }, 'linux', true],
    [{ LANG: 'C' }, 'linux', false],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'POSIX' }, 'linux', false],
    [{ LANG: 'C', LC_CTYPE: 'C.utf8' }, 'linux', true],
    [{ TERM: 'dumb', LANG: 'C.UTF-8' }, 'linux', false],
    [{}, 'win32', false],
    [{ WT_SESSION: '1' }, 'win32', true],
  ] as const)('%j on %s shows Unicode: %s', (env, platform, shows) => {
    expect(showsUnicode(env, platform)).toBe(shows);
  });

  it('has no colour where the stream is no terminal, and every sign in ASCII too', () => {
    const style = styleFor({ stream: stream(false), env: { LANG: 'C' }, platform: 'linux' });
    expect(style.bad('x')).toBe('x');
    expect(Object.values(style.mark).join('')).toMatch(/^[\x20-\x7e]+$/);
  });
});

describe('story', () => {
  it('tells two processes of one name apart', () => {
    const [first, second, third] = STALE_COMPLETE.witness;
    const witness = [
      first!,
      { ...second!, label: 'w3', request: '7.0.1' },
      { ...third!, outcome: 'accepted' as const },
    ];
    const lines = story({ ...STALE_COMPLETE, witness }, TIMELINE, PLAIN, undefined).join('\n');
    expect(lines).toContain('12.001 s   w3/3   claim      generation 4');
    expect(lines).toContain('12.230 s   w3/7   claim      generation 5');
    expect(lines).toContain('12.056 s          w3/3 is stopped');
    expect(lines).not.toContain('w2 is dead');
  });

  it('says what is not known of a call', () => {
    const witness = STALE_COMPLETE.witness.map((one, index) =>
      index === 1 ? { ...one, outcome: 'info' as const, ret: Number.POSITIVE_INFINITY } : one,
    );
    expect(story({ ...STALE_COMPLETE, witness }, TIMELINE, PLAIN, undefined).join('\n')).toContain(
      'answer unknown',
    );
  });
});

describe('progress', () => {
  const progress: Progress = {
    phase: 'main',
    phaseMs: 7200,
    limitMs: 40_000,
    ops: 8120,
    claims: 2011,
    completes: 1580,
    reclaims: 31,
    commits: 0,
    faults: { kill: 21, pause: 20, twin: 15 },
    obligations: [
      obligation('O1', 'killed in lease', 12, 20),
      obligation('O2', 'reclaimed', 31, 10),
      { ...obligation('O4.nack', 'stale nack refused', 0, 3), notTested: 'the store has no nack' },
    ],
    workers: [
      { label: 'w1', state: 'up' },
      { label: 'w2', state: 'stopped' },
      { label: 'w3', state: 'starting' },
      { label: 'w4', state: 'down' },
    ],
  };

  it('block', () => {
    const lines = progressBlock(progress, PLAIN);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
    expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
      "

        main       ███░░░░░░░░░░░░░░░░░ 7.2 s of at most 40.0 s
        calls      ops 8,120   claims 2,011   completes 1,580   reclaims 31
        faults     kill 21   pause 20   twin 15   workers ● ‖ ◌ ○

        killed in lease ███░░ 12/20     reclaimed       █████ ✔ 31

      "
    `);
  });

  it('line', () => {
    expect(progressLine(progress, PLAIN)).toBe(
      'main 7.2 s/40.0 s · ops 8,120 · completes 1,580 · faults 56 · evidence 1/2',
    );
  });

  it.each([40, 80, 120])('fits %d columns', (width) => {
    const many = { ...progress, workers: Array.from({ length: 60 }, () => progress.workers[0]!) };
    const long = [obligation('O18', 'stopped while it wrote, and wrote on', 1, 20)];
    const style = { ...PLAIN, width };
    for (const one of [progress, many, { ...progress, obligations: long }]) {
      const lines = [...progressBlock(one, style), ...progressLine(one, style).split('\n')];
      expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
    }
  });

  it('has something to say before anything happened', () => {
    const nothing = { ...progress, faults: {}, obligations: [], workers: [], limitMs: 0 };
    expect(progressBlock(nothing, PLAIN).join('\n')).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe('renderJson', () => {
  it('is stable, ends with a line end and has no NaN', () => {
    const witness = [{ ...STALE_COMPLETE.witness[0]!, ret: Number.POSITIVE_INFINITY }];
    const text = renderJson({
      ...VALID,
      guarantees: [{ ...VALID.guarantees[0]!, violations: [{ ...STALE_COMPLETE, witness }] }],
    });
    expect(text.endsWith('}\n')).toBe(true);
    expect(renderJson(VALID)).toBe(renderJson(structuredClone(VALID)));
    const parsed = JSON.parse(text);
    expect(parsed).toMatchObject({ schemaVersion: 1, verdict: 'valid' });
    expect(parsed.guarantees[0].violations[0].witness[0].ret).toBeNull();
    expect('firstViolationMs' in parsed).toBe(false);
  });
});

describe('timelineOf', () => {
  const life = (id: number, label: string, more: Partial<Incarnation>): [number, Incarnation] => [
    id,
    {
      id,
      label,
      role: 'worker',
      file: '',
      pid: undefined,
      why: 'start',
      replaces: undefined,
      spawnedAt: 1e9,
      readyAt: undefined,
      exitedAt: undefined,
      exitCode: undefined,
      exitSignal: undefined,
      signals: [],
      stopped: [],
      ...more,
    },
  ];

  it('keeps what happened to the workers of a witness while it lasted', () => {
    const history = {
      phases: [
        { phase: 'lead-in', at: 90e9 },
        { phase: 'main', at: 100e9 },
      ],
      incarnations: new Map([
        life(1, 'w1', { exitedAt: 112.3e9, exitSignal: 'SIGKILL' }),
        life(2, 'w2', { exitedAt: 112.3e9, exitSignal: 'SIGKILL' }),
        life(3, 'w3', {
          stopped: [
            { from: 50e9, to: 51e9 },
            { from: 112.056e9, to: 112.4e9 },
            { from: 112.401e9, to: Number.POSITIVE_INFINITY },
          ],
        }),
      ]),
    };
    const timeline = timelineOf(history as unknown as History, [STALE_COMPLETE, STALE_COMPLETE]);
    expect(timeline.zero).toBe(100e9);
    expect(timeline.events.map((event) => event.text)).toEqual([
      'w3 is stopped (SIGSTOP)',
      'w1 is dead (SIGKILL)',
      'w3 runs again (SIGCONT)',
      'w3 is stopped (SIGSTOP)',
    ]);
  });
});
