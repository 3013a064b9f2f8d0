/**
 * The numbers of texts: each distinct text has one. An open hash table over typed arrays, since a `Map` of millions of texts takes
 * three times the memory, and ends at 2^24. Where the texts themselves are kept is said below it.
 */
const FIRST_SLOTS = 1024;

export abstract class TextTable {
  /** Number of texts kept. */
  abstract readonly length: number;
  /** Index of a text plus one; 0: free. Never more than half full. */
  #slots = new Int32Array(FIRST_SLOTS);
  /** Hashes by index, so that the table grows without reading the texts again. */
  #hashes = new Int32Array(FIRST_SLOTS / 2);

  /** Whether the text of that number is this one. */
  protected abstract isAt(index: number, text: string): boolean;
  /** Keeps one more text, under the next number. */
  protected abstract keep(text: string): void;

  index(text: string): number {
    const hash = hashOf(text);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#slots[slot]!) {
      if (this.#hashes[entry - 1] === hash && this.isAt(entry - 1, text)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    const index = this.length;
    if (index === this.#hashes.length) {
      this.#grow();
      return this.index(text);
    }
    this.keep(text);
    this.#hashes[index] = hash;
    this.#slots[slot] = index + 1;
    return index;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const hashes = new Int32Array(slots.length / 2);
    hashes.set(this.#hashes);
    const mask = slots.length - 1;
    for (let index = 0; index < this.length; index++) {
      let slot = hashes[index]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    }
    this.#slots = slots;
    this.#hashes = hashes;
  }
}

/** FNV-1a with a final mix, so that keys that count upwards do not fill one stretch of the table. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
