/** Results as JSON for machines: stable field order, no NaN, one line end, nothing that moves a cursor. Pure. */
import { visibleJson } from '../../src/text/visible.ts';
import type { Results } from './results.ts';

/**
 * The text of `results.json`. Times that are unbounded (a call whose answer never came) are null; fields that are
 * undefined are left out. Readers ignore fields that they do not know. `more` holds what a command found beside the run.
 */
export function renderJson(results: Results, more: Readonly<Record<string, unknown>> = {}): string {
  return `${visibleJson(JSON.stringify({ ...results, ...more }, plain, 2))}\n`;
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}
