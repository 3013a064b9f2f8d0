/** The guarantees that Fencepost judges: ids, names, statements, and the file that decides each. */

export interface Guarantee {
  readonly id: GuaranteeId;
  readonly name: string;
  /** What must hold, in one sentence. */
  readonly statement: string;
  /** What one opportunity is: the event that gave the store a chance to break it. */
  readonly opportunity: string;
  /** What a clean result does not prove. */
  readonly notProven: string;
  readonly file: string;
}

export const GUARANTEE_IDS = [
  'S1', 'S2', 'S3', 'S4', 'S4c', 'S5', 'S6', 'S7', 'S8', 'S9', 'S10', 'S11', 'S13', 'S19',
] as const;
export type GuaranteeId = (typeof GUARANTEE_IDS)[number];
