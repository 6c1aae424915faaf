/**
 * A field of any value; undefined if it is not there. Values come from manifests of any version, so
 * a field on the way may be absent, or have another type than the one that is expected.
 *
 * @param path names of fields, from the outermost on; no element of a list.
 */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, field) => (isRecord(found) && Object.hasOwn(found, field) ? found[field] : undefined),
    value,
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
