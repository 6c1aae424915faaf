import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  type OwnerReference,
  type Setup,
  toleratesLoss,
} from '../../model/index.ts';
import { plural } from '../../text/layout.ts';
import type { Dump } from '../manifests/dump.ts';
import type { KindCatalogue } from '../manifests/kind-catalogue.ts';
import type { Slice } from '../manifests/slice.ts';
import { ACTOR_NAMES } from './actor-names.ts';
import { type ActorOptions, type InferredActor, inferActors } from './actors.ts';
import { type Besides, besidesOf } from './beside/besides.ts';
import { brokenIn } from './beside/breaks.ts';
import { copiesIn } from './beside/copies.ts';
import {
  abandonedIn,
  claimsDeletedIn,
  type Doubt,
  releasedIn,
  tornDownIn,
  unprotectedIn,
  withProtection,
} from './beside/doubts.ts';
import { externalIn } from './beside/external.ts';
import { keysIn } from './beside/keys.ts';
import { longhornIn } from './beside/longhorn.ts';
import { nodesInDoubt } from './beside/nodes.ts';
import { budgetsIn } from './beside/pods.ts';
import { recordsIn } from './beside/records.ts';
import { remadeIn } from './beside/remade.ts';
import { servicesIn } from './beside/services.ts';
import { adoptersIn, adoptionDoubts, surplusDoubts, surplusIn } from './beside/surplus.ts';
import { onUnreadyNodes } from './beside/unready.ts';
import { unreplacedIn } from './beside/unreplaced.ts';
import { volumesBeside } from './beside/volumes.ts';
import type { Requested } from './cel/requests.ts';
import {
  type Incomplete,
  incompleteOf,
  type UnknownContents,
  unknownContentsOf,
} from './contents.ts';
import { type DoubtfulOwner, doubtfulOwnersOf } from './doubts/owners.ts';
import {
  type FinalizerOptions,
  type JudgedFinalizer,
  judgedFinalizers,
  ownerOf,
} from './finalizers.ts';
import { WELL_KNOWN_FINALIZERS } from './known/index.ts';
import type { Beyond } from './links.ts';
import { type NodeStates, nodeStates } from './nodes.ts';
import { nodesOf, ownersUnknownIn, settlingCommand, standIn } from './open-world.ts';
import { deletesNode } from './operating/machines.ts';
import { operatorsFor, type Tracking, trackings } from './operators.ts';
import { leftBehindIn, type UninstallOptions } from './uninstalls/left-behind.ts';
import { admissionIn } from './webhooks/admission.ts';
import type { AdmissionOptions } from './webhooks/admitted.ts';
import { silencedIn, type UnavailableApi, unavailableIn, unservedIn } from './webhooks/backends.ts';
import type { Refused } from './webhooks/refusals.ts';
import type { Replaced } from './workloads.ts';

/** The cluster around the objects of a dump: who acts there, and what the dump does not say. */
export interface ClusterAround {
  readonly actors: readonly InferredActor[];
  readonly finalizers: readonly JudgedFinalizer[];
  /** Owners that are named, and of whose kind the dump has nothing. */
  readonly unknownOwners: readonly UnknownOwner[];
  readonly doubtfulOwners: readonly DoubtfulOwner[];
  /** Nodes of pods here whose machine is gone or does not answer. */
  readonly lostNodes: readonly string[];
  /** What is made anew once it is gone. */
  readonly replaced: readonly Replaced[];
  /** The same, of controllers that the search leaves out. */
  readonly replacedBeside: readonly Replaced[];
  /** Namespaces and definitions whose contents the dump lacks. */
  readonly unknownContents: readonly UnknownContents[];
  /** Other gaps of the dump in which something that is asked about can be. */
  readonly incomplete: readonly Incomplete[];
  /** What could not be read of a cluster. Anything can be in it. */
  readonly unread: readonly Incomplete[];
  /** Objects whose finalizers make an operator delete others. */
  readonly tracking: readonly Tracking[];
  /** What other controllers do as well, which the model leaves out. */
  readonly besides: readonly Besides[];
  /** What the model leaves out, and what can make a fate another one. */
  readonly doubts: readonly Doubt[];
  /** What webhooks that do not answer keep as it is. */
  readonly refused: readonly Refused[];
  /** The words of `--admitted` on which this rests. */
  readonly admitted: readonly string[];
  /** APIs that do not answer. While there are any, no namespace is finalized. */
  readonly unavailableApis: readonly UnavailableApi[];
}

export interface UnknownOwner {
  readonly reference: OwnerReference;
  /** Names of the objects that name it, in the order of the dump. */
  readonly dependents: readonly string[];
  /** The namespace in which the collector looks for it; empty for a cluster-scoped kind. */
  readonly namespace: string;
  /** A command whose answer says whether it is there. */
  readonly settle: string;
}

export type AroundOptions = ActorOptions & FinalizerOptions & AdmissionOptions & UninstallOptions;

export const NOTHING_SAID: AroundOptions = {
  with: [],
  without: [],
  lostNodes: [],
  cooperative: [],
  stuck: [],
  admitted: new Map(),
};

export interface Around {
  readonly cluster: ClusterAround;
  /** The part of the setup that follows from it. */
  readonly setup: ReturnType<typeof inferActors>['setup'] &
    Pick<
      Setup,
      'objects' | 'finalizers' | 'lostNodes' | 'operators' | 'unavailableApis' | 'observed'
    >;
}

/** What a limit ends. A title can name thousands of objects. */
export const PLANNING = 'seeing what surrounds the objects of the question';

/** What the slice follows beyond the objects themselves. */
export function beyondOf(dump: Dump, options: AroundOptions): Beyond {
  const objects = dump.objects.map(({ object }) => object);
  return {
    observations: dump.observations,
    labels: dump.labels,
    nodes: nodeStates(objects, dump.observations, options),
    without: options.without,
    finalizers: [...(options.finalizers ?? []), ...WELL_KNOWN_FINALIZERS],
  };
}

/**
 * Reads off a dump what surrounds the objects that are kept of it.
 *
 * @param requested what a person deletes.
 */
export function clusterAround(
  dump: Dump,
  { kept, mortal, orphaned, links }: Slice,
  kinds: KindCatalogue,
  options: AroundOptions,
  beyond: Beyond = beyondOf(dump, options),
  requested: Requested = new Map(),
): Around {
  const all = dump.objects.map(({ object }) => object);
  const look = (): void => dump.look?.(PLANNING);
  const goes = (object: ApiObject): boolean => mortal.has(object);
  const goesSurely = (object: ApiObject): boolean => goes(object) && !orphaned.has(object);
  const { nodes, observations } = beyond;
  const { labels } = dump;
  const { actors, setup, replaced, toCome, unsearched } = inferActors(
    {
      ...{ objects: kept, all, kinds: kinds.table(), observations, goes, nodes },
      ...{ goesSurely, labels },
    },
    options,
  );
  look();
  const off = ACTOR_NAMES.filter((name) => options.without.includes(name));
  const evidence = {
    ...{ objects: kept, dump: all, goes, observations, nodes, off },
    ...{ kinds: kinds.table(), labels, trackedBy: links.trackedBy },
  };
  const finalizers = judgedFinalizers(evidence, options);
  look();
  const unknownOwners = unknownOwnersOf(kept, all, kinds);
  const nodeOf = (machine: ApiObject) => deletesNode(machine, all, observations, labels, goes);
  const leavesNode = (machine: ApiObject): boolean => nodeOf(machine) !== 'always';
  const tracking = trackings(kept, goes, links, observations, all, requested, leavesNode);
  const operators = operatorsFor(kept, tracking, finalizers);
  look();
  const lostNodes = [...nodes.lost.keys()].filter((node) =>
    kept.some(({ pod }) => pod?.node === node),
  );
  const anew = [replaced, toCome, ...unsearched.map((one) => one.replaced)].flat();
  const comesBack = new Set(anew.map(({ object }) => object));
  const unserved = unservedIn({ all, labels, goes, observations, comesBack });
  const emptied = kept.filter(({ kind, name }) => {
    return kind === 'Namespace' && setup.emptiedNamespaces?.includes(name) === true;
  });
  const going = { namespaces: emptied.filter(goes), goes, unserved };
  const unavailableApis = emptied.length === 0 ? [] : unavailableIn(dump, going);
  const unknown = new Set(unknownOwners.map(({ reference }) => reference.uid));
  const about = { all, kept, goes, observations, kinds, tracking, unknown, dump, look, requested };
  const beside = { ...about, kinds: kinds.table() };
  const asking = { dump, kinds, kept, goes, tracking, unserved, requested, options, lostNodes };
  const admission = admissionIn(asking);
  const known = beyond.finalizers;
  const besidesWith = (may: typeof goes): readonly Besides[] => {
    const given = { ...beside, goes: may };
    const finders: readonly (() => readonly Besides[])[] = [
      () => besidesOf(given),
      () => volumesBeside(given, (name, object) => ownerOf(name, object, evidence, options)),
      () => longhornIn(given),
      () => surplusIn(given),
      () => unreplacedIn({ ...given, labels, nodes }),
      () => adoptersIn(given, labels),
      () => budgetsIn(given, labels, known),
      () => leftBehindIn(given, known, evidence, options),
      () => externalIn(given, known),
      () => [...brokenIn(given, labels), ...keysIn(given, labels)],
      () => [...recordsIn(given, labels), ...copiesIn(given)],
      () => servicesIn(given, labels),
      () => remadeIn(given, labels),
    ];
    return finders.flatMap((find) => {
      look();
      return find();
    });
  };
  const besides = besidesWith(goes);
  const isProtected = setup.storageProtection === true;
  const owners = unknownOwners.map((owner) => standIn(owner, kinds));
  const claims = new Set<string>(
    kept.flatMap((object) => (object.kind === 'PersistentVolumeClaim' ? [keyOf(object)] : [])),
  );
  const present = new Set(kept.flatMap(({ kind, name }) => (kind === 'Node' ? [name] : [])));
  return {
    cluster: {
      actors,
      finalizers,
      unknownOwners,
      doubtfulOwners: doubtfulOwnersOf(kept, all, kinds),
      lostNodes,
      replaced,
      replacedBeside: [...unsearched.flatMap((one) => one.replaced), ...toCome],
      unknownContents: unknownContentsOf(about, unavailableApis.length > 0),
      incomplete: incompleteOf(about),
      unread: dump.unread,
      tracking,
      besides: [
        ...unsearched.map(({ name, parent, count }) => ({
          object: parent,
          what: `${name} stays, and makes ${plural(count, 'object')} beneath it anew: the search leaves that out`,
        })),
        ...(orphaned.size === 0 ? besides : ifOrphansGo(besides, besidesWith(goesSurely))),
        ...admission.besides,
      ],
      refused: admission.refused,
      admitted: admission.admitted,
      doubts: [
        ...admission.doubts,
        ...silencedIn(dump, going),
        ...(isProtected ? unprotectedIn(kept.filter(goes)) : []),
        ...onUnreadyNodes(kept, nodes, options.without),
        ...tornDownIn(kept, goes, links),
        ...nodesInDoubt(kept, goes, links, nodeOf),
        ...claimsDeletedIn(kept, goes, links, known, kinds.table()),
        ...abandonedIn(kept, goes, links, observations, all),
        ...releasedIn(kept, goes, observations, tracking, requested),
        ...surplusDoubts({ ...beside, orphaned, labels }),
        ...adoptionDoubts({ ...beside, orphaned, labels }, requested),
      ],
      unavailableApis,
    },
    setup: {
      ...setup,
      observed: 'related',
      objects: [
        ...kept.map((object) => {
          const known = withClaims(onNode(object, present, nodes), claims);
          return ended(isProtected ? withProtection(known) : known, setup.kubelets === true);
        }),
        ...owners,
        ...(setup.podGc === undefined ? [] : nodesOf(lostNodes, present, nodes)),
      ],
      ...(lostNodes.length > 0 ? { lostNodes } : {}),
      ...(operators.length > 0 ? { operators } : {}),
      ...(unavailableApis.length > 0
        ? { unavailableApis: unavailableApis.map(({ groupVersion }) => groupVersion) }
        : {}),
      // Unknown ones are taken as cooperative here; a second search takes them as stuck.
      finalizers: Object.fromEntries(
        finalizers.map(({ finalizer, judgement }) => [
          finalizer,
          judgement === 'stuck' ? 'stuck' : 'cooperative',
        ]),
      ),
    },
  };
}

/** Marks the sentences that hold only if what is left to itself is deleted all the same. */
function ifOrphansGo(all: readonly Besides[], withoutThem: readonly Besides[]): readonly Besides[] {
  const sure = new Set(withoutThem.map(({ what }) => what));
  return all.map((one) => (sure.has(one.what) ? one : { ...one, ifOrphansGo: true }));
}

/**
 * The node of a pod matters only if it is lost, or is an object of the model. Without its Node
 * object, pod gc would find the node of any other pod absent.
 */
function onNode(object: ApiObject, present: ReadonlySet<string>, { lost }: NodeStates): ApiObject {
  const { pod } = object;
  if (pod?.node === undefined) return object;
  if (lost.has(pod.node) || present.has(pod.node)) {
    // What the DaemonSet controller has given a pod stays if the pod loses its owner.
    return toleratesLoss(object, false)
      ? { ...object, pod: { tolerates: 'lost', ...pod } }
      : object;
  }
  const { node: _, ...rest } = pod;
  return { ...object, pod: rest };
}

/**
 * A kubelet removes a pod that it has shut down, with a DELETE. If one runs, that DELETE is still
 * to come, or comes again.
 */
function ended(object: ApiObject, isKubeletThere: boolean): ApiObject {
  const { pod, finalizers, deletionGracePeriodSeconds: grace } = object;
  const isShutDown = isBeingDeleted(object) && grace === 0 && finalizers.length === 0;
  if (!isKubeletThere || pod?.scheduled !== true || !isShutDown) return object;
  return { ...object, deletionGracePeriodSeconds: 1 };
}

/** Claims that are no objects of the model do not matter, and their names would tell pods apart. */
function withClaims(object: ApiObject, present: ReadonlySet<string>): ApiObject {
  const { pod, namespace } = object;
  if (pod?.claims === undefined) return object;
  const claims = pod.claims.filter((name) =>
    present.has(keyOf({ kind: 'PersistentVolumeClaim', namespace, name })),
  );
  const { claims: _, ...rest } = pod;
  return { ...object, pod: claims.length === 0 ? rest : { ...rest, claims } };
}

function unknownOwnersOf(
  kept: readonly ApiObject[],
  all: readonly ApiObject[],
  kinds: KindCatalogue,
): readonly UnknownOwner[] {
  const world = ownersUnknownIn(all, kinds);
  const found = new Map<string, { reference: OwnerReference; dependents: ApiObject[] }>();
  for (const object of kept) {
    for (const reference of object.ownerReferences) {
      if (!world.isUnknown(reference, object)) continue;
      const known = found.get(reference.uid);
      if (known === undefined) found.set(reference.uid, { reference, dependents: [object] });
      else known.dependents.push(object);
    }
  }
  return [...found.values()].map(({ reference, dependents }) => {
    const kind = kinds.resolve(reference.apiVersion, reference.kind);
    const namespace = kind?.namespaced === false ? '' : (dependents[0]?.namespace ?? '');
    return {
      reference,
      dependents: dependents.map(keyOf),
      namespace,
      settle: settlingCommand(reference, namespace, kinds),
    };
  });
}
