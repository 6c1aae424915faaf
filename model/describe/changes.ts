import { describeWorkerDecision } from '../actors/collector/worker-words.ts';
import { nextEvent } from '../collector/watch.ts';
import type { Call } from '../state/calls.ts';
import { type ItemCall, itemCall } from '../state/calls.ts';
import type { Cluster, GraphNode, WatchEvent } from '../state/cluster.ts';
import { equalJson } from '../state/equal.ts';
import { formatKey } from '../state/keys.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  thirdPartyFinalizers,
} from '../state/objects.ts';
import { memoryWords } from '../state/programs/process.ts';
import { describeEvent } from '../words/events.ts';
import type { Names } from '../words/names.ts';
import { ownerWords } from '../words/objects.ts';
import { describeDecision } from '../words/requests.ts';
import { monitorChanges } from './monitors.ts';

/**
 * What a step has changed, one line for each fact. An indented line explains the line before it.
 */
export function describeChanges(names: Names, before: Cluster, after: Cluster): readonly string[] {
  return [
    ...storeChanges(names, before, after),
    ...gained(before.outside ?? {}, after.outside ?? {}).map(
      (name) => `${name} is created, outside of the cluster`,
    ),
    ...gained(after.outside ?? {}, before.outside ?? {}).map(
      (name) => `${name} is gone, outside of the cluster`,
    ),
    ...memoryChanges(names, before, after),
    ...decisions(names, before, after),
    ...relisted(names, before, after),
    ...graphChanges(names, before, after),
    ...monitorChanges(before, after),
    ...gained(before.attemptToDelete, after.attemptToDelete).map(
      (id) => `attemptToDelete + ${names.node(id)}`,
    ),
    ...gained(before.attemptToOrphan, after.attemptToOrphan).map(
      (id) => `attemptToOrphan + ${names.node(id)}`,
    ),
    ...gained(before.synchronousDeletion, after.synchronousDeletion).map(
      (id) => `synchronousGC + ${names.node(id)}`,
    ),
    ...(['deleteFailures', 'orphanFailures'] as const).flatMap((limiter) => [
      ...gained(before[limiter], after[limiter]).map(
        (id) => `the rate limiter remembers ${names.node(id)}`,
      ),
      ...gained(after[limiter], before[limiter]).map(
        (id) => `the rate limiter forgets ${names.node(id)}`,
      ),
    ]),
  ];
}

function union(before: object, after: object): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
}

function gained(before: object, after: object): readonly string[] {
  return Object.keys(after)
    .filter((key) => !Object.hasOwn(before, key))
    .sort();
}

function storeChanges(names: Names, before: Cluster, after: Cluster): readonly string[] {
  return union(before.store, after.store).flatMap((key) => {
    const old = before.store[key];
    const now = after.store[key];
    const name = formatKey(key);
    if (equalJson(old, now)) return [];
    if (old === undefined) {
      return now === undefined ? [] : [`${name} is created`, ...facts(names, name, now)];
    }
    if (now === undefined) return [`${name} is gone`];
    return [...objectChanges(names, name, old, now), ...holds(names, name, old, now, after)];
  });
}

/** What controllers in TypeScript remember from now on. */
function memoryChanges(names: Names, before: Cluster, after: Cluster): readonly string[] {
  const memories = (cluster: Cluster): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(cluster.controllers).flatMap(([client, state]) =>
        'memory' in state ? [[client, state.memory]] : [],
      ),
    );
  const [old, now] = [memories(before), memories(after)];
  return union(old, now).flatMap((client) => {
    if (equalJson(old[client], now[client])) return [];
    const { [client]: memory } = now;
    return memory === undefined
      ? [`${names.client(client)} remembers what it started with`]
      : [`${names.client(client)} remembers ${memoryWords(memory)}`];
  });
}

function pendingOn({ initializers }: ApiObject): readonly string[] {
  return initializers?.pending ?? [];
}

function observation(name: string, old: ApiObject, now: ApiObject): readonly string[] {
  const { observedGeneration } = now;
  return observedGeneration === undefined || observedGeneration === old.observedGeneration
    ? []
    : [`${name}: generation ${observedGeneration} is observed`];
}

/** The facts worth showing about an object when it first appears. */
function facts(names: Names, name: string, object: ApiObject): readonly string[] {
  return [
    ...(isBeingDeleted(object) ? [`${name} is being deleted`] : []),
    ...pendingOn(object).map((initializer) => `${name} waits for initializer ${initializer}`),
    ...object.finalizers.map((finalizer) => `${name} has finalizer ${finalizer}`),
    ...owners(names, object).map((owner) => `${name} has owner ${owner}`),
  ];
}

function owners(names: Names, object: Pick<ApiObject, 'ownerReferences' | 'namespace'>) {
  return object.ownerReferences.map((reference) => ownerWords(names, reference, object.namespace));
}

function objectChanges(
  names: Names,
  name: string,
  old: ApiObject,
  now: ApiObject,
): readonly string[] {
  const begins = !isBeingDeleted(old) && isBeingDeleted(now);
  const rejects = old.initializers?.failed !== true && now.initializers?.failed === true;
  const seconds = now.deletionGracePeriodSeconds ?? 0;
  const grace = old.deletionGracePeriodSeconds !== now.deletionGracePeriodSeconds && seconds > 0;
  return [
    ...(old.uid === now.uid ? [] : [`${name} is another object of the same name`]),
    ...(begins ? [`${name} + deletionTimestamp`] : []),
    ...listChanges(name, 'initializer', pendingOn(old), pendingOn(now)),
    ...(rejects ? [`${name} is rejected`] : []),
    ...observation(name, old, now),
    ...(grace ? [`${name} has ${seconds} s of grace`] : []),
    ...(old.replicas === now.replicas ? [] : [`${name} is to have ${now.replicas} replicas`]),
    ...(old.otherLabels === now.otherLabels
      ? []
      : [`${name}: ${now.otherLabels === true ? 'no selector matches' : 'selectors match'} it`]),
    ...listChanges(name, 'finalizer', old.finalizers, now.finalizers),
    ...listChanges(name, 'owner', owners(names, old), owners(names, now)),
  ];
}

/** What holds an object that is now being deleted, unless the step itself shows it. */
function holds(
  names: Names,
  name: string,
  old: ApiObject,
  now: ApiObject,
  after: Cluster,
): readonly string[] {
  if (isBeingDeleted(old) || !isBeingDeleted(now)) return [];
  const dependents = Object.values(after.store).filter((object) =>
    object.ownerReferences.some(
      (reference) => reference.uid === now.uid && reference.blockOwnerDeletion === true,
    ),
  );
  return [
    ...thirdPartyFinalizers(now).map(
      (finalizer) => `  blocked by: finalizer ${finalizer} on ${name}`,
    ),
    ...(now.finalizers.includes(FOREGROUND) ? dependents : []).map(({ uid }) =>
      uid === now.uid
        ? '  blocked by: itself, as its own dependent'
        : `  blocked by: dependent ${names.uid(uid)}`,
    ),
  ];
}

function listChanges(
  name: string,
  what: string,
  old: readonly string[],
  now: readonly string[],
): readonly string[] {
  return [
    ...old.filter((entry) => !now.includes(entry)).map((entry) => `${name} - ${what} ${entry}`),
    ...now.filter((entry) => !old.includes(entry)).map((entry) => `${name} + ${what} ${entry}`),
  ];
}

/** What the API server and the workers have decided to do next. */
function decisions(names: Names, before: Cluster, after: Cluster): readonly string[] {
  const old = callsInFlight(before);
  const requests = [...callsInFlight(after)].map(([client, call]) => {
    const object = call.verb === 'create' ? undefined : before.store[call.key];
    return describeDecision(old.get(client) ?? null, call, object);
  });
  const workers = Object.keys(after.deleteWorkers).map((worker) =>
    describeWorkerDecision(names, before.deleteWorkers[worker], after.deleteWorkers[worker]),
  );
  return [...requests, ...workers].flatMap((line) => line ?? []);
}

function callsInFlight(cluster: Cluster): ReadonlyMap<string, ItemCall> {
  const calls: readonly (readonly [string, Call])[] = [
    ...Object.entries(cluster.calls),
    ...[
      ...Object.entries(cluster.deleteWorkers),
      ...Object.entries(cluster.orphanWorkers),
      ...Object.entries(cluster.synchronousWorkers),
    ].flatMap(([name, worker]) => ('call' in worker ? [[name, worker.call] as const] : [])),
    ...Object.entries(cluster.orphanWorkers).flatMap(([name, worker]) =>
      worker.at === 'patchDependents'
        ? Object.entries(worker.calls).map(([uid, call]) => [`${name} ${uid}`, call] as const)
        : [],
    ),
  ];
  return new Map(
    calls.flatMap(([name, call]) => {
      const item = itemCall(call);
      return item === null ? [] : [[name, item] as const];
    }),
  );
}

/** Events are added at the end and delivered from the head, unless a relist replaces them. */
function relisted(names: Names, before: Cluster, after: Cluster): readonly string[] {
  // The sentence of the step says which event is lost.
  const plain = (all: readonly WatchEvent[]) => all.map(({ lost: _, ...event }) => event);
  return Object.entries(after.watch).flatMap(([kind, events]) => {
    const old = before.watch[kind] ?? [];
    const kept = [old, old.slice(1), nextEvent(old)?.rest ?? old].some((rest) =>
      equalJson(plain(rest), plain(events.slice(0, rest.length))),
    );
    if (kept) return [];
    const list = (all: typeof old): string =>
      all.map((event) => describeEvent(names, event)).join('; ') || 'nothing';
    return [`was to be delivered: ${list(old)}`, `is to be delivered: ${list(events)}`];
  });
}

function graphChanges(names: Names, before: Cluster, after: Cluster): readonly string[] {
  return union(before.graph, after.graph).flatMap((uid) => {
    const old = before.graph[uid];
    const now = after.graph[uid];
    if (now === undefined) return old === undefined ? [] : [`graph - ${nodeWords(names, old)}`];
    if (old === undefined) return [`graph + ${nodeWords(names, now)}`];
    return equalJson(old, now) ? [] : nodeChanges(names, old, now);
  });
}

function nodeWords(names: Names, node: GraphNode): string {
  return `${names.identity(node.identity)}${node.virtual ? ' (virtual)' : ''}`;
}

function nodeChanges(names: Names, old: GraphNode, now: GraphNode): readonly string[] {
  const name = nodeWords(names, now);
  const inGraph = (node: GraphNode): readonly string[] =>
    node.owners.map((reference) => ownerWords(names, reference, node.identity.namespace));
  const renamed = !equalJson(old.identity, now.identity);
  return [
    ...(renamed ? [`graph: ${nodeWords(names, old)} becomes ${name}`] : []),
    ...(!renamed && old.virtual && !now.virtual ? [`graph: ${name} is observed`] : []),
    ...(!old.beingDeleted && now.beingDeleted ? [`graph: ${name} is being deleted`] : []),
    ...(!old.deletingDependents && now.deletingDependents
      ? [`graph: ${name} is deleting its dependents`]
      : []),
    ...listChanges(`graph: ${name}`, 'owner', inGraph(old), inGraph(now)),
  ];
}
