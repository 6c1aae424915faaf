import { type ApiObject, keyOf, type Workload } from '../../../model/index.ts';
import { type Cast, type CreateStep, NAMESPACE, podOn } from './fixture.ts';
import { plainStepsOf, type Step } from './steps.ts';

/**
 * What the Deployment and ReplicaSet controllers may create in a recorded scenario. A Deployment has
 * one ReplicaSet at a time, whose name comes from its template; the name of a pod is new each time.
 * A uid with `+` is that of a replacement.
 */
export function workloadsOf(
  cast: Cast,
  steps: readonly Step[],
  replacements: number,
): readonly Workload[] {
  return plainStepsOf(steps).flatMap((step) => {
    if (step.do !== 'create') return [];
    const object = cast.createdBy(step);
    switch (step.kind) {
      case 'Deployment':
        return deployment(cast, step, object, replacements);
      case 'ReplicaSet':
        return [replicaSet(cast, step, object, replacements)];
      default:
        return [];
    }
  });
}

function deployment(
  cast: Cast,
  step: CreateStep,
  object: ApiObject,
  replacements: number,
): readonly Workload[] {
  const children = numbered(1, replacements).map((suffix) =>
    child(cast, 'ReplicaSet', `${object.uid}-rs`, `${object.uid}-rs${suffix}`, object),
  );
  return [
    { parent: { key: keyOf(object), uid: object.uid }, replicas: 1, children },
    ...children.map((set) => replicaSet(cast, step, set, replacements)),
  ];
}

function replicaSet(
  cast: Cast,
  step: CreateStep,
  object: ApiObject,
  replacements: number,
): Workload {
  const replicas = step.replicas ?? 1;
  const children = numbered(replicas, replacements).map((suffix) => ({
    ...child(cast, 'Pod', `${object.uid}-pod${suffix}`, `${object.uid}-pod${suffix}`, object),
    pod: podOn(step.node),
  }));
  return { parent: { key: keyOf(object), uid: object.uid }, replicas, children };
}

function numbered(wanted: number, replacements: number): readonly string[] {
  return Array.from({ length: wanted + replacements }, (_, index) =>
    index < wanted ? `${index + 1}` : `+${index + 1 - wanted}`,
  );
}

function child(
  cast: Cast,
  kindName: string,
  name: string,
  uid: string,
  parent: ApiObject,
): ApiObject {
  const kind = cast.kind(kindName);
  const owner = cast.kinds[parent.kind];
  return {
    kind: kind.name,
    namespace: NAMESPACE,
    name,
    uid,
    generation: kind.generation ? 1 : 0,
    finalizers: [],
    ownerReferences: [
      {
        apiVersion: owner?.apiVersions[0] ?? '',
        kind: owner?.kind ?? '',
        name: parent.name,
        uid: parent.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
  };
}

/** Everything that they may create, parents before children. */
export function allChildren(workloads: readonly Workload[]): readonly ApiObject[] {
  return workloads.flatMap(({ children }) => children);
}
