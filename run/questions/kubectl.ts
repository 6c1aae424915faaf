import { objectWords } from '../../input/manifests/object-words.ts';
import type { ApiObject, KindTable } from '../../model/index.ts';
import { shellQuoted } from '../../text/layout.ts';

/** Commands for a shell. Every word that comes from a dump is quoted. */

export function kubectl(verb: string, object: ApiObject, kinds: KindTable, flags = ''): string {
  return `kubectl ${verb} ${objectWords(object, kinds)}${flags === '' ? '' : ` ${flags}`}`;
}

/**
 * A JSON patch that takes these finalizers off and keeps the others. It fails if the list has
 * changed in the meantime.
 */
export function withoutFinalizers(
  object: ApiObject,
  finalizers: readonly string[],
  kinds: KindTable,
): string {
  const places = [...object.finalizers.entries()]
    .filter(([, name]) => finalizers.includes(name))
    .reverse();
  return patch(
    object,
    kinds,
    places.flatMap(([index, value]) => taken(`/metadata/finalizers/${index}`, '', value)),
  );
}

/** A JSON patch that removes the reference to this owner. It fails if the list has changed. */
export function withoutOwner(object: ApiObject, owner: ApiObject, kinds: KindTable): string {
  const index = object.ownerReferences.findIndex(({ uid }) => uid === owner.uid);
  return patch(object, kinds, taken(`/metadata/ownerReferences/${index}`, '/uid', owner.uid));
}

function taken(path: string, field: string, value: string): readonly object[] {
  return [
    { op: 'test', path: `${path}${field}`, value },
    { op: 'remove', path },
  ];
}

function patch(object: ApiObject, kinds: KindTable, operations: readonly object[]): string {
  return kubectl(
    'patch',
    object,
    kinds,
    `--type=json -p ${shellQuoted(JSON.stringify(operations))}`,
  );
}

/** The finalize subresource with this list of `spec.finalizers`. */
export function finalizeCommand({ name }: ApiObject, finalizers: readonly string[]): string {
  const body = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
    spec: { finalizers },
  };
  const path = `/api/v1/namespaces/${name}/finalize`;
  return `echo ${shellQuoted(JSON.stringify(body))} | kubectl replace --raw ${shellQuoted(path)} -f -`;
}
