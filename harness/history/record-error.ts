/** A record that cannot be, or that contradicts the records before it. The reader turns it into a `broken` problem. */
export class RecordError extends Error {}
