import {
  type ApiObject,
  type Cluster,
  type Kind,
  type ObjectKey,
  objectKey,
  type Rules,
  SLOTS,
  type World,
} from '../../../model/index.ts';
import { asPolicy, type GivenObject, type SequenceGiven } from './shapes.ts';

/** The one store of a `store-sequence`, with what its strategy says, as a world of the model. */

const NAMESPACE = 'default';

/** The kind that the store holds. Its strategy checks finalizer names like that of custom kinds. */
export const STORED = 'Stored.example.test';

function storedKind({ store }: SequenceGiven): Kind {
  return {
    name: STORED,
    kind: 'Stored',
    apiVersions: ['example.test/v1'],
    resource: 'stored',
    namespaced: true,
    defaultPolicy: asPolicy(store.defaultPolicy),
    graceful: store.graceful,
    // The objects of the cases bring their generation.
    generation: false,
    storage: 'generic',
    finalizerNames: 'qualified',
    watched: true,
  };
}

export function worldOf(given: SequenceGiven, rules: Rules): World {
  return {
    kinds: { [STORED]: storedKind(given) },
    rules: given.store.gcEnabled ? rules : { ...rules, collectorFinalizers: 'disabled' },
    absentOwnerCapacity: Number.POSITIVE_INFINITY,
  };
}

export function keyNamed(name: string): ObjectKey {
  return objectKey(STORED, NAMESPACE, name);
}

/** A graceful kind of the cases takes the grace period that is asked for, else its default. */
export function objectOf({ store }: SequenceGiven, object: GivenObject): ApiObject {
  return {
    kind: STORED,
    namespace: NAMESPACE,
    name: object.name,
    uid: object.uid ?? `uid of ${object.name}`,
    generation: object.generation ?? 0,
    finalizers: object.finalizers ?? [],
    ownerReferences: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    ...(store.graceful
      ? {
          pod: {
            terminationGracePeriodSeconds: store.defaultGraceSeconds ?? null,
            scheduled: object.scheduled ?? true,
            finished: false,
          },
        }
      : {}),
  };
}

export function givenObjects(given: SequenceGiven): readonly GivenObject[] {
  return [...(given.object === undefined ? [] : [given.object]), ...(given.objects ?? [])];
}

/** The client that has read the object at this version. */
export function readerAt(resourceVersion: string): string {
  return `reader at ${resourceVersion}`;
}

/** Nothing stored, nobody at work. */
export const EMPTY_CLUSTER = Object.fromEntries(
  Object.keys(SLOTS).map((slot) => [slot, {}]),
) as unknown as Cluster;
