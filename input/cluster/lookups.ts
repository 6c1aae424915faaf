import { type ApiObject, keyOf, type Uid } from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';

type Objects = readonly ApiObject[];

/** Objects by what names them. Lists of objects never change, so each list is indexed once. */
function remembered<Index>(index: (objects: Objects) => Index): (objects: Objects) => Index {
  const known = new WeakMap<Objects, Index>();
  return (objects) => {
    const found = known.get(objects) ?? index(objects);
    known.set(objects, found);
    return found;
  };
}

export const byUidIn: (objects: Objects) => ReadonlyMap<Uid, ApiObject> = remembered(
  (objects) => new Map(objects.map((object) => [object.uid, object])),
);

/** By store key. */
export const byKeyIn: (objects: Objects) => ReadonlyMap<string, ApiObject> = remembered(
  (objects) => new Map<string, ApiObject>(objects.map((object) => [keyOf(object), object])),
);

/** By uid of an owner, which need not be there: the objects that refer to it, each once. */
export const dependentsIn: (objects: Objects) => ReadonlyMap<Uid, Objects> = remembered(
  (objects) => {
    const found = new Map<Uid, ApiObject[]>();
    for (const object of objects) {
      for (const uid of new Set(object.ownerReferences.map((reference) => reference.uid))) {
        const known = found.get(uid);
        if (known === undefined) found.set(uid, [object]);
        else known.push(object);
      }
    }
    return found;
  },
);

/** By name of a namespace; the empty name has what is in none. */
export const contentsIn: (objects: Objects) => ReadonlyMap<string, Objects> = remembered(
  (objects) => groupedBy(objects, ({ namespace }) => namespace),
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
