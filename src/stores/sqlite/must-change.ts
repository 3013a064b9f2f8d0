/** An UPDATE that met no row would be an answer without a write (spec/mutants.md M11). */
export function mustChangeOne(changes: number, what: string): void {
  if (changes !== 1) throw new Error(`Expected to change 1 row of ${what}, changed ${changes}.`);
}
