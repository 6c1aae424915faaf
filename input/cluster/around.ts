import {
  type ApiObject,
  keyOf,
  type ObjectKey,
  type OwnerReference,
  type Setup,
} from '../../model/index.ts';
import type { Dump } from '../manifests/dump.ts';
import type { KindCatalogue } from '../manifests/kind-catalogue.ts';
import type { Slice } from '../manifests/slice.ts';
import { type ActorOptions, type InferredActor, inferActors } from './actors.ts';
import { type FinalizerOptions, type JudgedFinalizer, judgedFinalizers } from './finalizers.ts';
import { ownersUnknownIn, settlingCommand } from './open-world.ts';

/** The cluster around the objects of a dump: who acts there, and what the dump does not say. */
export interface ClusterAround {
  readonly actors: readonly InferredActor[];
  readonly finalizers: readonly JudgedFinalizer[];
  /** Owners that are named, and of whose kind the dump has nothing. */
  readonly unknownOwners: readonly UnknownOwner[];
  /** Nodes of pods here whose machine is gone or does not answer. */
  readonly lostNodes: readonly string[];
  /** What is in a namespace or of a definition here, but was not collected. */
  readonly unknownContents: readonly UnknownContents[];
  /** What else the dump lacks, in words. */
  readonly incomplete: readonly { readonly what: string; readonly settle: string }[];
}

/** A namespace or definition that takes along objects of a kind that the dump lacks altogether. */
export interface UnknownContents {
  /** The namespace or definition. */
  readonly object: ObjectKey;
  /** The kind of the contents, or words for all of them. */
  readonly kind: string;
  /** The command that lists them. */
  readonly settle: string;
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

export type AroundOptions = ActorOptions & FinalizerOptions;

export const NOTHING_SAID: AroundOptions = {
  with: [],
  without: [],
  lostNodes: [],
  cooperative: [],
  stuck: [],
};

export interface Around {
  readonly cluster: ClusterAround;
  /** The part of the setup that follows from it. */
  readonly setup: ReturnType<typeof inferActors>['setup'] & Pick<Setup, 'objects' | 'finalizers'>;
}

/** Reads off a dump what surrounds the objects that are kept of it. */
export function clusterAround(
  dump: Dump,
  { kept, mortal }: Slice,
  kinds: KindCatalogue,
  options: AroundOptions,
): Around {
  const all = dump.objects.map(({ object }) => object);
  const goes = (object: ApiObject): boolean => mortal.has(object);
  const { actors, setup, lostNodes } = inferActors(
    { objects: kept, kinds: kinds.table(), observations: dump.observations, goes },
    options,
  );
  const finalizers = judgedFinalizers(kept, all, goes, options);
  const unknownOwners = unknownOwnersOf(kept, all, kinds);
  return {
    cluster: {
      actors,
      finalizers,
      unknownOwners,
      lostNodes: lostNodes.filter((node) => kept.some(({ pod }) => pod?.node === node)),
      unknownContents: [],
      incomplete: [],
    },
    setup: {
      ...setup,
      objects: [...kept, ...unknownOwners.map((owner) => standIn(owner, kinds))],
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

function unknownOwnersOf(
  kept: readonly ApiObject[],
  all: readonly ApiObject[],
  kinds: KindCatalogue,
): readonly UnknownOwner[] {
  const world = ownersUnknownIn(all, kinds);
  const found = new Map<string, { reference: OwnerReference; dependents: ApiObject[] }>();
  for (const object of kept) {
    for (const reference of object.ownerReferences) {
      if (!world.isUnknown(reference)) continue;
      // The collector cannot look up a namespaced owner of a cluster-scoped object, wherever it is.
      const kind = kinds.resolve(reference.apiVersion, reference.kind);
      if (object.namespace === '' && kind?.namespaced === true) continue;
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
      settle: settlingCommand(reference, namespace),
    };
  });
}

/** An object that stands for an owner of which nothing is known: it is there, and nobody deletes it. */
function standIn({ reference, namespace }: UnknownOwner, kinds: KindCatalogue): ApiObject {
  const kind = kinds.accept(reference.apiVersion, reference.kind, namespace !== '');
  return {
    kind: kind.name,
    namespace,
    name: reference.name,
    uid: reference.uid,
    generation: kind.generation ? 1 : 0,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    ...(kind.graceful
      ? { pod: { terminationGracePeriodSeconds: null, scheduled: false, finished: false } }
      : {}),
  };
}
