/**
 * O13, crash windows: a worker was killed at each step of a call that the scenario asks for.
 *
 * Counted from what the worker wrote the moment before, and from its exit by SIGKILL.
 */
import { within } from '../measure/window.ts';
import { BOUNDARIES, type Boundary } from '../scenario/scenario.ts';
import type { ObligationRule } from './rule.ts';

const WORDS: Readonly<Record<Boundary, string>> = {
  'before-send': 'after a call was written down and before it was sent',
  'in-transaction': 'inside the write transaction of a call',
  'after-send': 'after a call was sent and before its answer was read',
  'after-reply': 'after the answer of a call was written down and before anything was made of it',
};

export const crashWindows: readonly ObligationRule[] = BOUNDARIES.map((boundary) => ({
  id: `O13.${boundary}`,
  name: `killed ${boundary}`,
  statement: `A worker was killed in main ${WORDS[boundary]}.`,
  min: 3,
  advice:
    'Give `faults.crash-point` more weight, name fewer calls (`faults.options.crash-point.ops`), or run longer (`phases.main.max`).',
  asked: ({ crashWindows }) => crashWindows.includes(boundary),
  count: ({ history, main }) =>
    history.cuts.filter(
      (cut) =>
        cut.fault === 'crash-point' &&
        cut.cut === 'kill' &&
        cut.boundary === boundary &&
        within(main, cut.at) &&
        history.incarnations.get(cut.incarnation)?.exitSignal === 'SIGKILL',
    ).length,
}));
