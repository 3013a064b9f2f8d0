/**
 * Request ids by index. Those of our form, `incarnation.lane.call`, are three numbers, which take a quarter of the memory of a
 * text; any other is kept as it is.
 */
const OURS = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;
const NONE = 0xffffffff;
const FOREIGN = 0xfffffffe;

export class RequestColumn {
  #parts = new Uint32Array(3 * 256);
  readonly #foreign = new Map<number, string>();

  set(index: number, request: string | undefined): void {
    const at = index * 3;
    if (at + 3 > this.#parts.length) this.#grow(at + 3);
    const ours = request === undefined ? null : OURS.exec(request);
    if (ours) {
      for (let part = 0; part < 3; part++) this.#parts[at + part] = Number(ours[part + 1]);
      return;
    }
    this.#parts[at] = request === undefined ? NONE : FOREIGN;
    if (request !== undefined) this.#foreign.set(index, request);
  }

  get(index: number): string | undefined {
    const at = index * 3;
    const first = this.#parts[at]!;
    if (first === NONE) return undefined;
    if (first === FOREIGN) return this.#foreign.get(index);
    return `${first}.${this.#parts[at + 1]}.${this.#parts[at + 2]}`;
  }

  #grow(length: number): void {
    const parts = new Uint32Array(Math.max(length, this.#parts.length * 2));
    parts.set(this.#parts);
    this.#parts = parts;
  }
}
