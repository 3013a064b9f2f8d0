/** How often a worker renews its lease at the last moment (O7), so that main sees enough of it and the load stays what it is. Pure. */
import type { Scenario } from './scenario.ts';

/** Renewals at the last moment that a main of its least length is to see. */
const WANTED = 20;
/** Of the time of all lanes, no more than this goes into tasks that wait for it. */
const MOST_TIME = 0.15;
/** Such a task takes so many leases. */
export const LAST_MOMENT_LEASES = 1.1;
/** Share of the lease after which the renewal is sent: within the last quarter, with room for a late timer. */
export const LAST_MOMENT = { min: 0.78, max: 0.88 };
/** Of those that are tried so many come in time, even where timers are late. */
const IN_TIME = 0.5;
/** A minimum of 5 needs so many expected ones (spec/checking.md 3.8). */
const ENOUGH = 18;

type Sized = Pick<Scenario, 'workers' | 'lanes' | 'leaseMs' | 'phases'>;

/** Per millisecond of one lane. */
export function lastMomentRate({ workers, lanes, leaseMs, phases }: Sized): number {
  const wanted = WANTED / (Math.max(1, phases.main.minMs) * workers * lanes);
  return Math.min(wanted, MOST_TIME / (LAST_MOMENT_LEASES * leaseMs));
}

/** Whether the longest main is long enough to see them. */
export const seesLastMoments = (scenario: Sized): boolean =>
  lastMomentRate(scenario) * scenario.workers * scenario.lanes * scenario.phases.main.maxMs * IN_TIME >=
  ENOUGH;
