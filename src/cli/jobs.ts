/** `blackboard jobs`: background jobs for people. */
import { type Command, Option } from 'commander';
import { JOB_STATUSES, type JobInfo, type JobStatus } from '../jobs/job.ts';
import { createJobManager } from '../jobs/manager.ts';
import type { JobManager } from '../jobs/types.ts';
import { JOBS_FORMAT } from '../stores/sqlite/jobs/format.ts';
import { createSqliteJobStore } from '../stores/sqlite/jobs/store.ts';
import { cut } from '../text/layout.ts';
import { table } from '../text/table.ts';
import { type CliContext, print } from './context.ts';
import { EXIT } from './exit.ts';
import { refuseUnless } from './file.ts';
import { readAge } from './flags.ts';
import { count, duration, json, name, plural, value } from './text.ts';

const JOBS = {
  what: 'a file of background jobs',
  applicationId: JOBS_FORMAT.applicationId,
  hint: "the path of the application's job store; the shared one is FENCEPOST_HOME/runs/background_jobs.db",
};

interface Flags {
  readonly json?: boolean;
}

export function addJobs(program: Command, context: CliContext, done: (code: number) => void): void {
  const jobs = program
    .command('jobs')
    .summary('background jobs: what runs, what came of it, what is owed')
    .description(
      'A background job is recorded at every change of its state. One whose process ended before it did is lost: it is never run again by itself.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ blackboard jobs list jobs.db --status lost\n  $ blackboard jobs show jobs.db 7f3a\n  $ blackboard jobs reconcile jobs.db\n  $ blackboard jobs prune jobs.db --older-than 7d',
    );
  const command = (verb: string, summary: string, description: string, example: string) =>
    jobs
      .command(verb)
      .summary(summary)
      .description(description)
      .argument('<file>', 'the file of the job store')
      .option('--json', 'the answer as JSON')
      .addHelpText('after', `\nExample:\n  $ blackboard jobs ${verb} jobs.db${example}`);

  command('list', 'all jobs, oldest first', 'Lists jobs of all processes, oldest first.', ' --status lost')
    .addOption(new Option('--status <status>', 'only those in this state').choices([...JOB_STATUSES]))
    .action((file: string, flags: Flags & { readonly status?: JobStatus }) =>
      withJobs(file, context, async (manager) => list(await manager.listJobs(flags.status), flags, context)),
    );

  command(
    'show',
    'one job in full',
    'Shows a job: its times, its result, and whom it was handed back to.',
    ' 7f3a',
  )
    .argument('<job>', 'its id, or how the id of only one job begins')
    .action((file: string, id: string, flags: Flags) =>
      withJobs(file, context, async (manager) => done(show(await manager.listJobs(), id, flags, context))),
    );

  command(
    'reconcile',
    'mark jobs of dead processes as lost',
    'Marks jobs as lost whose process is gone, or has given no sign of life for 15 s. Jobs of live processes are left alone; what is owed stays owed until an application hands it back.',
    '',
  ).action((file: string, flags: Flags) =>
    withJobs(file, context, async (manager) => {
      const { lost, rehydrated } = await manager.reconcileOnStart();
      if (flags.json) print(context, [json({ lost, owed: rehydrated - lost })]);
      else {
        const owed = `${plural(rehydrated - lost, 'result')} still owed`;
        print(context, [`${plural(lost, 'job')} marked as lost, ${owed}.`]);
      }
    }),
  );

  command(
    'prune',
    'remove old jobs that have ended',
    'Removes jobs that ended longer ago than that. One whose result is still owed is never removed.',
    ' --older-than 7d',
  )
    .requiredOption('--older-than <age>', 'such as 90m, 36h, 7d', readAge)
    .option('--keep-lost', 'also keep lost jobs that nobody was told of')
    .action((file: string, flags: Flags & { readonly olderThan: number; readonly keepLost?: boolean }) =>
      withJobs(
        file,
        context,
        async (manager) => {
          const pruned = await manager.prune(flags.olderThan);
          print(context, [flags.json ? json({ pruned }) : `${plural(pruned, 'job')} removed.`]);
        },
        flags.keepLost,
      ),
    );
}

/** Opens the file, runs the body, closes the file. Nothing is run or handed back from here. */
async function withJobs<T>(
  file: string,
  context: CliContext,
  body: (jobs: JobManager) => Promise<T>,
  deliverLost = false,
): Promise<T> {
  refuseUnless(file, JOBS);
  const { clock, stderr } = context;
  const store = createSqliteJobStore({ file, clock });
  const failures: string[] = [];
  try {
    const jobs = createJobManager({
      store,
      clock,
      deliverLost,
      observe: (notice) => {
        if (notice.kind === 'warning') failures.push(notice.message);
      },
    });
    return await body(jobs);
  } finally {
    for (const failure of failures) stderr.write(`  ${value(failure)}\n`);
    await store.close();
  }
}

function list(jobs: readonly JobInfo[], flags: Flags, context: CliContext): void {
  const { style, stderr } = context;
  if (flags.json)
    return print(
      context,
      jobs.map((job) => json(job)),
    );
  if (jobs.length === 0) {
    stderr.write('No such job.\n');
    return;
  }
  const columns = [
    { head: 'job' },
    { head: 'status' },
    { head: 'created' },
    { head: 'ran', align: 'right' },
    { head: 'told' },
  ] as const;
  const rows = jobs.map((job) => [
    cut(name(job.jobId), 12, style.more),
    job.status === 'lost' || job.status === 'failed' ? style.bad(`${style.cross} ${job.status}`) : job.status,
    instant(job.createdAtMs)
      .replace('T', ' ')
      .replace(/\.\d+Z$/, ''),
    job.durationMs === undefined ? '-' : duration(job.durationMs),
    toldOf(job),
  ]);
  print(context, table(columns, rows, { head: style.strong, width: style.width }));
  stderr.write(`\n  ${plural(jobs.length, 'job')}; times in UTC\n`);
}

/** Answers the exit code. */
function show(jobs: readonly JobInfo[], id: string, flags: Flags, context: CliContext): number {
  const exact = jobs.find(({ jobId }) => jobId === id);
  const found = exact === undefined ? jobs.filter(({ jobId }) => jobId.startsWith(id)) : [exact];
  const [job] = found;
  if (job === undefined || found.length > 1) {
    const what = job === undefined ? 'none' : `${count(found.length)} that begin so`;
    context.stderr.write(`Expected one job ${value(id)}, found ${what}.\n`);
    return EXIT.refused;
  }
  if (flags.json) print(context, [json(job)]);
  else print(context, linesOf(job));
  return EXIT.done;
}

function linesOf(job: JobInfo): readonly string[] {
  const { jobId, status, createdAtMs, startedAtMs, completedAtMs, durationMs, origin, deliveries } = job;
  const line = (head: string, text: string) => `${head.padEnd(11)}${text}`;
  return [
    line('job', name(jobId)),
    line('status', status),
    line('created', instant(createdAtMs)),
    ...(startedAtMs === undefined ? [] : [line('started', instant(startedAtMs))]),
    ...(completedAtMs === undefined ? [] : [line('ended', instant(completedAtMs))]),
    ...(durationMs === undefined ? [] : [line('ran', duration(durationMs))]),
    ...(outcomeOf(job) === '' ? [] : [line(job.error === undefined ? 'result' : 'error', outcomeOf(job))]),
    line('origin', value(origin)),
    ...deliveries.map(({ target, state, attempts, error }) =>
      line(
        'delivery',
        `${name(target)}: ${state}, ${plural(attempts, 'attempt')}${error === null ? '' : `, last error ${value(error)}`}`,
      ),
    ),
    line('owner', name(job.owner)),
  ];
}

/** `-`: nobody was to be told. */
function toldOf({ delivered, deliveries, status }: JobInfo): string {
  if (delivered) return 'yes';
  return deliveries.length > 0 && (status === 'completed' || status === 'failed') ? 'owed' : '-';
}

function outcomeOf({ result, error, notSerialisable }: JobInfo): string {
  if (error !== undefined) return value(error);
  if (notSerialisable !== undefined) return `no JSON: ${value(notSerialisable.text)}`;
  return result === undefined ? '' : value(result);
}

const instant = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms));
