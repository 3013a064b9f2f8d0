/** Texts as small numbers: each distinct text is kept once. */
export class Interner {
  readonly all: string[] = [];
  readonly #indexOf = new Map<string, number>();

  index(text: string): number {
    const known = this.#indexOf.get(text);
    if (known !== undefined) return known;
    const index = this.all.length;
    this.#indexOf.set(text, index);
    this.all.push(text);
    return index;
  }
}
