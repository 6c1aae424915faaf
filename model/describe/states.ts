import type { Cluster } from '../state/cluster.ts';
import { stateOf } from '../state/controllers.ts';
import { formatKey } from '../state/keys.ts';
import { type ApiObject, isBeingDeleted, keyOf } from '../state/objects.ts';
import { memoryWords, PROGRAMMED } from '../state/programs/process.ts';
import { describeEvent } from '../words/events.ts';
import type { Names } from '../words/names.ts';
import { ownerWords } from '../words/objects.ts';
import { describeMonitors } from './monitors.ts';

/**
 * The objects of a state and the work that is left in it, one line each, for the head of a trace.
 */
export function describeState(names: Names, cluster: Cluster): readonly string[] {
  const objects = Object.values(cluster.store).map((object) => describeObject(names, object));
  return [
    ...objects.sort(),
    ...Object.keys(cluster.outside ?? {})
      .sort()
      .map((name) => `${name}, outside of the cluster`),
    ...describeMonitors(cluster),
    ...Object.values(cluster.watch).flatMap((events) =>
      events.map((event) => `undelivered: ${describeEvent(names, event)}`),
    ),
    ...Object.keys(cluster.attemptToDelete)
      .sort()
      .map((id) => `in attemptToDelete: ${names.node(id)}`),
    ...Object.keys(cluster.attemptToOrphan)
      .sort()
      .map((id) => `in attemptToOrphan: ${names.node(id)}`),
    ...Object.keys(cluster.controllers)
      .sort()
      .flatMap((client) => programLines(names, cluster, client)),
  ];
}

function describeObject(names: Names, object: ApiObject): string {
  const owners = object.ownerReferences.map((reference) =>
    ownerWords(names, reference, object.namespace),
  );
  return [
    formatKey(keyOf(object)),
    ...(owners.length > 0 ? [`owned by ${owners.join(', ')}`] : []),
    ...(object.finalizers.length > 0 ? [`finalizers ${object.finalizers.join(', ')}`] : []),
    ...(isBeingDeleted(object) ? ['being deleted'] : []),
  ].join(', ');
}

/** What a controller in TypeScript is about to do, and what it remembers. */
function programLines(names: Names, cluster: Cluster, client: string): readonly string[] {
  const state = stateOf(cluster, client, PROGRAMMED);
  if (state === null) return [];
  const name = names.client(client);
  const next = PROGRAMMED.next(state);
  return [
    ...(state.request === undefined || next === null
      ? []
      : [`${name} ${String(next)}, for ${formatKey(state.request)}`]),
    ...Object.keys(state.queued ?? {}).map(
      (key) => `${name} has a request for ${formatKey(key)}, which is gone`,
    ),
    ...(state.memory === undefined ? [] : [`${name} remembers ${memoryWords(state.memory)}`]),
  ];
}
