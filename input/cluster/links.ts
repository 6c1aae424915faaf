import { type ApiObject, type Kind, type KindTable, keyOf } from '../../model/index.ts';

/**
 * What deletion follows besides owner references. A namespace takes its contents, a definition its
 * instances. A claim waits for the pods that mount it, a volume for its claim.
 */
export interface Links {
  /** Objects that are deleted because this one is. */
  readonly takenWith: (object: ApiObject) => readonly ApiObject[];
  /** Objects that can hold this one back, though nothing deletes them for its sake. */
  readonly waitedFor: (object: ApiObject) => readonly ApiObject[];
}

export function linksOf(objects: readonly ApiObject[], kinds: KindTable): Links {
  const byKey = new Map(objects.map((object) => [keyOf(object), object]));
  const byNamespace = grouped(objects, ({ namespace }) => namespace);
  const byDefinition = grouped(objects, ({ kind }) => definitionName(kinds[kind]));
  const mounts = grouped(
    objects.flatMap((pod) => (pod.pod?.claims ?? []).map((claim) => ({ pod, claim }))),
    ({ pod, claim }) => `${pod.namespace}/${claim}`,
  );
  return {
    takenWith: (object) => {
      switch (kinds[object.kind]?.storage) {
        case 'namespace':
          return byNamespace.get(object.name) ?? [];
        case 'customResourceDefinition':
          return byDefinition.get(object.name) ?? [];
        default:
          return [];
      }
    },
    waitedFor: (object) => {
      if (object.kind === 'PersistentVolumeClaim') {
        const found = mounts.get(`${object.namespace}/${object.name}`) ?? [];
        return found.map(({ pod }) => pod);
      }
      const claim = object.volume === undefined ? undefined : byKey.get(object.volume.claim);
      return claim === undefined ? [] : [claim];
    },
  };
}

function grouped<Value>(
  values: readonly Value[],
  keyOfValue: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOfValue(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** The name of the definition of a kind: `PLURAL.GROUP`. */
function definitionName(kind: Kind | undefined): string {
  return kind === undefined ? '' : `${kind.resource}.${(kind.apiVersions[0] ?? '').split('/')[0]}`;
}
