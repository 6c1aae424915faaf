import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  NAMESPACE_TOKEN,
  type ObjectKey,
  objectKey,
} from '../../model/index.ts';
import { plural, shellQuoted } from '../../text/layout.ts';
import type { KindCatalogue } from '../manifests/kind-catalogue.ts';
import { displayName } from '../manifests/names.ts';
import { addedIn, type Bare } from './beside/manifests.ts';
import { everythingIn, remainingIn } from './containers/remaining.ts';
import { definitionName } from './links.ts';
import { byKeyIn, contentsIn } from './lookups.ts';
import { marksOn } from './marks.ts';
import type { Condition, Observation } from './observations.ts';
import { resourceOf } from './open-world.ts';
import { uninstalledUnseen } from './operating/definitions.ts';
import { trackingFinalizer } from './operating/tracking.ts';
import { waitsForTracked } from './operators.ts';
import { endpointsOf } from './webhooks/services.ts';
import { childrenByController } from './workloads.ts';

/** What an object takes along, of which the dump may lack some or all. */
export interface UnknownContents {
  /** Store key of the namespace or definition, or of what stands for another object. */
  readonly object: ObjectKey;
  /** The kind of the contents, or words for them. */
  readonly kind: string;
  /** Why it is not known: one clause. */
  readonly why: string;
  /** A command that lists them. */
  readonly settle: string;
  /**
   * The object itself says that something holds it: a clause. Absent: the dump lacks the contents.
   */
  readonly reported?: string;
}

/** A gap in the dump that can hide something that the question is about. */
export interface Incomplete {
  /** One sentence without its full stop. */
  readonly what: string;
  readonly settle: string;
}

interface Given {
  readonly all: readonly ApiObject[];
  readonly kept: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  readonly kinds: KindCatalogue;
  readonly dump: Bare;
  /** What a person deletes. */
  readonly requested: ReadonlyMap<ObjectKey, unknown>;
}

/**
 * What goes and waits for what the dump does not have, or not all of it.
 *
 * @param apisDown whether the dump shows an API that does not answer.
 */
export function unknownContentsOf(given: Given, apisDown: boolean): readonly UnknownContents[] {
  const { all, kept, goes, observations, kinds } = given;
  const table = kinds.table();
  const instances = new Map<string, number>();
  const filled = new Set(all.map(({ namespace }) => namespace));
  for (const { kind } of all) {
    const name = definitionName(table[kind]);
    instances.set(name, (instances.get(name) ?? 0) + 1);
  }
  const namespaces = new Set([...filled].filter((namespace) => namespace !== ''));
  const [only] = namespaces.size === 1 ? namespaces : [];
  const behind = unseenBehind(given)
    .filter(({ waits }) => waits)
    .map(({ object, name, settle }): UnknownContents => {
      return { object: keyOf(object), kind: name, why: 'the dump does not have it', settle };
    });
  const remainingOf = (object: ApiObject, observed: Observation | undefined) => {
    if (observed?.of !== 'Namespace' || !isBeingDeleted(object)) return [];
    const within = contentsIn(all).get(object.name) ?? [];
    return remainingIn(object, observed.conditions, within, table).map((left) => {
      return { ...left, object: keyOf(object), reported: left.why };
    });
  };
  const contents = kept.filter(goes).flatMap((object): readonly UnknownContents[] => {
    const name = keyOf(object);
    const observed = observations.get(keyOf(object));
    if (isEmptied(object, observed)) return [];
    const reported = reportedBy(object, observed, apisDown);
    const left = remainingOf(object, observed);
    if (reported !== null || left.length > 0)
      return [...(reported === null ? [] : [reported]), ...left];
    if (table[object.kind]?.storage === 'namespace' && !filled.has(object.name)) {
      const why = 'the dump has nothing of this namespace';
      const kind = `everything in ${displayName(object)}`;
      return [{ object: name, kind, why, settle: everythingIn(object.name) }];
    }
    if (observed?.of !== 'CustomResourceDefinition') return [];
    const settle = `kubectl get ${shellQuoted(object.name)} -A`;
    if ((instances.get(object.name) ?? 0) === 0) {
      const why = 'the dump has no object of this kind, so perhaps nobody asked for it';
      const failed = failedInstances(object, observed.conditions);
      return [{ object: name, kind: observed.kind, why, settle, ...failed }];
    }
    if (observed.namespaced && only !== undefined) {
      const why = `the dump has no other namespace than ${only}`;
      return [{ object: name, kind: `${observed.kind} of other namespaces`, why, settle }];
    }
    return [];
  });
  const known = new Set([...contents, ...behind].map(({ object }) => object));
  const added = addedIn(given).filter(({ object }) => !known.has(object));
  return [...contents, ...behind, ...added];
}

/**
 * What the namespace controller reports of its last pass, where the dump does not show the reason.
 */
function reportedBy(
  object: ApiObject,
  observed: Observation | undefined,
  apisDown: boolean,
): UnknownContents | null {
  if (observed?.of !== 'Namespace' || !isBeingDeleted(object)) return null;
  const name = displayName(object);
  const failed = (type: string): Condition | undefined =>
    observed.conditions.find((one) => one.type === type && one.status === 'True');
  const about = (kind: string, condition: Condition, settle: string): UnknownContents => {
    const why = condition.message || condition.reason;
    return {
      object: keyOf(object),
      kind,
      why,
      settle,
      reported: `${name} reports ${kind}: ${why}`,
    };
  };
  const discovery = failed('NamespaceDeletionDiscoveryFailure');
  if (discovery !== undefined && !apisDown) {
    return about('an API that does not answer', discovery, 'kubectl get apiservices');
  }
  const version = failed('NamespaceDeletionGroupVersionParsingFailure');
  if (version !== undefined) {
    return about('an API version that cannot be read', version, 'kubectl get apiservices');
  }
  const content = failed('NamespaceDeletionContentFailure');
  const settle =
    calledIn(content?.message ?? '') ?? `kubectl describe namespace ${shellQuoted(object.name)}`;
  return content === undefined
    ? null
    : about('that some of its contents cannot be deleted', content, settle);
}

/** A command that says whether the webhook answers that a message names; null: it names none. */
function calledIn(message: string): string | null {
  const [, name, namespace] = /Post "https:\/\/([\w-]+)\.([\w-]+)\.svc/.exec(message) ?? [];
  return name === undefined ? null : endpointsOf(`${namespace}/${name}`);
}

/**
 * Why the instances of a definition cannot be listed, as it reports itself (`CRDFinalizer`, 1.20).
 */
function failedInstances(
  object: ApiObject,
  conditions: readonly Condition[],
): Pick<UnknownContents, 'why' | 'settle' | 'reported'> | null {
  const failed = conditions.find(
    ({ type, status, reason }) =>
      type === 'Terminating' && status === 'True' && reason === 'InstanceDeletionFailed',
  );
  const settle = calledIn(failed?.message ?? '');
  if (failed === undefined || settle === null) return null;
  const reported = `${displayName(object)} reports: ${failed.message}`;
  return { why: 'nobody can list them', settle, reported };
}

/**
 * Whether the namespace controller has found nothing in this namespace, or nothing that is left. It
 * takes `kubernetes` off only then. What its conditions say is true of what discovery lists.
 */
function isEmptied(object: ApiObject, observed: Observation | undefined): boolean {
  if (observed?.of !== 'Namespace' || !isBeingDeleted(object)) return false;
  if (object.specFinalizers?.includes(NAMESPACE_TOKEN) !== true) return true;
  const statusOf = (type: string): string | undefined =>
    observed.conditions.find((condition) => condition.type === type)?.status;
  return (
    statusOf('NamespaceDeletionGroupVersionParsingFailure') !== 'True' &&
    statusOf('NamespaceContentRemaining') === 'False' &&
    statusOf('NamespaceDeletionContentFailure') === 'False' &&
    statusOf('NamespaceDeletionDiscoveryFailure') === 'False'
  );
}

/** The kinds that the controller of each kind creates, in the group of kubectl's name. */
const CHILDREN: Readonly<Record<string, readonly [apiVersion: string, kind: string]>> = {
  'Deployment.apps': ['apps/v1', 'ReplicaSet'],
  'ReplicaSet.apps': ['v1', 'Pod'],
  'StatefulSet.apps': ['v1', 'Pod'],
  'DaemonSet.apps': ['v1', 'Pod'],
  ReplicationController: ['v1', 'Pod'],
  'Job.batch': ['v1', 'Pod'],
  'CronJob.batch': ['batch/v1', 'Job'],
};

/** Kinds in between that the dump lacks: what depends on them depends on what goes. */
export function incompleteOf({
  all,
  kept,
  goes,
  observations,
  kinds,
  dump,
  requested,
}: Given): readonly Incomplete[] {
  const present = new Set(all.map(({ kind }) => kind));
  const children = childrenByController(all);
  const gaps = new Map<string, Incomplete>();
  for (const object of kept) {
    const child = CHILDREN[object.kind];
    if (child === undefined || !goes(object)) continue;
    const [apiVersion, kind] = child;
    const observed = observations.get(keyOf(object));
    const idle =
      observed?.of === 'workload' &&
      (observed.replicas === 0 ||
        observed.finished ||
        (observed.paused && object.kind.endsWith('.batch')));
    if (idle || kinds.resolve(apiVersion, kind) === null) continue;
    const gap = `${object.namespace}/${kind}`;
    if (gaps.has(gap)) continue;
    const name = kinds.resolve(apiVersion, kind)?.name ?? kind;
    const isManifest = dump.manifests.has(keyOf(object));
    // Those that a dump lacks are absent, while no manifest has children.
    if ((present.has(name) && !isManifest) || (children.get(object.uid) ?? []).length > 0) continue;
    const orphans = (contentsIn(all).get(object.namespace) ?? []).filter(({ ownerReferences }) =>
      ownerReferences.some((owner) => owner.kind === kind),
    );
    const beneath =
      orphans.length === 0
        ? ''
        : `; ${plural(orphans.length, 'object')} in ${object.namespace} ${orphans.length === 1 ? 'names' : 'name'} such an owner`;
    const of = object.kind.split('.')[0] ?? object.kind;
    const what = isManifest
      ? `${displayName(object)} is a manifest here, without what a cluster has beneath it: ${kind}${of === 'StatefulSet' ? ', and claims' : ''}`
      : `the dump has no ${kind}, and ${displayName(object)} is a ${of} that keeps some${beneath}`;
    gaps.set(gap, {
      what,
      settle: `kubectl get ${resourceOf(apiVersion, kind, kinds)} -n ${shellQuoted(object.namespace)} -o yaml`,
    });
  }
  const filling = kept.filter(
    (object) => goes(object) && !isEmptied(object, observations.get(keyOf(object))),
  );
  return [
    ...gaps.values(),
    ...unseenBehind({ all, kept, goes, observations })
      .filter(({ waits }) => !waits)
      .map(({ object, name, settle }) => ({
        what: `the dump lacks ${name}, which is deleted with ${displayName(object)} if it is there`,
        settle,
      })),
    ...kept.filter(goes).flatMap((object) => uninstalledUnseen(object, all)),
    ...partlyCollected(filling, all, kinds),
    ...(present.has('Pod') ? [] : usersUnseen({ all, kept, goes, observations, requested })),
  ];
}

/**
 * A cluster whose claims are bound has pods. Only of claims that a person deletes: those that go
 * with their owner mostly go with its pods, and so do those of a namespace.
 */
function usersUnseen({
  all,
  kept,
  goes,
  observations,
  requested,
}: Omit<Given, 'kinds' | 'dump'>): readonly Incomplete[] {
  const claim = kept.find((object) => {
    if (object.kind !== 'PersistentVolumeClaim' || !requested.has(keyOf(object))) return false;
    const around = byKeyIn(all).get(objectKey('Namespace', '', object.namespace));
    const names = observations.get(keyOf(object))?.names ?? [];
    const isBound = names.some(({ kind }) => kind === 'PersistentVolume');
    return isBound && !(around !== undefined && goes(around));
  });
  if (claim === undefined) return [];
  const what = `the dump has no Pod, and ${displayName(claim)} waits for each one that uses it`;
  return [{ what, settle: `kubectl get pods -n ${shellQuoted(claim.namespace)} -o yaml` }];
}

interface Unseen {
  readonly object: ApiObject;
  /** `Kind/name`. */
  readonly name: string;
  readonly settle: string;
  /** Whether the object stays until it is gone. */
  readonly waits: boolean;
}

/** What an object names as what is deleted with it, and the dump lacks. */
function unseenBehind({
  all,
  kept,
  goes,
  observations,
}: Omit<Given, 'kinds' | 'dump' | 'requested'>): readonly Unseen[] {
  const present = new Set(all.map(({ kind, name }) => `${kind.split('.')[0]}/${name}`));
  return kept.flatMap((object) => {
    const finalizer = trackingFinalizer(object);
    if (!goes(object) || finalizer === null) return [];
    return marksOn(observations, object).flatMap((mark): readonly Unseen[] => {
      // An Application compares much that no dump need have, as `unfollowed` says.
      if (mark.mark !== 'manages' || mark.tool === 'Argo CD') return [];
      const name = `${mark.kind}/${mark.name}`;
      const settle = `kubectl get ${mark.kind.toLowerCase()} ${shellQuoted(mark.name)} -o yaml`;
      return present.has(name) ? [] : [{ object, name, settle, waits: waitsForTracked(finalizer) }];
    });
  });
}

/**
 * Every namespace has these two (since 1.20). A dump without them was not made of all kinds: with
 * `kubectl get all`, for example, which leaves out custom resources.
 */
function partlyCollected(
  going: readonly ApiObject[],
  all: readonly ApiObject[],
  kinds: KindCatalogue,
): readonly Incomplete[] {
  const table = kinds.table();
  const filled = new Set(all.map(({ namespace }) => namespace));
  const whole = new Set(
    all.flatMap(({ kind, namespace, name }) =>
      (kind === 'ConfigMap' && name === 'kube-root-ca.crt') ||
      (kind === 'ServiceAccount' && name === 'default')
        ? [namespace]
        : [],
    ),
  );
  return going
    .filter(({ kind, name }) => table[kind]?.storage === 'namespace' && filled.has(name))
    .filter(({ name }) => !whole.has(name))
    .map(({ name }) => ({
      what: `the dump has neither ConfigMap/kube-root-ca.crt nor ServiceAccount/default of namespace ${name}, which every namespace has, so it may lack other kinds, and what holds the namespace`,
      settle: everythingIn(name),
    }));
}
