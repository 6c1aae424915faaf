import type { Call, UpdateCall } from '../state/calls.ts';
import type { Cluster } from '../state/cluster.ts';
import { kindOf } from '../state/keys.ts';
import { identityOfNode } from '../state/nodes.ts';
import type { Identity, ObjectKey, OwnerReference, Uid } from '../state/objects.ts';
import type { DeleteWorker, OrphanWorker, Policy } from '../state/workers.ts';
import type { World } from '../state/world.ts';
import { knowsAbsent } from './absent-owners.ts';
import { lookUpItem, lookUpOwner } from './lookup.ts';

/** The target of a request of the collector, in terms of its URL. */
export interface RequestTarget {
  /** Key in the store. */
  readonly key: ObjectKey;
  readonly apiVersion: string;
  readonly resource: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

/** A request of the collector with its body, as it arrives at the API server. */
export type CollectorRequest = RequestTarget &
  (
    | { readonly verb: 'get' }
    | {
        readonly verb: 'delete';
        readonly propagationPolicy: Policy | null;
        readonly uidPrecondition: Uid | null;
        /** The request demands the version that the worker has read. */
        readonly versionPrecondition: boolean;
      }
    /** The whole object as the worker has read it, with these finalizers. */
    | { readonly verb: 'update'; readonly uid: Uid | null; readonly finalizers: readonly string[] }
    | { readonly verb: 'patch'; readonly patch: CollectorPatch }
  );

/** Body of a patch. `strategicMerge` carries the uid of the object, `merge` a resourceVersion. */
export type CollectorPatch =
  | {
      readonly type: 'strategicMerge';
      readonly do: 'removeOwners';
      readonly uids: readonly Uid[];
      readonly uidPrecondition: Uid | null;
    }
  | {
      readonly type: 'strategicMerge';
      readonly do: 'unblockOwners';
      readonly ownerReferences: readonly OwnerReference[];
      readonly uidPrecondition: Uid | null;
    }
  /** The complete list of references that remain, or that stop blocking. */
  | {
      readonly type: 'merge';
      readonly do: 'setOwners';
      readonly ownerReferences: readonly OwnerReference[];
    }
  | {
      readonly type: 'merge';
      readonly do: 'setFinalizers';
      readonly finalizers: readonly string[];
    };

/**
 * The API call that this worker sends with its next step. Null if that step only reads the
 * collector's own memory, or if the API server continues a call that was sent before.
 *
 * @param dependent selects one of the parallel patches of an orphan worker.
 */
export function requestOf(
  world: World,
  cluster: Cluster,
  worker: DeleteWorker | OrphanWorker,
  dependent?: Uid,
): CollectorRequest | null {
  const item = identityOfNode(worker.node);
  switch (worker.at) {
    case 'getItem':
    case 'getForFinalizer':
    case 'awaitGeneration':
    case 'getAfterConflict':
      return getOf(world, cluster, item);
    case 'getOwner': {
      const reference = worker.live.ownerReferences[worker.classes.length];
      if (reference === undefined || knowsAbsent(cluster, world, reference, item.namespace)) {
        return null;
      }
      return getOfOwner(world, cluster, reference, item.namespace);
    }
    case 'readOwners':
    case 'searchCycle':
    case 'readDependents':
    case 'readBlockingDependents':
      return null;
    case 'patchOwners':
    case 'unblockOwners':
    case 'patchFinalizer':
    case 'delete':
      return sent(world, cluster, worker.call, item.apiVersion);
    case 'patchDependents': {
      const call = dependent === undefined ? undefined : worker.calls[dependent];
      if (dependent === undefined || call === undefined) return null;
      const version = cluster.graph[dependent]?.identity.apiVersion;
      return sent(world, cluster, call, version ?? preferredVersion(world, call.key));
    }
    default:
      throw new Error(`unknown worker state ${JSON.stringify(worker satisfies never)}`);
  }
}

function getOf(world: World, cluster: Cluster, identity: Identity): CollectorRequest | null {
  const lookup = lookUpItem(world, identity, cluster);
  if (lookup.kind !== 'key') return null;
  return { verb: 'get', ...targetOf(world, lookup.key, identity.apiVersion) };
}

function getOfOwner(
  world: World,
  cluster: Cluster,
  reference: OwnerReference,
  namespace: string,
): CollectorRequest | null {
  const lookup = lookUpOwner(world, reference, namespace, cluster);
  if (lookup.kind !== 'key') return null;
  return { verb: 'get', ...targetOf(world, lookup.key, reference.apiVersion) };
}

function sent(
  world: World,
  cluster: Cluster,
  call: Call,
  apiVersion: string,
): CollectorRequest | null {
  if (call.verb === 'delete') {
    if (call.at !== 'get') return null;
    return {
      verb: 'delete',
      ...targetOf(world, call.key, apiVersion),
      propagationPolicy: call.options.propagationPolicy ?? null,
      uidPrecondition: call.options.preconditions?.uid ?? null,
      versionPrecondition: call.options.preconditions?.resourceVersion !== undefined,
    };
  }
  if (call.verb !== 'update' || call.at !== 'update') return null;
  if (call.put && call.change.do === 'setFinalizers') {
    const { finalizers } = call.change;
    return { verb: 'update', ...targetOf(world, call.key, apiVersion), uid: call.uid, finalizers };
  }
  return {
    verb: 'patch',
    ...targetOf(world, call.key, apiVersion),
    patch: patchOf(cluster, call),
  };
}

function patchOf(cluster: Cluster, call: UpdateCall): CollectorPatch {
  const { change } = call;
  switch (change.do) {
    case 'setFinalizers':
      return { type: 'merge', do: 'setFinalizers', finalizers: change.finalizers };
    case 'setOwnerReferences':
      return { type: 'merge', do: 'setOwners', ownerReferences: change.ownerReferences };
    case 'unblockOwners':
      return {
        type: 'strategicMerge',
        do: 'unblockOwners',
        ownerReferences: change.ownerReferences,
        uidPrecondition: call.uid,
      };
    case 'removeOwners': {
      if (call.strategicMerge === true) {
        const { uids } = change;
        return { type: 'strategicMerge', do: 'removeOwners', uids, uidPrecondition: call.uid };
      }
      const rest = (cluster.store[call.key]?.ownerReferences ?? []).filter(
        ({ uid }) => !change.uids.includes(uid),
      );
      return { type: 'merge', do: 'setOwners', ownerReferences: rest };
    }
    default:
      throw new Error(`the collector does not patch with ${change.do}`);
  }
}

function targetOf(world: World, key: ObjectKey, apiVersion: string): RequestTarget {
  const [kind = '', namespace = '', name = ''] = key.split('/');
  return { key, apiVersion, resource: world.kinds[kind]?.resource ?? kind, namespace, name };
}

function preferredVersion(world: World, key: ObjectKey): string {
  return world.kinds[kindOf(key)]?.apiVersions[0] ?? '';
}
