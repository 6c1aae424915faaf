import { DEFAULT_PROTOCOL, PROTOCOLS } from '../../model/rules/protocols.ts';
import type { DeleteCall, DeleteOptions, UpdateCall } from '../../model/state/calls.ts';
import { type Cluster, EMPTY_CLUSTER, type GraphNode } from '../../model/state/cluster.ts';
import { identityIn } from '../../model/state/instances.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import { type NodeId, nodeId } from '../../model/state/nodes.ts';
import {
  type ApiObject,
  keyOf,
  type ObjectKey,
  type OwnerReference,
} from '../../model/state/objects.ts';
import type { Setup, UserRequest } from '../../model/state/setup.ts';

/** Small setups and states, written by hand. */

export const HOLD = 'example.com/hold';

export function object(kind: string, name: string, more: Partial<ApiObject> = {}): ApiObject {
  return {
    kind,
    namespace: 'default',
    name,
    uid: `uid-${name}`,
    generation: 0,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    ...more,
  };
}

export function configMap(name: string, more: Partial<ApiObject> = {}): ApiObject {
  return object('ConfigMap', name, more);
}

/** An object that these finalizers hold, as a DELETE leaves it. */
export function deletedWith(...finalizers: readonly string[]): Partial<ApiObject> {
  return { deletionTimestamp: 0, deletionGracePeriodSeconds: 0, finalizers };
}

/** A reference to the ConfigMap of that name. It blocks by default. */
export function ownedBy(name: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name,
    uid: `uid-${name}`,
    blockOwnerDeletion: true,
    ...more,
  };
}

export function setupOf(objects: readonly ApiObject[], more: Partial<Setup> = {}): Setup {
  const rules = PROTOCOLS[DEFAULT_PROTOCOL];
  if (rules === undefined) throw new Error('the default protocol is missing');
  return {
    name: 'by hand',
    kinds: BUILT_IN_KINDS,
    rules,
    objects,
    users: {},
    finalizers: { [HOLD]: 'cooperative' },
    deleteWorkers: 1,
    orphanWorkers: 1,
    caches: 'synced',
    relists: {},
    ...more,
  };
}

/** One user, `alice`, with these requests. */
export function alice(...requests: readonly UserRequest[]): Pick<Setup, 'users'> {
  return { users: { alice: requests.map((request) => ({ request, after: [] })) } };
}

/** A state with these objects and everything else at rest. The graph mirrors the store. */
export function clusterOf(objects: readonly ApiObject[], more: Partial<Cluster> = {}): Cluster {
  return {
    ...EMPTY_CLUSTER,
    store: Object.fromEntries(objects.map((one) => [keyOf(one), one])),
    watch: { ConfigMap: [] },
    ...graphOf(objects),
    ...more,
  };
}

/** The collector's graph of these objects. */
export function graphOf(objects: readonly ApiObject[]): Pick<Cluster, 'graph' | 'dependents'> {
  const dependents: Record<string, string[]> = {};
  for (const { uid, ownerReferences } of objects) {
    for (const reference of ownerReferences) {
      dependents[reference.uid] = [...(dependents[reference.uid] ?? []), uid].sort();
    }
  }
  return { graph: Object.fromEntries(objects.map((one) => [one.uid, graphNode(one)])), dependents };
}

export function graphNode(one: ApiObject, more: Partial<GraphNode> = {}): GraphNode {
  return {
    identity: identityIn({ kinds: BUILT_IN_KINDS }, one),
    virtual: false,
    beingDeleted: one.deletionTimestamp !== null,
    deletingDependents: one.finalizers.includes('foregroundDeletion'),
    owners: one.ownerReferences,
    ...more,
  };
}

export function nodeOf(one: ApiObject): NodeId {
  return nodeId(identityIn({ kinds: BUILT_IN_KINDS }, one));
}

export function deleteCall(
  key: ObjectKey,
  at: DeleteCall['at'],
  options: DeleteOptions = {},
): DeleteCall {
  return { verb: 'delete', client: 'alice', key, options, at };
}

export function updateCall(
  key: ObjectKey,
  at: UpdateCall['at'],
  change: UpdateCall['change'],
): UpdateCall {
  return {
    verb: 'update',
    client: 'alice',
    key,
    change,
    uid: null,
    put: false,
    resourceVersion: false,
    at,
  };
}

/** A delete worker that holds this object before its DELETE. */
export function collecting(
  one: ApiObject,
  at: DeleteCall['at'],
  options: DeleteOptions = { propagationPolicy: 'Background', preconditions: { uid: one.uid } },
): Pick<Cluster, 'deleteWorkers' | 'processing'> {
  const node = nodeOf(one);
  const call: DeleteCall = { verb: 'delete', client: 'delete-1', key: keyOf(one), options, at };
  return {
    deleteWorkers: { 'delete-1': { at: 'delete', node, call } },
    processing: { [node]: 'current' },
  };
}
