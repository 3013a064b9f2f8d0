/** How often something was seen, and out of how many. */
export interface Share {
  readonly seen: number;
  readonly of: number;
}
