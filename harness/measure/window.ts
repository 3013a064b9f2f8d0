/** Stretches of time of a run, as the supervisor recorded them. Pure. */
import type { History } from '../history/history.ts';
import type { Phase } from '../history/record.ts';

/** Half open: `from` belongs to it, `to` does not. Nanoseconds. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** All of time: what stands in for a phase in files that came without phases. */
export const ALWAYS: Window = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** When the run was in `phase`: until the next phase, or still. Undefined when it never came to it. */
export function phaseWindow(history: Pick<History, 'phases'>, phase: Phase): Window | undefined {
  const index = history.phases.findIndex((entry) => entry.phase === phase);
  if (index < 0) return undefined;
  return { from: history.phases[index]!.at, to: history.phases[index + 1]?.at ?? Number.POSITIVE_INFINITY };
}

/** The time with the faults on. Files without phases are taken whole; a run that never reached main has none. */
export function mainWindow(history: Pick<History, 'phases'>): Window {
  if (history.phases.length === 0) return ALWAYS;
  return phaseWindow(history, 'main') ?? { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };
}

/** Whether the instant lies in the window. */
export const within = (window: Window, at: number): boolean => at >= window.from && at < window.to;

/** Unites windows that touch or overlap; the result is in time order and disjoint. */
export function unite(windows: readonly Window[]): Window[] {
  const sorted = windows.filter((window) => window.to > window.from).sort((a, b) => a.from - b.from);
  const united: { from: number; to: number }[] = [];
  for (const window of sorted) {
    const last = united.at(-1);
    if (last && window.from <= last.to) last.to = Math.max(last.to, window.to);
    else united.push({ ...window });
  }
  return united;
}

/** Whether `[from, to]` lies wholly in one of these disjoint windows in time order. Binary search. */
export function covered(windows: readonly Window[], from: number, to: number): boolean {
  let low = 0;
  let high = windows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (windows[middle]!.from <= from) low = middle + 1;
    else high = middle;
  }
  const window = windows[low - 1];
  return window !== undefined && to < window.to;
}

/** Whether `[from, to]` touches any of these windows; they may be in any order, and are few. */
export const touches = (windows: readonly Window[], from: number, to: number): boolean =>
  windows.some((window) => window.from <= to && window.to >= from);
