/** One fault from intent to healed: each step in the history, whatever goes wrong on the way. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HistoryWriter } from '../../../harness/history/writer.ts';
import { runCourse } from '../../../harness/nemesis/course.ts';
import { CONFIRMED, failed, type Injection, missed } from '../../../harness/nemesis/fault.ts';

let folder: string;
let log: HistoryWriter;
let steps: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-course-'));
  log = HistoryWriter.create(folder, 'supervisor', { type: 'note', t: 0, text: 'first' });
  steps = [];
});
afterEach(() => {
  log[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const notes = (): string[] =>
  readFileSync(log.file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as { stage: string; outcome?: string })
    .map(({ stage, outcome }) => (outcome === undefined ? stage : `${stage} ${outcome}`));

const injection = (parts: Partial<Injection> = {}): Injection => ({
  inject: () => true,
  confirm: async () => CONFIRMED,
  last: async () => void steps.push('last'),
  heal: () => void steps.push('heal'),
  confirmHealed: async () => CONFIRMED,
  ...parts,
});
const course = (begin: () => Injection) => runCourse(begin, { id: 1, name: 'pause', targets: [], log });

it('takes a fault through all of its steps', async () => {
  expect(await course(() => injection())).toBe('confirmed');
  expect(notes()).toEqual(['intent', 'act', 'confirm confirmed', 'heal', 'healed confirmed']);
  expect(steps).toEqual(['last', 'heal']);
});

it('leaves a target alone that was gone already', async () => {
  expect(await course(() => injection({ inject: () => false }))).toBe('missed');
  expect(notes()).toEqual(['intent', 'act', 'confirm missed']);
  expect(steps).toEqual([]);
});

it.each([
  ['failed', failed('no effect')],
  ['missed', missed('too late')],
] as const)('heals what was %s, and does not let it last', async (outcome, seen) => {
  expect(await course(() => injection({ confirm: async () => seen }))).toBe(outcome);
  expect(steps).toEqual(['heal']);
});

it('fails when the heal does', async () => {
  expect(await course(() => injection({ confirmHealed: async () => failed('still stopped') }))).toBe(
    'failed',
  );
  expect(notes().at(-1)).toBe('healed failed');
});

it.each(['inject', 'confirm', 'last', 'heal', 'confirmHealed'] as const)(
  'fails when %s throws, and still heals',
  async (step) => {
    const broken = {
      [step]: () => {
        throw new Error('no such process');
      },
    };
    expect(await course(() => injection(broken))).toBe('failed');
    if (step !== 'heal') expect(steps).toContain('heal');
    expect(notes().filter((note) => note.endsWith('failed'))).toHaveLength(1);
  },
);

it('fails when it cannot begin', async () => {
  const begin = (): Injection => {
    throw new Error('no file');
  };
  expect(await course(begin)).toBe('failed');
  expect(notes()).toEqual(['intent', 'act', 'confirm failed']);
});
