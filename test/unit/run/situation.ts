/** A small run that is `valid` in every respect, to be spoiled in one respect at a time. */
import type { Finding } from '../../../harness/checker/finding.ts';
import type { SupervisorRecord } from '../../../harness/history/record.ts';
import { OBLIGATIONS } from '../../../harness/obligation/registry.ts';
import type { Results } from '../../../harness/report/results.ts';
import { judge } from '../../../harness/run/judge.ts';
import type { Checked, JudgeInput } from '../../../harness/run/judge-input.ts';
import type { Scenario } from '../../../harness/scenario/scenario.ts';
import { declaresSchema } from '../../../harness/store-module/declares.ts';
import { Script, type ScriptedWorker } from '../../support/records.ts';
import { ALL_METHODS } from '../obligation/seen.ts';

/** Nothing is demanded, so that one thing can be at a time. */
const NO_MINIMA = Object.fromEntries(OBLIGATIONS.map(({ id }) => [id, 0]));

export const SCENARIO: Scenario = {
  name: 'test',
  description: '',
  store: 'sqlite',
  workers: 2,
  lanes: 1,
  leaseMs: 100,
  heartbeatMs: 33,
  workload: {
    kind: 'work',
    module: undefined,
    task: { p50Ms: 20, p95Ms: 60 },
    slotShare: 0.4,
    finals: { complete: 80, release: 10, nack: 10 },
    zombies: { polite: 20, late: 50, stubborn: 30 },
    maxAttempts: 50,
    hotKeys: 4,
    appendKeys: 3,
    followers: 1,
    plans: 3,
    tasks: 6,
  },
  phases: {
    leadIn: { minCompletes: 1, maxMs: 100 },
    main: { minMs: 100, maxMs: 200 },
    healMaxMs: 100,
    drainMaxMs: 100,
    scanMaxMs: 100,
  },
  faults: undefined,
  obligations: NO_MINIMA,
  minOpportunities: 0,
  check: { maxMs: 60_000, maxMemoryMib: 2048 },
};

export const RUN: Extract<SupervisorRecord, { type: 'run' }> = {
  type: 'run',
  format: 1,
  run: 'test/1',
  t: 0,
  wallMs: Date.UTC(2026, 0, 1),
  seed: 7,
  scenario: SCENARIO,
  declares: {},
  methods: ALL_METHODS,
};

export const finding = (change: Partial<Finding> = {}): Finding => ({
  guarantee: 'S5',
  opportunities: 30,
  broken: 0,
  violations: [],
  ...change,
});

export const violation = (
  change: Partial<Finding['violations'][number]> = {},
): Finding['violations'][number] => ({
  guarantee: 'S5',
  key: 'a',
  statement: 'a was completed twice',
  witness: [],
  because: [],
  assumed: [],
  at: 130e6,
  confirmedBy: 'oracle',
  ...change,
});

export const clean: Checked = { findings: [finding()], disagreements: [], crashed: [] };

export interface Parts {
  readonly script: Script;
  readonly w1: ScriptedWorker;
  readonly w2: ScriptedWorker;
  readonly scanner: ScriptedWorker;
}

export interface Spoiled {
  /** Adds records. */
  readonly add?: (parts: Parts) => void;
  /** Changes what `judge` is given. */
  readonly input?: Partial<JudgeInput>;
  /** Leaves out what would otherwise be there. */
  readonly without?: readonly ('work' | 'scan' | 'exits' | 'done')[];
  /** What the final scan shows. Default: `a` is done. */
  readonly rows?: Parameters<ScriptedWorker['scan']>[2];
}

/** prepare 0, lead-in 10, main 100, heal 200, drain 300, scan 400, done 500. */
export function judged({
  add,
  input,
  without = [],
  rows = [{ key: 'a', state: 'done' }],
}: Spoiled = {}): Results {
  const script = new Script();
  const left = new Set(without);
  const w1 = script.worker('w1');
  const w2 = script.worker('w2');
  script.phase('prepare', 0).phase('lead-in', 10).phase('main', 100).phase('heal', 200).phase('drain', 300);
  script.phase('scan', 400);
  const scanner = script.scanner(410);
  if (!left.has('work')) w1.enqueue(110, 111, ['a']).grant(120, 121, 'a', 1).complete(130, 131, 'a', 1);
  if (!left.has('scan')) scanner.scan(420, 430, rows);
  add?.({ script, w1, w2, scanner });
  if (!left.has('exits')) script.exit(w1, 390).exit(w2, 390).exit(scanner, 440);
  if (!left.has('done')) script.phase('done', 500);
  return judge({
    history: script.history(),
    declares: declaresSchema.parse({ embedded: true }),
    run: RUN,
    methods: ALL_METHODS,
    scenario: SCENARIO,
    checked: clean,
    guarantees: [],
    interrupted: false,
    version: '0.0.0',
    store: 'sqlite',
    files: 4,
    ...input,
  });
}
