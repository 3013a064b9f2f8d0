/** Parts of the harness broken on purpose, each with what notices it. The sound part stands beside the broken one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { leaseSweep } from '../../../harness/checker/lease-sweep.ts';
import { exitCodeOf } from '../../../harness/cli/exit.ts';
import { HistoryWriter } from '../../../harness/history/writer.ts';
import { Distribution } from '../../../harness/measure/distribution.ts';
import { runCourse } from '../../../harness/nemesis/course.ts';
import type { Fault, FaultContext, FaultOutcome } from '../../../harness/nemesis/fault.ts';
import { kill } from '../../../harness/nemesis/kill.ts';
import { pause } from '../../../harness/nemesis/pause.ts';
import type { Member } from '../../../harness/process/crew.ts';
import { VERDICTS } from '../../../harness/report/results.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';
import { CallRecorder } from '../../../harness/worker/call-recorder.ts';
import { brokenCopies } from '../../support/broken-copy.ts';
import { script } from '../../support/history-script.ts';
import { Script } from '../../support/records.ts';
import { seen } from '../obligation/seen.ts';

const copies = brokenCopies();
const folder = mkdtempSync(join(tmpdir(), 'fencepost-injected-'));
afterAll(() => {
  copies.remove();
  rmSync(folder, { recursive: true, force: true });
});

const DECLARES: Declares = { ...DEFAULT_DECLARES, grainMs: 0 };

describe('H01: the test for duplicates reversed', () => {
  /** What M09 does: two grants under one generation. And a sound store. */
  const twice = script();
  twice.worker('w1').claim('item', { at: [0, 5], generation: 1 });
  twice.worker('w2').claim('item', { at: [1, 6], generation: 1 });
  const once = script();
  once.worker('w1').claim('item', { at: [0, 5], generation: 1 });

  it('lets M09 go, which a sound one convicts: the power to catch it drops', async () => {
    const broken = await copies.load<{ leaseSweep: typeof leaseSweep }>(
      {
        folder: 'checker',
        file: 'lease-order.ts',
        from: 'row !== first && sameRequest(ops, row, first)',
        to: 'row !== first && !sameRequest(ops, row, first)',
      },
      'lease-sweep.ts',
    );
    const convicts = (sweep: typeof leaseSweep, history: typeof twice): boolean =>
      sweep(history.history(), DECLARES).S1.broken > 0;
    expect([convicts(leaseSweep, twice), convicts(leaseSweep, once)]).toEqual([true, false]);
    expect(convicts(broken.leaseSweep, twice)).toBe(false);
  });
});

describe('H02: a verdict tested for truth', () => {
  it('exits 0 where it must not; the table of exits tells', async () => {
    const broken = await copies.load<{ exitCodeOf: typeof exitCodeOf }>({
      folder: 'cli',
      file: 'exit.ts',
      from: 'switch (verdict) {',
      to: 'if (verdict) return EXIT.valid;\n  switch (verdict) {',
    });
    const table = (exit: typeof exitCodeOf) => VERDICTS.map((verdict) => exit({ verdict }));
    expect(table(exitCodeOf)).toEqual([0, 2, 1, 3]);
    expect(table(broken.exitCodeOf)).toEqual([0, 0, 0, 0]);
  });
});

describe('H06: a signal that meets somebody else', () => {
  /** The signal is sent, and its target neither exits nor stops. */
  async function sent(fault: Fault): Promise<FaultOutcome> {
    const crew = {
      members: [],
      signal: () => true,
      seeStopped: async () => false,
      resume: async () => true,
    };
    const target = { label: 'w1', incarnation: 1, child: { waitForExit: async () => false } };
    using log = HistoryWriter.create(folder, `h06-${fault.name}`, { type: 'note', t: 0, text: 'H06' });
    const targets = [target as unknown as Member];
    const options = { kill: { who: { random: 1 }, at: [] } };
    const context = {
      crew,
      plan: { options },
      sleep: async () => {},
      draw: () => 0,
    } as unknown as FaultContext;
    return await runCourse(() => fault.begin(targets, context), { id: 1, name: fault.name, targets, log });
  }

  it('a kill without an exit has failed, which makes the run a harness error', async () => {
    expect(await sent(kill)).toBe('failed');
  });

  it('a stop without the state T has failed', async () => {
    expect(await sent(pause)).toBe('failed');
  });
});

describe('H08: the invoke recorded after the call was sent', () => {
  /** Whether the call could see its own invoke record when it was made. */
  async function recordedFirst(Recorder: typeof CallRecorder, name: string): Promise<boolean> {
    const header = {
      type: 'header',
      format: 1,
      run: 'test',
      incarnation: 1,
      label: 'w1',
      role: 'worker',
      t: 0,
    };
    using writer = HistoryWriter.create(folder, name, header as Parameters<typeof HistoryWriter.create>[2]);
    const recorder = new Recorder({
      writer,
      incarnation: 1,
      lanes: { next: () => 0 },
      definiteErrors: [],
      callLimitMs: 1000,
    });
    const before = writer.records;
    let atCall = before;
    await recorder.record('release', { key: 'item' }, () => {
      atCall = writer.records;
      return { accepted: true, value: undefined };
    });
    return atCall > before;
  }

  it('is seen by the call itself', async () => {
    const broken = await copies.load<{ CallRecorder: typeof CallRecorder }>({
      folder: 'worker',
      file: 'call-recorder.ts',
      from: "writer.write({ type: 'invoke', t: invokedAt, ...id, op, ...fields });",
      to: "queueMicrotask(() => writer.write({ type: 'invoke', t: invokedAt, ...id, op, ...fields }));",
    });
    expect(await recordedFirst(CallRecorder, 'sound')).toBe(true);
    expect(await recordedFirst(broken.CallRecorder, 'broken')).toBe(false);
  });

  it('and a kill between the two makes a sound store look as if items came from nowhere (S8)', () => {
    const h = script();
    h.worker('w2').enqueue('another', { at: [0, 1] });
    h.worker('w1').claim('item', { at: [5, 6], generation: 1 });
    const { findings } = judgeHistory(h.history(), DECLARES, undefined, () => h.records());
    expect(findings.find(({ guarantee }) => guarantee === 'S8')?.broken).toBe(1);
  });
});

describe('H11: the file of one worker is not read', () => {
  it('leaves a hole that makes a sound store look guilty, so the header of the run must name all files', () => {
    const whole = script();
    const w1 = whole.worker('w1');
    w1.enqueue('another', { at: [0, 1] });
    whole.worker('w2').enqueue('item', { at: [0, 1] });
    w1.claim('item', { at: [2, 3], generation: 1 });
    const accused = (records: typeof whole): number =>
      judgeHistory(records.history(), DECLARES, undefined).findings.reduce(
        (sum, { broken }) => sum + broken,
        0,
      );
    expect(accused(whole)).toBe(0);
    const holed = script();
    const alone = holed.worker('w1');
    alone.enqueue('another', { at: [0, 1] });
    alone.claim('item', { at: [2, 3], generation: 1 });
    expect(accused(holed)).toBeGreaterThan(0);
  });
});

describe('H12: an obligation that counts attempts', () => {
  it('would be met by a fault that does nothing; what counts is what was seen', async () => {
    const idle = new Script().phase('main', 0);
    const w1 = idle.worker('w1');
    w1.grant(9, 10, 'a', 1);
    for (let i = 0; i < 30; i++) idle.fault('kill', 50 + i);
    expect(seen('O1', idle)).toBe(0);
    const acted = new Script().phase('main', 0);
    const holder = acted.worker('w1');
    holder.grant(9, 10, 'a', 1);
    acted.kill(holder, 50, 52);
    expect(seen('O1', acted)).toBe(1);
  });
});

describe('H13: percentiles that drop what is above a ceiling', () => {
  it('lose the slow tenth of a known distribution', async () => {
    const broken = await copies.load<{ Distribution: typeof Distribution }>({
      folder: 'measure',
      file: 'distribution.ts',
      from: 'const us = Math.round(ms * 1000);',
      to: 'if (ms > 1000) return;\n    const us = Math.round(ms * 1000);',
    });
    const p95 = (Kind: typeof Distribution): number | undefined => {
      const distribution = new Kind();
      for (let i = 0; i < 100; i++) distribution.add(i < 90 ? 200 : 5000);
      return distribution.percentiles().p95;
    };
    expect(p95(Distribution)).toBeGreaterThan(4900);
    expect(p95(broken.Distribution)).toBeLessThan(300);
  });
});
