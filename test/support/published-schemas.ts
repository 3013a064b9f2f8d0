/** The JSON Schemas as they are published, read by a validator that shares nothing with the reader. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export type Schema = 'scenario' | 'history-record' | 'results';

const validators = new Map<Schema, z.ZodType>();

/** What the published schema finds wrong with a value; empty when nothing. */
export function schemaProblems(name: Schema, value: unknown): readonly string[] {
  let validator = validators.get(name);
  if (!validator) {
    const file = new URL(`../../docs/schema/${name}.schema.json`, import.meta.url);
    validator = z.fromJSONSchema(
      JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof z.fromJSONSchema>[0],
    );
    validators.set(name, validator);
  }
  const result = validator.safeParse(value);
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}
