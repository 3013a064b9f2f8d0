/** Reads a whole saved history: every file of a directory, or the files named, and says what is missing. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { explainDeclares } from '../store-module/check-declares.ts';
import type { Declares } from '../store-module/declares.ts';
import { DEFAULT_DECLARES, declaresSchema } from '../store-module/declares.ts';
import { HistoryBuilder } from './builder.ts';
import { HistoryFile } from './file-reader.ts';
import type { History } from './history.ts';
import type { OperationName, SupervisorRecord } from './record.ts';

/** The supervisor's file. */
export const SUPERVISOR = 'supervisor';

export interface LoadedHistory {
  readonly history: History;
  readonly declares: Declares;
  /** The supervisor's account of the run; undefined for files that came without one. */
  readonly run: Extract<SupervisorRecord, { type: 'run' }> | undefined;
  readonly methods: readonly OperationName[] | undefined;
  readonly files: number;
  readonly interrupted: boolean;
}

/** All history files of a directory, the supervisor's first. */
export function historyFiles(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => name.slice(0, -'.ndjson'.length))
    .sort((a, b) => Number(b.startsWith(SUPERVISOR)) - Number(a.startsWith(SUPERVISOR)) || (a < b ? -1 : 1))
    .map((name) => join(directory, `${name}.ndjson`));
}

/** Reads the files to their ends. Damage is not thrown: it is in `history.problems`. */
export function loadHistory(
  paths: readonly string[],
  declares?: Declares,
  options: { readonly expectsRun?: boolean } = {},
): LoadedHistory {
  const builder = new HistoryBuilder();
  builder.columns.reserve(rowsExpected(paths));
  for (const path of paths) {
    const file = new HistoryFile(path, builder);
    try {
      file.finish();
    } finally {
      file.close();
    }
  }
  const run = builder.run.run;
  const declared = declares ?? declaredBy(builder);
  if (options.expectsRun && !run) {
    const message = `the supervisor's file is missing: nothing tells which processes there were and what was done to them`;
    builder.problem({ kind: 'incomplete', file: `${SUPERVISOR}.ndjson`, line: 0, message });
  }
  reportMissing(builder, paths);
  return {
    history: builder.snapshot({ embedded: declared.embedded }),
    declares: declared,
    run,
    methods: run?.methods,
    files: paths.length,
    interrupted: builder.run.manifest?.interrupted ?? false,
  };
}

/** Few calls take less than this, sent and answered. */
const BYTES_OF_A_ROW = 200;

function rowsExpected(paths: readonly string[]): number {
  const bytes = paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  return Math.ceil(bytes / BYTES_OF_A_ROW);
}

/** What the supervisor's first line says that the store declares, or else the first header. */
function declaredBy(builder: HistoryBuilder): Declares {
  const { declares: declared = {}, file } = builder.run.declared ?? {};
  const result = declaresSchema.safeParse(declared);
  if (result.success) return result.data;
  for (const { message, hint } of explainDeclares(result.error, declared, file ?? ''))
    builder.problem({
      kind: 'broken',
      file: file ?? '',
      line: 1,
      message: hint === undefined ? message : `${message} ${hint}`,
    });
  return DEFAULT_DECLARES;
}

/** Compares what is there with what the run said there would be (H11, A23). */
function reportMissing(builder: HistoryBuilder, paths: readonly string[]): void {
  const { run, manifest } = builder.run;
  if (!run) return;
  const incomplete = (file: string, message: string): void =>
    builder.problem({ kind: 'incomplete', file, line: 0, message });
  const broken = (file: string, message: string): void =>
    builder.problem({ kind: 'broken', file, line: 0, message });
  const present = new Map(paths.map((path) => [basename(path), path]));
  for (const life of builder.run.incarnations().values()) {
    if (life.spawnedAt !== undefined && !present.has(life.file)) {
      // A process that died before it was ready may not have come to write its header.
      if (life.readyAt !== undefined)
        broken(life.file, `the history file of incarnation ${life.id} is missing`);
    } else if (life.exitedAt === undefined) {
      incomplete(life.file, `incarnation ${life.id} was never seen to exit`);
    } else if (life.exitCode === 0 && builder.run.saidRecords(life.id) === undefined) {
      broken(life.file, `incarnation ${life.id} ended in order, and its history has no end record`);
    }
  }
  if (!manifest) {
    incomplete(`${SUPERVISOR}.ndjson`, 'the end of the run was not recorded: its coordinator died');
    return;
  }
  for (const file of manifest.files) {
    const path = present.get(file.file);
    if (!path || !existsSync(path)) {
      broken(file.file, 'named in the manifest, and missing');
      continue;
    }
    const bytes = statSync(path).size;
    if (bytes !== file.bytes)
      broken(file.file, `expected ${file.bytes} bytes, as the manifest says, got ${bytes}`);
  }
}
