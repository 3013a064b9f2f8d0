/** The three questions that are asked of a store module in a process of their own: probe, prepare, destroy. */
import type { Store } from '../../src/store.ts';
import type { OperationName } from '../history/record.ts';
import { UsageError } from '../scenario/usage-error.ts';
import type { Declares } from '../store-module/declares.ts';
import { loadStoreModule } from '../store-module/load.ts';
import { probe } from '../store-module/probe.ts';
import { within } from '../store-module/time-limit.ts';
import { validating } from '../store-module/validating.ts';
import type { DestroyJob, PrepareJob, ProbeJob } from './job.ts';

const LIMIT_MS = 10_000;
const IMPORT = 'the import of its module';
const OPEN = 'its open()';

export interface ProbeAnswer {
  readonly declares: Declares;
  readonly methods: readonly OperationName[];
  /** The module can keep every writer out (`hog`). */
  readonly canHog: boolean;
}

/** Hears what is waited for from here on. A store that blocks its process is named by the last that was heard. */
export type Tell = (what: string) => void;

/** Answers whichever of the three it is. */
export function answerTo(job: ProbeJob | PrepareJob | DestroyJob, tell: Tell): Promise<unknown> {
  switch (job.kind) {
    case 'probe':
      return probeStore(job, tell);
    case 'prepare':
      return prepareStore(job, tell);
    case 'destroy':
      return destroyStore(job, tell);
  }
}

/** Tries the store in a scratch namespace and says what it can do. Throws a `UsageError` that names what is wrong. */
async function probeStore(job: ProbeJob, tell: Tell): Promise<ProbeAnswer> {
  const { namespace, location } = job;
  tell(IMPORT);
  const module = await loadStoreModule(job.store);
  await hook(job, 'prepare', module.prepare, tell);
  try {
    tell(OPEN);
    const store = await opened(job, () => module.open({ namespace, location }));
    const report = await probe(store, module.declares, {
      workload: job.workload,
      onCall: (op) => tell(`${op}()`),
    });
    tell('close()');
    await within(LIMIT_MS, 'close()', () => store.close()).catch(() => {});
    const [first, ...rest] = report.problems.map((problem) => ({
      code: 'STORE_PROBE' as const,
      message: `${problem.what} ${problem.why}`,
      hint: problem.fix,
    }));
    if (first) throw new UsageError([first, ...rest]);
    return { declares: module.declares, methods: report.methods, canHog: module.hog !== undefined };
  } finally {
    await hook(job, 'destroy', module.destroy, tell).catch(() => {});
  }
}

/** Runs the module's `prepare` for the run itself; refuses a namespace that is not empty (trap F7). */
async function prepareStore(job: PrepareJob, tell: Tell): Promise<void> {
  const { namespace, location } = job;
  tell(IMPORT);
  const module = await loadStoreModule(job.store);
  await hook(job, 'prepare', module.prepare, tell);
  tell(OPEN);
  const store = validating(await opened(job, () => module.open({ namespace, location })), () => {});
  tell('the look for leftovers');
  const leftover = await within(LIMIT_MS, 'the look for leftovers', () => firstOf(store));
  await within(LIMIT_MS, 'close()', () => store.close());
  if (leftover !== undefined) {
    throw new UsageError({
      code: 'STORE_PROBE',
      message: `Expected the namespace \`${namespace}\` to be empty, and it holds \`${leftover}\`.`,
      hint: 'Keep each namespace apart in the store: everything of one run must lie under it.',
    });
  }
}

/** The key of something that the store holds; undefined when it is empty. */
async function firstOf(store: Store): Promise<string | undefined> {
  const items = (await store.work?.scan?.({ limit: 1 })) ?? [];
  const entries = (await store.entries?.list('', { limit: 1 })) ?? [];
  const events = (await store.feed?.since(0, 1))?.events ?? [];
  return [...items, ...entries, ...events][0]?.key;
}

/** Runs the module's `destroy`. */
async function destroyStore(job: DestroyJob, tell: Tell): Promise<void> {
  tell(IMPORT);
  const module = await loadStoreModule(job.store);
  await hook(job, 'destroy', module.destroy, tell);
}

type Hook = ((options: { namespace: string; location: string }) => unknown) | undefined;

async function hook(
  job: ProbeJob | PrepareJob | DestroyJob,
  name: string,
  run: Hook,
  tell: Tell,
): Promise<void> {
  if (!run) return;
  tell(`its ${name}()`);
  const { namespace, location } = job;
  try {
    await within(LIMIT_MS, `${name}()`, async () => run({ namespace, location }));
  } catch (error) {
    throw failed(job, `its \`${name}\``, error);
  }
}

async function opened<T>(job: ProbeJob | PrepareJob, open: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await within(LIMIT_MS, 'opening the store', open);
  } catch (error) {
    throw failed(job, 'opening it', error);
  }
}

function failed(job: ProbeJob | PrepareJob | DestroyJob, what: string, error: unknown): UsageError {
  return new UsageError(
    {
      code: 'STORE_PROBE',
      message: `Expected the store \`${job.store.spec}\` to open, and ${what} failed: ${(error as Error)?.message ?? String(error)}`,
      hint: 'Is its server up, and the location right? Nothing was started.',
    },
    { cause: error },
  );
}
