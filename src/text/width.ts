/** How wide a line may be. Pure. */

/** Below this nothing fits any more; above the other, lines are tiring to read. */
const NARROWEST = 40;
const WIDEST = 120;
/** Files, pipes, and terminals that do not say how wide they are. */
const USUAL = 80;

/** Columns of a line on this stream: those of its terminal, else what COLUMNS says, else 80; from 40 to 120. */
export function lineWidth(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): number {
  const said = /^\d{1,5}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : 0;
  const columns = (stream.isTTY ? stream.columns : undefined) || said || USUAL;
  return Math.min(WIDEST, Math.max(NARROWEST, columns));
}
