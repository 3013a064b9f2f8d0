import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { EXIT, exitCodeOf } from '../../../harness/cli/exit.ts';
import { watchSignals } from '../../../harness/cli/interrupt.ts';
import { VERDICTS } from '../../../harness/report/results.ts';

describe('exitCodeOf', () => {
  it.each([
    ['valid', 0],
    ['violated', 1],
    ['inconclusive', 2],
    ['harness-error', 3],
  ] as const)('%s is %d', (verdict, code) => {
    expect(exitCodeOf({ verdict })).toBe(code);
  });

  it('accepts too little evidence only when somebody typed it, and nothing else with it', () => {
    const codes = VERDICTS.map((verdict) => exitCodeOf({ verdict, allowInconclusive: true }));
    expect(codes).toEqual([0, 0, 1, 3]);
  });

  it.each(VERDICTS)(
    'a run that was interrupted never exits as a whole one, whatever it found: %s',
    (verdict) => {
      expect(exitCodeOf({ verdict, interruptedBy: 'SIGINT', allowInconclusive: true })).toBe(130);
      expect(exitCodeOf({ verdict, interruptedBy: 'SIGTERM' })).toBe(143);
    },
  );

  it('has no code twice, and none that a shell gives a meaning', () => {
    const codes = Object.values(EXIT);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect([126, 127, 255]).not.toContain(code);
  });
});

describe('watchSignals', () => {
  const fakeProcess = () => {
    const exits: number[] = [];
    const process = Object.assign(new EventEmitter(), { exit: (code: number) => exits.push(code) });
    return {
      process: process as unknown as NodeJS.Process,
      emit: (name: string) => process.emit(name),
      exits,
    };
  };

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('the first %s lets the run end in order, the second ends the process', (name, code) => {
    const { process, emit, exits } = fakeProcess();
    const said: string[] = [];
    const interruption = watchSignals(process, (text) => said.push(text));
    expect(interruption.by()).toBeUndefined();
    emit(name);
    expect(interruption.signal.reason).toBe('interrupt');
    expect(interruption.by()).toBe(name);
    expect(exits).toEqual([]);
    expect(said).toHaveLength(1);
    emit('SIGINT');
    expect(exits).toEqual([130]);
    emit(name);
    expect(exits.at(-1)).toBe(code);
  });
});
