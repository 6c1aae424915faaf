import {
  type Cluster,
  identityOfNode,
  isWatched,
  type NodeId,
  type Setup,
} from '../model/index.ts';
import { ACTORS_ARE_FAIR, type CatalogueEntry } from './catalogue.ts';
import { nameOfNode } from './relations.ts';

/** The two work queues, each with the workers that take its items. */
const WORKERS = { attemptToDelete: 'deleteWorkers', attemptToOrphan: 'orphanWorkers' } as const;

type Queue = keyof typeof WORKERS;

function waiting(cluster: Cluster, queue: unknown): readonly NodeId[] {
  return Object.keys(cluster[queue as Queue]);
}

/** Something waits, and nobody works on what was in this queue. */
function standsStill(cluster: Cluster, queue: unknown): boolean {
  return (
    waiting(cluster, queue).length > 0 && Object.keys(cluster[WORKERS[queue as Queue]]).length === 0
  );
}

/** Kinds for whose monitors the workers may be waiting. */
function unsynced(setup: Setup, cluster: Cluster): readonly string[] {
  return Object.keys(cluster.monitors)
    .filter((kind) => isWatched(setup, kind) && cluster.monitors[kind] === 'unsynced')
    .sort();
}

export const COLLECTOR_WORKS: CatalogueEntry = {
  name: 'the collector works on',
  kind: 'eventually',
  about:
    'While something waits in a work queue of the collector, its workers do not stand still: one ' +
    'of them takes an item, or the queue runs dry.',
  trigger: 'an item waits in a work queue, and none of its workers is busy',
  source:
    'Garbage Collection (proposal): "The Garbage Processor of the GC dequeues R1 from the dirty ' +
    'queue"; https://github.com/kubernetes/kubernetes/issues/101078',
  fairness: ACTORS_ARE_FAIR,
  build: (setup) => ({
    kind: 'eventually',
    name: COLLECTOR_WORKS.name,
    parameters: Object.keys(WORKERS).map((queue) => ({ queue })),
    trigger: (cluster, { queue }) => standsStill(cluster, queue),
    goal: (cluster, { queue }) => !standsStill(cluster, queue),
    explain: (cluster, { queue }) => [
      ...waiting(cluster, queue).map(
        (id) => `${nameOfNode(identityOfNode(id))} waits in ${queue}, no worker takes it`,
      ),
      ...(cluster.stopped.workers === undefined ? [] : ['the workers have not started']),
      ...(cluster.syncing.round === undefined ? [] : ['a sync of the monitors holds the workers']),
      ...unsynced(setup, cluster).map((kind) => `the monitor of ${kind} has not synced`),
    ],
  }),
};
