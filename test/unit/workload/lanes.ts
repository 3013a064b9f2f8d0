/** One lane over the memory store, for tests of workloads: its calls are recorded as in a run. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InvokeRecord, OkRecord, Phase } from '../../../harness/history/record.ts';
import { HistoryWriter, stamp } from '../../../harness/history/writer.ts';
import { randomStream } from '../../../harness/random/random.ts';
import type { LaneRole } from '../../../harness/scenario/kind.ts';
import { parseScenario } from '../../../harness/scenario/load.ts';
import { parseSet } from '../../../harness/scenario/set.ts';
import { DEFAULT_DECLARES } from '../../../harness/store-module/declares.ts';
import { methodsOf } from '../../../harness/store-module/methods.ts';
import { planCalls } from '../../../harness/worker/plan-calls.ts';
import { recordingClient } from '../../../harness/worker/recording-client.ts';
import type { Lane } from '../../../harness/workload/lane.ts';
import type { Store } from '../../../src/store.ts';

export interface TestLane {
  readonly lane: Lane;
  phase: Phase;
  ending: boolean;
  /** What it said of itself last: whether there was work. */
  foundWork: boolean | undefined;
  /** Calls in their order, with the answer where one came. */
  readonly calls: () => readonly (InvokeRecord & { readonly answer: OkRecord | undefined })[];
  readonly remove: () => void;
}

/** `index` is its place among the lanes of its worker; `life` makes another process of the same label. */
export function laneOf(
  store: Store,
  role: LaneRole,
  label = 'w1',
  life = 1,
  sets: readonly string[] = [],
): TestLane {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-lane-'));
  const writer = HistoryWriter.create(folder, `${label}-${life}`, {
    type: 'header',
    format: 1,
    run: 'test',
    incarnation: life,
    label,
    role: 'worker',
    t: 0,
  });
  let lanes = 0;
  let keys = 0;
  const recorded = {
    store,
    writer,
    incarnation: life,
    label,
    lanes: { next: () => lanes++ },
    definiteErrors: [],
    callLimitMs: 1_000,
  };
  const test: TestLane = {
    phase: 'main',
    ending: false,
    foundWork: undefined,
    lane: {
      client: recordingClient(recorded),
      plans: async () => planCalls({ ...recorded, leaseMs: 20, maxAttempts: 3 }),
      random: randomStream(7, `${label}/${life}`),
      scenario: parseScenario('name: x', 'x.yaml', { overrides: sets.map(parseSet) }),
      declares: DEFAULT_DECLARES,
      methods: new Set(methodsOf(store)),
      label,
      index: 0,
      role,
      phase: () => test.phase,
      ending: () => test.ending,
      startedAtMs: 0,
      nowMs: () => stamp() / 1e6,
      // Time is of no matter here: every sleep is one turn of the loop.
      sleep: () => new Promise((resolve) => setImmediate(resolve)),
      newKey: () => `work/${life}-${keys++}`,
      found: (work) => {
        test.foundWork = work;
      },
    },
    calls: () => callsIn(writer.file),
    remove() {
      writer[Symbol.dispose]();
      rmSync(folder, { recursive: true });
    },
  };
  return test;
}

function callsIn(file: string): (InvokeRecord & { answer: OkRecord | undefined })[] {
  const records = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as InvokeRecord | OkRecord);
  const name = ({ lane, call }: InvokeRecord | OkRecord) => `${lane}.${call}`;
  const answers = new Map<string, OkRecord>();
  for (const record of records) if (record.type === 'ok') answers.set(name(record), record);
  return records
    .filter((record) => record.type === 'invoke')
    .map((record) => ({ ...record, answer: answers.get(name(record)) }));
}

/** Lets a lane run until the condition holds, then ends it. */
export async function runUntil(test: TestLane, run: Promise<void>, condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20_000 && !condition(); turn++)
    await new Promise((resolve) => setImmediate(resolve));
  if (!condition()) throw new Error('the lane never came to it');
  test.ending = true;
  await run;
}
