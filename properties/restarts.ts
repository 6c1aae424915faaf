import {
  type Cluster,
  equalJson,
  isInManager,
  isVisible,
  isWatched,
  receivesEvents,
  type Setup,
} from '../model/index.ts';
import type { CatalogueEntry } from './catalogue.ts';

/** What is left of the controller manager when it ends, and what it knows when it begins anew. */

/** Everything that the collector has in memory. */
const MEMORY = [
  'graph',
  'dependents',
  'graphChanges',
  'attemptToDelete',
  'attemptToOrphan',
  'processing',
  'orphaning',
  'synchronousDeletion',
  'absentOwners',
  'deleteWorkers',
  'orphanWorkers',
  'synchronousWorkers',
] as const satisfies readonly (keyof Cluster)[];

function runs({ stopped }: Cluster): boolean {
  return stopped.controllers === undefined;
}

/** Somebody ends the controller manager, or begins it. */
function restarts({ users }: Setup): boolean {
  const steps = Object.values(users).flat();
  return steps.some(({ request: { do: what } }) => what === 'stopControllers');
}

/** Processes of their own that have forgotten what they were doing. */
function takenAlong(before: Cluster, after: Cluster): readonly string[] {
  return Object.entries(before.controllers).flatMap(([client, controller]) => {
    if (isInManager(controller) || equalJson(controller, after.controllers[client])) return [];
    return [`${client} has lost what it was doing`];
  });
}

/** Events other than one of each object that a list shows. */
function notListed(setup: Setup, cluster: Cluster): readonly string[] {
  const listed = Object.keys(cluster.store).filter((key) => {
    const object = cluster.store[key];
    if (object === undefined || !isVisible(object)) return false;
    return isWatched(setup, object.kind) && receivesEvents(cluster, object.kind);
  });
  const told = Object.values(cluster.watch).flat();
  const wanted = listed.map((key) => `add ${key}`).sort();
  const found = told.map(({ type, key }) => `${type} ${key}`).sort();
  return equalJson(wanted, found) ? [] : [`its lists show ${found.join(', ')}`];
}

export const RESTARTS_FORGET: CatalogueEntry = {
  name: 'a restart forgets everything and takes nobody along',
  kind: 'step',
  about:
    'When the controller manager ends or begins, its collector knows nothing: neither graph nor queues ' +
    'nor absent owners. It begins with the objects that its lists show, each told once. Other ' +
    'processes go on with what they were doing.',
  trigger: 'the controller manager ends or begins',
  source: 'garbagecollector.go, NewGarbageCollector: graph, queues and caches are made anew',
  fairness: 'none',
  build: (setup) => {
    const faults = (before: Cluster, after: Cluster): readonly string[] => [
      ...MEMORY.filter((part) => Object.keys(after[part]).length > 0).map(
        (part) => `the collector still knows its ${part}`,
      ),
      ...takenAlong(before, after),
      ...(runs(after) ? notListed(setup, after) : []),
    ];
    return {
      kind: 'step',
      name: RESTARTS_FORGET.name,
      parameters: restarts(setup) ? [{}] : [],
      trigger: (before, _action, after) => runs(before) !== runs(after),
      holds: (before, _action, after) =>
        runs(before) === runs(after) || faults(before, after).length === 0,
      explain: (before, _action, after) => faults(before, after),
    };
  },
};

export const BREAKS_ARE_COUNTED: CatalogueEntry = {
  name: 'watches break no more often than the setup says',
  kind: 'step',
  about:
    'Each time that the watch of a kind breaks, it may break once less: what comes out is said of so ' +
    'many breaks and no more.',
  trigger: 'the watch of a kind breaks',
  source: 'docs/scenarios.md, environment: relists',
  fairness: 'none',
  build: () => {
    const left = ({ budget }: Cluster, kind: unknown): number => budget[`relist ${kind}`] ?? 0;
    return {
      kind: 'step',
      name: BREAKS_ARE_COUNTED.name,
      actions: ['relist'],
      holds: (before, { parameters: { kind } }, after) =>
        left(after, kind) === left(before, kind) - 1,
      explain: (before, { parameters: { kind } }, after) => [
        `the watch of ${kind} may break ${left(after, kind)} times after it could ${left(before, kind)} times`,
      ],
    };
  },
};
