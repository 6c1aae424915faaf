import {
  type Cluster,
  describeEvent,
  describeMonitors,
  formatKey,
  identityOfNode,
} from '../../model/index.ts';
import type { Viewpoint } from './objects.ts';

/** What waits in queues and watch streams, by queue; empty ones are left out. */
export function waitingItems(
  viewpoint: Viewpoint,
  cluster: Cluster,
): Readonly<Record<string, readonly string[]>> {
  const { names, world } = viewpoint;
  const nodes = (queue: object): readonly string[] =>
    Object.keys(queue)
      .map((id) => names.node(id))
      .sort();
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ...Object.entries(cluster.watch).map(
      ([kind, events]) =>
        [`watch of ${kind}`, events.map((event) => describeEvent(names, event))] as const,
    ),
    ["the collector's own events", nodes(cluster.graphChanges).map((name) => `DELETED ${name}`)],
    ['attemptToDelete', nodes(cluster.attemptToDelete)],
    ['attemptToOrphan', nodes(cluster.attemptToOrphan)],
    ['synchronousGC', nodes(cluster.synchronousDeletion)],
    ['known to be absent', absent(viewpoint, cluster)],
    ...Object.entries(cluster.unseen).map(([name, unseen]) => {
      const informer = world.informers?.find((known) => known.name === name);
      return [
        `unseen by ${informer?.words ?? name}`,
        unseen.map(({ key }) => `a change of ${formatKey(key)}`),
      ] as const;
    }),
    ['not as usual', [...describeMonitors(cluster), ...stopped(cluster)]],
  ];
  return Object.fromEntries(lists.filter(([, items]) => items.length > 0));
}

/** Keys of the cache are coordinates, or uids, depending on the rule `absentOwnerKey`. */
function absent({ names, world }: Viewpoint, cluster: Cluster): readonly string[] {
  const byUid = world.rules.absentOwnerKey === 'uid';
  return Object.keys(cluster.absentOwners).map((key) =>
    byUid ? names.uid(key) : names.identity(identityOfNode(key)),
  );
}

function stopped(cluster: Cluster): readonly string[] {
  return cluster.stopped.controllers === undefined ? [] : ['the controller manager does not run'];
}
