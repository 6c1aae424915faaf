import {
  type ApiObject,
  type Cluster,
  cachedWorkloads,
  isBeingDeleted,
  isQuiet,
  keyOf,
  kindOf,
  refusalsOf,
  type Setup,
  surroundingsOf,
  type Workload,
} from '../model/index.ts';
import type { CatalogueEntry } from './catalogue.ts';

/** Whether the controllers of workloads keep what they are there to keep. */

/** Kinds whose children are known by their names; of the others only the number counts. */
const BY_NAME: readonly string[] = ['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps'];

/** The parent, if its controller is to look after it. */
function caredFor(cluster: Cluster, { parent }: Workload): ApiObject | null {
  const object = cluster.store[parent.key];
  if (object?.uid !== parent.uid || isBeingDeleted(object)) return null;
  return cluster.stopped.controllers === undefined ? object : null;
}

/** Children that could be created at once: nothing has their names. */
function creatable(cluster: Cluster, { children, uidsReturn }: Workload): readonly ApiObject[] {
  return children.filter(
    (child) =>
      cluster.store[keyOf(child)] === undefined &&
      (uidsReturn === true || cluster.budget[`child ${child.uid}`] !== undefined),
  );
}

/** Stored objects of which the parent is the controller. */
function controlled(cluster: Cluster, { parent, children, selects = [] }: Workload) {
  const keys = new Set([...children.map(keyOf), ...selects]);
  return [...keys].flatMap((key) => {
    const object = cluster.store[key];
    const owner = object?.ownerReferences.find(({ controller }) => controller === true);
    return object !== undefined && owner?.uid === parent.uid ? [object] : [];
  });
}

/** What the workload has too little or too much of, in words. */
function faults(setup: Setup, cluster: Cluster, workload: Workload): readonly string[] {
  const parent = caredFor(cluster, workload);
  if (parent === null) return [];
  const { parent: owner, children } = workload;
  const wanted = parent.replicas ?? workload.replicas;
  const free = creatable(cluster, workload);
  if (BY_NAME.includes(kindOf(owner.key))) {
    const names = [...new Set(children.map(keyOf))].slice(0, wanted);
    // A StatefulSet waits for one that is being deleted before it goes on to those after it.
    const waits = names.findIndex((key) => {
      const object = cluster.store[key];
      return object !== undefined && isBeingDeleted(object);
    });
    const isInTurn = kindOf(owner.key) === 'StatefulSet.apps' && waits >= 0;
    return (isInTurn ? names.slice(0, waits) : names)
      .filter((key) => free.some((child) => keyOf(child) === key))
      .map((key) => `${owner.key} lacks ${key}`);
  }
  const counts = setup.rules.terminatingPods === 'counted';
  const isJob = kindOf(owner.key) === 'Job.batch';
  const own = controlled(cluster, workload);
  const active = own.filter(
    (child) => child.pod?.finished !== true && (counts || !isBeingDeleted(child)),
  );
  const done = isJob ? own.filter(({ pod }) => pod?.finished === true) : [];
  const lacking = wanted - active.length - done.length;
  return [
    ...(lacking > 0 && free.length > 0 ? [`${owner.key} has ${lacking} too few`] : []),
    ...(active.some((child) => !isBeingDeleted(child)) && active.length > wanted
      ? [`${owner.key} has ${active.length - wanted} too many`]
      : []),
  ];
}

export const WORKLOADS_ARE_KEPT: CatalogueEntry = {
  name: 'a workload has what it wants when all is quiet',
  kind: 'invariant',
  about:
    'With nothing left to do, a workload that is not being deleted and whose controller has caches of ' +
    'its own has as many children as it wants, or those of the names that it wants, unless their ' +
    'names are taken or the API server refuses them.',
  trigger:
    'all is quiet, and a workload is not being deleted whose controller has caches of its own',
  source:
    'Kubernetes documentation, ReplicaSet: "A ReplicaSet\'s purpose is to maintain a stable set of ' +
    'replica Pods running at any given time"',
  fairness: 'none',
  build: (setup) => {
    const workloads = cachedWorkloads(setup);
    const world = surroundingsOf(setup);
    const of = (number: unknown): Workload | undefined => workloads[Number(number)];
    const isJudged = (cluster: Cluster, number: unknown): boolean => {
      const workload = of(number);
      if (workload === undefined || caredFor(cluster, workload) === null) return false;
      const keys = [workload.parent.key, ...workload.children.map(keyOf)];
      return isQuiet(setup, cluster) && refusalsOf(cluster, world, { ...workload, keys }) === '';
    };
    const found = (cluster: Cluster, number: unknown): readonly string[] => {
      const workload = of(number);
      return workload === undefined ? [] : faults(setup, cluster, workload);
    };
    return {
      kind: 'invariant',
      name: WORKLOADS_ARE_KEPT.name,
      parameters: workloads.map((_, number) => ({ number })),
      trigger: (cluster, { number }) => isJudged(cluster, number),
      holds: (cluster, { number }) => found(cluster, number).length === 0,
      explain: (cluster, { number }) => found(cluster, number),
    };
  },
};
