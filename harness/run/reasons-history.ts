/** Reasons that come from the files themselves: damage, missing parts, errors of our own workers. Pure. */
import type { Incarnation, ReadProblem } from '../history/history.ts';
import type { Reason } from '../report/results.ts';
import type { JudgeInput } from './judge-input.ts';
import { diedByUs } from './reasons-process.ts';

/** One reason for each problem that the reader met, where it takes something from the verdict. */
export function historyReasons({ history, run }: JudgeInput): Reason[] {
  const byFile = new Map([...history.incarnations.values()].map((life) => [life.file, life]));
  return history.problems.flatMap((problem) => {
    const life = byFile.get(problem.file);
    // A kill of ours may cut the last record; that is what the reader is made for.
    const isOurDoing =
      problem.kind === 'torn-tail' && run !== undefined && life !== undefined && diedByUs(life);
    return isOurDoing ? [] : [reasonOf(problem, life)];
  });
}

function reasonOf(problem: ReadProblem, life: Incarnation | undefined): Reason {
  const where = problem.line > 0 ? `${problem.file} line ${problem.line}` : problem.file;
  switch (problem.kind) {
    case 'broken':
      return broken(`${where}: ${problem.message}`);
    case 'crash':
      return workerCrashed(problem, life);
    case 'shape':
      return wrongShape(`${problem.message} (${where})`);
    case 'incomplete':
      return incomplete(`${where}: ${problem.message}`);
    case 'torn-tail':
      return tornTail(where, problem.message);
  }
}

const broken = (message: string): Reason => ({
  verdict: 'harness-error',
  code: 'HISTORY_BROKEN',
  message: `The history is broken. ${message}`,
  fix: 'Run again. If it comes back on a sound disk, this is a bug in whatever wrote the file.',
});

const wrongShape = (message: string): Reason => ({
  verdict: 'inconclusive',
  code: 'WRONG_SHAPE',
  message: `The store gave an answer of the wrong shape: ${message}`,
  fix: 'Let the store answer as the contract says (README.md, "Plug in your store").',
});

const incomplete = (message: string): Reason => ({
  verdict: 'inconclusive',
  code: 'HISTORY_INCOMPLETE',
  message: `The history is incomplete. ${message}`,
  fix: 'What the files show was checked. Run again for a verdict.',
});

const tornTail = (where: string, message: string): Reason => ({
  verdict: 'inconclusive',
  code: 'TORN_TAIL',
  message: `The history is incomplete. ${where}: ${message}, and its process was not ended by this run`,
  fix: 'Look for what ended the process or filled the disk, and run again.',
});

function workerCrashed(problem: ReadProblem, life: Incarnation | undefined): Reason {
  const who = life ? `worker ${life.label} (incarnation ${life.id})` : problem.file;
  return {
    verdict: 'harness-error',
    code: 'WORKER_CRASHED',
    message: `Uncaught error in ${who}: ${problem.message}`,
    fix: 'The error is in the workload or in Fencepost, not in an answer of the store. Its stack is in the history file.',
  };
}
