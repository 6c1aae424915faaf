import {
  type ApiObject,
  isBeingDeleted,
  type KindTable,
  keyOf,
  type ObjectKey,
  objectKey,
  type Workload,
} from '../../model/index.ts';
import { groupedBy, groupedByEach } from '../../text/layout.ts';
import type { Labels } from '../manifests/label-selector.ts';
import { displayName } from '../manifests/names.ts';
import { byKeyIn } from './lookups.ts';
import { repelledBy } from './new-pods/fits.ts';
import type { NodeStates } from './nodes.ts';
import type { Observation, WorkloadObservation } from './observations.ts';
import { currentReplicaSets, workloadOf } from './operating/revisions.ts';
import { claimsOfSet } from './set-claims.ts';
import { tolerationsOfDaemon } from './taints.ts';

/** An object that its controller makes anew once it is gone. */
export interface Replaced {
  /** Store key. */
  readonly object: string;
  /** Display name of the object that stays and whose controller acts. */
  readonly by: string;
  /** Whether the new one has the same name, and so comes only after the old one is gone. */
  readonly sameName: boolean;
}

export interface Replacing {
  /** Display name of the parent. */
  readonly name: string;
  readonly workload: Workload;
  readonly replaced: readonly Replaced[];
  /** Display names of the claims whose owner references the controller of a StatefulSet changes. */
  readonly claims: readonly string[];
}

interface Given {
  /** All objects of the dump: siblings that no deletion reaches count as well. */
  readonly all: readonly ApiObject[];
  readonly objects: readonly ApiObject[];
  readonly observations: ReadonlyMap<string, Observation>;
  /** By store key. */
  readonly labels: ReadonlyMap<string, Labels>;
  readonly nodes: NodeStates;
  readonly kinds: KindTable;
  readonly goes: (object: ApiObject) => boolean;
}

/** Kinds whose controllers make their children anew. */
export const REPLACING: readonly string[] = [
  'Deployment.apps',
  'ReplicaSet.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
  'ReplicationController',
  'Job.batch',
];

/**
 * Kinds whose controllers know their children by name, or by node: the new child has the name of
 * the old one. The other controllers only count their children.
 */
export const NAMING: readonly string[] = ['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps'];

/**
 * A workload that no deletion reaches replaces each child that one does reach. The controller of a
 * StatefulSet sets the owner references of claims until the set is being deleted. All others are
 * passed over: a controller does nothing for a parent that is being deleted or gone.
 */
export function actingWorkloads(given: Given): readonly Replacing[] {
  const replacing = replacingWorkloads(given);
  const { objects } = given;
  const kept = new Set(objects);
  const retaining = objects.flatMap((set): readonly Replacing[] => {
    const found = claimsOfSet(set, given.all, given.observations, given.kinds);
    const changing = found?.changing.filter(({ claim }) => kept.has(claim)) ?? [];
    if (found === null || changing.length === 0) return [];
    const { retention, replicas } = found;
    const present = new Set<string>(objects.map(keyOf));
    const ofPods = Object.fromEntries(
      Object.entries(retention.ofPods)
        .filter(([pod]) => present.has(pod))
        .map(([pod, claims]) => [pod, claims.filter((claim) => present.has(claim))]),
    );
    const parent = { key: keyOf(set), uid: set.uid };
    const known = replacing.find(({ workload }) => workload.parent.uid === set.uid);
    const alone: Workload = {
      ...{ parent, replicas, children: [], caches: 'own' },
      selects: Object.keys(ofPods).map((key) => key as ObjectKey),
    };
    const workload: Workload = {
      ...(known?.workload ?? alone),
      replicas,
      claims: { ...retention, ofPods },
    };
    const claims = changing.map(({ claim }) => displayName(claim));
    return [{ name: displayName(set), replaced: known?.replaced ?? [], workload, claims }];
  });
  const acting = new Set(retaining.map(({ workload }) => workload.parent.uid));
  return [...replacing.filter(({ workload }) => !acting.has(workload.parent.uid)), ...retaining];
}

function replacingWorkloads(given: Given): readonly Replacing[] {
  const { all, objects, goes } = given;
  const kept = new Set(objects);
  const children = childrenByController(all);
  return objects.flatMap((parent): readonly Replacing[] => {
    if (!REPLACING.includes(parent.kind) || goes(parent) || isBeingDeleted(parent)) return [];
    const own = children.get(parent.uid) ?? [];
    const active = wantedChildren(parent, own, given);
    const wanted = active.filter((child) => kept.has(child));
    // A controller that counts makes none anew for those that are too many.
    const surplus = tooManyOf(parent, active, given);
    const going = wanted.filter(goes).slice(surplus);
    if (going.length === 0) return [];
    const sameName = NAMING.includes(parent.kind);
    const by = displayName(parent);
    const beneath = going.flatMap((child) => (children.get(child.uid) ?? []).filter(goes));
    return [
      {
        name: by,
        claims: [],
        replaced: [
          ...going.map((child) => ({ object: keyOf(child), by, sameName })),
          // A new ReplicaSet makes new pods.
          ...beneath.map((child) => ({ object: keyOf(child), by, sameName: false })),
        ],
        workload: {
          parent: { key: keyOf(parent), uid: parent.uid },
          replicas: sameName ? going.length : wanted.length - surplus,
          caches: 'own',
          // An eviction can hit the replacement, which is then replaced again.
          uidsReturn: true,
          selects: own.filter((child) => kept.has(child)).map(keyOf),
          children: going.map((child) => replacementOf(child, sameName)),
        },
      },
    ];
  });
}

/**
 * Pods that are being deleted already, and whose replacements are still to come: a controller that
 * counts its pods has too few of those that are not being deleted.
 */
export function replacementsToCome({
  all,
  objects,
  observations,
  goes,
}: Given): readonly Replaced[] {
  const kept = new Set(objects);
  const children = childrenByController(all);
  return objects.flatMap((parent): readonly Replaced[] => {
    if (!REPLACING.includes(parent.kind) || NAMING.includes(parent.kind)) return [];
    if (goes(parent) || isBeingDeleted(parent)) return [];
    const observed = workloadOf(parent, observations);
    if (observed.paused || observed.ending || observed.managedBy !== null) return [];
    const unfinished = (children.get(parent.uid) ?? []).filter(
      ({ kind, pod }) => kind === 'Pod' && !pod?.finished,
    );
    const leaving = unfinished.filter(isBeingDeleted);
    if (unfinished.length - leaving.length >= observed.replicas) return [];
    const by = displayName(parent);
    return leaving
      .filter((child) => kept.has(child))
      .map((child) => ({ object: keyOf(child), by, sameName: false }));
  });
}

/** Those of them that a controller counts: neither ended nor being deleted (`FilterActivePods`). */
export function activeChildren(own: readonly ApiObject[]): readonly ApiObject[] {
  return own.filter((child) => child.pod?.finished === false && !isBeingDeleted(child));
}

/** How many a controller counts. The dump may lack some of them. */
export function countedChildren(
  own: readonly ApiObject[],
  { counted }: WorkloadObservation,
): number {
  return Math.max(activeChildren(own).length, counted ?? 0);
}

/** Controlled objects by the uid of their controller. */
export function childrenByController(
  objects: readonly ApiObject[],
): ReadonlyMap<string, readonly ApiObject[]> {
  return groupedByEach(objects, ({ ownerReferences }) => {
    const owner = ownerReferences.find(({ controller }) => controller === true);
    return owner === undefined ? [] : [owner.uid];
  });
}

/** Those of the children that their controller wants, so that it replaces them. */
function wantedChildren(
  parent: ApiObject,
  own: readonly ApiObject[],
  given: Given,
): readonly ApiObject[] {
  const { observations, goes } = given;
  const observed = workloadOf(parent, observations);
  if (observed.paused || observed.ending || observed.managedBy !== null) return [];
  // A ControllerRevision may come back or not: besides.
  const pods = own.filter(({ pod }) => pod !== undefined);
  switch (parent.kind) {
    case 'Deployment.apps':
      return currentReplicaSets(own, observed, observations);
    case 'StatefulSet.apps':
      return pods.filter((pod) => isWantedOrdinal(pod, observed));
    case 'DaemonSet.apps':
      return placedPods(pods, observed, given);
    default: {
      // What is being deleted already counts no longer, and has been replaced.
      const active = own.filter(
        (child) => child.kind === 'Pod' && child.pod?.finished !== true && !isBeingDeleted(child),
      );
      // Whether a pod fails, or ends well, is only known once it has ended.
      if (observed.judgesFailures || observed.countsEnded) return [];
      if (failsWith(active.filter(goes), observed)) return [];
      return active.filter((pod) => !failsIndex(pod, observed, observations));
    }
  }
}

/**
 * How many children are too many. A controller that knows its children by name wants each of them.
 */
function tooManyOf(
  parent: ApiObject,
  active: readonly ApiObject[],
  { observations }: Given,
): number {
  const found = observations.get(keyOf(parent));
  if (NAMING.includes(parent.kind) || found?.of !== 'workload') return 0;
  return Math.max(0, countedChildren(active, found) - found.replicas);
}

/** The pods in whose place a DaemonSet makes others. */
function placedPods(
  pods: readonly ApiObject[],
  observed: WorkloadObservation,
  given: Given,
): readonly ApiObject[] {
  const { all, nodes, goes } = given;
  const goingNodes = new Set(
    all.flatMap((object) => (object.kind === 'Node' && goes(object) ? [object.name] : [])),
  );
  const onNode = groupedBy(pods, ({ pod }) => pod?.node ?? '');
  return pods.filter((one) => {
    const node = one.pod?.node ?? '';
    // On a lost node the new pod would stay pending, and without a node there is none.
    if (nodes.lost.has(node) || goingNodes.has(node)) return false;
    return unplacedBecause(one, onNode.get(node) ?? [], observed, given) === null;
  });
}

/**
 * The pod for which a StatefulSet waits before it makes another one in the place of one that goes, as
 * it makes them in order (`processReplica`, 1.34); null: none that the dump shows.
 */
export function awaitedBefore(
  own: readonly ApiObject[],
  observed: WorkloadObservation,
  { goes, nodes, observations }: Pick<Given, 'goes' | 'nodes' | 'observations'>,
): (pod: ApiObject) => ApiObject | null {
  if (observed.inOrder === false) return () => null;
  const isAwaited = (one: ApiObject): boolean => {
    if (isBeingDeleted(one)) return nodes.lost.has(one.pod?.node ?? '');
    const found = observations.get(keyOf(one));
    return found?.of === 'pod' && found.ready === false;
  };
  // Once for all pods: a set can have thousands.
  const awaited = own.filter(
    (one) =>
      one.pod?.finished === false && !goes(one) && isWantedOrdinal(one, observed) && isAwaited(one),
  );
  return (pod) => awaited.find((one) => ordinalOf(one) < ordinalOf(pod)) ?? null;
}

/** Whether a StatefulSet wants a pod of this ordinal. */
export function isWantedOrdinal(
  pod: ApiObject,
  { firstOrdinal, replicas }: WorkloadObservation,
): boolean {
  const ordinal = ordinalOf(pod);
  return ordinal >= firstOrdinal && ordinal < firstOrdinal + replicas;
}

/**
 * Why a DaemonSet makes no other pod on the node of this one, or only if an update needs it: a
 * clause; null: it makes one, or the node is lost.
 *
 * @param beside the pods of the DaemonSet on the same node.
 */
export function unplacedBecause(
  { uid, pod }: ApiObject,
  beside: readonly ApiObject[],
  observed: WorkloadObservation,
  given: Pick<Given, 'all' | 'labels' | 'goes' | 'observations'>,
): string | null {
  const name = pod?.node;
  if (name === undefined) return null;
  const { all, goes } = given;
  const node = byKeyIn(all).get(objectKey('Node', '', name));
  const { places, tolerations, ofHost } = observed;
  const tolerated = tolerations && [...tolerations, ...tolerationsOfDaemon(ofHost), ...LIFTED];
  const found = node ? repelledBy(node, { places, tolerations: tolerated }, given) : null;
  if (found === 'labels') return `its nodeSelector or node affinity leaves ${name} out`;
  if (found !== null) {
    return `${name} has the taint ${found.key}, which it does not tolerate`;
  }
  const other = activeChildren(beside).find((one) => one.uid !== uid && !goes(one));
  return other === undefined
    ? null
    : `${displayName(other)} is on ${name} as well, and only an update of the DaemonSet needs two there`;
}

/** Taints that controllers take off by themselves: the pod is made then. */
const LIFTED = ['not-ready', 'unreachable'].map((name) => ({
  ...{ key: `node.kubernetes.io/${name}`, operator: 'Exists' },
}));

/** Whether its index of a Job fails for good with this pod (`isIndexFailed`). */
export function failsIndex(
  pod: ApiObject,
  { failuresPerIndex }: WorkloadObservation,
  observations: ReadonlyMap<string, Observation>,
): boolean {
  if (failuresPerIndex === null) return false;
  const found = observations.get(keyOf(pod));
  return (found?.of === 'pod of an index' ? found.failures : 0) >= failuresPerIndex;
}

/**
 * Whether a Job fails once these of its pods are deleted, and makes no others: each counts as
 * failed.
 */
export function failsWith(
  deleted: readonly ApiObject[],
  { failuresLeft }: WorkloadObservation,
): boolean {
  return failuresLeft !== null && deleted.length > failuresLeft;
}

/** `NAME-3`; 0 if the name ends otherwise. */
function ordinalOf({ name }: ApiObject): number {
  return Number(/-(\d+)$/.exec(name)?.[1] ?? 0);
}

/** What the uid, and often the name, of a replacement ends with. */
export const REPLACEMENT = '-replacement';

function replacementOf(child: ApiObject, sameName: boolean): ApiObject {
  const { pod, ...rest } = child;
  const { node: _, running: __, ...grace } = pod ?? {};
  return {
    ...rest,
    name: sameName ? child.name : `${child.name}${REPLACEMENT}`,
    uid: `${child.uid}${REPLACEMENT}`,
    finalizers: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    // The scheduler binds it at some later time, which nothing here depends on.
    ...(pod === undefined
      ? {}
      : {
          pod: {
            ...grace,
            terminationGracePeriodSeconds: pod.terminationGracePeriodSeconds,
            scheduled: false,
            finished: false,
          },
        }),
  };
}
