type Json = Readonly<Record<string, unknown>>;

/**
 * The paths of a JSON Schema at which a description is missing: of each field that has none and
 * refers to no described definition, and of each definition. Generated names count as missing.
 */
export function undescribed(schema: object): readonly string[] {
  const definitions = (schema as { $defs?: Readonly<Record<string, Json>> }).$defs ?? {};
  const missing: string[] = [];
  const demand = (part: Json, path: string): void => {
    const name = typeof part.$ref === 'string' ? part.$ref.replace('#/$defs/', '') : null;
    const described =
      part.description ?? (name === null ? undefined : definitions[name]?.description);
    if (typeof described !== 'string' || described === '') missing.push(path);
  };
  const walk = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return;
    const fields = Array.isArray(part) ? undefined : (part as Json).properties;
    for (const [name, field] of Object.entries(fields ?? {})) {
      demand(field as Json, `${path}.${name}`);
      walk(field, `${path}.${name}`);
    }
    for (const [key, below] of Object.entries(part)) {
      if (key !== 'properties' && key !== '$defs') walk(below, path);
    }
  };
  walk(schema, '');
  for (const [name, definition] of Object.entries(definitions)) {
    demand(definition, name);
    if (name.startsWith('__')) missing.push(name);
    walk(definition, name);
  }
  return missing;
}
