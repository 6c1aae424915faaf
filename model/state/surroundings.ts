import { instancesOf, possibleObjects } from './instances.ts';
import { isWatched } from './kinds.ts';
import { unobserved } from './observed.ts';
import type { Setup } from './setup.ts';
import type { World } from './world.ts';

/**
 * What is fixed while a model of this setup runs, except the caches of actors. `worldOf` adds the
 * caches, so actors can use this function.
 */
export function surroundingsOf(setup: Setup): World {
  return {
    kinds: setup.kinds,
    rules: setup.rules,
    // The cache can hold all identities of the model, so no entry is ever evicted.
    absentOwnerCapacity: Number.POSITIVE_INFINITY,
    namespaces:
      setup.open === true
        ? 'all'
        : possibleObjects(setup)
            .filter((object) => setup.kinds[object.kind]?.storage === 'namespace')
            .map((object) => object.name),
    ...(setup.definitions === undefined ? {} : { definitions: setup.definitions }),
    ...(setup.orderedDelivery === undefined ? {} : { orderedDelivery: setup.orderedDelivery }),
    ...(setup.otherContents === undefined ? {} : { otherContents: setup.otherContents }),
    ...(setup.otherDependents === undefined ? {} : { otherDependents: setup.otherDependents }),
    ...(setup.observed === undefined ? {} : { unobserved: unobserved(setup) }),
    ...(setup.unavailableApis === undefined ? {} : { unavailableApis: setup.unavailableApis }),
    ...(setup.refusesUpdates === undefined ? {} : { refusesUpdates: setup.refusesUpdates }),
    ...monitoring(setup),
    ...(setup.lags === undefined ? {} : { lags: setup.lags }),
    ...(setup.rateLimiter === undefined ? {} : { rateLimiter: setup.rateLimiter }),
    ...(setup.denied === undefined ? {} : { denied: setup.denied }),
    ...noting(setup),
  };
}

/** The controllers for which a change may end that a request is in vain. */
function noting({ operators = [], programs = [] }: Setup): Pick<World, 'noting'> {
  const names = [...operators, ...programs].map(({ name }) => name);
  return names.length === 0 ? {} : { noting: names };
}

/** Whether monitors of the collector come and go, or sync at different times. */
export function monitorsComeAndGo({
  discovery,
  neverSyncs,
  syncsLate,
  notInstalled,
}: Pick<Setup, 'discovery' | 'neverSyncs' | 'syncsLate' | 'notInstalled'>): boolean {
  return (discovery ?? neverSyncs ?? syncsLate ?? notInstalled) !== undefined;
}

function monitoring(setup: Setup): Partial<World> {
  const { discovery, neverSyncs, syncsLate, notInstalled } = setup;
  if (!monitorsComeAndGo(setup)) return {};
  const kinds = new Set([...instancesOf(setup).kinds, ...(neverSyncs ?? []), ...(syncsLate ?? [])]);
  return {
    monitored: [...kinds].filter((kind) => isWatched(setup, kind)),
    ...(discovery === undefined ? {} : { discovery }),
    ...(neverSyncs === undefined ? {} : { neverSyncs }),
    ...(syncsLate === undefined ? {} : { syncsLate }),
    ...(notInstalled === undefined ? {} : { notInstalled }),
  };
}
