/** L3 and L4: a healthy worker gets on. */
import { describe, expect, test } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { IN_A_ROW } from '../../../harness/checker/progress.ts';
import { HistoryBuilder } from '../../../harness/history/builder.ts';
import type { ClientRecord, SupervisorRecord } from '../../../harness/history/record.ts';
import { DEFAULT_DECLARES } from '../../../harness/store-module/declares.ts';

const NS = 1e6;
type Outcome = 'ok' | 'fail' | 'full' | 'info' | 'never';

/** A run with main from 0 to 1000 ms, drain from 1100; workers whose n-th call is sent at n * 10 ms after `from`. */
function run(
  workers: readonly {
    readonly from: number;
    readonly calls: readonly Outcome[];
    readonly lanes?: number;
    /** Every other call is a verb of a plan. */
    readonly verbs?: boolean;
  }[],
  supervisor: readonly SupervisorRecord[] = [],
) {
  const builder = new HistoryBuilder();
  const records: { file: string; record: Readonly<Record<string, unknown>> }[] = [];
  const phases = [
    { type: 'phase', t: 0, phase: 'main' },
    { type: 'phase', t: 1_000 * NS, phase: 'heal' },
    { type: 'phase', t: 1_100 * NS, phase: 'drain' },
    { type: 'phase', t: 2_000 * NS, phase: 'scan' },
  ] as const;
  for (const record of [...phases, ...supervisor]) {
    builder.supervisor(record);
    records.push({ file: 'supervisor.ndjson', record: { ...record } });
  }
  workers.forEach(({ from, calls, lanes = 1, verbs = false }, i) => {
    const incarnation = i + 1;
    const file = `${incarnation}.ndjson`;
    let line = 0;
    const add = (record: ClientRecord): void => {
      builder.client(record, file, ++line, incarnation);
      records.push({ file, record: { ...record } });
    };
    add({ type: 'header', format: 1, run: 'r', incarnation, label: `w${incarnation}`, role: 'worker', t: 0 });
    calls.forEach((outcome, n) => {
      const about = { lane: n % lanes, call: n };
      const isVerb = verbs && n % 2 === 0;
      const asked = isVerb
        ? ({ op: 'plan', plan: { verb: 'claimNext', key: 'plan/0' } } as const)
        : ({ op: 'claimNext', prefix: '', leaseMs: 10 } as const);
      add({ type: 'invoke', t: (from + n * 10) * NS, ...about, ...asked });
      const t = (from + n * 10 + 1) * NS;
      if (outcome === 'ok') add({ type: 'ok', t, ...about, accepted: false, code: 'empty' });
      else if (outcome === 'full')
        add({
          type: 'info',
          t,
          ...about,
          error: { code: 'STORE_FAILED', message: 'disk I/O error (SQLITE_IOERR_WRITE)' },
        });
      else if (outcome !== 'never')
        add({ type: outcome, t, ...about, error: { code: 'STORE_BUSY', message: 'no connection' } });
    });
  });
  const { findings, disagreements, crashed } = judgeHistory(
    builder.snapshot({ embedded: false }),
    DEFAULT_DECLARES,
    undefined,
    () => records,
  );
  expect({ disagreements, crashed }).toEqual({ disagreements: [], crashed: [] });
  const of = (id: string) => findings.find(({ guarantee }) => guarantee === id)!;
  return { L3: of('L3'), L4: of('L4') };
}

const row = (outcome: Outcome, times = IN_A_ROW): Outcome[] => Array.from({ length: times }, () => outcome);
const fault = (name: string, stage: 'intent' | 'healed', at: number): SupervisorRecord => ({
  type: 'fault',
  t: at * NS,
  id: 1,
  fault: name,
  stage,
  incarnation: 2,
  label: 'w2',
});

/** Another worker that is served all the time. */
const SERVED = { from: 0, calls: row('ok', 95) };

describe('L3 healthy workers get on', () => {
  test('a row of failures while nothing is on - violated, confirmed, told with the error', () => {
    const { L3 } = run([
      { from: 0, calls: row('fail') },
      { from: 0, calls: row('ok') },
    ]);
    expect(L3).toMatchObject({ broken: 1, opportunities: 2 });
    expect(L3.violations[0]).toMatchObject({
      confirmedBy: 'recount',
      statement:
        'all 20 calls that w1 sent between 0.000 s and 0.191 s failed; while no fault but kills of others is on, a worker must get on',
      because: ['the last one said STORE_BUSY: no connection', expect.stringContaining('neither stopped')],
    });
  });
  test('failures whose effect is unknown count too - violated', () => {
    expect(run([{ from: 0, calls: row('info'), lanes: IN_A_ROW }, SERVED]).L3.broken).toBe(1);
  });
  test('A27: the store serves nobody, so it is down - holds', () => {
    const down = { from: 0, calls: row('fail', 60) };
    const { L3, L4 } = run([
      down,
      down,
      { from: 1_100, calls: row('fail') },
      { from: 1_100, calls: row('fail') },
    ]);
    expect([L3.broken, L4.broken]).toEqual([0, 0]);
    expect([L3.opportunities, L4.opportunities]).toEqual([6, 2]);
  });
  test('the disk is full - holds', () => {
    const full = { from: 0, calls: row('full', 60) };
    const { L3, L4 } = run([full, SERVED, { from: 1_100, calls: row('full') }]);
    expect([L3.broken, L4.broken]).toEqual([0, 0]);
  });
  test('one answer among them - holds', () => {
    const calls = [...row('fail', IN_A_ROW - 1), 'ok', ...row('fail', IN_A_ROW - 1)] as const;
    expect(run([{ from: 0, calls }, SERVED]).L3).toMatchObject({ broken: 0, opportunities: 5 });
  });
  test('a row that begins in the middle - violated', () => {
    const calls = [...row('ok', 10), ...row('fail'), ...row('ok', 10)];
    expect(run([{ from: 0, calls }, SERVED]).L3).toMatchObject({ broken: 1, opportunities: 6 });
  });
  test('calls that were never answered - no opportunity', () => {
    expect(run([{ from: 0, calls: row('never'), lanes: IN_A_ROW }]).L3).toMatchObject({
      broken: 0,
      opportunities: 0,
    });
  });
  test('a worker was stopped meanwhile, perhaps in a transaction - holds', () => {
    const faults = [fault('pause', 'intent', 95), fault('pause', 'healed', 100)];
    expect(run([{ from: 0, calls: row('fail') }, SERVED], faults).L3.broken).toBe(0);
  });
  test('the fault was over before - violated', () => {
    const faults = [fault('pause', 'intent', 10), fault('pause', 'healed', 20)];
    expect(run([{ from: 30, calls: row('fail') }, SERVED], faults).L3.broken).toBe(1);
  });
  test('somebody else was killed meanwhile - violated', () => {
    const faults = [fault('kill', 'intent', 95), fault('kill', 'healed', 100)];
    expect(run([{ from: 0, calls: row('fail') }, SERVED], faults).L3.broken).toBe(1);
  });
  test('the store was held meanwhile - holds', () => {
    const hold = (held: boolean, at: number): SupervisorRecord => ({
      type: 'hold',
      t: at * NS,
      id: 1,
      fault: 'hog',
      held,
    });
    expect(run([{ from: 0, calls: row('fail') }, SERVED], [hold(true, 50), hold(false, 60)]).L3.broken).toBe(
      0,
    );
  });
});

test('verbs of plans are not counted: their failures are those of the calls that they make', () => {
  const calls = row('fail', 2 * IN_A_ROW - 1);
  expect(run([{ from: 10, calls }, SERVED]).L3.broken).toBe(1);
  expect(run([{ from: 10, calls, verbs: true }, SERVED]).L3.broken).toBe(0);
  expect(run([{ from: 10, calls: [...calls, 'fail'], verbs: true }, SERVED]).L3.broken).toBe(1);
});

describe('L4 works again after the faults', () => {
  test('the last calls of a worker all failed in drain - violated', () => {
    const { L4 } = run([
      { from: 1_100, calls: ['ok', ...row('fail')] },
      { from: 1_100, calls: row('ok') },
    ]);
    expect(L4).toMatchObject({ broken: 1, opportunities: 2 });
    expect(L4.violations[0]).toMatchObject({ confirmedBy: 'recount' });
  });
  test('the store served somebody before, and now nobody - violated', () => {
    expect(run([SERVED, { from: 1_100, calls: row('fail') }]).L4.broken).toBe(1);
  });
  test('the last one did not - holds', () => {
    expect(run([{ from: 1_100, calls: [...row('fail'), 'ok'] }]).L4.broken).toBe(0);
  });
  test('too few calls - no opportunity', () => {
    const calls = row('fail', IN_A_ROW - 1);
    expect(run([{ from: 1_100, calls }]).L4).toMatchObject({ broken: 0, opportunities: 0 });
  });
});

test('three failures in ten, and faults at any time: never accused; the second count never disagrees', () => {
  let chance = 7;
  const next = (): number => {
    chance = (chance * 48_271) % 0x7fffffff;
    return chance / 0x7fffffff;
  };
  for (let i = 0; i < 60; i++) {
    const calls = Array.from({ length: 150 }, (): Outcome => (next() < 0.3 ? 'fail' : 'ok'));
    const { L3, L4 } = run([
      { from: 0, calls },
      { from: 1_100, calls: calls.slice(0, 60) },
    ]);
    expect([L3.broken, L4.broken]).toEqual([0, 0]);
    const often = Array.from({ length: 150 }, (): Outcome => (next() < 0.93 ? 'fail' : 'ok'));
    run([{ from: 0, calls: often }], [fault('pause', 'intent', next() * 800), fault('pause', 'healed', 850)]);
  }
});
