/**
 * The scenario file: every key, its default, its accepted forms and what it means. One source for the types, the
 * validation, the JSON Schema for editors and the docs table.
 */
import { z } from 'zod';
import { faultOptions } from './fault-options.ts';
import { group, range } from './group.ts';
import { WORKLOAD_KINDS } from './kind.ts';
import { duration, GROUP_FORMS, share, size, text, weight, whole } from './measure.ts';

const task = group({
  p50: duration().prefault('20ms').describe('Half of all tasks take no longer than this.'),
  p95: duration().prefault('60ms').describe('95 % of all tasks take no longer than this.'),
});

const KIND_FORMS = `one of ${WORKLOAD_KINDS.map((kind) => `\`${kind}\``).join(', ')}`;
const workload = group({
  kind: z
    .enum(WORKLOAD_KINDS, { error: KIND_FORMS })
    .default('work')
    .describe(
      'What the lanes do. `work`: leased items. `register`: compare-and-set on few hot keys. `log`: appends. `feed`: writers, and followers that keep their place. `mixed`: all of it beside leased work. `plan`: all verbs of durable plans.',
    ),
  module: text('the path of a workload module', /^\S(.*\S)?$/s)
    .optional()
    .describe(
      'Path of your own workload module, relative to this file. Left out: the built-in one of this kind.',
    ),
  task: task.prefault({}).describe('Simulated work: log-normal, by its p50 and p95.'),
  slots: share()
    .prefault('40%')
    .describe('Items that only one label claims, so that a twin meets the old holder.'),
  finals: group({
    complete: weight().default(80),
    release: weight().default(10),
    nack: weight().default(10),
  })
    .prefault({})
    .describe('Weights of the call that ends a task.'),
  zombies: group({
    polite: weight().default(20).describe('Ends its task at the first refusal, or when its lease is over.'),
    late: weight().default(50).describe('Lets no refused heartbeat stop it and sends its final call.'),
    stubborn: weight().default(30).describe('As late; then the call, a release and a heartbeat once more.'),
  })
    .prefault({})
    .describe('Weights of what a worker does that has lost its lease.'),
  maxAttempts: whole(1, 1_000_000)
    .default(50)
    .describe('Claims of one item before it is dead, of one task of a plan before it is parked.'),
  hotKeys: whole(1, 10_000)
    .default(4)
    .describe(
      'Keys that everybody writes under compare-and-set (register, feed, mixed). Fewer: more conflicts.',
    ),
  appendKeys: whole(1, 10_000).default(3).describe('Keys that everybody appends to (log, feed, mixed).'),
  followers: whole(0, 256).default(1).describe('Lanes of each worker that follow the feed (feed, mixed).'),
  plans: whole(1, 1_000)
    .default(3)
    .describe('Plans that everybody works on; half of the work is done on the first of them (plan).'),
  tasks: whole(1, 1_000).default(6).describe('Tasks of a new plan; up to twice as many are added (plan).'),
});

const phases = group({
  leadIn: group({
    completes: whole(0, 1_000_000)
      .default(20)
      .describe(
        'The lead-in ends once this many completions (commits, where nothing is leased) were acknowledged.',
      ),
    max: duration().prefault('15s'),
  })
    .prefault({})
    .describe('Before the faults: there must be something to lose.'),
  main: group({
    min: duration().prefault('12s').describe('Main ends here when all evidence is in.'),
    max: duration().prefault('40s').describe('Main ends here in any case.'),
  })
    .prefault({})
    .describe('The time with the faults on.'),
  heal: group({ max: duration().prefault('15s') })
    .prefault({})
    .describe('Every fault is taken back, and seen to be.'),
  drain: group({ max: duration().prefault('45s') })
    .prefault({})
    .describe('No new items; the open ones are worked off.'),
  scan: group({ max: duration().prefault('30s') })
    .prefault({})
    .describe('The final read of the whole store.'),
});

const FAULTS_FORMS = '`off`, or a group of keys';
const faults = group({
  every: duration()
    .prefault('100ms')
    .describe('Mean gap between two faults (they come as a Poisson stream).'),
  untouched: whole(0, 256).default(2).describe('Workers that no fault touches at any time.'),
  steered: z
    .boolean({ error: '`true` or `false`' })
    .default(true)
    .describe('Kinds that can give evidence that is still missing come more often than their weight says.'),
  kill: weight().default(35).describe('SIGKILL; a new process takes the place.'),
  pause: weight().default(35).describe('SIGSTOP past the end of the lease, then SIGCONT: the zombie wakes.'),
  twin: weight().default(30).describe('SIGSTOP, and a second process under the same label takes over.'),
  drain: weight().default(0).describe('SIGTERM; the worker finishes what it holds and goes.'),
  starve: weight().default(0).describe('The event loop of a worker is blocked for longer than its lease.'),
  skew: weight().default(0).describe('The wall clock of a worker is wrong for a time.'),
  slow: weight().default(0).describe('Calls of a worker are delayed, on the way there or back.'),
  'lose-reply': weight()
    .default(0)
    .describe('Calls of a worker act, and their answers are lost: their outcome is unknown.'),
  hog: weight().default(0).describe("A process sits on the store's write lock."),
  stall: weight().default(0).describe('SIGSTOP to a worker inside a write transaction.'),
  'disk-full': weight().default(0).describe("The store's file system is full for a time."),
  'crash-point': weight()
    .default(0)
    .describe('A worker is killed or stopped at a given step of a given call.'),
  pauseLeases: range(1.2, 2.5).describe('How long a stopped worker stays stopped, in leases.'),
  options: faultOptions.prefault({}).describe('What single faults can be told beside their weight.'),
});

/** The scenario file as zod sees it: input is the file form, output has milliseconds, shares from 0 to 1 and MiB. */
export const scenarioFileSchema = group({
  name: text(
    'a name of letters, digits, `-`, `_` and `.`, at most 64 long',
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
  )
    .optional()
    .describe('Names the run and its folder. Left out: the name of the file.'),
  description: text('a text of at most 2000 characters', /^[\s\S]{0,2000}$/)
    .default('')
    .describe('For people.'),
  store: text('a store: `sqlite`, `memory`, `mutant:M01`, or the path of a store module', /^\S(.*\S)?$/)
    .default('sqlite')
    .describe('`sqlite`, `memory`, `mutant:M01`, or the path of a store module, relative to this file.'),
  workers: whole(1, 256).default(4).describe('Worker processes.'),
  lanes: whole(1, 256).default(2).describe('Sequential clients inside one worker.'),
  lease: duration().prefault('150ms').describe('How long a claim lasts.'),
  heartbeat: duration().optional().describe('How often a lease is renewed. Left out: a third of the lease.'),
  workload: workload.prefault({}),
  phases: phases.prefault({}),
  faults: z
    .union([z.literal('off'), faults], { error: FAULTS_FORMS })
    .prefault({})
    .describe('`off`, or how often what is done to the workers.'),
  obligations: z
    .record(z.string(), whole(0, 1_000_000_000), { error: GROUP_FORMS })
    .default({})
    .describe('Minima of evidence that differ from the defaults, by id: `O1: 10`, `O4.complete: 2`.'),
  opportunities: whole(0, 1_000_000_000)
    .default(0)
    .describe(
      'So many opportunities every guarantee must have had before main may end (but for L1 and L2, which are judged after it); 0: no such demand.',
    ),
  check: group({
    time: duration().prefault('60s'),
    memory: size().prefault('2GiB'),
  })
    .prefault({})
    .describe('What the judgement may use before the verdict is `inconclusive`.'),
});

/** Validated, with defaults. */
export type ScenarioFile = z.output<typeof scenarioFileSchema>;

/** JSON Schema of the file form, for editors (`# yaml-language-server: $schema=…`) and other tools. */
export function scenarioJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(scenarioFileSchema, { io: 'input' });
  return { ...schema, title: 'Fencepost scenario' };
}
