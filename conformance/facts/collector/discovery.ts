import * as z from 'zod';
import {
  type Discovery,
  deletableResources,
  isSynced,
  listAgain,
  type Monitors,
  NO_MONITORS,
  syncMonitors,
} from '../../../model/index.ts';
import { compareSets, compareStated, type Difference, failedAt, passedOr } from '../compare.ts';
import { interpreter, NO_STEPS, NOTHING_EXPECTED } from '../interpreter.ts';
import { PASSED } from '../outcome.ts';

/** Which kinds the collector watches. */

/** `null`, `other`, or `group G/V`: discovery of that group failed. */
const discoveryError = z.union([z.null(), z.literal('other'), z.string().regex(/^group \S+$/)]);

type StatedError = z.infer<typeof discoveryError>;

function errorFrom(stated: StatedError): Discovery['error'] {
  if (stated === null || stated === 'other') return stated;
  return { failedGroups: [stated.slice('group '.length)] };
}

const resourceLists = z.array(
  z.strictObject({
    groupVersion: z.string(),
    resources: z.array(
      z.strictObject({
        name: z.string(),
        kind: z.string(),
        namespaced: z.boolean(),
        verbs: z.array(z.string()),
      }),
    ),
  }),
);

const resourcesSchemas = {
  given: z.strictObject({ discovery: resourceLists.nullable(), error: discoveryError }),
  steps: NO_STEPS,
  expect: z.strictObject({
    watched: z.array(
      z.strictObject({ group: z.string(), version: z.string(), resource: z.string() }),
    ),
  }),
};

/** `deletable-resources` */
export const interpretDeletableResources = interpreter(resourcesSchemas, ({ given, expected }) =>
  passedOr(
    compareSets(
      'watched',
      expected.watched,
      deletableResources({ lists: given.discovery, error: errorFrom(given.error) }),
    ),
    'GetDeletableResources, model/collector/discovery.ts',
  ),
);

const names = z.record(z.string(), z.array(z.string()));

const syncStep = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('discovery.set'),
    lists: names.nullable(),
    error: discoveryError,
    stated: z
      .strictObject({
        watched: z.array(z.string()).optional(),
        synced: z.boolean().optional(),
        loopRunning: z.boolean().optional(),
      })
      .optional(),
  }),
  z.strictObject({
    do: z.literal('server.makeListable'),
    resource: z.string(),
    stated: z.strictObject({ syncedEventually: z.boolean().optional() }).optional(),
  }),
]);

const syncSchemas = {
  given: z.strictObject({
    served: names,
    listable: z.array(z.string()),
    notListable: z.array(z.string()),
  }),
  steps: z.array(syncStep),
  expect: NOTHING_EXPECTED,
};

/** `discovery-sync` */
export const interpretDiscoverySync = interpreter(syncSchemas, ({ given, steps, rules }) => {
  const listable = new Set(given.listable);
  const canList = ({ resource }: { readonly resource: string }): boolean => listable.has(resource);
  let monitors: Monitors = NO_MONITORS;
  for (const [index, step] of steps.entries()) {
    if (step.do === 'discovery.set') {
      monitors = syncMonitors(monitors, rules, answerOf(step.lists, step.error), canList);
    } else {
      listable.add(step.resource);
      monitors = listAgain(monitors, canList);
    }
    const difference = differenceOf(step, monitors);
    if (difference !== null) {
      const decidedBy = 'GarbageCollector.Sync, model/collector/discovery.ts';
      return failedAt(index, difference, decidedBy);
    }
  }
  return PASSED;
});

function answerOf(lists: z.infer<typeof names> | null, error: StatedError): Discovery {
  const verbs = ['delete', 'list', 'watch'];
  return {
    lists:
      lists === null
        ? null
        : Object.entries(lists).map(([groupVersion, served]) => ({
            groupVersion,
            resources: served.map((name) => ({ name, verbs })),
          })),
    error: errorFrom(error),
  };
}

/** The sync loop starts its next round when every monitor has synced. */
function differenceOf(step: z.infer<typeof syncStep>, monitors: Monitors): Difference | null {
  const synced = isSynced(monitors);
  if (step.do === 'server.makeListable') {
    return compareStated('syncedEventually', step.stated?.syncedEventually, synced);
  }
  const running = monitors.known.map(({ resource }) => resource);
  return (
    compareSets('watched', step.stated?.watched, running) ??
    compareStated('synced', step.stated?.synced, synced) ??
    compareStated('loopRunning', step.stated?.loopRunning, synced)
  );
}
