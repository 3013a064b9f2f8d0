import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { GUARANTEE_IDS, GUARANTEES, guaranteeOf } from '../../../harness/checker/guarantee.ts';
import { OPERATIONS, type OperationName } from '../../../harness/history/record.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';
import { type Script, script } from '../../support/history-script.ts';

const judge = (h: Script, declares: Partial<Declares> = {}, methods?: readonly OperationName[]) =>
  judgeHistory(h.history(), { ...DEFAULT_DECLARES, items: 'on-demand', ...declares }, methods, () =>
    h.records(),
  );

/** A completion under 4 at 14 after 5 was granted at 12. */
function staleCompletion(): Script {
  const h = script();
  const w1 = h.worker('w1');
  w1.claim('k', { at: [0, 1], generation: 4 });
  h.worker('w2').claim('k', { at: [12, 13], generation: 5 });
  w1.complete('k', { at: [14, 15], generation: 4 });
  return h;
}

describe('judgeHistory', () => {
  test('answers every guarantee once, in the order of the registry', () => {
    const { findings } = judge(script());
    expect(findings.map(({ guarantee }) => guarantee)).toEqual([...GUARANTEE_IDS]);
    expect(findings.every(({ broken, violations }) => broken === 0 && violations.length === 0)).toBe(true);
  });

  test('gives the same answer for the same history', () => {
    expect(judge(staleCompletion())).toEqual(judge(staleCompletion()));
  });

  test('reports a checker that throws, and still tells what the others found', () => {
    const history = staleCompletion().history();
    const poisoned = {
      ...history,
      get prefixes(): never {
        throw new Error('boom');
      },
    };
    const declares: Declares = { ...DEFAULT_DECLARES, items: 'on-demand' };
    const { findings, crashed } = judgeHistory(poisoned, declares, undefined);
    expect(crashed).toMatchObject([
      { checker: 'S12' },
      { checker: 'S13', error: expect.stringContaining('boom') },
    ]);
    expect(findings.find(({ guarantee }) => guarantee === 'S13')?.notTested).toBe('its checker threw');
    expect(findings.find(({ guarantee }) => guarantee === 'S4')?.broken).toBe(1);
  });

  test('leaves violations of counting guarantees unconfirmed without the raw records', () => {
    const h = script();
    h.worker('w1').claimNext({ at: [0, 1], prefix: 'a/', grants: [{ key: 'b', generation: 1 }] });
    const { findings } = judgeHistory(h.history(), { ...DEFAULT_DECLARES, items: 'on-demand' }, undefined);
    expect(findings.find(({ guarantee }) => guarantee === 'S13')).toMatchObject({
      broken: 1,
      violations: [{ confirmedBy: undefined }],
    });
  });

  test('a second count that does not find it is a disagreement, not a violation to believe', () => {
    const h = script();
    h.worker('w1').claimNext({ at: [0, 1], prefix: 'a/', grants: [{ key: 'b', generation: 1 }] });
    const { findings, disagreements } = judgeHistory(
      h.history(),
      { ...DEFAULT_DECLARES, items: 'on-demand' },
      undefined,
      () => [],
    );
    expect(disagreements).toMatchObject([{ guarantee: 'S13', key: 'b' }]);
    expect(findings.find(({ guarantee }) => guarantee === 'S13')?.violations[0]?.confirmedBy).toBeUndefined();
  });

  test('in a history that still grows, tells nothing that later records may explain', () => {
    const history = staleCompletion().history();
    const declares: Declares = { ...DEFAULT_DECLARES, items: 'on-demand' };
    const broken = (knownUntil: number) =>
      judgeHistory(history, declares, undefined, undefined, { knownUntil }).findings.filter(
        (one) => one.broken > 0,
      ).length;
    expect(broken(14e6)).toBe(0);
    expect(broken(15e6)).toBe(2);
  });

  test('keeps the earliest twenty violations and counts them all', () => {
    const h = script();
    const w1 = h.worker('w1');
    for (let i = 0; i < 50; i++) w1.claim('k', { at: [1000 - i * 20, 1001 - i * 20], generation: 1 });
    const found = judge(h).findings.find(({ guarantee }) => guarantee === 'S1');
    expect(found?.broken).toBe(49);
    expect(found?.violations).toHaveLength(20);
    expect(found?.violations[0]?.at).toBe(41e6);
  });
});

describe('what is not tested says why', () => {
  const why = (declares: Partial<Declares>, methods?: readonly OperationName[]) => {
    const { findings } = judge(staleCompletion(), declares, methods);
    return Object.fromEntries(
      findings.flatMap(({ guarantee, notTested }) => (notTested ? [[guarantee, notTested]] : [])),
    );
  };
  const without = (...methods: OperationName[]) => OPERATIONS.filter((name) => !methods.includes(name));

  test('no scan was read, and no plan was there', () => {
    const untested = 'S6 S7 S9 S15a S15b S16 S17 S19 S20 S22 P1 P2 P3 P4 P5 P6 P7 P8 L1 L2 L3 L4';
    expect(Object.keys(why({})).join(' ')).toBe(untested);
  });
  test('the store has no complete', () => {
    expect(why({}, without('complete'))).toMatchObject({
      S4c: 'the store has no `complete`',
      S5: 'the store has no `complete`',
      S10: 'the store has no `complete`',
    });
  });
  test('the store does not fence', () => {
    expect(Object.keys(why({ fencing: 'none' }))).toEqual(expect.arrayContaining(['S4', 'S4c', 'S11']));
  });
  test('the store has no tokens', () => {
    expect(Object.keys(why({ tokens: 'none' }))).toEqual(
      expect.arrayContaining(['S1', 'S2', 'S4', 'S4c', 'S11']),
    );
  });
  test('late calls are allowed', () => {
    expect(Object.keys(why({ lateCalls: 'allowed-if-not-superseded' }))).toContain('S11');
  });
  test('a reason takes the counts with it', () => {
    const { findings } = judge(staleCompletion(), { fencing: 'none' });
    expect(findings.find(({ guarantee }) => guarantee === 'S4')).toMatchObject({
      opportunities: 0,
      broken: 0,
      violations: [],
    });
  });
});

describe('opportunities', () => {
  const count = (h: Script, id: string, declares: Partial<Declares> = {}): number | undefined =>
    judge(h, declares).findings.find(({ guarantee }) => guarantee === id)?.opportunities;

  test('S1 S2 S3: grants of an item that had been granted before', () => {
    for (const id of ['S1', 'S2', 'S3']) expect(count(staleCompletion(), id)).toBe(1);
  });

  test('S4: stale calls that reached the store, refused ones too; not those that overlap the grant or have no answer', () => {
    const h = script();
    const w1 = h.worker('w1');
    w1.claim('k', { at: [0, 1], generation: 4 });
    h.worker('w2').claim('k', { at: [12, 13], generation: 5 });
    w1.heartbeat('k', { at: [12, 14], generation: 4, answer: 'stale' });
    w1.heartbeat('k', { at: [14, 15], generation: 4, answer: 'stale' });
    w1.complete('k', { at: [16, 17], generation: 4, answer: 'stale' });
    w1.release('k', { at: 18, generation: 4 });
    expect(count(h, 'S4')).toBe(2);
    expect(count(h, 'S4c')).toBe(1);
  });

  test('S5: accepted completions', () => {
    expect(count(staleCompletion(), 'S5')).toBe(1);
  });

  test('S10: answered calls on a finished item, and claims that passed it over', () => {
    const h = script();
    const w1 = h.worker('w1');
    w1.claim('k', { at: [0, 1], generation: 4 });
    w1.complete('k', { at: [2, 3], generation: 4 });
    w1.claim('k', { at: [4, 5], answer: 'completed' });
    w1.claimNext({ at: [6, 7], prefix: '', answer: 'empty' });
    expect(count(h, 'S10')).toBe(2);
  });

  test('S11: calls sent after the certain end of a lease and before any newer grant, refused ones too', () => {
    const h = script();
    const w1 = h.worker('w1');
    w1.claim('k', { at: [0, 1], generation: 4 });
    w1.heartbeat('k', { at: [20, 21], generation: 4, answer: 'expired' });
    w1.complete('k', { at: [22, 23], generation: 4, answer: 'expired' });
    h.worker('w2').claim('k', { at: [24, 25], generation: 5 });
    w1.complete('k', { at: [26, 27], generation: 4, answer: 'stale' });
    expect(count(h, 'S11')).toBe(2);
  });
});

describe('the registry', () => {
  test('has an entry for every id, in order, and every file exists', () => {
    expect(GUARANTEES.map(({ id }) => id)).toEqual([...GUARANTEE_IDS]);
    for (const { file } of GUARANTEES)
      expect(existsSync(resolve(import.meta.dirname, '../../..', file)), file).toBe(true);
  });
  test('names are short enough for a table', () => {
    for (const { name } of GUARANTEES) expect(name.length).toBeLessThanOrEqual(30);
    expect(guaranteeOf('S5').name).toBe('one accepted completion');
    expect(guaranteeOf('S4').name).toBe('stale writer refused');
  });
});
