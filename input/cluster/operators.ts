import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  type Operator,
  objectKey,
  type Setup,
} from '../../model/index.ts';
import { displayName } from '../manifests/names.ts';
import type { Requested } from './cel/requests.ts';
import type { JudgedFinalizer } from './finalizers.ts';
import type { Links } from './links.ts';
import { definitionIn } from './lookups.ts';
import type { Observation } from './observations.ts';
import { idleOnceGone } from './operating/flux.ts';
import { MACHINE, trackingFinalizer } from './operating/tracking.ts';

/** An object whose finalizer makes an operator delete other objects. */
export interface Tracking {
  /** Store key. */
  readonly object: string;
  readonly finalizer: string;
  /** Store keys of what is deleted with it, of the dump. */
  readonly tracked: readonly string[];
  /** By store key: the waves in which that is deleted, the highest first. Absent: 0. */
  readonly waves: Readonly<Record<string, number>>;
  /** Store keys: while one of these is being deleted, its owner does nothing. */
  readonly pausing: readonly string[];
  /** Store keys of those of them until whose end the finalizer stays. */
  readonly waitsFor: readonly string[];
}

const ARGO = 'resources-finalizer.argocd.argoproj.io';
const GIT_REPO = 'fleet.cattle.io/gitrepo-finalizer';
/** Argo CD runs PreDelete hooks before it deletes anything; it cleans up after everything else. */
const PRE_DELETE = 'pre-delete-finalizer.argocd.argoproj.io';
/**
 * Finalizers whose owner waits until what it deletes is gone; the others only send the DELETEs,
 * unless the object says otherwise.
 */
const WAITING: readonly string[] = [
  ARGO,
  GIT_REPO,
  'fleet.cattle.io/bundle-finalizer',
  'app.oam.dev/resource-tracker-finalizer',
  'configsync.gke.io/reconciler',
  'cluster.cluster.x-k8s.io',
  'hnc.x-k8s.io',
  'clusters.anywhere.eks.amazonaws.com/finalizer',
  'cluster.open-cluster-management.io/resource-cleanup',
  // `ExecutionSpaceExistForCluster`
  'karmada.io/cluster-controller',
  // `waitTargetGroupBindingDeleted`
  'ingress.k8s.aws/resources',
  'service.k8s.aws/resources',
  // `checkandRemoveSnapshotFinalizersAndCheckandDeleteContent`
  'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection',
];

/** Whether the owner of this finalizer waits until what it deletes is gone. */
export function waitsForTracked(finalizer: string): boolean {
  return WAITING.some((name) => finalizer === name || finalizer.startsWith(`${name}/`));
}

/** What is tracked by the kept objects that a deletion can reach. */
export function trackings(
  kept: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
  { trackedBy, leftBy }: Links,
  observations: ReadonlyMap<string, Observation>,
  all: readonly ApiObject[],
  requested: Requested,
  leavesNode: (machine: ApiObject) => boolean,
): readonly Tracking[] {
  return kept.flatMap((object): readonly Tracking[] => {
    const finalizer = trackingFinalizer(object);
    if (finalizer === null || !goes(object)) return [];
    if (isUninstalled(object, all, goes, requested)) return [];
    if (object.kind === MACHINE && leavesNode(object)) return [];
    // `abandonedIn` reports it.
    if (idleOnceGone(object, all, observations, goes) !== null) return [];
    const tracked = trackedBy(object).map(keyOf);
    const left = leftBy(object).filter((one) => goes(one) || isBeingDeleted(one));
    if (tracked.length + left.length === 0) return [];
    const waves: Record<string, number> = Object.fromEntries(
      tracked.flatMap((key) => {
        const mark = observations.get(key)?.marks?.find((one) => one.mark === 'wave');
        return mark?.mark === 'wave' ? [[key, mark.wave] as const] : [];
      }),
    );
    // Fleet deletes the namespace last, and does not wait for it.
    const isLast = (key: string): boolean => finalizer === GIT_REPO && key.startsWith('Namespace/');
    for (const key of tracked.filter(isLast)) waves[key] = -1;
    const waitsFor = waitsForTracked(finalizer) ? tracked.filter((key) => !isLast(key)) : [];
    const pausing =
      object.kind === 'Application.argoproj.io' ? [...tracked, ...left.map(keyOf)] : [];
    return [{ object: keyOf(object), finalizer, tracked, waves, pausing, waitsFor }];
  });
}

/**
 * HNC leaves the namespaces of anchors whose definition is being deleted (`IsDeletingCRD`). An anchor
 * that is deleted as well may go before that.
 */
function isUninstalled(
  { kind, namespace, name }: ApiObject,
  all: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
  requested: Requested,
): boolean {
  if (kind !== 'SubnamespaceAnchor.hnc.x-k8s.io') return false;
  const definition = definitionIn(all, 'subnamespaceanchors.hnc.x-k8s.io');
  if (definition === undefined || isBeingDeleted(definition)) return definition !== undefined;
  const above = [objectKey(kind, namespace, name), objectKey('Namespace', '', namespace)];
  return goes(definition) && !above.some((key) => requested.has(key));
}

/**
 * The operators of objects with these finalizers. An operator of which nothing says that it runs
 * may stop at any time (`fairness: none`); with a stuck finalizer there is none.
 */
export function operatorsFor(
  kept: readonly ApiObject[],
  tracking: readonly Tracking[],
  judged: readonly JudgedFinalizer[],
): readonly Operator[] {
  const byKey = new Map(kept.map((object) => [keyOf(object), object]));
  const judgements = new Map(judged.map(({ finalizer, judgement }) => [finalizer, judgement]));
  const owned = new Set(tracking.map(({ finalizer }) => finalizer));
  const tracked = new Map(tracking.map((entry) => [entry.object, entry]));
  // An actor owns a finalizer on all objects, so those that track nothing have one as well.
  return [...byKey].flatMap(([key, object]): readonly Operator[] => {
    const own = object.finalizers.filter((name) => owned.has(name));
    return own.flatMap((finalizer): readonly Operator[] => {
      if (judgements.get(finalizer) === 'stuck') return [];
      const found = tracked.get(key);
      // Another finalizer of its kind is only taken off.
      const entry = found?.finalizer === finalizer ? found : undefined;
      const pausing = entry?.pausing ?? [];
      const before = finalizer.startsWith(ARGO)
        ? object.finalizers.filter((one) => one === PRE_DELETE)
        : [];
      // Flux and Cluster API delete in the background, as Argo CD does if the finalizer says so.
      const isForeground = finalizer.startsWith(ARGO) && !finalizer.endsWith('/background');
      // TopoLVM lists the pods of a claim once more, and does not look whether there are new ones.
      const isOnce = object.kind === 'PersistentVolumeClaim';
      return [
        {
          name: `owner of ${finalizer} for ${displayName(object)}`,
          parent: { key, uid: object.uid },
          finalizer,
          addsFinalizer: false,
          creates: [],
          deletes: inWaves(entry).map(({ key, wave }) => ({
            ...{ key, wave },
            options: {
              propagationPolicy: isForeground ? 'Foreground' : 'Background',
              ...(isOnce ? { preconditions: { uid: byKey.get(key)?.uid ?? '' } } : {}),
            },
          })),
          ...(before.length === 0 ? {} : { after: before }),
          ...(pausing.length === 0 ? {} : { pausedBy: pausing }),
          waitsFor: entry?.waitsFor ?? [],
          reads: 'live',
          fairness: judgements.get(finalizer) === 'cooperative' ? 'weak' : 'none',
        },
      ];
    });
  });
}

/** The first wave comes first (`FilterObjectsForDeletion`). */
function inWaves(
  entry: Tracking | undefined,
): readonly { readonly key: string; readonly wave: number }[] {
  return (entry?.tracked ?? [])
    .map((key) => ({ key, wave: 0 - (entry?.waves[key] ?? 0) }))
    .sort((one, other) => one.wave - other.wave);
}

/**
 * The same setup where the owners of these finalizers act sooner or later, or never: for a search
 * that takes unknown ones one way or the other.
 */
export function withOwners(
  setup: Setup,
  finalizers: readonly string[],
  how: 'cooperative' | 'stuck',
): Setup {
  const { operators = [] } = setup;
  const isMeant = ({ finalizer }: Operator): boolean =>
    finalizer !== undefined && finalizers.includes(finalizer);
  const kept =
    how === 'stuck'
      ? operators.filter((operator) => !isMeant(operator))
      : operators.map((operator) =>
          isMeant(operator) ? { ...operator, fairness: 'weak' as const } : operator,
        );
  const { operators: _, ...rest } = setup;
  return {
    ...rest,
    ...(kept.length > 0 ? { operators: kept } : {}),
    finalizers: {
      ...setup.finalizers,
      ...Object.fromEntries(finalizers.map((name) => [name, how])),
    },
  };
}
