/**
 * Text from other workers, made harmless: one line, and without the two signs that the fence is made of. What comes out
 * is still JSON with the same meaning. Pure.
 */

/**
 * Everything that could end a line, move the cursor, turn the direction of writing, or hide: C1 controls and DEL, line and
 * paragraph separators, bidirectional and zero-width marks, tag characters, and the signs of the fence. JSON.stringify has
 * escaped the C0 controls and lone surrogates already.
 */
const UNSAFE =
  /[<>\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** What a key or a label may be made of to stand bare. */
const BARE = /^[\p{L}\p{N}_.:@+~*/-]+$/u;

/** A JSON value on one line. */
export function encodeValue(value: unknown): string {
  return harmless(JSON.stringify(value));
}

/** JSON text with the same meaning that a reader or a terminal cannot be misled by. */
function harmless(jsonText: string): string {
  return jsonText.replace(UNSAFE, escapeUnits);
}

/** A key or a label: bare where nobody can mistake it, else in quotes like a value. */
export function encodeName(name: string): string {
  return BARE.test(name) ? name : encodeValue(name);
}

/** An instant in UTC, such as `2026-11-30T12:00:00.000Z`; what is no date stays a number. */
export function encodeInstant(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms);
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let i = 0; i < character.length; i += 1) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
