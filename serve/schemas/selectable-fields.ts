import { type Body, bodyIn, isBody, textIn } from '../cluster/body.ts';

/** `MaxSelectableFields` of apiextensions-apiserver. */
const MOST = 8;

const SCALARS: readonly unknown[] = ['string', 'boolean', 'integer'];

/**
 * What is wrong with the fields that a definition lets clients select by, one sentence each.
 * Mirrors `ValidateCustomResourceSelectableFields` (1.33).
 */
export function selectableFaults(definition: Body): readonly string[] {
  const { versions } = bodyIn(definition, 'spec');
  if (!Array.isArray(versions)) return [];
  return versions.filter(isBody).flatMap((version, index) => {
    const { selectableFields } = version;
    if (!Array.isArray(selectableFields)) return [];
    const at = `spec.versions[${index}].selectableFields`;
    const paths = selectableFields.filter(isBody).map((field) => textIn(field, 'jsonPath'));
    const schema = bodyIn(bodyIn(version, 'schema'), 'openAPIV3Schema');
    return [
      ...(paths.length > MOST
        ? [`${at}: Too many: ${paths.length}: must have at most ${MOST} items`]
        : []),
      ...paths.flatMap((path, place) => {
        const why = pathFault(schema, path, paths.slice(0, place));
        return why === null ? [] : [`${at}[${place}].jsonPath: ${why}`];
      }),
    ];
  });
}

function pathFault(schema: Body, path: string, earlier: readonly string[]): string | null {
  if (path === '') return 'Required value';
  const value = JSON.stringify(path);
  if (!/^(\.[A-Za-z_]\w*)+$/.test(path)) {
    return `Invalid value: ${value}: is an invalid path: must be a simple path of fields, such as ".spec.color"`;
  }
  const fields = path.slice(1).split('.');
  if (fields[0] === 'metadata') {
    return `Invalid value: ${value}: must not point to fields in metadata`;
  }
  let found: unknown = schema;
  for (const field of fields) {
    const properties = isBody(found) ? bodyIn(found, 'properties') : {};
    if (!Object.hasOwn(properties, field)) {
      return `Invalid value: ${value}: is an invalid path: does not refer to a valid field`;
    }
    found = properties[field];
  }
  if (!isBody(found) || !SCALARS.includes(found.type)) {
    return (
      `Invalid value: ${value}: must point to a field of type string, boolean or integer. ` +
      'Enum string fields and strings with formats are allowed.'
    );
  }
  return earlier.includes(path) ? `Duplicate value: ${value}` : null;
}
