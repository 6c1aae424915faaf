import type { Cluster } from '../state/cluster.ts';
import { formatKey } from '../state/keys.ts';
import type { ApiObject } from '../state/objects.ts';
import type { Context, PartReading, Reading } from '../words/context.ts';
import { objectWords } from '../words/objects.ts';
import { budgetWords, controllerWords, unseenWords } from './controller-readings.ts';
import { orphanWorkerWords, queueWords, workerWords } from './queue-readings.ts';

type Words = (reading: PartReading) => string | null;

/** What was read, as a clause about the state. Path and value if there are no words for it. */
export function describeReading(context: Context, cluster: Cluster, reading: Reading): string {
  const [part = '', key = '', ...below] = reading.path;
  const words = Object.hasOwn(WORDS, part) ? WORDS[part as keyof Cluster] : undefined;
  return (
    words?.({ context, cluster, key, below, value: reading.value }) ??
    `${reading.path.join('.')} is ${plain(reading.value)}`
  );
}

const LONGEST = 60;

function plain(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}...`;
}

const WORDS: Readonly<Record<keyof Cluster, Words>> = {
  store: (reading) => storeWords(reading),
  calls: (reading) => requestWords(reading),
  users: ({ context, key, value }) => {
    const steps = context.setup.users[key]?.length ?? 0;
    return `${key} has begun ${value ?? 0} of ${steps} requests`;
  },
  unchangedSince: ({ context, key, value }) =>
    value === undefined
      ? `what ${context.names.client(key)} has read was written since`
      : `${formatKey(String(value))} is as ${context.names.client(key)} has read it`,
  promisedOrphans: () => null,
  surprises: () => null,
  unearned: () => null,
  watch: ({ cluster, key }) => {
    const waiting = cluster.watch[key]?.length ?? 0;
    if (waiting === 0) return `the watch of ${key} has nothing to deliver`;
    return `the watch of ${key} has yet to deliver ${waiting === 1 ? 'an event' : `${waiting} events`}`;
  },
  unseen: (reading) => cacheReading(reading),
  graphChanges: ({ context, cluster, key, value }) => {
    const waiting = key === '' ? Object.keys(cluster.graphChanges).length > 0 : value === true;
    const whose = key === '' ? '' : ` for ${context.names.node(key)}`;
    return `the collector has ${waiting ? 'a' : 'no'} DELETED of its own${whose} to handle`;
  },
  graph: ({ context, cluster, key, below, value }) => {
    const node = cluster.graph[key];
    if (node === undefined) return `${context.names.uid(key)} is not in the collector's graph`;
    const flag = GRAPH_FLAGS[below[0] ?? ''];
    const name = context.names.identity(node.identity);
    if (flag === undefined) return `${name} is in the collector's graph`;
    return `in the collector's graph ${name} is ${value === true ? '' : 'not '}${flag}`;
  },
  dependents: ({ context, cluster, key }) => {
    const known = cluster.dependents[key] ?? [];
    const names = known.map((uid) => context.names.uid(uid)).join(', ');
    const owner = context.names.uid(key);
    return known.length === 0
      ? `in the collector's graph ${owner} has no dependents`
      : `in the collector's graph ${owner} has dependents: ${names}`;
  },
  attemptToDelete: (reading) => queueWords('attemptToDelete', reading),
  attemptToOrphan: (reading) => queueWords('attemptToOrphan', reading),
  synchronousDeletion: (reading) => queueWords('synchronousDeletion', reading),
  deleteFailures: () => null,
  orphanFailures: () => null,
  processing: (reading) => queueWords('processing', reading),
  orphaning: (reading) => queueWords('orphaning', reading),
  absentOwners: ({ context, key, value }) => {
    if (key === '') return null;
    const byUid = context.world.rules.absentOwnerKey === 'uid';
    const name = byUid ? context.names.uid(key) : context.names.node(key);
    return `${name} is ${value === true ? '' : 'not '}known to be absent`;
  },
  deleteWorkers: (reading) => workerWords(reading),
  orphanWorkers: (reading) => orphanWorkerWords(reading),
  synchronousWorkers: ({ cluster }) => {
    const [worker] = Object.values(cluster.synchronousWorkers);
    return worker === undefined
      ? 'the routine for foreground deletion has nothing in hand'
      : 'the routine for foreground deletion is busy';
  },
  controllers: (reading) => controllerWords(reading),
  stopped: ({ key, value }) => {
    if (key === 'controllers') {
      return `the controller manager ${value === undefined ? 'runs' : 'does not run'}`;
    }
    if (key === 'workers') return `the workers have ${value === undefined ? '' : 'not '}started`;
    const [, node] = key.split(' ');
    return `the machine of Node/${node} is ${value === undefined ? 'there' : 'gone'}`;
  },
  monitors: ({ key, value }) => {
    if (key === '') return null;
    if (value === undefined) return `the monitor of ${key} is in place`;
    return value === 'unsynced'
      ? `the monitor of ${key} has yet to list`
      : `there is no monitor of ${key}`;
  },
  syncing: ({ cluster }) => {
    const { round } = cluster.syncing;
    if (round === undefined) return 'the collector is not changing its monitors';
    return round.at === 'resync'
      ? 'the collector is about to change its monitors'
      : 'the collector waits for its monitors to list';
  },
  lagging: ({ key, value }) => {
    if (key === '') return null;
    const progress = value === undefined ? 'is up to date' : 'already lags';
    return `the etcd member of the collector ${progress} on ${formatKey(key)}`;
  },
  notInstalled: ({ key, value }) =>
    key === '' ? null : `the API server has ${value === undefined ? '' : 'not '}installed ${key}`,
  served: ({ key, value }) => (typeof value === 'string' ? `${key} is served as ${value}` : null),
  listing: ({ key, value }) =>
    value === undefined
      ? `no first list of ${key} is being handed over`
      : `the first list of ${key} is still being handed over`,
  budget: ({ context, key, value }) => budgetWords(context, key, value),
  outside: ({ key, value }) =>
    key === '' ? null : `${key} ${value === undefined ? 'does not exist' : 'exists'}, outside`,
};

const GRAPH_FLAGS: Readonly<Record<string, string>> = {
  virtual: 'virtual',
  beingDeleted: 'being deleted',
  deletingDependents: 'deleting its dependents',
};

function storeWords({ context, cluster, key, below, value }: PartReading): string | null {
  if (key === '') return null;
  const object: ApiObject | undefined = cluster.store[key];
  if (object === undefined) return `${formatKey(key)} is not stored`;
  const words = objectWords(context, object, below, value);
  return words === null ? null : `${formatKey(key)} ${words}`;
}

function requestWords({ context, cluster, key }: PartReading): string {
  const { names } = context;
  if (key === '') {
    const clients = Object.keys(cluster.calls).map((client) => names.client(client));
    return clients.length === 0
      ? 'no request is under way'
      : `a request of ${clients[0]} is under way`;
  }
  return cluster.calls[key] === undefined
    ? `${names.client(key)} has no request under way`
    : `the request of ${names.client(key)} is not answered yet`;
}

function cacheReading(reading: PartReading): string | null {
  const { context, cluster, key, below } = reading;
  const before = cluster.unseen[key]?.[Number(below[0])]?.before ?? null;
  return unseenWords(reading, (field, value) =>
    before === null ? null : objectWords(context, before, field, value),
  );
}
