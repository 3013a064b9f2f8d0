/**
 * O10, operations accepted: every kind of call that the workload makes had its effect in main, and the two that keep a
 * lease and end it had it while a worker was stopped or two processes of one label were alive.
 *
 * Without it a store that refuses everything breaks nothing and would pass (case A27).
 */
import { type Incarnation, OP, OUTCOME } from '../history/history.ts';
import type { OperationName } from '../history/record.ts';
import { covered, unite, type Window } from '../measure/window.ts';
import { claims, type Evidence, lacks, type ObligationRule } from './rule.ts';

/** Accepted while a fault was on. */
const UNDER_FAULT: readonly OperationName[] = ['complete', 'heartbeat'];
const ELSEWHERE: readonly OperationName[] = [
  'enqueue',
  'claim',
  'claimNext',
  'release',
  'nack',
  'forceRelease',
  'commit',
  'get',
  'list',
  'history',
  'since',
  'trim',
];

const underFault = (kind: OperationName): ObligationRule => ({
  id: `O10.${kind}`,
  name: `${kind} under fault`,
  statement: `A ${kind} was sent and accepted in main while a worker was stopped or two processes of one label were alive.`,
  min: 1,
  advice:
    'Stop workers more often or for longer (`faults.pause`, `faults.twin`, `faults.pauseLeases`), or shorten tasks (`workload.task`).',
  asked: (context) =>
    context.workload.includes(kind) || (claims(context) && lacks(context, kind) !== undefined),
  notTested: (context) => lacks(context, kind),
  count: (evidence) => {
    const windows = unite([...stops(evidence), ...twins(evidence)]);
    return accepted(evidence, kind, (inv, ret) => covered(windows, inv, ret));
  },
});

const inMain = (kind: OperationName): ObligationRule => ({
  id: `O10.${kind}`,
  name: `${kind} in main`,
  statement: `A ${kind} was accepted in main.`,
  min: 1,
  advice: 'Run longer (`phases.main.max`), or give the call more weight (`workload.finals`).',
  asked: (context) => context.workload.includes(kind) && lacks(context, kind) === undefined,
  count: (evidence) => accepted(evidence, kind, () => true),
});

/** One part for each kind of call; those that the workload does not make are not asked. */
export const operations: readonly ObligationRule[] = [
  ...UNDER_FAULT.map(underFault),
  ...ELSEWHERE.map(inMain),
];

function accepted(
  evidence: Evidence,
  kind: OperationName,
  where: (inv: number, ret: number) => boolean,
): number {
  const { ops } = evidence.history;
  const { from, to } = evidence.main;
  const code = OP[kind];
  let seen = 0;
  for (let row = 0; row < ops.length; row++) {
    if (ops.op[row] !== code || ops.outcome[row] !== OUTCOME.accepted) continue;
    const inv = ops.inv[row]!;
    const ret = ops.ret[row]!;
    if (inv >= from && ret < to && where(inv, ret)) seen += 1;
  }
  return seen;
}

const workers = (evidence: Evidence): Incarnation[] =>
  [...evidence.history.incarnations.values()].filter((life) => life.role === 'worker');

/** Intervals in which the kernel showed a worker as stopped. */
function stops(evidence: Evidence): Window[] {
  return workers(evidence).flatMap((life) => life.stopped);
}

/** Intervals in which two processes of one label were alive: from the second one's first sign of life to the first exit. */
function twins(evidence: Evidence): Window[] {
  const byLabel = new Map<string, Incarnation[]>();
  for (const life of workers(evidence)) {
    const known = byLabel.get(life.label);
    if (known) known.push(life);
    else byLabel.set(life.label, [life]);
  }
  const windows: Window[] = [];
  for (const lives of byLabel.values()) {
    lives.sort((a, b) => aliveFrom(a) - aliveFrom(b));
    // The exit that keeps the label doubly alive the longest so far.
    let until = Number.NEGATIVE_INFINITY;
    for (const life of lives) {
      const from = aliveFrom(life);
      const to = life.exitedAt ?? Number.POSITIVE_INFINITY;
      if (from < until) windows.push({ from, to: Math.min(until, to) });
      until = Math.max(until, to);
    }
  }
  return windows;
}

const aliveFrom = (life: Incarnation): number => life.readyAt ?? life.spawnedAt ?? Number.POSITIVE_INFINITY;
