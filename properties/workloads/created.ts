import type { Parameters } from '../../checker/index.ts';
import {
  type ApiObject,
  type Cluster,
  formatKey,
  isBeingDeleted,
  keyOf,
  mayHaveLived,
  type ObjectKey,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOf, stored, storedOwner } from '../relations.ts';

/** An object that goes with the object of a controller. */
interface Belonging extends Parameters {
  readonly key: ObjectKey;
  readonly uid: string;
  /** The object of the controller. */
  readonly parent: ObjectKey;
  readonly parentUid: string;
}

/**
 * What controllers create, and what a described controller deletes with its object: the latter
 * stands for things outside of the cluster, too.
 */
function belongings(setup: Setup): readonly Belonging[] {
  const { workloads = [], operators = [], objects } = setup;
  const byKey = new Map(objects.map((object, place) => [keyOf(object), { object, place }]));
  const pairs = [
    ...workloads.map(({ parent, children }) => ({ parent, objects: children })),
    ...operators.map(({ parent, creates, createsInTeardown = [], deletes }) => ({
      parent,
      objects: [
        ...creates,
        ...createsInTeardown,
        ...[...new Set(deletes.map(({ key }) => key))]
          .flatMap((key) => byKey.get(key) ?? [])
          .sort((one, other) => one.place - other.place)
          .map(({ object }) => object),
      ],
    })),
  ];
  return pairs.flatMap(({ parent, objects: belonging }) =>
    belonging.map((object) => ({
      key: keyOf(object),
      uid: object.uid,
      parent: parent.key,
      parentUid: parent.uid,
    })),
  );
}

/**
 * Whether it has lost its reference to the object of the controller, or has an owner that exists.
 */
function isHandedOn(
  setup: Setup,
  cluster: Cluster,
  object: ApiObject,
  wasOwned: boolean,
  { parentUid }: Parameters,
): boolean {
  if (wasOwned && !object.ownerReferences.some(({ uid }) => uid === parentUid)) return true;
  return object.ownerReferences.some(
    (reference) => storedOwner(setup, cluster, object, reference) !== null,
  );
}

export const CREATED_OBJECTS_GO = defineProperty({
  id: 'created-objects-go',
  group: 'workloads, nodes, storage',
  name: 'what a controller has created goes with its object',
  kind: 'eventually',
  judgesObjects: 'parameters',
  about:
    'Once the object of a controller is gone, each object that the controller has created for it ' +
    'is deleted or handed on: it loses its reference to that object, or has an owner that exists. ' +
    'The same goes for what a described controller deletes with its object, such as an object ' +
    'that stands for a disk outside of the cluster.',
  trigger: 'the object of a controller is gone, and what was created for it is there',
  source:
    'Kubernetes documentation, Finalizers: "clean up related resources or infrastructure"; ' +
    'Kubernetes documentation, Garbage Collection: "Kubernetes checks for and deletes objects ' +
    'that no longer have owner references"',
  build: (setup) => {
    const owned = new Set(
      [...(setup.workloads ?? []), ...(setup.operators ?? [])].flatMap((controller) => {
        const children =
          'children' in controller
            ? controller.children
            : [...controller.creates, ...(controller.createsInTeardown ?? [])];
        return children
          .filter(({ ownerReferences }) =>
            ownerReferences.some(({ uid }) => uid === controller.parent.uid),
          )
          .map(({ uid }) => uid);
      }),
    );
    const left = (cluster: Cluster, which: Parameters): ApiObject | null => {
      const object = stored(cluster, which);
      if (object === null || isBeingDeleted(object)) return null;
      if (cluster.store[String(which.parent)]?.uid === which.parentUid) return null;
      if (!mayHaveLived(setup, cluster, String(which.parentUid))) return null;
      return isHandedOn(setup, cluster, object, owned.has(object.uid), which) ? null : object;
    };
    return {
      parameters: belongings(setup),
      trigger: (cluster, which) => left(cluster, which) !== null,
      goal: (cluster, which) => left(cluster, which) === null,
      explain: (cluster, which) => {
        const object = left(cluster, which);
        if (object === null) return [];
        return [
          `${nameOf(object)} stays: ${formatKey(String(which.parent))}, to which it belongs, is gone`,
        ];
      },
    };
  },
});
