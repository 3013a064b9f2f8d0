/**
 * One pass over what earlier and other processes left (spec/jobs.md D4-1 to D4-4, D4-9 to D4-12): first everything that is lost is
 * marked, which is quick, then what is owed is handed back, one job at a time and oldest first.
 */
import { Aliveness } from './aliveness.ts';
import type { Deliveries } from './deliveries.ts';
import { JobEntry } from './entry.ts';
import { infoOf } from './info.ts';
import type { JobRecord } from './job.ts';
import type { News } from './news.ts';
import { owes } from './owing.ts';
import type { ProcessProbe } from './process-probe.ts';
import { type Decision, decide } from './reconcile-rule.ts';
import { after, isTerminal } from './rules.ts';
import type { Instance, InstanceRecord, JobPage, JobStore, Owing, StoredJob } from './store.ts';
import type { StoreClock } from './store-clock.ts';
import type { ReconcileCounts } from './types.ts';

const PAGE = 500;

export interface ReconcileOptions {
  readonly store: JobStore;
  readonly storeClock: StoreClock;
  readonly instance: Instance;
  readonly owing: Owing;
  readonly staleAfterMs: number;
  readonly processes: ProcessProbe;
  readonly entries: Map<string, JobEntry>;
  readonly news: News;
}

/** What the first half of a pass found. */
export interface Marked {
  readonly lost: number;
  /** Jobs that owe a delivery, oldest first. */
  readonly owed: readonly JobEntry[];
  /** All that were loaded. */
  readonly rehydrated: number;
}

/** The first half: lists all there is to look at, marks what is lost, loads it and what is owed. Never fails. */
export async function markLost(options: ReconcileOptions): Promise<Marked> {
  const { store, owing, news } = options;
  const owed: JobEntry[] = [];
  let lost = 0;
  let rehydrated = 0;
  const { staleAfterMs, processes } = options;
  const now = () => options.storeClock.now();
  const aliveness = new Aliveness({ store, now, staleAfterMs, processes });
  let page: JobPage | undefined;
  do {
    try {
      const from = page?.next === undefined ? {} : { after: page.next };
      page = await store.listUnreconciled({ limit: PAGE, ...from }, owing);
    } catch (error) {
      news.warn('Listing what earlier processes left failed', error);
      break;
    }
    for (const { jobId, problem } of page.unreadable) {
      news.warn(`Job ${jobId} cannot be read and is passed over`, new Error(problem), jobId);
    }
    for (const job of page.jobs) {
      try {
        const decision = await decisionOn(options, job, aliveness);
        const entry =
          decision === 'deliver'
            ? load(options, job)
            : decision === 'lose'
              ? await lose(options, job, await aliveness.record(job.owner))
              : undefined;
        if (entry === undefined) continue;
        rehydrated += 1;
        if (decision === 'lose') lost += 1;
        // Whoever wants to be told of lost jobs is told in this pass.
        if (owes(entry.record, owing)) owed.push(entry);
      } catch (error) {
        news.warn(`Job ${job?.jobId} could not be reconciled`, error, job?.jobId);
      }
    }
  } while (page.next !== undefined);
  return { lost, owed, rehydrated };
}

/** The second half. */
export async function handBack(
  deliveries: Deliveries,
  { lost, owed, rehydrated }: Marked,
): Promise<ReconcileCounts> {
  let redelivered = 0;
  for (const entry of owed) if (await deliveries.deliver(entry)) redelivered += 1;
  return { lost, redelivered, rehydrated };
}

async function decisionOn(
  { instance, owing }: ReconcileOptions,
  job: JobRecord,
  aliveness: Aliveness,
): Promise<Decision> {
  const alive = new Set<string>();
  for (const id of [job.owner, job.deliverer])
    if (id !== null && (await aliveness.isAlive(id))) alive.add(id);
  return decide(job, { self: instance.id, isAlive: (id) => alive.has(id), owing });
}

/**
 * Marks it, unless its owner finished it or gave a sign of life since it was listed (cases.md A12). Memory says so only once the store
 * does, so nobody ever sees the job running after it was seen lost.
 */
async function lose(
  options: ReconcileOptions,
  job: StoredJob,
  owner: InstanceRecord | undefined,
): Promise<JobEntry | undefined> {
  const { store, storeClock, instance, news } = options;
  const record = after(job, { kind: 'lost', nowMs: await storeClock.now() });
  if (record === undefined) return undefined;
  const ifHeartbeat = { instance: job.owner, atMs: owner?.heartbeatAtMs ?? null };
  if (!(await store.upsert(record, { ifRevision: job.revision, ifHeartbeat }, instance))) return undefined;
  const entry = load(options, record);
  news.tell({ kind: 'ended', job: infoOf(record) });
  return entry;
}

/** Into memory. What is there already stays, and hears what others have written since. */
function load({ entries }: ReconcileOptions, record: JobRecord): JobEntry {
  const known = entries.get(record.jobId);
  if (known !== undefined && isTerminal(known.record)) {
    if (known.record.revision < record.revision && !known.delivering) {
      known.record = record;
      known.storedRevision = record.revision;
    }
    return known;
  }
  const entry = new JobEntry(record, record.revision);
  entries.set(record.jobId, entry);
  return entry;
}
