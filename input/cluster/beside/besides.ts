import { type ApiObject, type KindTable, keyOf } from '../../../model/index.ts';
import { groupedBy, plural } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { byKeyIn, remembered } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import type { Observation } from '../observations.ts';
import { idleWithout } from '../operating/flux.ts';
import { trackingFinalizer } from '../operating/tracking.ts';
import type { Tracking } from '../operators.ts';
import { claimsOfSet } from '../set-claims.ts';
import { childrenByController } from '../workloads.ts';
import { expiryOf } from './expiries.ts';

/** What other controllers do as well, which the model leaves out. */
export interface Besides {
  /** Store key of the object that it happens to, or that causes it. */
  readonly object: string;
  /** One sentence without its full stop. */
  readonly what: string;
  /** What has nobody left then who removes its finalizer. */
  readonly strands?: Stranded;
  /** Of an uninstall: a clause of its sentence, about what stays. */
  readonly loses?: string;
  /** Whether that is so, and a command whose answer says it. */
  readonly asks?: { readonly text: string; readonly settle: string };
  /** It happens although nobody deletes anything. */
  readonly unasked?: true;
  /** How many objects their controllers delete, as fields of them or of their owner say. */
  readonly expected?: number;
  /** The name, as answers print it, of what goes and may come back at once. */
  readonly remade?: string;
  /** Store keys of what goes, and of which a controller cannot make another one. */
  readonly unmade?: readonly string[];
  /** It holds only if an object goes that an orphaning deletion leaves. */
  readonly ifOrphansGo?: true;
}

/** Objects whose deletion hangs, now or once it is asked for. */
export interface Stranded {
  /** Their names as answers print them. */
  readonly names: readonly string[];
  /** The deletion of one of them has begun. */
  readonly begun: boolean;
  /** The name of what runs their owner, if something makes that anew. */
  readonly until?: string;
}

export interface BesidesGiven {
  readonly all: readonly ApiObject[];
  readonly kept: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  readonly tracking: readonly Tracking[];
  readonly kinds: KindTable;
  /** Uids of owners of which the dump says nothing. */
  readonly unknown: ReadonlySet<string>;
  /** Looks at the limits. */
  readonly look: () => void;
}

/** What follows from a deletion of the kept objects besides what the model does. */
export function besidesOf(given: BesidesGiven): readonly Besides[] {
  const { kept, goes } = given;
  const going = kept.filter(goes);
  return [
    ...going.flatMap((object) => endpointsOf(object, given)),
    ...kept.flatMap((object) => claimsOf(object, given)),
    ...going.flatMap((object) => snapshotsOf(object, given)),
    ...schedules(given),
    ...going.flatMap((object) => unfollowed(object, given)),
    ...going.flatMap((object) => unscaled(object, given)),
    ...going.flatMap((object) => certificatesOf(object, given)),
    ...expiries(given),
    ...going.flatMap((object) => tokensOf(object, given)),
  ];
}

/** Endpoints have the name of their Service, and no owner reference. */
function endpointsOf(service: ApiObject, { all, goes }: BesidesGiven): readonly Besides[] {
  if (service.kind !== 'Service') return [];
  const endpoints = byKeyIn(all).get(keyOf({ ...service, kind: 'Endpoints' }));
  if (endpoints === undefined || goes(endpoints)) return [];
  const what = `the endpoints controller deletes ${displayName(endpoints)} with ${displayName(service)}, whose name it has, without an owner reference`;
  return [{ object: keyOf(endpoints), what }];
}

/** What becomes of a stored snapshot, as the deletion policy of its content says. */
function snapshotsOf(
  object: ApiObject,
  { all, goes, observations }: BesidesGiven,
): readonly Besides[] {
  const observed = observations.get(keyOf(object));
  if (observed?.of === 'VolumeSnapshotContent') {
    if (observed.policy === 'unsaid') return [];
    const fate = observed.policy === 'Delete' ? 'is deleted with it' : 'stays';
    const what = `the stored snapshot behind ${displayName(object)} ${fate}: its deletion policy is ${observed.policy}`;
    return [{ object: keyOf(object), what }];
  }
  return (observed?.marks ?? []).flatMap((mark) => {
    const kind = mark.mark === 'manages' ? CONTENTS[mark.kind] : undefined;
    if (mark.mark !== 'manages' || kind === undefined) return [];
    const content = byKeyIn(all).get(keyOf({ kind, namespace: '', name: mark.name }));
    if (content === undefined || goes(content)) return [];
    const what = `${displayName(content)}, with the stored snapshot, stays once ${displayName(object)} is deleted, as its deletion policy says`;
    return [{ object: keyOf(content), what }];
  });
}

/** KEDA leaves the number of replicas as it is, unless it is told otherwise (`finalizeScaledObject`). */
function unscaled(
  object: ApiObject,
  { all, goes, observations }: BesidesGiven,
): readonly Besides[] {
  if (object.kind !== 'ScaledObject.keda.sh') return [];
  const observed = observations.get(keyOf(object));
  return (observed?.names ?? []).flatMap((named) => {
    const target = ['Deployment', 'StatefulSet'].includes(named.kind)
      ? byKeyIn(all).get(keyOf({ ...object, kind: `${named.kind}.apps`, name: named.name }))
      : undefined;
    const found = target === undefined ? undefined : observations.get(keyOf(target));
    if (target === undefined || goes(target)) return [];
    if (found?.of !== 'workload' || found.replicas > 0) return [];
    const what = `${displayName(target)} stays with 0 replicas, and nothing scales it up any more: ${displayName(object)} restores no number unless it says restoreToOriginalReplicaCount`;
    return [{ object: keyOf(target), what }];
  });
}

const CSV_KIND = 'ClusterServiceVersion';

const CONTENTS: Readonly<Record<string, string>> = {
  VolumeSnapshotContent: 'VolumeSnapshotContent.snapshot.storage.k8s.io',
  VolumeGroupSnapshotContent: 'VolumeGroupSnapshotContent.groupsnapshot.storage.k8s.io',
};

/**
 * What becomes of the data of a StatefulSet beyond what the model shows: the claims of pods that
 * are not there, and those of pods that its controller deletes because there are too many.
 */
function claimsOf(
  set: ApiObject,
  { all, goes, observations, kinds }: BesidesGiven,
): readonly Besides[] {
  const found = claimsOfSet(set, all, observations, kinds);
  const observed = observations.get(keyOf(set));
  if (found === null) {
    const isLacking = observed?.of === 'workload' && observed.claimTemplates.length > 0;
    if (!isLacking || observed.whenDeleted !== 'Delete' || !goes(set)) return [];
    const what = `the claims of ${displayName(set)}, which the dump lacks, are deleted with it and with their data: it says whenDeleted: Delete`;
    return [{ object: keyOf(set), what }];
  }
  const name = displayName(set);
  const { whenDeleted, whenScaled } = found.retention;
  const left = found.withoutPod.filter(
    ({ ownerReferences }) => !ownerReferences.some(({ uid }) => uid === set.uid),
  );
  const stays = left.map((claim) => ({
    object: keyOf(claim),
    what: `${displayName(claim)} stays although ${name} says whenDeleted: Delete: it has no pod, and the controller only gives the owner reference to claims of pods`,
  }));
  const scaled = {
    object: keyOf(set),
    what: `if ${name} is scaled down, the claims of the pods that go are deleted with their data (whenScaled: Delete)`,
  };
  return [
    ...(whenDeleted === 'Delete' && goes(set) ? stays : []),
    ...(whenScaled === 'Delete' && !goes(set) ? [scaled] : []),
  ];
}

/** A CronJob does not replace a Job: it makes the next one at its time. */
function schedules({ kept, goes, observations }: BesidesGiven): readonly Besides[] {
  const children = childrenByController(kept);
  return kept.flatMap((cronJob) => {
    if (cronJob.kind !== 'CronJob.batch' || goes(cronJob)) return [];
    const observed = observations.get(keyOf(cronJob));
    if (observed?.of === 'workload' && observed.paused) return [];
    if (!(children.get(cronJob.uid) ?? []).some(goes)) return [];
    const what = `${displayName(cronJob)} stays, and makes a new Job at its next time`;
    return [{ object: keyOf(cronJob), what }];
  });
}

const trackingIn = remembered(
  (tracking: readonly Tracking[]) =>
    new Map<string, Tracking>(tracking.map((each) => [each.object, each])),
);

/** What an object with a tracking finalizer deletes outside of the dump. */
function unfollowed(
  object: ApiObject,
  { all, observations, tracking }: BesidesGiven,
): readonly Besides[] {
  const entry = trackingIn(tracking).get(keyOf(object));
  const name = displayName(object);
  const observed = observations.get(keyOf(object));
  const suspended = observed?.of === 'reconciled' && observed.suspended;
  if (suspended && object.finalizers.includes('finalizers.fluxcd.io')) {
    return [
      {
        object: keyOf(object),
        what: `${name} is suspended: Flux removes its finalizer and leaves everything that it applied`,
      },
    ];
  }
  const idle = trackingFinalizer(object) === null ? null : idleWithout(object, all, observations);
  if (idle !== null) {
    const what = `${name} leaves everything that it applied: ${idle}`;
    return [{ object: keyOf(object), what }];
  }
  for (const mark of observed?.marks ?? []) {
    const isTracker = trackingFinalizer(object) !== null;
    if (!isTracker) break;
    if (mark.mark === 'elsewhere') {
      const what = `${name} applies to another cluster (${mark.by}), of which this dump says nothing: what it applied there may go with it`;
      return [{ object: keyOf(object), what }];
    }
    if (mark.mark === 'leavesTracked') {
      const what = `${name} leaves what it tracks, as ${mark.by} says`;
      return [{ object: keyOf(object), what }];
    }
  }
  const isCopy = observed?.marks?.some(
    (mark) => mark.mark === 'trackedBy' && mark.kind === CSV_KIND && mark.name === object.name,
  );
  if (object.kind === `${CSV_KIND}.operators.coreos.com`) {
    // The operator runs where the original is.
    if (isCopy === true) return [];
    const what = `${name} leaves its definitions and their instances, which have no operator then`;
    return [{ object: keyOf(object), what }];
  }
  const left = leftBy(object, observed);
  if (left !== null) return [{ object: keyOf(object), what: `${name} ${left}` }];
  const argo = object.kind === 'Application.argoproj.io';
  // A snapshot has one content, a machine one node, and a claim its pods, which are among the objects.
  const isWhole = /^(Volume(Group)?Snapshot[.]|Machine[.]|PersistentVolumeClaim$)/.test(
    object.kind,
  );
  if ((!argo && entry === undefined) || isWhole) return [];
  const found = plural(entry?.tracked.length ?? 0, 'object');
  return [
    {
      object: keyOf(object),
      what: `${name} names what is deleted with it in labels, annotations or its spec, not in owner references: this answer has ${found} of that, and nothing that the dump lacks`,
    },
  ];
}

/**
 * What an object that tracks others leaves, as nothing tells its operator to delete them; null:
 * none.
 */
function leftBy(object: ApiObject, observed: Observation | undefined): string | null {
  if (object.finalizers.includes(ISTIO)) return null;
  if (trackingFinalizer(object) === null) return UNTRACKED[object.kind] ?? null;
  const prunes = observed?.of === 'reconciled' && observed.prunes;
  if (object.kind !== FLUX || prunes) return null;
  return 'does not prune, as its prune and deletionPolicy say: Flux leaves everything that it applied';
}

const FLUX = 'Kustomization.kustomize.toolkit.fluxcd.io';

const ISTIO = 'istio-finalizer.install.istio.io';

const CONFIG_SYNC =
  'has no configsync.gke.io/reconciler: Config Sync leaves everything that it manages';

const UNTRACKED: Readonly<Record<string, string>> = {
  'Application.argoproj.io':
    'has no resources-finalizer.argocd.argoproj.io: Argo CD leaves everything that it tracks',
  [FLUX]: 'has no finalizers.fluxcd.io: Flux leaves everything that it applied',
  'RootSync.configsync.gke.io': CONFIG_SYNC,
  'RepoSync.configsync.gke.io': CONFIG_SYNC,
  'HelmRelease.helm.toolkit.fluxcd.io':
    'has no finalizers.fluxcd.io: Flux leaves the release installed',
  'IstioOperator.install.istio.io': `has no ${ISTIO}: the control plane of Istio that it describes stays`,
  'CatalogSource.operators.coreos.com':
    'is what Subscriptions name: OLM neither installs nor updates what it would have from it',
  'Subscription.operators.coreos.com':
    'has no part in what is installed: OLM leaves the ClusterServiceVersion, and so the operator',
};

/** cert-manager leaves the Secret of a Certificate, unless a flag says that it owns what it issues. */
function certificatesOf(
  certificate: ApiObject,
  { all, goes, observations }: BesidesGiven,
): readonly Besides[] {
  if (certificate.kind !== 'Certificate.cert-manager.io') return [];
  const { namespace, name } = certificate;
  return (issuedIn(all)(observations).get(`${namespace}/${name}`) ?? [])
    .filter((secret) => !goes(secret))
    .map((secret) => ({
      object: keyOf(secret),
      what: `${displayName(secret)} stays: cert-manager leaves what it issued for ${displayName(certificate)}, and renews it no longer`,
    }));
}

type Observations = BesidesGiven['observations'];

/** By namespace and name of a Certificate: what says that it was issued for it. */
const issuedIn = remembered((all: readonly ApiObject[]) =>
  remembered((observations: Observations) => {
    const found = all.flatMap((secret) => {
      const names = marksOn(observations, secret).flatMap((mark) =>
        mark.mark === 'trackedBy' && mark.kind === 'Certificate' ? [mark.name] : [],
      );
      return [...new Set(names)].map((name) => ({ secret, name }));
    });
    const groups = groupedBy(found, ({ secret, name }) => `${secret.namespace}/${name}`);
    return new Map([...groups].map(([name, each]) => [name, each.map(({ secret }) => secret)]));
  }),
);

/** What others delete at a time of its own, whatever is asked here. */
function expiries({ kept, observations }: BesidesGiven): readonly Besides[] {
  return kept.flatMap((object) => {
    const why = expiryOf(object, observations);
    return why === null ? [] : [{ object: keyOf(object), what: why }];
  });
}

/**
 * Tokens name their service account in an annotation, and have no owner reference
 * (`TokensController`).
 */
function tokensOf(
  account: ApiObject,
  { all, goes, observations }: BesidesGiven,
): readonly Besides[] {
  if (account.kind !== 'ServiceAccount') return [];
  return (tokensIn(all)(observations).get(`${account.namespace}/${account.name}`) ?? [])
    .filter((secret) => !goes(secret))
    .map((secret) => {
      const observed = observations.get(keyOf(secret));
      const isOpen = observed?.of === 'token' && observed.perhaps;
      const what = `the token controller deletes ${displayName(secret)} with ${displayName(account)}, which it names in an annotation${isOpen ? ', if its type, which the dump lacks, is that of tokens' : ''}`;
      return { object: keyOf(secret), what };
    });
}

/** By namespace and name of a service account. */
const tokensIn = remembered((all: readonly ApiObject[]) =>
  remembered((observations: Observations) =>
    groupedBy(
      all.filter(
        (object) => object.kind === 'Secret' && observations.get(keyOf(object))?.of === 'token',
      ),
      (secret) => {
        const observed = observations.get(keyOf(secret));
        return `${secret.namespace}/${observed?.of === 'token' ? observed.account : ''}`;
      },
    ),
  ),
);
