import {
  type ApiObject,
  isBeingDeleted,
  type Kind,
  type KindTable,
  keyOf,
  type ObjectKey,
} from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';
import type { Labels } from '../manifests/label-selector.ts';
import { adoptableIn } from './doubts/adopted.ts';
import { type KnownFinalizer, WELL_KNOWN_FINALIZERS } from './known/index.ts';
import { byKeyIn } from './lookups.ts';
import { type Mark, marksOn, type Tool } from './marks.ts';
import { isTakenWithNode, type NodeStates } from './nodes.ts';
import type { Observation } from './observations.ts';
import { attachmentsOf } from './observed/attachments.ts';
import { claimsDeletedBy } from './operating/claims.ts';
import { isMeant, isOnlyNamed, mayManage } from './operating/compared.ts';
import { uninstalledWith } from './operating/definitions.ts';
import { idleWithout } from './operating/flux.ts';
import { type Follower, followersOf } from './operating/followers.ts';
import {
  APPLICATION,
  CAPI_CLUSTER,
  CLAIM,
  MACHINE,
  ORPHANING,
  TRACKING_FINALIZERS,
  trackingFinalizer,
  VELA,
} from './operating/tracking.ts';
import { claimsOfPodsBeneath, claimsOfSet, type SetClaims } from './set-claims.ts';

/**
 * What deletion follows besides owner references. A namespace takes its contents, a definition its
 * instances, a node its pods, an object of Argo CD, Flux, Crossplane or Cluster API what it tracks.
 * A claim waits for the pods that mount it, a volume for its claim.
 */
export interface Links {
  /** Objects that are deleted because this one is. */
  readonly takenWith: (object: ApiObject) => readonly ApiObject[];
  /**
   * Objects that can hold this one back, though nothing deletes them for its sake, the claims of a
   * StatefulSet, and what the controller of a workload may adopt.
   */
  readonly waitedFor: (object: ApiObject) => readonly ApiObject[];
  /**
   * Objects that are being deleted and wait for this one: claims for their pods, volumes for
   * claims.
   */
  readonly waiting: (object: ApiObject) => readonly ApiObject[];
  /** What the owner of a finalizer of this object deletes before it removes the finalizer. */
  readonly trackedBy: (object: ApiObject) => readonly ApiObject[];
  /** Of what it tracks, what that owner leaves. While one is being deleted, it does nothing. */
  readonly leftBy: (object: ApiObject) => readonly ApiObject[];
  /** What the operator of this object made for it, and deletes once this is deleted. */
  readonly tornDownWith: (object: ApiObject) => readonly ApiObject[];
  /** Copies and records of this object, and the tool that deletes them with it. */
  readonly followedBy: (object: ApiObject) => readonly Follower[];
  /** Whether a controller deletes it, whatever the question is: its node is gone. */
  readonly isTaken: (object: ApiObject) => boolean;
}

/** What links depend on besides the objects. */
export interface Beyond {
  readonly observations: ReadonlyMap<string, Observation>;
  readonly nodes: NodeStates;
  /** By store key of the object. */
  readonly labels: ReadonlyMap<string, Labels>;
  /** Actors that do not run. */
  readonly without: readonly string[];
  /** The rows of the user, before those of the well-known table. */
  readonly finalizers: readonly KnownFinalizer[];
}

export const NOTHING_BEYOND: Beyond = {
  observations: new Map(),
  labels: new Map(),
  nodes: { lost: new Map(), unready: new Map(), absent: new Set(), outOfService: new Set() },
  without: [],
  finalizers: WELL_KNOWN_FINALIZERS,
};

export function linksOf(
  objects: readonly ApiObject[],
  kinds: KindTable,
  beyond: Beyond = NOTHING_BEYOND,
): Links {
  const byKey = byKeyIn(objects);
  const byNamespace = groupedBy(objects, ({ namespace }) => namespace);
  const byDefinition = groupedBy(objects, ({ kind }) => definitionName(kinds[kind]));
  const byNode = groupedBy(objects, ({ pod }) => pod?.node ?? '');
  const mounts = groupedBy(
    objects.flatMap((pod) => (pod.pod?.claims ?? []).map((claim) => ({ pod, claim }))),
    ({ pod, claim }) => `${pod.namespace}/${claim}`,
  );
  const volumes = groupedBy(objects, ({ volume }) => volume?.claim ?? '');
  const adoptable = adoptableIn(objects, beyond.observations, beyond.labels);
  const { leftBy, tornDownWith, ...tracking } = trackingOf(objects, kinds, beyond);
  const usersOf = ({ namespace, name }: ApiObject): readonly ApiObject[] =>
    (mounts.get(`${namespace}/${name}`) ?? []).map(({ pod }) => pod);
  // What has the finalizer of TopoLVM names its pods nowhere (`deletePodsUsingDeletingPVC`).
  const trackedBy = (object: ApiObject): readonly ApiObject[] =>
    object.kind === CLAIM && object.finalizers.includes(TRACKING_FINALIZERS[CLAIM] ?? '')
      ? usersOf(object)
      : tracking.trackedBy(object);
  const followedBy = followersOf(objects, kinds, beyond);
  const sets = new Map<ApiObject, SetClaims | null>();
  const claimsOf = (set: ApiObject): SetClaims | null => {
    const known = sets.get(set);
    if (known !== undefined) return known;
    const found = claimsOfSet(set, objects, beyond.observations, kinds);
    sets.set(set, found);
    return found;
  };
  const gaining = (set: ApiObject): readonly ApiObject[] =>
    claimsOf(set)?.changing.flatMap(({ claim, gains }) => (gains ? [claim] : [])) ?? [];
  const nodesOf = ({ pod }: ApiObject): readonly ApiObject[] => {
    if (pod?.node === undefined || !beyond.nodes.lost.has(pod.node)) return [];
    const node = byKey.get(`Node//${pod.node}`);
    return node === undefined ? [] : [node];
  };
  return {
    trackedBy,
    leftBy,
    tornDownWith,
    followedBy,
    isTaken: (object) => isTakenWithNode(object, beyond.nodes, beyond.without),
    takenWith: (object) => {
      switch (kinds[object.kind]?.storage) {
        case 'namespace':
          return byNamespace.get(object.name) ?? [];
        case 'customResourceDefinition':
          return byDefinition.get(object.name) ?? [];
        default:
          if (object.kind === 'Node') return byNode.get(object.name) ?? [];
          if (object.kind === 'StatefulSet.apps') return gaining(object);
          return [...trackedBy(object), ...tornDownWith(object)];
      }
    },
    waiting: (object) => {
      const claims = (object.pod?.claims ?? []).flatMap((name) => {
        const { namespace } = object;
        return byKey.get(keyOf({ kind: CLAIM, namespace, name })) ?? [];
      });
      const bound = object.kind === CLAIM ? (volumes.get(keyOf(object)) ?? []) : [];
      return [...claims, ...bound].filter(isBeingDeleted);
    },
    waitedFor: (object) => {
      // Whether they stay is what people want to know.
      const adopted = adoptable(object);
      if (object.kind === 'StatefulSet.apps') {
        return [...adopted, ...(claimsOf(object)?.claims ?? [])];
      }
      if (adopted.length > 0) return adopted;
      if (object.kind === CLAIM) return usersOf(object);
      if (object.kind === 'PersistentVolume') {
        const claim = object.volume === undefined ? undefined : byKey.get(object.volume.claim);
        // Those that are not being deleted go once no pod needs them.
        const attached = attachmentsOf(object, objects, beyond.observations);
        return [...(claim === undefined ? [] : [claim]), ...attached.filter(isBeingDeleted)];
      }
      const torn = claimsDeletedBy(object, beyond.finalizers, kinds) !== null;
      return [
        ...nodesOf(object),
        ...leftBy(object).filter(isBeingDeleted),
        // Their data is what people ask about.
        ...(torn ? claimsOfPodsBeneath(object, objects) : []),
      ];
    },
  };
}

/** Kinds of the same name: whose marks speak of them. */
const TOOLS: Readonly<Record<string, Tool>> = {
  [APPLICATION]: 'Argo CD',
  [VELA]: 'KubeVela',
  [MACHINE]: 'Cluster API',
  'Machine.machine.openshift.io': 'OpenShift',
};

/**
 * The operators that delete what they have made for an object of these kinds once it is deleted, by
 * labels and without a finalizer, unless they are told not to.
 */
export const TEARING_DOWN: Readonly<Record<string, string>> = {
  'postgresql.acid.zalan.do': 'the Postgres Operator',
  'ClusterPolicy.kyverno.io': 'Kyverno',
  'Policy.kyverno.io': 'Kyverno',
  'GeneratingPolicy.policies.kyverno.io': 'Kyverno',
  'ClusterServiceVersion.operators.coreos.com': 'OLM',
};

function trackingOf(
  objects: readonly ApiObject[],
  kinds: KindTable,
  { observations }: Beyond,
): Pick<Links, 'trackedBy' | 'leftBy' | 'tornDownWith'> {
  const marks = objects.flatMap((object) =>
    marksOn(observations, object).map((mark) => ({ object, mark })),
  );
  const uninstalled = (tracker: ApiObject): readonly ApiObject[] =>
    uninstalledWith(tracker, objects);
  if (marks.length === 0) {
    return { trackedBy: () => [], leftBy: () => [], tornDownWith: uninstalled };
  }
  const followers = groupedBy(marks, ({ mark }) =>
    mark.mark === 'trackedBy' ? `${mark.kind}/${mark.name}` : '',
  );
  const byName = groupedBy(objects, ({ kind, name }) => `${bare(kinds, kind)}/${name}`);
  const tracks = (tracker: ApiObject, mark: Mark): boolean =>
    mark.mark === 'trackedBy' &&
    (TOOLS[tracker.kind] ?? mark.tool) === mark.tool &&
    (mark.namespace === '' || mark.namespace === tracker.namespace);
  const followersOf = (tracker: ApiObject): readonly ApiObject[] =>
    (followers.get(`${bare(kinds, tracker.kind)}/${tracker.name}`) ?? []).flatMap(
      ({ object, mark }) => {
        const [known, own] = [tracker, object].map((one) => observations.get(keyOf(one)));
        const isNamed = isOnlyNamed(object, mark, known, own?.marks);
        return tracks(tracker, mark) && !isNamed ? [object] : [];
      },
    );
  // What an owner reference explains is the collector's to delete. To Argo CD, what has an owner belongs to
  // that one alone (`GetManagedLiveObjs`).
  const isOwn = (tracker: ApiObject, object: ApiObject): boolean =>
    object !== tracker &&
    (tracker.kind !== CAPI_CLUSTER || isOfCluster(object)) &&
    (tracker.kind === APPLICATION ? object.ownerReferences.length === 0 : !isControlled(object));
  // What Argo CD compares for two Applications belongs to the one that the object names. The name in
  // a label can be that of a Helm release.
  const isOfOther = (tracker: ApiObject, object: ApiObject): boolean =>
    marksOn(observations, object).some(
      (mark) =>
        mark.mark === 'trackedBy' &&
        mark.kind === 'Application' &&
        mark.name !== tracker.name &&
        (byName.get(`Application/${mark.name}`) ?? []).some((other) =>
          mayManage(observations.get(keyOf(other)), object),
        ),
    );
  const trackedBy: Links['trackedBy'] = (tracker) => {
    if (trackingFinalizer(tracker) === null) return [];
    const observed = observations.get(keyOf(tracker));
    // Flux deletes nothing for a Kustomization without prune, or for one that is suspended.
    if (tracker.kind === 'Kustomization.kustomize.toolkit.fluxcd.io') {
      if (observed?.of !== 'reconciled' || !observed.prunes) return [];
    }
    if (observed?.of === 'reconciled' && observed.suspended) return [];
    if (tracker.finalizers.includes(ORPHANING)) return [];
    if (idleWithout(tracker, objects, observations) !== null) return [];
    const inventory =
      observed?.of === 'reconciled' && observed.inventory !== null
        ? new Set(observed.inventory)
        : null;
    if (observed?.marks?.some(({ mark }) => mark === 'elsewhere')) return [];
    const managed = (observed?.marks ?? [])
      .flatMap((mark) =>
        mark.mark === 'manages'
          ? (byName.get(`${mark.kind}/${mark.name}`) ?? []).filter(
              (object) => isMeant(object, mark) && !isOfOther(tracker, object),
            )
          : [],
      )
      .filter((object) => !isRetained(object, observations));
    return [...new Set([...managed, ...followersOf(tracker)])].filter(
      (object) =>
        isOwn(tracker, object) &&
        !isLeftBy(tracker, object, observations) &&
        inventory?.has(entryOf(object, kinds)) !== false,
    );
  };
  return {
    trackedBy,
    leftBy: (tracker) =>
      tracker.kind !== APPLICATION || trackingFinalizer(tracker) === null
        ? []
        : followersOf(tracker).filter(
            (object) => isOwn(tracker, object) && isLeftBy(tracker, object, observations),
          ),
    tornDownWith: (tracker) => {
      if (!Object.hasOwn(TEARING_DOWN, tracker.kind)) return uninstalled(tracker);
      const said = marksOn(observations, tracker);
      if (said.some(({ mark }) => mark === 'leavesTracked')) return [];
      const followers = followersOf(tracker).filter((object) => isOwn(tracker, object));
      // OLM deletes the copies of a version by their label; for the rest, the version has a finalizer.
      return tracker.kind === 'ClusterServiceVersion.operators.coreos.com'
        ? followers.filter(({ kind }) => kind === tracker.kind)
        : followers;
    },
  };
}

/**
 * Whether Cluster API deletes the object for its Cluster: not the machine of a provider, which goes
 * by its Machine alone, nor a Secret (`listDescendants`, `filterOwnedDescendants`).
 */
function isOfCluster({ kind }: ApiObject): boolean {
  return /[.]cluster[.]x-k8s[.]io$/.test(kind) && !/Machine[.]infrastructure[.]/.test(kind);
}

/** Whose word a tool takes for it that an object is to stay, by the kind of the object that tracks. */
const HEEDS: Readonly<Record<string, readonly Tool[]>> = {
  [APPLICATION]: ['Argo CD', 'Helm'],
  'Kustomization.kustomize.toolkit.fluxcd.io': ['Flux'],
  'HelmRelease.helm.toolkit.fluxcd.io': ['Helm'],
  'ResourceSet.fluxcd.controlplane.io': ['Flux Operator'],
  'RootSync.configsync.gke.io': ['Config Sync'],
  'RepoSync.configsync.gke.io': ['Config Sync'],
};

/** Whether the tool leaves an object that is tracked. */
function isLeftBy(
  { kind, namespace, name }: ApiObject,
  object: ApiObject,
  observations: Beyond['observations'],
): boolean {
  const said = marksOn(observations, { kind, namespace, name });
  const marks = marksOn(observations, object);
  const heeds = HEEDS[kind] ?? [];
  if (marks.some(({ mark, tool }) => mark === 'keptBy' && tool !== null && heeds.includes(tool))) {
    return true;
  }
  // What is in its namespace has owner references.
  if (kind === 'ClusterServiceVersion.operators.coreos.com') return object.namespace !== '';
  const isDefinition = object.kind.startsWith('CustomResourceDefinition.');
  // `shouldBeDeleted`: Argo CD never deletes a definition. What a chart has in its folder `crds` belongs
  // to no release, although Flux labels it.
  if (isDefinition && kind === APPLICATION) return true;
  if (isDefinition && kind === 'HelmRelease.helm.toolkit.fluxcd.io') {
    return !marks.some(({ mark, tool }) => mark === 'trackedBy' && tool === 'Helm');
  }
  return (
    said.some(({ mark }) => mark === 'leavesTracked') &&
    !marks.some(({ mark }) => mark === 'deletedBy')
  );
}

/** A content whose policy is not Delete outlives its snapshot. */
function isRetained(object: ApiObject, observations: Beyond['observations']): boolean {
  const observed = observations.get(keyOf(object));
  return observed?.of === 'VolumeSnapshotContent' && observed.policy !== 'Delete';
}

/** `ObjMetadata.String`, with which Flux names what it has applied. */
function entryOf({ kind, namespace, name }: ApiObject, kinds: KindTable): string {
  const group = (kinds[kind]?.apiVersions[0] ?? '').split('/').slice(0, -1).join('/');
  return [namespace, name.replaceAll(':', '__'), group, bare(kinds, kind)].join('_');
}

/** Whether a controller has it. */
export function isControlled({ ownerReferences }: ApiObject): boolean {
  return ownerReferences.some(({ controller }) => controller === true);
}

function bare(kinds: KindTable, kind: string): string {
  return kinds[kind]?.kind ?? kind;
}

/** The name of the definition of a kind: `PLURAL.GROUP`. */
export function definitionName(kind: Kind | undefined): string {
  return kind === undefined ? '' : `${kind.resource}.${(kind.apiVersions[0] ?? '').split('/')[0]}`;
}

/** The name of the definition that has this key: one without a namespace. */
export function definitionOfKey(key: ObjectKey): string {
  return key.slice(key.lastIndexOf('//') + 2);
}

/** Whether pods here run, as far as the dump says: bound to a node that is ready. */
export function isRunningPod(object: ApiObject, { lost, unready }: NodeStates): boolean {
  const { pod } = object;
  if (pod?.running !== true || isBeingDeleted(object)) return false;
  return pod.node === undefined || !(lost.has(pod.node) || unready.has(pod.node));
}
