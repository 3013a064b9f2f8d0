/** A whole run directory: what the run said there would be against what is there (A23, H11), and lives of processes. */
import { appendFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { historyFiles, loadHistory } from '../../../harness/history/directory-reader.ts';
import { OUTCOME } from '../../../harness/history/history.ts';
import type { SupervisorRecord } from '../../../harness/history/record.ts';
import { HistoryWriter } from '../../../harness/history/writer.ts';
import { folder, header, records, written } from './files.ts';

const RUN: SupervisorRecord = {
  type: 'run',
  format: 1,
  run: 'test',
  t: 1,
  wallMs: 1,
  seed: 1,
  scenario: {},
  declares: { embedded: true },
  methods: ['claimNext', 'complete'],
};
const spawn = (incarnation: number, label: string): SupervisorRecord => ({
  type: 'spawn',
  t: 2,
  incarnation,
  label,
  role: 'worker',
  pid: 100 + incarnation,
  file: `${label}-${incarnation}.ndjson`,
  why: 'start',
});

interface Options {
  readonly manifest?: boolean;
  readonly exits?: boolean;
  readonly more?: readonly SupervisorRecord[];
}

/** A run of two workers that ended in order. */
function run({ manifest = true, exits = true, more = [] }: Options = {}): string {
  const directory = folder();
  using log = HistoryWriter.create(directory, 'supervisor', RUN);
  const files = [1, 2].map((incarnation) => {
    const label = `w${incarnation}`;
    log.write(spawn(incarnation, label));
    log.write({ type: 'ready', t: 3, incarnation });
    const path = written(directory, `${label}-${incarnation}`, records, header(incarnation, label));
    return { file: `${label}-${incarnation}.ndjson`, incarnation, bytes: statSync(path).size };
  });
  for (const record of more) log.write(record);
  if (exits)
    for (const incarnation of [1, 2]) log.write({ type: 'exit', t: 500, incarnation, code: 0, signal: null });
  if (manifest) log.write({ type: 'manifest', t: 600, files });
  return directory;
}

const problems = (directory: string) =>
  loadHistory(historyFiles(directory)).history.problems.map(({ kind, file }) => `${kind} ${file}`);

describe('loadHistory', () => {
  it('reads a whole run without complaint', () => {
    const loaded = loadHistory(historyFiles(run()));
    expect(loaded.history.problems).toEqual([]);
    expect(loaded).toMatchObject({ files: 3, interrupted: false, methods: ['claimNext', 'complete'] });
    expect(loaded.declares.embedded).toBe(true);
    expect(loaded.history.incarnations.get(2)).toMatchObject({
      label: 'w2',
      why: 'start',
      readyAt: 3,
      exitedAt: 500,
      exitCode: 0,
    });
  });

  it('misses a file that the run had', () => {
    const directory = run();
    rmSync(join(directory, 'w2-2.ndjson'));
    expect(problems(directory)).toEqual(['broken w2-2.ndjson', 'broken w2-2.ndjson']);
  });

  it('misses the end of a file whose process ended in order', () => {
    const directory = run();
    const file = join(directory, 'w2-2.ndjson');
    truncateSync(file, statSync(file).size - 80);
    expect(problems(directory)).toEqual([
      'torn-tail w2-2.ndjson',
      'broken w2-2.ndjson',
      'broken w2-2.ndjson',
    ]);
  });

  it('notices bytes that came after the end of the run', () => {
    const directory = run();
    appendFileSync(join(directory, 'w2-2.ndjson'), '\n');
    expect(problems(directory)).toEqual(['broken w2-2.ndjson']);
  });

  it('says that the history is incomplete when the coordinator died', () => {
    expect(problems(run({ manifest: false, exits: false }))).toEqual([
      'incomplete w1-1.ndjson',
      'incomplete w2-2.ndjson',
      'incomplete supervisor.ndjson',
    ]);
  });

  it('cuts calls of unknown outcome off at the confirmed exit of an embedded store only', () => {
    const paths = historyFiles(run());
    const ends = (loaded: ReturnType<typeof loadHistory>) => {
      const { ops } = loaded.history;
      return Array.from(ops.ret).filter((_, row) => ops.outcome[row] === OUTCOME.info);
    };
    expect(ends(loadHistory(paths))).toEqual([500, 500]);
    const network = { ...loadHistory(paths).declares, embedded: false };
    expect(ends(loadHistory(paths, network))).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });

  it('tells stops from kernel states, a stop ended by the exit too', () => {
    const state = (t: number, incarnation: number, is: 'stopped' | 'running'): SupervisorRecord => ({
      type: 'state',
      t,
      incarnation,
      state: is,
    });
    const more = [
      state(10, 1, 'stopped'),
      state(11, 1, 'stopped'),
      state(20, 1, 'running'),
      state(21, 1, 'running'),
      state(30, 2, 'stopped'),
    ];
    const { incarnations } = loadHistory(historyFiles(run({ more }))).history;
    expect(incarnations.get(1)?.stopped).toEqual([{ from: 10, to: 20 }]);
    expect(incarnations.get(2)?.stopped).toEqual([{ from: 30, to: 500 }]);
  });
});
