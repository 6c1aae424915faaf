import type { Cluster } from '../state/cluster.ts';
import type { NodeId } from '../state/nodes.ts';
import type { PartReading } from '../words/context.ts';

/** Words for readings of work queues and of the workers that take from them. */

type Queue =
  | 'attemptToDelete'
  | 'attemptToOrphan'
  | 'synchronousDeletion'
  | 'processing'
  | 'orphaning';

const QUEUES: Readonly<Record<Queue, string>> = {
  attemptToDelete: 'in attemptToDelete',
  attemptToOrphan: 'in attemptToOrphan',
  synchronousDeletion: 'in the queue for foreground deletion',
  processing: 'in the hands of a gc worker',
  orphaning: 'in the hands of a gc orphan worker',
};

export function queueWords(
  queue: Queue,
  { context, cluster, key, value }: PartReading,
): string | null {
  const { names } = context;
  const waiting = Object.keys(cluster[queue]);
  if (key === '') {
    if (waiting.length === 0) return `nothing is ${QUEUES[queue]}`;
    return `${waiting.map((id) => names.node(id)).join(', ')} is ${QUEUES[queue]}`;
  }
  const holder = holderOf(cluster, queue, key);
  if (holder !== null) return `${names.client(holder)} has ${names.node(key)} in hand`;
  return `${names.node(key)} is ${value === undefined ? 'not ' : ''}${QUEUES[queue]}`;
}

function holderOf(cluster: Cluster, queue: Queue, id: NodeId): string | null {
  const workers =
    queue === 'processing'
      ? Object.entries(cluster.deleteWorkers)
      : queue === 'orphaning'
        ? Object.entries(cluster.orphanWorkers)
        : [];
  const found = workers.find(([, worker]) => {
    return worker.node === id || ('queuedAs' in worker && worker.queuedAs === id);
  });
  return found?.[0] ?? null;
}

/** For a delete worker, the words only say what it is busy with. */
export function workerWords({ context, cluster, key }: PartReading): string {
  const { names } = context;
  if (key === '') {
    const busy = Object.keys(cluster.deleteWorkers).map((worker) => names.client(worker));
    return busy.length === 0 ? 'no gc worker is busy' : `${busy.join(', ')} is busy`;
  }
  const worker = cluster.deleteWorkers[key];
  return worker === undefined
    ? `${names.client(key)} is idle`
    : `${names.client(key)} is busy with ${names.node(worker.node)}`;
}

export function orphanWorkerWords({ context, cluster, key, below }: PartReading): string {
  const { names } = context;
  if (key === '') {
    const busy = Object.keys(cluster.orphanWorkers).map((worker) => names.client(worker));
    return busy.length === 0 ? 'no gc orphan worker is busy' : `${busy.join(', ')} is busy`;
  }
  const worker = cluster.orphanWorkers[key];
  const name = names.client(key);
  if (worker === undefined) return `${name} is idle`;
  if (below[0] === 'calls' && worker.at === 'patchDependents') {
    const dependents = Object.keys(worker.calls).map((uid) => names.uid(uid));
    if (below[1] !== undefined) return `${name} has no PATCH of ${names.uid(below[1])} to send`;
    return `${name} has yet to free ${dependents.join(', ')}`;
  }
  if (below[0] === 'at') {
    const isBefore = worker.at === 'awaitGeneration' || worker.at === 'readDependents';
    const how = isBefore ? 'has yet to read' : 'is done with';
    return `${name} ${how} the dependents of ${names.node(worker.node)}`;
  }
  return `${name} is busy with ${names.node(worker.node)}`;
}
