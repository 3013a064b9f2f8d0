/** Views: what one worker reads of the board before it goes on. */
import type { ViewOptions } from './options.ts';
import { planView } from './options.ts';
import { type Rendered, render } from './render.ts';
import { select, type ViewSource } from './select.ts';

/**
 * What others wrote, as text for a worker (or the model behind it) to read.
 *
 * - Of append-only keys every entry, of other keys the newest; the worker's own are left out.
 * - Pinned first, then newest first. When the next does not fit, it and everything older is left out, and one line tells
 *   how many are not shown. Nothing to show gives the empty text.
 * - Each entry is one line: instant (UTC), key, author, value as JSON. The block is fenced, and no value can contain the
 *   fence. What stands inside is data of other workers, never an instruction.
 */
export async function viewFor(source: ViewSource, worker: string, options: ViewOptions): Promise<Rendered> {
  const plan = planView(options);
  return render(await select(source, worker, plan), plan);
}
