import {
  type Cluster,
  identityOfNode,
  isQuiet,
  isWatched,
  type NodeId,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOfNode } from '../relations.ts';

/**
 * Items that count as taken and that no worker holds, or that a worker holds and that do not count.
 */
function miscountedItems(cluster: Cluster): readonly string[] {
  const busy = [
    ...Object.values(cluster.deleteWorkers).map(({ node, queuedAs = node }) => queuedAs),
  ];
  const orphaning = Object.values(cluster.orphanWorkers).map(({ node }) => node);
  const loose = (noted: readonly string[], held: readonly string[]): readonly string[] => [
    ...noted.filter((id) => !held.includes(id)),
    ...held.filter((id, index) => !noted.includes(id) || held.indexOf(id) !== index),
  ];
  return [
    ...loose(Object.keys(cluster.processing), busy),
    ...loose(Object.keys(cluster.orphaning), orphaning),
  ];
}

export const ONE_WORKER_PER_ITEM = defineProperty({
  id: 'one-worker-per-item',
  group: "the collector's own bookkeeping",
  name: 'each item in work has one worker',
  kind: 'invariant',
  about:
    'Exactly one worker holds each item that has been taken from a work queue and not been ' +
    'given back.',
  trigger: 'a worker is busy, or an item counts as taken',
  source:
    'client-go, workqueue: "Stingy: a single item will not be processed multiple times concurrently"',
  build: () => ({
    trigger: (cluster) =>
      [cluster.processing, cluster.orphaning, cluster.deleteWorkers, cluster.orphanWorkers].some(
        (record) => Object.keys(record).length > 0,
      ),
    holds: (cluster) => miscountedItems(cluster).length === 0,
    explain: (cluster) =>
      miscountedItems(cluster).map(
        (id) => `${nameOfNode(identityOfNode(id))} is taken and has not just one worker`,
      ),
  }),
});

/** The two work queues, each with the workers that take its items. */
const WORKERS = { attemptToDelete: 'deleteWorkers', attemptToOrphan: 'orphanWorkers' } as const;

type Queue = keyof typeof WORKERS;

function waiting(cluster: Cluster, queue: unknown): readonly NodeId[] {
  return Object.keys(cluster[queue as Queue]);
}

/** Whether an item waits in this queue while none of its workers is busy. */
function isIdle(cluster: Cluster, queue: unknown): boolean {
  return (
    waiting(cluster, queue).length > 0 && Object.keys(cluster[WORKERS[queue as Queue]]).length === 0
  );
}

/** Kinds whose monitors the workers may be waiting for. */
function unsynced(setup: Setup, cluster: Cluster): readonly string[] {
  return Object.keys(cluster.monitors)
    .filter((kind) => isWatched(setup, kind) && cluster.monitors[kind] === 'unsynced')
    .sort();
}

export const COLLECTOR_KEEPS_WORKING = defineProperty({
  id: 'collector-keeps-working',
  group: "the collector's own bookkeeping",
  name: 'the collector works on',
  kind: 'eventually',
  about:
    'While an item waits in a work queue of the collector, its workers do not stop: one of ' +
    'them takes an item, or the queue becomes empty.',
  trigger: 'an item waits in a work queue, and none of its workers is busy',
  source:
    'Garbage Collection (proposal): "The Garbage Processor of the GC dequeues R1 from the dirty ' +
    'queue"; https://github.com/kubernetes/kubernetes/issues/101078',
  build: (setup) => ({
    parameters: Object.keys(WORKERS).map((queue) => ({ queue })),
    trigger: (cluster, { queue }) => isIdle(cluster, queue),
    goal: (cluster, { queue }) => !isIdle(cluster, queue),
    explain: (cluster, { queue }) => [
      ...waiting(cluster, queue).map(
        (id) => `${nameOfNode(identityOfNode(id))} waits in ${queue}, no worker takes it`,
      ),
      ...(cluster.stopped.workers === undefined ? [] : ['the workers have not started']),
      ...(cluster.syncing.round === undefined ? [] : ['a sync of the monitors holds the workers']),
      ...unsynced(setup, cluster).map((kind) => `the monitor of ${kind} has not synced`),
    ],
  }),
});

export const COLLECTOR_COMES_TO_REST = defineProperty({
  id: 'collector-comes-to-rest',
  group: "the collector's own bookkeeping",
  name: 'the collector comes to rest',
  kind: 'eventually',
  about:
    'All events, queues and requests in flight are worked off: the collector does not work in ' +
    'circles.',
  trigger: 'something is left to do',
  source:
    'garbagecollector.go: "otherwise a virtual node for an item added AND removed during watch ' +
    'reestablishment can get stuck in the graph and never removed"; ' +
    'https://github.com/kubernetes/kubernetes/issues/56121',
  build: (setup) => {
    const node = (id: string): string => nameOfNode(identityOfNode(id));
    return {
      // Other contents of a namespace, outside of the model, can always call for another pass over
      // it.
      trigger: (cluster) => setup.otherContents !== true && !isQuiet(setup, cluster),
      goal: (cluster) => isQuiet(setup, cluster),
      explain: (cluster) => [
        ...Object.keys(cluster.calls).map((client) => `a request of ${client} is under way`),
        ...Object.entries(cluster.watch).flatMap(([kind, events]) =>
          events.length === 0 ? [] : [`${events.length} undelivered events of ${kind}`],
        ),
        ...Object.keys(cluster.attemptToDelete).map(
          (id) => `${node(id)} waits for a delete worker`,
        ),
        ...Object.keys(cluster.processing).map((id) => `a delete worker holds ${node(id)}`),
        ...Object.keys(cluster.attemptToOrphan).map(
          (id) => `${node(id)} waits for an orphan worker`,
        ),
        ...Object.keys(cluster.orphaning).map((id) => `an orphan worker holds ${node(id)}`),
      ],
    };
  },
});
