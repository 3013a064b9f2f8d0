/**
 * The workload `plan` in one process, over the memory store and under a fake clock: lanes of several labels, some of which die and come
 * back, some of whose calls have no answer. What comes out are history files, read and judged as those of a run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyFiles, loadHistory } from '../../harness/history/directory-reader.ts';
import type { History } from '../../harness/history/history.ts';
import { type RawRecord, rawRecords } from '../../harness/history/raw-records.ts';
import { HistoryWriter, stamp } from '../../harness/history/writer.ts';
import { type Random, randomStream } from '../../harness/random/random.ts';
import { parseScenario } from '../../harness/scenario/load.ts';
import { DEFAULT_DECLARES, type Declares } from '../../harness/store-module/declares.ts';
import { methodsOf } from '../../harness/store-module/methods.ts';
import type { CallHooks } from '../../harness/worker/call-hooks.ts';
import { planCalls } from '../../harness/worker/plan-calls.ts';
import { PLAN_PREFIX } from '../../harness/worker/plan-prefix.ts';
import { recordingClient } from '../../harness/worker/recording-client.ts';
import { planWork } from '../../harness/workload/plan.ts';
import type { Clock } from '../../src/clock.ts';
import { createPlan } from '../../src/plan/plan.ts';
import type { PlanRules } from '../../src/plan/rule-set.ts';
import { createMemoryStore } from '../../src/stores/memory/store.ts';
import { createFakeClock } from './fake-clock.ts';

export interface PlanRun {
  readonly history: History;
  readonly raw: readonly RawRecord[];
  readonly declares: Declares;
}

export interface PlanRunOptions {
  readonly seed: number;
  readonly rules?: Partial<PlanRules>;
  /** Sleeps of all lanes together before the run ends. */
  readonly sleeps?: number;
}

const LANES = 5;
const LEASE_MS = 30;
/** The clock of the store runs ahead of ours: nothing may be concluded from real time. */
const DECLARES: Declares = { ...DEFAULT_DECLARES, clockStepMs: 1e12 };
const SCENARIO = parseScenario(
  '{ name: x, lease: 30ms, workload: { kind: plan, plans: 2, tasks: 4, maxAttempts: 3 } }',
  'x.yaml',
);

class Died extends Error {}

/** One seeded run. */
export async function planRun({ seed, rules = {}, sleeps = 600 }: PlanRunOptions): Promise<PlanRun> {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-plans-'));
  const clock = createFakeClock({ monotonicMs: 1_000 });
  const store = createMemoryStore({ clock });
  const random = randomStream(seed, 'world');
  let left = sleeps;
  let lives = 0;
  const openClient = (label: string, role: 'worker' | 'scanner') => {
    lives += 1;
    const writer = HistoryWriter.create(folder, `${label}-${lives}`, {
      type: 'header',
      format: 1,
      run: 'test',
      incarnation: lives,
      label,
      role,
      t: stamp(),
    });
    let lanes = 0;
    return {
      store,
      writer,
      incarnation: lives,
      label,
      lanes: { next: () => lanes++ },
      definiteErrors: [],
      callLimitMs: 10_000,
    };
  };
  const live = async (label: string): Promise<void> => {
    const client = { ...openClient(label, 'worker'), hooks: unreliable(random) };
    const lane = randomStream(seed, `${label}/${client.incarnation}`);
    const { workload } = SCENARIO;
    try {
      await planWork({
        client: recordingClient(client),
        plans: async () =>
          planCalls({
            ...client,
            leaseMs: LEASE_MS,
            maxAttempts: workload.maxAttempts,
            make: (options) => createPlan({ ...options, rules, clock: HASTY, random: () => lane.next() }),
          }),
        random: lane,
        scenario: SCENARIO,
        declares: DECLARES,
        methods: new Set(methodsOf(store)),
        label,
        index: 0,
        role: 'plan',
        phase: () => (left > sleeps / 5 ? 'main' : 'drain'),
        ending: () => left <= 0,
        startedAtMs: 0,
        nowMs: () => clock.monotonicMs(),
        async sleep(ms) {
          left -= 1;
          await turn();
          clock.advance(Math.min(ms, LEASE_MS) / LANES);
          if (random.chance(0.02)) throw new Died();
        },
        newKey: () => '',
        found() {},
      });
    } catch (error) {
      if (!(error instanceof Died)) throw error;
      await live(label);
    } finally {
      client.writer[Symbol.dispose]();
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, (_, i) => live(`w${i % (LANES - 1)}`)));
    const scanner = openClient('scan', 'scanner');
    const reading = recordingClient(scanner);
    await reading.list('', { limit: 100 });
    for (const plan of ['0', '1'])
      await reading.history(`${PLAN_PREFIX}${plan}`, { limit: 100_000 }, { content: true });
    scanner.writer[Symbol.dispose]();
    const files = historyFiles(folder);
    return {
      history: loadHistory(files, DECLARES).history,
      raw: [...rawRecords(files)],
      declares: DECLARES,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Pauses between lost races are one turn long. */
const HASTY: Clock = {
  bootId: undefined,
  monotonicMs: () => 0,
  wallMs: () => 0,
  after(_, then) {
    setImmediate(then);
    return () => {};
  },
};

/** Some calls act and are not answered; some fail for certain; others let somebody else go first. */
const unreliable = (random: Random): CallHooks => ({
  async around(_, send) {
    if (random.chance(0.3)) await turn();
    if (random.chance(0.01)) throw Object.assign(new Error('busy'), { definite: true });
    const answer = await send();
    if (random.chance(0.01)) throw new Error('the answer was lost');
    return answer;
  },
  answered() {},
});
