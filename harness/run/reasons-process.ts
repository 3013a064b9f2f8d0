/** Reasons that come from how processes ended and from what was done to them. Pure. */
import type { FaultNote, History, Incarnation } from '../history/history.ts';
import { phaseWindow } from '../measure/window.ts';
import type { Reason } from '../report/results.ts';
import { HISTORY_UNWRITABLE_EXIT, STORE_UNREACHABLE_EXIT } from '../worker/job.ts';
import type { JudgeInput } from './judge-input.ts';

/** Exit codes of a process that ended in order because of a signal of that name: 128 and its number. */
const EXIT_OF_SIGNAL: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Whether it ended by a signal that the supervisor recorded before sending it (F10). */
export function diedByUs(life: Incarnation): boolean {
  const { exitSignal, exitedAt } = life;
  if (exitSignal === null || exitSignal === undefined || exitedAt === undefined) return false;
  return life.signals.some(({ signal, at }) => signal === exitSignal && at <= exitedAt);
}

/** Workers that ended by an error, by somebody else's hand, or without reaching their store. */
export function exitReasons({ history }: JudgeInput): Reason[] {
  const crashed = new Set(history.problems.filter(({ kind }) => kind === 'crash').map(({ file }) => file));
  const reasons: Reason[] = [];
  for (const life of history.incarnations.values()) {
    if (life.exitedAt === undefined) continue;
    const who = `${life.role} ${life.label} (incarnation ${life.id})`;
    if (typeof life.exitSignal === 'string') {
      if (!diedByUs(life)) reasons.push(foreignKill(who, life.exitSignal));
    } else if (life.exitCode === STORE_UNREACHABLE_EXIT) {
      reasons.push({
        verdict: 'inconclusive',
        code: 'STORE_UNREACHABLE',
        message: `The ${who} could not open the store.`,
        fix: 'See that the store is up and that its location is right.',
      });
    } else if (life.exitCode === HISTORY_UNWRITABLE_EXIT) {
      reasons.push({
        verdict: 'inconclusive',
        code: 'HISTORY_NOT_WRITTEN',
        message: `The ${who} could not write its history any further.`,
        fix: 'Make room on the disk, or name another folder with `--out`.',
      });
    } else if (life.exitCode && !crashed.has(life.file) && !asked(life)) {
      reasons.push({
        verdict: 'harness-error',
        code: 'WORKER_CRASHED',
        message: `The ${who} ended with exit code ${life.exitCode}, and left no record of an error.`,
        fix: 'Its output is in the run directory, in `workers.log`.',
      });
    }
  }
  return reasons;
}

const asked = (life: Incarnation): boolean =>
  life.signals.some(({ signal }) => EXIT_OF_SIGNAL[signal] === life.exitCode);

const foreignKill = (who: string, signal: string): Reason => ({
  verdict: 'inconclusive',
  code: 'FOREIGN_KILL',
  message: `The ${who} was ended by ${signal}, which this run did not send.`,
  fix:
    signal === 'SIGKILL'
      ? 'Often the kernel, out of memory: use fewer workers, or give the machine more memory.'
      : 'A crash in native code, or somebody else: look at the kernel log.',
});

/** Faults and heals that failed, or that nobody saw end. */
export function faultReasons({ history, interrupted, scenario }: JudgeInput): Reason[] {
  const reasons: Reason[] = [];
  if (scenario?.faults && !interrupted && !anyHarm(history)) {
    reasons.push({
      verdict: 'inconclusive',
      code: 'NO_FAULT_SEEN',
      message:
        'Nothing was done to any worker in this run: it says nothing about what happens when something is.',
      fix: 'Send faults more often (`faults.every`), or run longer (`phases.main.max`).',
    });
  }
  for (const notes of byFault(history).values()) {
    const { fault, label } = notes[0]!;
    const what = `${fault}${label === undefined ? '' : ` of ${label}`}`;
    const failed = notes.find((note) => note.outcome === 'failed');
    if (failed) {
      const isHeal = failed.stage === 'heal' || failed.stage === 'healed';
      reasons.push({
        verdict: 'harness-error',
        code: isHeal ? 'HEAL_FAILED' : 'FAULT_FAILED',
        message: `The ${isHeal ? 'heal of a ' : ''}${what} failed${failed.detail ? ` (${failed.detail})` : ''}: it was tried, and its effect was not seen.`,
        fix: 'Run again; if it comes back, the machine may be too busy to start and signal processes in time.',
      });
    } else if (!interrupted && !isHealed(notes)) {
      reasons.push(unhealed(`Nobody saw the end of a ${what}.`));
    }
  }
  return [...reasons, ...stillStopped(history)];
}

/** Whether the kernel, a worker or whoever had hold of the store showed that anything was done. */
const anyHarm = (history: History): boolean =>
  history.orders.length > 0 ||
  history.holds.length > 0 ||
  [...history.incarnations.values()].some(
    ({ stopped, exitSignal, signals }) =>
      stopped.length > 0 || exitSignal === 'SIGKILL' || signals.some(({ signal }) => signal === 'SIGTERM'),
  );

/** A fault that missed its target has nothing to heal. */
function isHealed(notes: readonly FaultNote[]): boolean {
  const confirm = notes.find((note) => note.stage === 'confirm');
  return confirm?.outcome === 'missed' || notes.some((note) => note.stage === 'healed');
}

/** What the kernel says, whatever a fault said of itself: somebody is stopped while there should be no faults (F15). */
function stillStopped(history: History): Reason[] {
  const drain = phaseWindow(history, 'drain');
  return [...history.incarnations.values()].flatMap((life): Reason[] => {
    const stop = life.stopped.at(-1);
    if (!stop) return [];
    const who = `${life.label} (incarnation ${life.id})`;
    if (stop.to === Number.POSITIVE_INFINITY) return [unhealed(`${who} was still stopped at the end.`)];
    if (drain && stop.to > drain.from) return [unhealed(`${who} was still stopped when drain began.`)];
    return [];
  });
}

const unhealed = (message: string): Reason => ({
  verdict: 'inconclusive',
  code: 'HEAL_UNCONFIRMED',
  message,
  fix: 'Give the heal more time (`phases.heal.max`) and run again.',
});

function byFault(history: History): Map<number, FaultNote[]> {
  const notes = new Map<number, FaultNote[]>();
  for (const note of history.faults) {
    const known = notes.get(note.id);
    if (known) known.push(note);
    else notes.set(note.id, [note]);
  }
  return notes;
}
