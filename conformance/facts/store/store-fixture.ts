import {
  type ApiObject,
  type Kind,
  type ObjectKey,
  objectKey,
  type Rules,
  type World,
} from '../../../model/index.ts';
import { genericKind, newObject, withCollector } from '../fixtures.ts';
import { asPolicy, type GivenObject, type SequenceGiven } from './shapes.ts';

/** The store of a `store-sequence` and its strategy, as a world of the model. */

const NAMESPACE = 'default';

/** The kind in the store. Its strategy checks finalizer names like that of custom kinds. */
export const STORED = 'Stored.example.test';

function storedKind({ store }: SequenceGiven): Kind {
  return genericKind({
    name: STORED,
    kind: 'Stored',
    apiVersions: ['example.test/v1'],
    resource: 'stored',
    namespaced: true,
    defaultPolicy: asPolicy(store.defaultPolicy),
    graceful: store.graceful,
    finalizerNames: 'qualified',
  });
}

export function worldOf(given: SequenceGiven, rules: Rules): World {
  return {
    kinds: { [STORED]: storedKind(given) },
    rules: withCollector(rules, given.store.gcEnabled),
    absentOwnerCapacity: Number.POSITIVE_INFINITY,
  };
}

export function keyNamed(name: string): ObjectKey {
  return objectKey(STORED, NAMESPACE, name);
}

/**
 * An object before its creation. For a graceful kind, the default grace period is that of the
 * store.
 */
export function objectOf({ store }: SequenceGiven, object: GivenObject): ApiObject {
  const { name, uid = `uid of ${name}`, generation = 0, finalizers = [] } = object;
  const pod = {
    terminationGracePeriodSeconds: store.defaultGraceSeconds ?? null,
    scheduled: object.scheduled ?? true,
    finished: false,
  };
  return newObject(
    { kind: STORED, namespace: NAMESPACE, name, uid },
    { generation, finalizers, ...(store.graceful ? { pod } : {}) },
  );
}

export function givenObjects(given: SequenceGiven): readonly GivenObject[] {
  return [...(given.object === undefined ? [] : [given.object]), ...(given.objects ?? [])];
}

/** The client that read the object at this version. */
export function readerAt(resourceVersion: string): string {
  return `reader at ${resourceVersion}`;
}
