import { type Body, bodyIn, isBody, textIn } from '../cluster/body.ts';
import { type Path, textOf } from './leaves.ts';

/** `metadata.managedFields`: who owns which fields. */

/** Paths by their texts. */
export type FieldSet = ReadonlyMap<string, Path>;

/** Who has written, and how. */
export interface Manager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** Empty: the object itself. */
  readonly subresource: string;
}

export interface Entry extends Manager {
  /** When it has changed its fields last. Empty: it is not known. */
  readonly time: string;
  readonly fields: FieldSet;
}

/** Mirrors `BuildManagerIdentifier`: who applies is the same in every version of the API. */
export function isOf(entry: Manager, other: Manager): boolean {
  return (
    entry.manager === other.manager &&
    entry.operation === other.operation &&
    (entry.operation === 'Apply' || entry.apiVersion === other.apiVersion) &&
    entry.subresource === other.subresource
  );
}

/** The entries of an object. Those that cannot be read are left out. */
export function entriesIn(managedFields: unknown): readonly Entry[] {
  if (!Array.isArray(managedFields)) return [];
  return managedFields.filter(isBody).flatMap((given): readonly Entry[] => {
    const operation = textIn(given, 'operation');
    if (operation !== 'Apply' && operation !== 'Update') return [];
    const fields = new Map<string, Path>();
    readSet(bodyIn(given, 'fieldsV1'), [], fields);
    const [manager, apiVersion] = [textIn(given, 'manager'), textIn(given, 'apiVersion')];
    const [subresource, time] = [textIn(given, 'subresource'), textIn(given, 'time')];
    return [{ manager, operation, apiVersion, subresource, time, fields }];
  });
}

function readSet(given: Body, path: Path, found: Map<string, Path>): void {
  const parts = Object.entries(given);
  if (path.length > 0 && (parts.length === 0 || Object.hasOwn(given, '.'))) {
    found.set(textOf(path), path);
  }
  for (const [element, part] of parts) {
    if (element !== '.' && isBody(part)) readSet(part, [...path, element], found);
  }
}

/** As they are stored: applied ones first, then the oldest (`sortEncodedManagedFields`). */
export function managedFieldsOf(entries: readonly Entry[]): readonly Body[] {
  const order = ({ operation, time, manager, apiVersion, subresource }: Entry): string =>
    JSON.stringify([operation, time, manager, apiVersion, subresource]);
  return entries
    .filter(({ fields }) => fields.size > 0)
    .toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
    .map(({ manager, operation, apiVersion, subresource, time, fields }) => ({
      manager,
      operation,
      apiVersion,
      ...(time === '' ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: written(fields),
      ...(subresource === '' ? {} : { subresource }),
    }));
}

interface Node {
  isMember: boolean;
  readonly parts: Map<string, Node>;
}

function written(fields: FieldSet): Body {
  const root: Node = { isMember: false, parts: new Map() };
  for (const path of fields.values()) {
    let node = root;
    for (const element of path) {
      const known = node.parts.get(element);
      const next: Node = known ?? { isMember: false, parts: new Map() };
      if (known === undefined) node.parts.set(element, next);
      node = next;
    }
    node.isMember = true;
  }
  const bodyOf = ({ isMember, parts }: Node): Body => ({
    ...(isMember && parts.size > 0 ? { '.': {} } : {}),
    ...Object.fromEntries(
      [...parts]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([element, part]) => [element, bodyOf(part)]),
    ),
  });
  return bodyOf(root);
}
