/** The form of a record: what each of its fields may hold. Types only. */

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What one field may hold. */
export interface Value {
  readonly is: (value: unknown) => boolean;
  /** Completes the sentence "Expected `t` to be …". */
  readonly expected: string;
  readonly schema: JsonSchema;
  /** Set for a list of objects and for an object: what is inside is checked by it, and named in the error. */
  readonly inside?: Shape;
}

export interface Field extends Value {
  readonly required: boolean;
}

/** The fields of an object. Unknown fields are passed over: within a version of the format, fields are added. */
export interface Shape {
  readonly fields: Readonly<Record<string, Field>>;
  readonly required: readonly string[];
  /** Whether an object has them: the question of the hot path. */
  readonly fits: (object: object) => boolean;
}
