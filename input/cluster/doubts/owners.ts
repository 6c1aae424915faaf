import {
  type ApiObject,
  keyOf,
  type ObjectKey,
  type OwnerReference,
} from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import type { KindCatalogue } from '../../manifests/kind-catalogue.ts';
import { byUidIn } from '../lookups.ts';
import { settlingCommand } from '../open-world.ts';

/** An owner with the uid of an object of another kind, if it is unknown whether its kind is served. */
export interface DoubtfulOwner {
  readonly reference: OwnerReference;
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
    object.ownerReferences
      .filter((reference) => uids.has(reference.uid) && kinds.isDoubtful(reference))
      .map((reference) => ({ object, reference, key: referenceKey(reference) })),
  );
  return [...groupedBy(named, ({ key }) => key).values()].flatMap((found) => {
    const [first] = found;
    if (first === undefined) return [];
    const { reference, object } = first;
    return {
      reference,
      dependents: found.map((one) => keyOf(one.object)),
      settle: settlingCommand(reference, object.namespace, kinds),
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
  if (doubtful.length === 0) return objects;
  const keys = new Set(doubtful.map(({ reference }) => referenceKey(reference)));
  return objects.map((object) => {
    if (!object.ownerReferences.some((reference) => keys.has(referenceKey(reference)))) {
      return object;
    }
    const ownerReferences = object.ownerReferences.map((reference) =>
      keys.has(referenceKey(reference))
        ? { ...reference, apiVersion: `${reference.apiVersion} (not served)` }
        : reference,
    );
    return { ...object, ownerReferences };
  });
}
