/** A JSON object: what clients send, and what is kept of it beside the model. */
export type Body = Readonly<Record<string, unknown>>;

export function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The mapping in this field; empty if there is none. */
export function bodyIn(body: Body, field: string): Body {
  const value = Object.hasOwn(body, field) ? body[field] : undefined;
  return isBody(value) ? value : {};
}

/** The text in this field; empty if there is none. */
export function textIn(body: Body, field: string): string {
  const value = Object.hasOwn(body, field) ? body[field] : undefined;
  return typeof value === 'string' ? value : '';
}

export function metadataOf(body: Body): Body {
  return bodyIn(body, 'metadata');
}

/** The value at a path of plain fields, such as `status.phase`. Undefined if there is none. */
export function valueAt(body: Body, path: string): unknown {
  let value: unknown = body;
  for (const field of path.split('.')) {
    if (!isBody(value) || !Object.hasOwn(value, field)) return undefined;
    value = value[field];
  }
  return value;
}

/** A copy with another value at the path. Mappings on the way are made where they are missing. */
export function withValueAt(body: Body, path: readonly string[], value: unknown): Body {
  const [field = '', ...rest] = path;
  if (rest.length === 0) return { ...body, [field]: value };
  return { ...body, [field]: withValueAt(bodyIn(body, field), rest, value) };
}
