import { type ApiObject, keyOf, type Uid } from '../../model/index.ts';
import { groupedBy, groupedByEach } from '../../text/layout.ts';
import { cyclesAmong } from '../../text/orders.ts';

type Objects = readonly ApiObject[];

/** What is made of something that never changes, once for each. */
export function remembered<Key extends object, Made extends NonNullable<unknown> | null>(
  make: (key: Key) => Made,
): (key: Key) => Made {
  const known = new WeakMap<Key, Made>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/** Of names or store keys. */
export const setOf: (list: readonly string[]) => ReadonlySet<string> = remembered(
  (list) => new Set(list),
);

export const byUidIn: (objects: Objects) => ReadonlyMap<Uid, ApiObject> = remembered(
  (objects) => new Map(objects.map((object) => [object.uid, object])),
);

/** By uid: the place in the list. */
export const placesIn: (objects: Objects) => ReadonlyMap<Uid, number> = remembered(
  (objects) => new Map(objects.map(({ uid }, place) => [uid, place])),
);

export const namesakesIn: (objects: Objects) => ReadonlyMap<string, Objects> = remembered(
  (objects) => groupedBy(objects, ({ name }) => name),
);

/** By `NAME.NAMESPACE`. */
export const qualifiedIn: (objects: Objects) => ReadonlyMap<string, Objects> = remembered(
  (objects) => groupedBy(objects, ({ name, namespace }) => `${name}.${namespace}`),
);

/** By store key. */
export const byKeyIn: (objects: Objects) => ReadonlyMap<string, ApiObject> = remembered(
  (objects) => new Map<string, ApiObject>(objects.map((object) => [keyOf(object), object])),
);

/** The definition of this name. */
export function definitionIn(objects: Objects, name: string): ApiObject | undefined {
  const kind = 'CustomResourceDefinition.apiextensions.k8s.io';
  return byKeyIn(objects).get(keyOf({ kind, namespace: '', name }));
}

/** By uid of an owner, which need not be there: the objects that refer to it, each once. */
export const dependentsIn: (objects: Objects) => ReadonlyMap<Uid, Objects> = remembered((objects) =>
  groupedByEach(objects, ({ ownerReferences }) => new Set(ownerReferences.map(({ uid }) => uid))),
);

/**
 * By uid of each object that owners lead back to: all objects that lead to it and back, in the
 * order of the list.
 */
export const cyclesIn: (objects: Objects) => ReadonlyMap<Uid, Objects> = remembered((objects) => {
  const byUid = byUidIn(objects);
  const cycles = cyclesAmong(objects, ({ ownerReferences }) =>
    ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? []),
  );
  return new Map([...cycles].map(([{ uid }, cycle]) => [uid, cycle]));
});

/** By name of a namespace; the empty name has what is in none. */
export const contentsIn: (objects: Objects) => ReadonlyMap<string, Objects> = remembered(
  (objects) => groupedBy(objects, ({ namespace }) => namespace),
);

/** The objects of a store, in one list. */
export const storedIn: (store: Readonly<Record<string, ApiObject>>) => Objects = remembered(
  (store) => Object.values(store),
);

export const byKindIn: (objects: Objects) => ReadonlyMap<string, Objects> = remembered((objects) =>
  groupedBy(objects, ({ kind }) => kind),
);

/** By store key of a claim: the volumes that are for it. */
export const volumesIn: (objects: Objects) => ReadonlyMap<string | undefined, Objects> = remembered(
  (objects) => groupedBy(objects, ({ volume }): string | undefined => volume?.claim),
);

/** By store key of a claim: the pods that use it. */
export const claimantsIn: (objects: Objects) => ReadonlyMap<string, Objects> = remembered(
  (objects) => {
    const uses = objects.flatMap((pod) =>
      [...new Set(pod.pod?.claims)].map((name) => ({
        pod,
        claim: keyOf({ kind: 'PersistentVolumeClaim', namespace: pod.namespace, name }),
      })),
    );
    const groups = [...groupedBy(uses, ({ claim }) => claim as string)];
    return new Map(groups.map(([claim, found]) => [claim, found.map(({ pod }) => pod)]));
  },
);
