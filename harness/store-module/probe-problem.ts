/** Why a store did not pass the probe, in what / why / fix. Pure. */
import type { Refusal } from '../../src/store.ts';
import { ShapeError } from './shape-error.ts';
import { TimeLimitError } from './time-limit.ts';

/** One reason why a store cannot be tested. */
export interface ProbeProblem {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/** A step did not answer what every store must answer here. */
export class ProbeFailure extends Error {
  readonly problem: ProbeProblem;

  constructor(problem: ProbeProblem) {
    super(problem.what);
    this.problem = problem;
  }
}

/** A store threw where it should have answered. */
export class CallFailure extends Error {
  readonly op: string;

  constructor(op: string, cause: unknown) {
    super(`${op}() threw`, { cause });
    this.op = op;
  }
}

/** The store refused a call that nothing stood in the way of. */
export function refusedFirst(op: string, what: string, refusal: Refusal): ProbeFailure {
  return new ProbeFailure({
    what: `${op}() refused ${what}: ${refusal.code}, "${refusal.message}".`,
    why: 'In an empty namespace, with a single client, nothing stands in the way of this call.',
    fix: `Make ${op}() accept it; a run could never get past this point.`,
  });
}

/** Something was there before the probe wrote anything. */
export function notEmpty(op: string, key: string | undefined): ProbeFailure {
  return new ProbeFailure({
    what: `A new namespace is not empty: ${op}() shows \`${key}\`.`,
    why: 'Leftovers of an earlier run would be judged as if they were of this one.',
    fix: 'Keep everything of a store under `options.namespace`, which is new for each run.',
  });
}

/** Turns whatever ended the probe into a problem. */
export function explainProblem(error: unknown): ProbeProblem {
  if (error instanceof ProbeFailure) return error.problem;
  if (error instanceof ShapeError) {
    return {
      what: `${error.message}.`,
      why: 'An answer of the wrong shape cannot be judged.',
      fix: 'The shapes stand in src/store.ts (`Store`, `WorkStore`, `EntryStore`, `Feed`, `Outcome`).',
    };
  }
  if (error instanceof TimeLimitError) {
    return {
      what: `${error.message}.`,
      why: 'A run sends thousands of calls; a store that hangs with one client cannot be tested.',
      fix: 'Is the server up, and is there a connection left? Answer, refuse or throw within a bounded time.',
    };
  }
  const cause = error instanceof CallFailure ? error.cause : error;
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  const op = error instanceof CallFailure ? `${error.op}()` : 'The store';
  return {
    what: `${op} threw ${text}.`.replace(/\.\.$/, '.'),
    why: 'A failure means that the store could not answer, and here it had every reason to.',
    fix: 'Can the store be reached at its location? A refusal is a value (`accepted: false`), not an error.',
  };
}
