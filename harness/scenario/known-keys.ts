/** The keys that a JSON Schema knows at a path; the one place that walks a schema. Pure. */

type Schema = Readonly<Record<string, unknown>>;

/** Known keys of the group at `path`, looking through unions. Empty where the schema has no fixed keys. */
export function keysAt(schema: Schema, path: readonly PropertyKey[]): readonly string[] {
  let current: readonly Schema[] = [schema];
  for (const step of path) {
    current = current.flatMap(alternatives).flatMap((one) => {
      const next = isSchema(one.properties) ? one.properties[String(step)] : undefined;
      return isSchema(next) ? [next] : [];
    });
  }
  return current
    .flatMap(alternatives)
    .flatMap((one) => (isSchema(one.properties) ? Object.keys(one.properties) : []));
}

/** Every dotted path that the schema knows, groups and values alike. */
export function pathsOf(schema: Schema): readonly string[] {
  return alternatives(schema).flatMap(({ properties }) =>
    isSchema(properties)
      ? Object.entries(properties).flatMap(([key, inner]) => [
          key,
          ...(isSchema(inner) ? pathsOf(inner).map((path) => `${key}.${path}`) : []),
        ])
      : [],
  );
}

function alternatives(schema: Schema): readonly Schema[] {
  const list = schema.anyOf ?? schema.oneOf;
  return Array.isArray(list) ? list.filter(isSchema) : [schema];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}
