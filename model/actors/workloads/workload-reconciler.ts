import type { ItemCall } from '../../state/calls.ts';
import { controllerClient } from '../../state/client-names.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { cached, managerInformer } from '../../state/informers.ts';
import { kindOf } from '../../state/keys.ts';
import { isBeingDeleted, type ObjectKey, type Uid } from '../../state/objects.ts';
import type { Setup, Workload } from '../../state/setup.ts';
import { cachedWorkloads, candidates, controllerReference } from '../../state/workloads.ts';
import type { Informer } from '../../state/world.ts';
import { childAsCreated } from './creation.ts';
import type { Look, Task } from './plan.ts';
import type { Reconciler } from './reconciling.ts';
import { hasExpectations, planWorkload } from './workload-plan.ts';

/** The controllers of the workloads that decide on caches of their own. */
export function workloadReconcilers(setup: Setup): readonly Reconciler[] {
  return cachedWorkloads(setup).map((workload) => workloadReconciler(setup, workload));
}

/** The controller manager has one informer for each kind, shared by all of its controllers. */
export function managerInformers(setup: Setup): readonly Informer[] {
  const workloads = cachedWorkloads(setup);
  const kinds = workloads.flatMap((workload) => keysOf(workload).map(kindOf));
  return [...new Set(kinds)].map((kind) => ({
    name: managerInformer(kind),
    words: 'the controllers',
    kind,
    inManager: true,
    readers: workloads
      .filter((workload) => keysOf(workload).some((key) => kindOf(key) === kind))
      .map(workloadClient),
  }));
}

function keysOf(workload: Workload): readonly ObjectKey[] {
  const claims = Object.values(workload.claims?.ofPods ?? {}).flat();
  return [workload.parent.key, ...candidates(workload), ...claims];
}

/** A DaemonSet has a controller with two tasks: its history and its pods. */
function workloadClient({ parent, children }: Workload): string {
  const client = controllerClient(parent.key, parent.uid);
  const ofHistory = children.some(({ kind }) => kind === 'ControllerRevision.apps');
  return ofHistory ? `${client}, history` : client;
}

function workloadReconciler(setup: Setup, workload: Workload): Reconciler {
  const client = workloadClient(workload);
  const { parent, children } = workload;
  return {
    client,
    words: `controller of ${parent.key}`,
    parent,
    children,
    uidsReturn: workload.uidsReturn === true,
    keys: keysOf(workload),
    plan: (cluster, isFree) =>
      planWorkload(workload, {
        rules: setup.rules,
        kinds: setup.kinds,
        look: lookOf(cluster),
        isFree,
        awaits: hasExpectations(workload) && awaits(cluster, workload),
      }),
    callFor: (task) => callFor(setup, workload, client, task),
  };
}

function lookOf(cluster: Cluster | ClusterDraft): Look {
  return (key) => cached(cluster, managerInformer(kindOf(key)), key);
}

/**
 * Whether the controller has not yet seen a child that it has created, or the deletion of one of
 * its children: mirrors `SatisfiedExpectations` of `ControllerExpectations` (1.20). The model does
 * not distinguish who has deleted a child.
 */
function awaits(cluster: Cluster | ClusterDraft, workload: Workload): boolean {
  const created = workload.children.map(({ uid }) => uid);
  return candidates(workload).some((key) => {
    const seen = cached(cluster, managerInformer(kindOf(key)), key);
    const later = laterVersions(cluster, managerInformer(kindOf(key)), key);
    return later.some((version) => {
      const isNew = version !== null && version.uid !== seen?.uid && created.includes(version.uid);
      const goes =
        seen !== null && !isBeingDeleted(seen) && isControlled(seen, workload.parent.uid);
      return isNew || (goes && (version?.uid !== seen.uid || isBeingDeleted(version)));
    });
  });
}

type Version = Cluster['store'][ObjectKey] | null;

/** The versions that the cache will hold under the key after the current one. */
function laterVersions(
  cluster: Cluster | ClusterDraft,
  informer: string,
  key: ObjectKey,
): readonly Version[] {
  const unseen = (cluster.unseen[informer] ?? []).filter((change) => change.key === key);
  if (unseen.length === 0) return [];
  return [...unseen.slice(1).map(({ before }) => before), cluster.store[key] ?? null];
}

function isControlled({ ownerReferences }: NonNullable<Version>, owner: Uid): boolean {
  return ownerReferences.some(({ uid, controller }) => uid === owner && controller === true);
}

/** Mirrors `RealPodControl` and the patches of `controller_ref_manager.go` (1.20). */
function callFor(setup: Setup, workload: Workload, client: string, task: Task): ItemCall {
  switch (task.do) {
    case 'create': {
      const child = workload.children.find(({ uid }) => uid === task.uid);
      if (child === undefined) throw new Error(`${client} has no child ${task.uid}`);
      return { verb: 'create', client, object: childAsCreated(setup, child) };
    }
    case 'delete':
      return { verb: 'delete', client, key: task.key, options: {}, at: 'get' };
    case 'adopt':
    case 'release':
      return {
        verb: 'update',
        client,
        key: task.key,
        change:
          task.do === 'adopt'
            ? { do: 'adopt', reference: controllerReference(setup, workload.parent) }
            : { do: 'removeOwners', uids: [workload.parent.uid] },
        uid: task.uid,
        put: false,
        resourceVersion: false,
        at: 'update',
      };
    case 'setOwners': {
      const { key, uid, ownerReferences } = task;
      const change = { do: 'setOwnerReferences', ownerReferences } as const;
      return {
        ...{ verb: 'update', client, key, change, uid },
        ...{ put: true, resourceVersion: false, at: 'update' },
      };
    }
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }
}
