/**
 * O13, crash windows: a worker was killed at each step of a call that the scenario asks for.
 *
 * Counted from what the worker wrote the moment before, and from its exit by SIGKILL.
 */
import { cutsThatStruck } from '../measure/cuts.ts';
import { within } from '../measure/window.ts';
import type { CrashCell } from '../scenario/crash-cells.ts';
import { BOUNDARIES, type Boundary } from '../scenario/scenario.ts';
import type { ObligationRule } from './rule.ts';

const WORDS: Readonly<Record<Boundary, string>> = {
  'before-send': 'after a call was written down and before it was sent',
  'in-transaction': 'inside the write transaction of a call',
  'after-send': 'after a call was sent and before its answer was read',
  'after-reply': 'after the answer of a call was written down and before anything was made of it',
};

const windows: readonly ObligationRule[] = BOUNDARIES.map((boundary) => ({
  id: `O13.${boundary}`,
  name: `killed ${boundary}`,
  statement: `A worker was killed in main ${WORDS[boundary]}.`,
  min: 3,
  advice:
    'Give `faults.crash-point` more weight, name fewer calls (`faults.options.crash-point.ops`), or run longer (`phases.main.max`).',
  asked: ({ crashWindows }) => crashWindows.includes(boundary),
  count: ({ history, main }) =>
    cutsThatStruck(history).filter(
      (cut) => cut.cut === 'kill' && cut.boundary === boundary && within(main, cut.at),
    ).length,
}));

const matrix: ObligationRule = {
  id: 'O13.matrix',
  name: 'kill matrix whole',
  statement:
    'In every combination of call, step and cut that the scenario asks for, a worker was killed or stopped in main.',
  min: 1,
  advice: 'Run longer (`phases.main.max`), or name fewer calls (`faults.options.crash-point.ops`).',
  asked: ({ crashCells }) => crashCells.length > 0,
  count: ({ history, main }, { crashCells }) => {
    const struck = cutsThatStruck(history).filter(({ at }) => within(main, at));
    const isHit = ({ op, boundary, cut }: CrashCell): boolean =>
      struck.some((one) => one.op === op && one.boundary === boundary && one.cut === cut);
    return crashCells.every(isHit) ? 1 : 0;
  },
};

export const crashWindows: readonly ObligationRule[] = [...windows, matrix];
