import { possibleObjects, referencesByObject, requestsOf } from './instances.ts';
import { isWatched, type Kind } from './kinds.ts';
import { type ApiObject, FOREGROUND, keyOf, ORPHAN, type Uid } from './objects.ts';
import type { Setup } from './setup.ts';

/**
 * The objects that the collector need not see (`Setup.observed`).
 *
 * It acts for an object only if the object has owners, has dependents, or has a finalizer of the
 * collector. An object that has none of them at any time gets a node in its graph, and loses it
 * again; nothing reads that node. Without it, the steps of all other actors are the same.
 */
export function unobserved(setup: Setup): readonly Uid[] {
  const known = foundFor.get(setup);
  if (known !== undefined) return known;
  const found = findUnobserved(setup);
  foundFor.set(setup, found);
  return found;
}

/** Whether the collector watches the kind of an object, and needs to see this object. */
export function isObserved(
  setup: Setup,
  { kind, uid }: { readonly kind: string; readonly uid: Uid },
): boolean {
  return isWatched(setup, kind) && !unobserved(setup).includes(uid);
}

/** Properties ask in each state, and setups never change. */
const foundFor = new WeakMap<Setup, readonly Uid[]>();

function findUnobserved(setup: Setup): readonly Uid[] {
  if (setup.observed !== 'related' || isDisturbed(setup)) return [];
  // A controller in TypeScript may give any object an owner.
  if (setup.programs !== undefined) return [];
  const related = new Set(
    referencesByObject(setup).flatMap(({ object, reference }) => [object.uid, reference.uid]),
  );
  for (const uid of Object.keys({ ...setup.otherDependents, ...setup.otherOwners })) {
    related.add(uid);
  }
  const requests = [
    ...requestsOf(setup),
    ...(setup.operators ?? []).flatMap(({ deletes }) =>
      deletes.map((each) => ({ do: 'delete' as const, ...each })),
    ),
  ];
  const named = new Set<string>();
  for (const request of requests) {
    if (request.do === 'delete' && isBackground(request.options)) continue;
    if (request.do === 'deleteCollection') return [];
    if ('key' in request) named.add(request.key);
  }
  return possibleObjects(setup)
    .filter((object) => {
      const kind = setup.kinds[object.kind];
      return (
        kind !== undefined &&
        !orphansByDefault(kind) &&
        !related.has(object.uid) &&
        !named.has(keyOf(object)) &&
        !hasFinalizerOfCollector(object)
      );
    })
    .map(({ uid }) => uid);
}

/** Whether the collector can list objects again. A list has all of them. */
function isDisturbed(setup: Setup): boolean {
  const { relists, caches, discovery, neverSyncs, syncsLate, notInstalled, lags, lostEvents } =
    setup;
  const disturbances = [discovery, neverSyncs, syncsLate, notInstalled, lags, lostEvents];
  return (
    caches === 'cold' ||
    Object.keys(relists).length > 0 ||
    disturbances.some((option) => option !== undefined)
  );
}

/** Whether a DELETE with these options adds no finalizer, whatever the default of the kind. */
function isBackground({
  propagationPolicy,
  orphanDependents,
}: {
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
}): boolean {
  if (orphanDependents !== undefined) return !orphanDependents;
  return propagationPolicy === undefined || propagationPolicy === 'Background';
}

function orphansByDefault({ defaultPolicy, defaultPolicyByVersion }: Kind): boolean {
  const { versions = {}, otherVersions, noRequest } = defaultPolicyByVersion ?? {};
  const policies = [defaultPolicy, otherVersions, noRequest, ...Object.values(versions)];
  return policies.includes('orphanDependents');
}

function hasFinalizerOfCollector({ finalizers }: ApiObject): boolean {
  return finalizers.includes(FOREGROUND) || finalizers.includes(ORPHAN);
}
