/**
 * Which faults can give which evidence: what feasibility counts on before a run, and what chooses the next fault during it. An
 * obligation that does not stand here comes by itself, from the work that is done.
 */
import type { FaultName } from '../scenario/scenario.ts';
import type { ObligationResult } from './obligation.ts';

const KILLS: readonly FaultName[] = ['kill', 'crash-point'];
const STOPS: readonly FaultName[] = ['pause', 'twin', 'stall', 'crash-point'];
const RESTARTS: readonly FaultName[] = ['kill', 'drain', 'crash-point'];
const LOSSES: readonly FaultName[] = ['lose-reply', 'crash-point'];

/** By obligation part, else by the obligation. */
const SOURCES: Readonly<Record<string, readonly FaultName[]>> = {
  O1: KILLS,
  O2: KILLS,
  O3: STOPS,
  O4: STOPS,
  'O6.acted': LOSSES,
  'O6.not': LOSSES,
  'O7.after': STOPS,
  O8: ['skew'],
  O11: [...KILLS, ...STOPS],
  O12: ['kill', 'twin', 'drain', 'crash-point'],
  O13: ['crash-point'],
  'O16.restart': RESTARTS,
  O17: ['twin'],
  'O18.killed': KILLS,
  'O18.stopped': STOPS,
  'O20.killed': KILLS,
  'O20.reclaimed': KILLS,
  'O20.stale': STOPS,
  'O19.drain': ['drain'],
  'O19.starve': ['starve'],
  'O19.slow': ['slow'],
  'O19.lose-reply': ['lose-reply'],
  'O19.hog': ['hog'],
  'O19.stall': ['stall'],
  'O19.disk-full': ['disk-full'],
};

/** The faults that can give this evidence; empty where it comes by itself. */
export const sourcesOf = (id: string): readonly FaultName[] =>
  SOURCES[id] ?? SOURCES[id.replace(/\..*$/, '')] ?? [];

/** Evidence that a run has not seen enough of, and that faults can give. */
export interface Missing {
  /** Share of its minimum that is not there yet, in (0, 1]. */
  readonly share: number;
  readonly sources: readonly FaultName[];
}

/** What is still missing. Empty when every obligation is met that faults have a part in. */
export const missingOf = (results: readonly ObligationResult[]): Missing[] =>
  results.flatMap(({ id, seen, min, met, notTested }) => {
    const sources = sourcesOf(id);
    if (met || notTested !== undefined || sources.length === 0) return [];
    return [{ share: 1 - seen / min, sources }];
  });
