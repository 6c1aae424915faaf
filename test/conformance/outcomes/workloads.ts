import { type ApiObject, keyOf, type Workload } from '../../../model/index.ts';
import { type CreateStep, type Fixture, NAMESPACE, podOn } from './fixture.ts';
import { plainStepsOf, type Step } from './steps.ts';

/**
 * The objects that the Deployment and ReplicaSet controllers may create in a recorded scenario. A
 * Deployment has one ReplicaSet at a time, whose name comes from its template; pods get a new name
 * each time. The uid of a replacement has a `+`.
 */
export function workloadsOf(
  fixture: Fixture,
  steps: readonly Step[],
  replacements: number,
): readonly Workload[] {
  return plainStepsOf(steps).flatMap((step) => {
    if (step.do !== 'create') return [];
    const object = fixture.createdBy(step);
    switch (step.kind) {
      case 'Deployment':
        return deployment(fixture, step, object, replacements);
      case 'ReplicaSet':
        return [replicaSet(fixture, step, object, replacements)];
      default:
        return [];
    }
  });
}

function deployment(
  fixture: Fixture,
  step: CreateStep,
  object: ApiObject,
  replacements: number,
): readonly Workload[] {
  const children = numbered(1, replacements).map((suffix) =>
    child(fixture, 'ReplicaSet', `${object.uid}-rs`, `${object.uid}-rs${suffix}`, object),
  );
  return [
    { parent: { key: keyOf(object), uid: object.uid }, replicas: 1, children },
    ...children.map((set) => replicaSet(fixture, step, set, replacements)),
  ];
}

function replicaSet(
  fixture: Fixture,
  step: CreateStep,
  object: ApiObject,
  replacements: number,
): Workload {
  const replicas = step.replicas ?? 1;
  const children = numbered(replicas, replacements).map((suffix) => ({
    ...child(fixture, 'Pod', `${object.uid}-pod${suffix}`, `${object.uid}-pod${suffix}`, object),
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
  fixture: Fixture,
  kindName: string,
  name: string,
  uid: string,
  parent: ApiObject,
): ApiObject {
  const kind = fixture.kind(kindName);
  const owner = fixture.kinds[parent.kind];
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

/** All objects that the controllers may create, parents before children. */
export function allChildren(workloads: readonly Workload[]): readonly ApiObject[] {
  return workloads.flatMap(({ children }) => children);
}
