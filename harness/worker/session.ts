/** What workers and the scanner share: the store behind the validating wrapper, and the history file of this life. */
import type { WorkStore } from '../../src/store.ts';
import { HISTORY_FORMAT } from '../history/record.ts';
import { HistoryWriter, stamp } from '../history/writer.ts';
import { loadStoreModule } from '../store-module/load.ts';
import { validating } from '../store-module/validating.ts';
import type { ScannerJob, WorkerJob } from './job.ts';
import { type LaneNumbers, RecordingClient } from './recording-client.ts';

export interface Session {
  readonly writer: HistoryWriter;
  readonly client: () => RecordingClient;
  /** Closes the store and writes the end record: this life ended in order. */
  readonly end: () => Promise<void>;
  /** Records an error of our own. */
  readonly crash: (error: unknown) => void;
}

const MIN_CALL_LIMIT_MS = 10_000;

export async function openSession(job: WorkerJob | ScannerJob): Promise<Session> {
  const module = await loadStoreModule(job.store);
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
  const opened = await module.open({ namespace: job.namespace, location: job.location });
  const store = validating(opened, () => {}, { generations: job.declares.tokens === 'ascending' });
  const lanes = laneNumbers();
  const work = store.work as WorkStore;
  return {
    writer,
    client: () =>
      new RecordingClient({
        work,
        writer,
        incarnation: job.incarnation,
        label: job.label,
        lanes,
        definiteErrors: job.declares.definiteErrors,
        callLimitMs: Math.max(MIN_CALL_LIMIT_MS, 10 * job.scenario.leaseMs),
      }),
    async end() {
      await store.close();
      writer.write({ type: 'end', t: stamp(), records: writer.records });
      writer[Symbol.dispose]();
    },
    crash(error) {
      const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
      writer.write({ type: 'crash', t: stamp(), message, ...(stack === undefined ? {} : { stack }) });
    },
  };
}

function laneNumbers(): LaneNumbers {
  let next = 0;
  return { next: () => next++ };
}
