import {
  type ApiObject,
  keyOf,
  type ObjectKey,
  type OwnerReference,
} from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import type { KindCatalogue, OwnerDoubt } from '../../manifests/kind-catalogue.ts';
import { withoutMirror } from '../../manifests/mirrored.ts';
import { byUidIn } from '../lookups.ts';
import { settlingCommand } from '../open-world.ts';

/** An owner of which it is unknown whether its kind is served in the version of the reference. */
export interface DoubtfulOwner {
  readonly reference: OwnerReference;
  /** `kind`: it has the uid of an object of another kind. */
  readonly doubt: OwnerDoubt;
  /** Store keys of the objects that name it, in the order of the dump. */
  readonly dependents: readonly ObjectKey[];
  /** A command whose answer says what the collector finds. */
  readonly settle: string;
}

/** @param all objects of the dump. */
export function doubtfulOwnersOf(
  kept: readonly ApiObject[],
  all: readonly ApiObject[],
  kinds: KindCatalogue,
): readonly DoubtfulOwner[] {
  const uids = byUidIn(all);
  const named = kept.flatMap((object) =>
    object.ownerReferences.flatMap((reference) => {
      const doubt = kinds.doubtOf(reference);
      const isUnknown = doubt === 'kind' && !uids.has(reference.uid);
      return doubt === null || isUnknown
        ? []
        : [{ object, reference, doubt, key: referenceKey(reference) }];
    }),
  );
  return [...groupedBy(named, ({ key }) => key).values()].flatMap((found) => {
    const [first] = found;
    if (first === undefined) return [];
    const { reference, object, doubt } = first;
    return {
      ...{ reference, doubt },
      dependents: found.map((one) => keyOf(one.object)),
      settle: settlingCommand(reference, object.namespace, kinds, 'in its version'),
    };
  });
}

/** What an owner reference means, as text. */
export function referenceKey({ apiVersion, kind, uid }: OwnerReference): string {
  return `${apiVersion} ${kind} ${uid}`;
}

/**
 * The objects where nothing serves the kinds of these owners. An aggregated API that shows the other
 * object as one of such a kind makes no difference as long as that object is there, and the owner is
 * absent once it goes.
 */
export function unserved(
  objects: readonly ApiObject[],
  doubtful: readonly DoubtfulOwner[],
): readonly ApiObject[] {
  return withOwners(objects, doubtful, (reference) => ({
    ...reference,
    apiVersion: `${reference.apiVersion} (not served)`,
  }));
}

/** The objects where the kinds of these owners are served. */
export function served(
  objects: readonly ApiObject[],
  doubtful: readonly DoubtfulOwner[],
): readonly ApiObject[] {
  return withOwners(objects, doubtful, withoutMirror);
}

function withOwners(
  objects: readonly ApiObject[],
  doubtful: readonly DoubtfulOwner[],
  changed: (reference: OwnerReference) => OwnerReference,
): readonly ApiObject[] {
  if (doubtful.length === 0) return objects;
  const keys = new Set(doubtful.map(({ reference }) => referenceKey(reference)));
  return objects.map((object) => {
    if (!object.ownerReferences.some((reference) => keys.has(referenceKey(reference)))) {
      return object;
    }
    const ownerReferences = object.ownerReferences.map((reference) =>
      keys.has(referenceKey(reference)) ? changed(reference) : reference,
    );
    return { ...object, ownerReferences };
  });
}
