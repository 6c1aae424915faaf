import {
  type Call,
  type Cluster,
  type ControllerState,
  controllerWork,
  type DeleteWorker,
  formatKey,
  keyOf,
  type Names,
  type OrphanWorker,
  type SynchronousWorker,
} from '../../model/index.ts';
import type { Viewpoint } from './objects.ts';

/** The actors that are in the middle of a task, by name, and what they do next. */
export function workUnderWay(
  { names }: Viewpoint,
  cluster: Cluster,
): Readonly<Record<string, string>> {
  const all: readonly (readonly [string, string | null])[] = [
    ...Object.entries(cluster.calls).map(
      ([client, call]) => [names.client(client), requestWords(call)] as const,
    ),
    ...Object.entries(cluster.deleteWorkers).map(
      ([worker, at]) => [names.client(worker), deleteWork(names, at)] as const,
    ),
    ...Object.entries(cluster.orphanWorkers).map(
      ([worker, at]) => [names.client(worker), orphanWork(names, at)] as const,
    ),
    ...Object.values(cluster.synchronousWorkers).map(
      (at) => ['gc finalizer routine', synchronousWork(names, at)] as const,
    ),
    ...Object.entries(cluster.controllers).map(
      ([client, state]) => [names.client(client), controllerWords(state)] as const,
    ),
  ];
  const busy = all.filter((entry): entry is readonly [string, string] => entry[1] !== null);
  return Object.fromEntries(busy.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The request, and the next step of its handler. */
function requestWords(call: Call): string {
  switch (call.verb) {
    case 'create':
      return `POST ${formatKey(keyOf(call.object))}: to be ${call.at === 'write' ? 'stored' : 'admitted'}`;
    case 'delete':
      return `DELETE ${formatKey(call.key)}: ${DELETE_POINTS[call.at]}`;
    case 'deleteCollection': {
      const left = call.remaining.length + (call.current === null ? 0 : 1);
      return `DELETE collection ${call.kind}: ${call.at === 'list' ? 'to be listed' : `${left} left`}`;
    }
    case 'update':
      return `${call.put ? 'PUT' : 'PATCH'} ${formatKey(call.key)}: to be ${call.at === 'remove' ? 'removed' : 'written'}`;
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

const DELETE_POINTS = {
  get: 'to be read',
  terminate: 'to be marked',
  update: 'to be updated',
  remove: 'to be removed',
  removeMarked: 'to be removed',
} as const;

function deleteWork(names: Names, worker: DeleteWorker): string {
  const item = names.node(worker.node);
  switch (worker.at) {
    case 'getItem':
    case 'getForFinalizer':
    case 'getAfterConflict':
      return `${item}: is to be read`;
    case 'getOwner': {
      const { length } = worker.live.ownerReferences;
      return `${item}: owner ${worker.classes.length + 1} of ${length} is to be looked up`;
    }
    case 'readOwners':
      return `${item}: its owners are to be looked up in the graph`;
    case 'searchCycle':
      return `${item}: the graph is to be searched for a cycle`;
    case 'readDependents':
    case 'readBlockingDependents':
      return `${item}: its dependents are to be read in the graph`;
    case 'patchOwners':
    case 'unblockOwners':
    case 'patchFinalizer':
    case 'delete':
      return requestWords(worker.call);
    default:
      throw new Error(`unknown worker state ${JSON.stringify(worker satisfies never)}`);
  }
}

function orphanWork(names: Names, worker: OrphanWorker): string {
  const item = names.node(worker.node);
  switch (worker.at) {
    case 'awaitGeneration':
      return `${item}: generation ${worker.generation} is to be observed`;
    case 'readDependents':
      return `${item}: its dependents are to be read in the graph`;
    case 'patchDependents': {
      const dependents = Object.keys(worker.calls).map((uid) => names.uid(uid));
      const left = dependents.length === 0 ? 'no dependents' : dependents.join(', ');
      return `${item}: ${left} to be freed${worker.failed ? ', a PATCH has failed' : ''}`;
    }
    case 'getForFinalizer':
      return `${item}: is to be read`;
    case 'patchFinalizer':
      return requestWords(worker.call);
    default:
      throw new Error(`unknown worker state ${JSON.stringify(worker satisfies never)}`);
  }
}

function synchronousWork(names: Names, worker: SynchronousWorker): string {
  const item = names.node(worker.node);
  switch (worker.at) {
    case 'getItem':
      return `${item}: is to be read`;
    case 'readDependents':
      return `${item}: its dependents are to be read in the graph`;
    case 'putFinalizers':
      return requestWords(worker.call);
    default:
      throw new Error(`unknown worker state ${JSON.stringify(worker satisfies never)}`);
  }
}

/** Null where the state is a memory only. */
function controllerWords(state: ControllerState): string | null {
  const next = controllerWork(state);
  return next === null || typeof next === 'string' ? next : requestWords(next);
}
