/**
 * What a field of a record may hold, said once: the reader checks by it, and the JSON Schema is written from it.
 *
 * The checks are on the hot path of reading: plain comparisons, nothing is allocated for a record that is right.
 */
import { fitting } from './fits.ts';
import { RecordError } from './record-error.ts';
import type { Field, JsonSchema, Shape, Value } from './shape.ts';

/** Fields of a record type: each that it has, none that it has not, and left out only where the type says so. */
export type FieldsOf<T> = {
  readonly [K in keyof T]-?: unknown extends T[K]
    ? Optional | Value
    : undefined extends T[K]
      ? Optional
      : Value;
};

interface Optional {
  readonly optional: Value;
}

export const optional = (value: Value): Optional => ({ optional: value });

export function shape<T>(fields: FieldsOf<T>): Shape {
  const table = Object.create(null) as Record<string, Field>;
  for (const [name, field] of Object.entries<Value | Optional>(fields)) {
    table[name] = 'optional' in field ? { ...field.optional, required: false } : { ...field, required: true };
  }
  return shapeOf(table);
}

function shapeOf(fields: Readonly<Record<string, Field>>): Shape {
  const required = Object.keys(fields).filter((name) => fields[name]!.required);
  const shape: { -readonly [K in keyof Shape]: Shape[K] } = { fields, required, fits: () => false };
  shape.fits = fitting(shape);
  return shape;
}

/** The same shape with more fields that must be there. */
export function demanding(base: Shape, names: readonly string[]): Shape {
  const fields = Object.assign(Object.create(null), base.fields) as Record<string, Field>;
  for (const name of names) fields[name] = { ...fields[name]!, required: true };
  return shapeOf(fields);
}

/**
 * Checks the fields of an object.
 * @throws a RecordError that names the first field that is wrong or missing, what was expected, and what was got.
 */
export function checkShape(shape: Shape, object: object): void {
  if (!shape.fits(object)) explain(shape, object, '');
}

/** Says what does not fit. */
function explain({ fields, required }: Shape, object: object, path: string): void {
  let met = 0;
  for (const name in object) {
    const field = fields[name];
    if (field === undefined) continue;
    const value = (object as Record<string, unknown>)[name];
    if (!field.is(value)) throw wrong(`${path}${name}`, field, value);
    if (field.inside !== undefined) explainInside(field.inside, value as object, `${path}${name}`);
    if (field.required) met += 1;
  }
  if (met === required.length) return;
  const missing = required.find((name) => !Object.hasOwn(object, name))!;
  throw wrong(`${path}${missing}`, fields[missing]!, undefined);
}

function explainInside(inside: Shape, value: object, path: string): void {
  if (!Array.isArray(value)) return explain(inside, value, `${path}.`);
  for (let i = 0; i < value.length; i++) {
    const one: unknown = value[i];
    if (!isObject(one))
      throw new RecordError(`Expected \`${path}[${i}]\` to be an object, got ${described(one)}`);
    explain(inside, one, `${path}[${i}].`);
  }
}

function wrong(path: string, field: Field, value: unknown): RecordError {
  const orNot = field.required ? '' : ', or left out';
  return new RecordError(`Expected \`${path}\` to be ${field.expected}${orNot}, got ${described(value)}`);
}

/** What was got, on one short line. */
export function described(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text: Value = {
  is: (value) => typeof value === 'string',
  expected: 'a text',
  schema: { type: 'string' },
};

export const flag: Value = {
  is: (value) => typeof value === 'boolean',
  expected: 'true or false',
  schema: { type: 'boolean' },
};

/** Anything at all. */
export const anything: Value = { is: () => true, expected: 'a value', schema: {} };

/** A whole number from `min` up to and with `max`. */
export const whole = (max = Number.MAX_SAFE_INTEGER, min = 0): Value => ({
  is: (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  expected:
    max === Number.MAX_SAFE_INTEGER ? `a whole number from ${min}` : `a whole number from ${min} to ${max}`,
  schema: { type: 'integer', minimum: min, maximum: max },
});

/** Nanoseconds of the monotonic clock. */
export const nanoseconds: Value = { ...whole(), expected: 'whole nanoseconds, up to 2^53' };

export const number: Value = {
  is: (value) => typeof value === 'number' && Number.isFinite(value),
  expected: 'a number',
  schema: { type: 'number' },
};

export const atLeast = (min: number, unit: string): Value => ({
  is: (value) => typeof value === 'number' && value >= min && value < Number.POSITIVE_INFINITY,
  expected: `a number of ${unit} from ${min}`,
  schema: { type: 'number', minimum: min },
});

export const milliseconds = atLeast(0, 'milliseconds');

const DIGITS = /^\d{1,40}$/;

/** A whole number, or its decimal text where it is larger than 2^53. */
export const generation: Value = {
  is: (value) =>
    typeof value === 'number'
      ? Number.isSafeInteger(value) && value >= 0
      : typeof value === 'string' && DIGITS.test(value),
  expected: 'a whole number or its decimal text',
  schema: {
    anyOf: [
      { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: DIGITS.source },
    ],
  },
};

export function oneOf(...values: readonly (string | number | null)[]): Value {
  const all: ReadonlySet<unknown> = new Set(values);
  return {
    is: (value) => all.has(value),
    expected: `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
    schema: values.length === 1 ? { const: values[0] } : { enum: values },
  };
}

export const orNull = (value: Value): Value => ({
  is: (got) => got === null || value.is(got),
  expected: `${value.expected}, or null`,
  schema: { anyOf: [value.schema, { type: 'null' }] },
});

export const objectOf = (inside: Shape): Value => ({
  is: isObject,
  expected: 'an object',
  schema: schemaOf(inside),
  inside,
});

/** A list of objects. */
export const listOf = (inside: Shape, min = 0): Value => ({
  is: (value) => Array.isArray(value) && value.length >= min,
  expected: min === 0 ? 'a list' : 'a list that is not empty',
  schema: { type: 'array', items: schemaOf(inside), ...(min === 0 ? {} : { minItems: min }) },
  inside,
});

/** A list of plain values. */
export const listOfValues = (one: Value): Value => ({
  is: (value) => Array.isArray(value) && value.every(one.is),
  expected: `a list, each ${one.expected}`,
  schema: { type: 'array', items: one.schema },
});

/** JSON Schema of an object. Fields that it does not name are allowed: readers ignore what they do not know. */
export function schemaOf({ fields, required }: Shape): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  };
}
