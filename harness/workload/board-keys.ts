/** Which entries the workloads of the board write, and when their lanes meet. */
import type { Lane } from './lane.ts';

/** Written by everybody under compare-and-set. */
export const hotKey = (lane: Lane): string =>
  `register/${lane.random.int(0, lane.scenario.workload.hotKeys - 1)}`;

/** Appended to by everybody. */
export const LOG_PREFIX = 'facts/';
export const logKey = (lane: Lane): string =>
  `${LOG_PREFIX}${lane.random.int(0, lane.scenario.workload.appendKeys - 1)}`;

/** Written by this label only: what came of an item. */
export const resultKey = (label: string, item: string): string => `results/${label}/${item}`;

/** How far a follower has come. Everybody's followers see it written, so it must not count as news. */
export const CURSOR_PREFIX = 'cursor/';
export const cursorKey = (lane: Lane): string => `${CURSOR_PREFIX}${lane.label}-${lane.index}`;

/** Lanes of all processes act at multiples of this, so that their calls really meet. */
const TICK_MS = 8;

/** Sleeps until the lanes of all processes wake up together. */
export const nextTick = (lane: Lane): Promise<void> => lane.sleep(TICK_MS - (lane.nowMs() % TICK_MS));

/** Nothing is written in drain. */
export async function nothingToDo(lane: Lane): Promise<void> {
  lane.found(false);
  await nextTick(lane);
}
