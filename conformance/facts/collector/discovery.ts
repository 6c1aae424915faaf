import { z } from 'zod';
import {
  type Discovery,
  deletableResources,
  isSynced,
  listAgain,
  type Monitors,
  NO_MONITORS,
  syncMonitors,
} from '../../../model/index.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { failed, PASSED, unsupported } from '../outcome.ts';
import { compare, compareSets, type Difference } from './compare-state.ts';
import { passedOr } from './trace.ts';

/** `deletable-resources` and `discovery-sync`: which kinds the collector watches. */

/** `null`, `other`, or `group G/V`: that group failed. */
const discoveryError = z.union([z.null(), z.literal('other'), z.string().regex(/^group \S+$/)]);

function errorFrom(stated: z.infer<typeof discoveryError>): Discovery['error'] {
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

export const interpretDeletableResources: Interpreter = (fact) => {
  const givenSchema = z.strictObject({
    discovery: resourceLists.nullable(),
    error: discoveryError,
  });
  const expectSchema = z.strictObject({
    watched: z.array(
      z.strictObject({ group: z.string(), version: z.string(), resource: z.string() }),
    ),
  });
  const given = parseWith(givenSchema, fact.given, 'given');
  const expected = parseWith(expectSchema, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (expected.outcome !== null) return expected.outcome;
  if (fact.steps.length > 0) return unsupported('steps: this kind has none');
  const { discovery, error } = given.value;
  return passedOr(
    compareSets(
      'watched',
      expected.value.watched,
      deletableResources({ lists: discovery, error: errorFrom(error) }),
    ),
    'GetDeletableResources, model/collector/discovery.ts',
  );
};

const names = z.record(z.string(), z.array(z.string()));

const syncGiven = z.strictObject({
  served: names,
  listable: z.array(z.string()),
  notListable: z.array(z.string()),
});

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

export const interpretDiscoverySync: Interpreter = (fact, rules) => {
  const given = parseWith(syncGiven, fact.given, 'given');
  const steps = parseWith(z.array(syncStep), fact.steps, 'steps');
  const expected = parseWith(z.strictObject({}), fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (steps.outcome !== null) return steps.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const listable = new Set(given.value.listable);
  const canList = ({ resource }: { readonly resource: string }): boolean => listable.has(resource);
  let monitors: Monitors = NO_MONITORS;
  for (const [index, step] of steps.value.entries()) {
    if (step.do === 'discovery.set') {
      monitors = syncMonitors(monitors, rules, answerOf(step.lists, step.error), canList);
    } else {
      listable.add(step.resource);
      monitors = listAgain(monitors, canList);
    }
    const difference = differenceOf(step, monitors);
    if (difference !== null) {
      const { field, expected: wanted, got } = difference;
      const rule = `${field}, decided by GarbageCollector.Sync, model/collector/discovery.ts`;
      return failed(index, wanted, got, rule);
    }
  }
  return PASSED;
};

function answerOf(
  lists: z.infer<typeof names> | null,
  error: z.infer<typeof discoveryError>,
): Discovery {
  const verbs = ['delete', 'list', 'watch'];
  return {
    lists:
      lists === null
        ? null
        : Object.entries(lists).map(([groupVersion, resources]) => ({
            groupVersion,
            resources: resources.map((name) => ({ name, verbs })),
          })),
    error: errorFrom(error),
  };
}

/** The loop goes on to its next round once every monitor has synced. */
function differenceOf(step: z.infer<typeof syncStep>, monitors: Monitors): Difference | null {
  if (step.do === 'server.makeListable') {
    const { syncedEventually } = step.stated ?? {};
    if (syncedEventually === undefined) return null;
    return compare('syncedEventually', syncedEventually, isSynced(monitors));
  }
  const { watched, synced, loopRunning } = step.stated ?? {};
  const running = monitors.known.map(({ resource }) => resource);
  return (
    (watched === undefined ? null : compareSets('watched', watched, running)) ??
    (synced === undefined ? null : compare('synced', synced, isSynced(monitors))) ??
    (loopRunning === undefined ? null : compare('loopRunning', loopRunning, isSynced(monitors)))
  );
}
