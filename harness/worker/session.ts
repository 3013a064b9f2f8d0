/** What workers and the scanner share: the store behind the validating wrapper, and the history file of this life. */
import type { Store, StoreOptions } from '../../src/store.ts';
import { HISTORY_FORMAT } from '../history/record.ts';
import { HistoryWriter, stamp } from '../history/writer.ts';
import { type ImportedStoreModule, importStoreModule } from '../store-module/import-module.ts';
import { within } from '../store-module/time-limit.ts';
import { validating } from '../store-module/validating.ts';
import type { ScannerJob, WorkerJob } from './job.ts';
import { Orders } from './orders.ts';
import type { PlanCalls } from './plan-calls.ts';
import { type LaneNumbers, type RecordingClient, recordingClient } from './recording-client.ts';

export interface Session {
  readonly writer: HistoryWriter;
  readonly client: () => RecordingClient;
  /** Plans on this store, of one lane. */
  readonly plans: () => Promise<PlanCalls>;
  /** Undefined where this process is ordered nothing. */
  readonly orders: Orders | undefined;
  /** Closes the store and writes the end record: this life ended in order. */
  readonly end: () => Promise<void>;
  /** Records an error of our own. */
  readonly crash: (error: unknown) => void;
}

const MIN_CALL_LIMIT_MS = 10_000;
const OPEN_LIMIT_MS = 15_000;

export async function openSession(job: WorkerJob | ScannerJob): Promise<Session> {
  const module = await importStoreModule(job.store);
  const writer = HistoryWriter.create(job.historyDirectory, `${job.label}-${job.incarnation}`, {
    type: 'header',
    format: HISTORY_FORMAT,
    run: job.run,
    incarnation: job.incarnation,
    label: job.label,
    role: job.kind,
    pid: process.pid,
    t: stamp(),
    wallMs: Date.now(),
  });
  const orders = job.kind === 'worker' ? Orders.of(job, writer) : undefined;
  const opened = await open(module, job, orders?.pausePoint);
  const store = validating(opened, () => {}, { generations: job.declares.tokens === 'ascending' });
  const client = {
    store,
    writer,
    incarnation: job.incarnation,
    label: job.label,
    lanes: laneNumbers(),
    definiteErrors: job.declares.definiteErrors,
    hooks: orders?.hooks,
    callLimitMs: Math.max(MIN_CALL_LIMIT_MS, 10 * job.scenario.leaseMs),
  };
  return {
    writer,
    orders,
    client: () => recordingClient(client),
    async plans() {
      // Loaded where there are plans only: a worker should be ready as soon as it can.
      const { planCalls } = await import('./plan-calls.ts');
      const { leaseMs, workload } = job.scenario;
      return planCalls({ ...client, leaseMs, maxAttempts: workload.maxAttempts, make: module.createPlan });
    },
    async end() {
      orders?.stop();
      await store.close();
      writer.write({ type: 'end', t: stamp(), records: writer.records });
      writer[Symbol.dispose]();
    },
    crash(error) {
      const { message, stack } =
        error instanceof Error ? error : { message: String(error), stack: undefined };
      writer.write({ type: 'crash', t: stamp(), message, ...(stack === undefined ? {} : { stack }) });
    },
  };
}

/** The store did not open in this process, though it did in the probe: it is out of reach, which is nobody's violation. */
export class StoreUnreachable extends Error {}

async function open(
  module: ImportedStoreModule,
  job: WorkerJob | ScannerJob,
  pausePoint: StoreOptions['pausePoint'],
): Promise<Store> {
  try {
    return await within(OPEN_LIMIT_MS, 'opening the store', () =>
      module.open({
        namespace: job.namespace,
        location: job.location,
        ...(pausePoint === undefined ? {} : { pausePoint }),
      }),
    );
  } catch (cause) {
    throw new StoreUnreachable(`The store did not open: ${(cause as Error)?.message ?? String(cause)}`, {
      cause,
    });
  }
}

function laneNumbers(): LaneNumbers {
  let next = 0;
  return { next: () => next++ };
}
