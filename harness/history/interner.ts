/** Texts as small numbers, each distinct one kept once, as a string: for keys and names, which are asked for all the time. */
import { TextTable } from './text-table.ts';

export class Interner extends TextTable {
  readonly all: string[] = [];

  get length(): number {
    return this.all.length;
  }

  protected override isAt(index: number, text: string): boolean {
    return this.all[index] === text;
  }

  protected override keep(text: string): void {
    this.all.push(text);
  }
}
