/** The part of the scenario schema that says how single faults are done: `faults.options`. */
import { z } from 'zod';
import { STORE_OPERATIONS } from '../history/record.ts';
import { group, range } from './group.ts';
import { duration, share, text, weight, whole } from './measure.ts';
import { BOUNDARIES, CUTS } from './scenario.ts';

/** Calls that a lane makes and a fault can be aimed at: everything but the final read and the operator's call. */
const TARGETS = STORE_OPERATIONS.filter((name) => name !== 'scan' && name !== 'forceRelease');

function listOf<Name extends string>(names: readonly Name[]) {
  const error = `a list of ${names.map((name) => `\`${name}\``).join(', ')}`;
  return z.array(z.enum(names, { error }), { error });
}

const kill = group({
  who: group({
    holder: weight().default(1).describe('One that holds a lease.'),
    random: weight().default(0).describe('Anybody.'),
    burst: weight().default(0).describe('Several at once.'),
    all: weight()
      .default(0)
      .describe(
        'Every worker at once: `untouched` does not hold for this one, and is said here to be put aside.',
      ),
    starting: weight().default(0).describe('A new process, before it is ready.'),
  })
    .prefault({})
    .describe('Weights of whom a kill hits.'),
  at: z
    .array(share(), { error: 'a list of shares, such as `[20%, 50%, 95%]`' })
    .default([])
    .describe(
      'A holder is killed when this share of its lease is over; one is drawn. Empty: when there is one.',
    ),
  burst: whole(2, 256).default(2).describe('Workers of one burst, at most.'),
});

const skew = group({
  kinds: group({
    offset: weight().default(1).describe('Ahead or behind.'),
    rate: weight().default(1).describe('Too fast or too slow.'),
    step: weight().default(1).describe('Ahead, and in the middle of the time behind.'),
  })
    .prefault({})
    .describe('Weights of what the clock does.'),
  by: range(1.5, 6).describe('How far it is moved, in leases.'),
  leases: range(2, 4).describe('How long it stays wrong, in leases.'),
});

const folder = text('the path of a folder', /^\S(.*\S)?$/s);

/** One group for each fault that can be told something. */
export const faultOptions = group({
  kill: kill.prefault({}),
  drain: group({
    deadline: duration().prefault('5s').describe('Then it is ended by SIGKILL.'),
  }).prefault({}),
  starve: group({ leases: range(1.2, 2).describe('How long the loop is blocked, in leases.') }).prefault({}),
  skew: skew.prefault({}),
  slow: group({
    share: share().prefault('50%').describe('Share of the calls that are delayed.'),
    delay: group({ min: duration().prefault('5ms'), max: duration().prefault('200ms') }).prefault({}),
    leases: range(1, 3).describe('How long it goes on, in leases.'),
  }).prefault({}),
  'lose-reply': group({
    share: share().prefault('30%').describe('Share of the calls whose answer is lost.'),
    leases: range(1, 2).describe('How long it goes on, in leases.'),
  }).prefault({}),
  hog: group({ leases: range(0.5, 2).describe('How long the lock is held, in leases.') }).prefault({}),
  'disk-full': group({
    folder: folder
      .optional()
      .describe('A small file system of its own that the store is put on (docs/faults/disk-full.md).'),
    leases: range(1, 3).describe('How long it stays full, in leases.'),
  }).prefault({}),
  'crash-point': group({
    ops: listOf(TARGETS)
      .default([])
      .describe('Calls that are cut off. Empty: every kind that the workload makes.'),
    boundaries: listOf(BOUNDARIES).default(['before-send', 'after-send', 'after-reply']),
    cuts: listOf(CUTS)
      .default([...CUTS])
      .describe('What is done there.'),
    all: z
      .boolean({ error: '`true` or `false`' })
      .default(false)
      .describe('Whether each combination of the three must have been hit (O13.matrix).'),
  }).prefault({}),
});
