import fc from 'fast-check';
import { produce } from 'immer';
import { expect, it } from 'vitest';
import { modelApiServer } from '../../../model/apiserver/port.ts';
import { readObject, write } from '../../../model/apiserver/store.ts';
import { stepDeleteWorker, takeForDelete } from '../../../model/collector/delete-worker.ts';
import { type GraphChange, processGraphChange } from '../../../model/collector/graph-builder.ts';
import {
  patchDependent,
  stepOrphanWorker,
  takeForOrphan,
} from '../../../model/collector/orphan-worker.ts';
import { currentNode } from '../../../model/collector/queue.ts';
import { requestOf } from '../../../model/collector/requests.ts';
import { deliverVirtualDelete } from '../../../model/collector/watch.ts';
import { PROTOCOLS } from '../../../model/rules/protocols.ts';
import type { Cluster, ClusterDraft } from '../../../model/state/cluster.ts';
import {
  FOREGROUND,
  type Identity,
  ORPHAN,
  type OwnerReference,
} from '../../../model/state/objects.ts';
import type { ApiServer, World } from '../../../model/state/world.ts';
import { randomRuns } from '../../checker/support/random-runs.ts';
import { configMap, world } from '../apiserver/fixtures.ts';
import { stored } from './fixtures.ts';

/** Laws of the collector for every order of events and of the workers' steps. */

const UIDS = ['a', 'b', 'c'] as const;
const uid = fc.constantFrom(...UIDS);

/** Coordinates can be wrong in every respect except the uid. */
const reference: fc.Arbitrary<OwnerReference> = fc.record(
  {
    apiVersion: fc.constantFrom('v1', 'unserved/v1'),
    kind: fc.constantFrom('ConfigMap', 'Node'),
    name: fc.constantFrom(...UIDS),
    uid,
    blockOwnerDeletion: fc.boolean(),
  },
  { requiredKeys: ['apiVersion', 'kind', 'name', 'uid'] },
);

const change: fc.Arbitrary<GraphChange> = fc
  .record({
    type: fc.constantFrom('add' as const, 'update' as const, 'delete' as const),
    uid,
    apiVersion: fc.constantFrom('v1', 'v1', 'unserved/v1'),
    namespace: fc.constantFrom('default', 'other'),
    ownerReferences: fc.array(reference, { maxLength: 2 }),
    deletion: fc.constantFrom('', 'orphan', 'foreground', 'held'),
  })
  .map(({ type, uid: of, apiVersion, namespace, ownerReferences, deletion }): GraphChange => {
    const identity: Identity = {
      apiVersion,
      kind: 'ConfigMap',
      namespace,
      name: of,
      uid: of,
    };
    const object = {
      identity,
      ownerReferences,
      deletion: {
        beingDeleted: deletion !== '',
        orphan: deletion === 'orphan',
        foreground: deletion === 'foreground',
      },
    };
    return type === 'delete' ? { type, identity } : { type, object, old: null };
  });

type Move =
  | { readonly move: 'event'; readonly change: GraphChange }
  | {
      readonly move: 'virtual' | 'take' | 'step' | 'takeOrphan' | 'stepOrphan' | 'write';
      readonly which: number;
    };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: change.map((event): Move => ({ move: 'event', change: event })) },
  {
    weight: 6,
    arbitrary: fc.record({
      move: fc.constantFrom('virtual', 'take', 'step', 'step', 'takeOrphan', 'stepOrphan', 'write'),
      which: fc.nat(5),
    }) as fc.Arbitrary<Move>,
  },
);

const WORKER = 'worker-1';
let sent = 0;
const api: ApiServer = {
  get: (...call) => {
    sent++;
    return modelApiServer.get(...call);
  },
  advance: (...call) => {
    sent++;
    return modelApiServer.advance(...call);
  },
};

const pick = (keys: readonly string[], which: number): string => keys[which % keys.length] ?? '';

function reduce(draft: ClusterDraft, given: World, taken: Move): void {
  switch (taken.move) {
    case 'event':
      processGraphChange(draft, given, taken.change);
      break;
    case 'virtual':
      deliverVirtualDelete(draft, given, pick(Object.keys(draft.graphChanges), taken.which));
      break;
    case 'take':
      takeForDelete(draft, given, WORKER, pick(Object.keys(draft.attemptToDelete), taken.which));
      break;
    case 'step':
      stepDeleteWorker(draft, given, WORKER);
      break;
    case 'takeOrphan':
      takeForOrphan(draft, given, WORKER, pick(Object.keys(draft.attemptToOrphan), taken.which));
      break;
    case 'stepOrphan': {
      const worker = draft.orphanWorkers[WORKER];
      const calls = worker?.at === 'patchDependents' ? Object.keys(worker.calls) : [];
      if (calls.length === 0) stepOrphanWorker(draft, given, WORKER);
      else patchDependent(draft, given, WORKER, pick(calls, taken.which));
      break;
    }
    case 'write': {
      const object = readObject(draft, pick(Object.keys(draft.store), taken.which));
      if (object === null) return;
      write(draft, given, 'somebody', { ...object, generation: object.generation + 1 });
      break;
    }
    default:
      throw new Error(`unknown move ${JSON.stringify(taken satisfies never)}`);
  }
}

/** Whether the next step sends a request, according to `requestOf`. */
function announced(cluster: Cluster, given: World, taken: Move): boolean | null {
  if (taken.move !== 'step' && taken.move !== 'stepOrphan') return false;
  const worker =
    taken.move === 'step' ? cluster.deleteWorkers[WORKER] : cluster.orphanWorkers[WORKER];
  if (worker === undefined) return false;
  // The API server may need several steps for one call; only the first is announced.
  const first = 'call' in worker && worker.call.verb === 'delete' ? 'get' : 'update';
  if ('call' in worker && worker.call.at !== first) return null;
  const calls = worker.at === 'patchDependents' ? Object.keys(worker.calls) : [];
  const dependent = calls.length === 0 ? undefined : pick(calls, taken.which);
  const call = worker.at === 'patchDependents' ? worker.calls[dependent ?? ''] : undefined;
  if (call !== undefined && call.at !== 'update') return null;
  return requestOf(given, cluster, worker, dependent) !== null;
}

const start = stored(
  configMap('a', { uid: 'a', finalizers: [FOREGROUND], deletionTimestamp: 0 }),
  configMap('b', {
    uid: 'b',
    finalizers: [ORPHAN],
    deletionTimestamp: 0,
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'c' }],
  }),
  configMap('c', {
    uid: 'c',
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'a' }],
  }),
);

it.each(['v1.7', 'v1.20', 'newest'])(
  '%s: graph, queues and workers stay consistent, and every request is announced',
  (protocol) => {
    const given = world(PROTOCOLS[protocol], { api });
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60, size: 'max' }), (moves) => {
        let cluster = start;
        for (const taken of moves) {
          const before = sent;
          const expected = announced(cluster, given, taken);
          cluster = produce(cluster, (draft) => reduce(draft, given, taken));
          if (expected !== null) expect(sent - before).toBe(expected ? 1 : 0);
          expectConsistent(cluster);
        }
      }),
      { numRuns: randomRuns(80) },
    );
  },
);

function expectConsistent(cluster: Cluster): void {
  for (const [owner, dependents] of Object.entries(cluster.dependents)) {
    expect(dependents).toEqual([...new Set(dependents)].sort());
    expect(dependents).not.toEqual([]);
    for (const dependent of dependents) {
      const owners = cluster.graph[dependent]?.owners.map((listed) => listed.uid);
      expect(owners).toContain(owner);
    }
  }
  for (const queue of ['attemptToDelete', 'attemptToOrphan'] as const) {
    for (const [id, entry] of Object.entries(cluster[queue])) {
      const node = currentNode(cluster as ClusterDraft, id);
      if (entry === 'current') expect(node).not.toBeNull();
    }
  }
  const held = Object.values(cluster.deleteWorkers).map(({ node, queuedAs = node }) => queuedAs);
  expect(Object.keys(cluster.processing)).toEqual(held);
  // An idle worker holds no version.
  const busy = Object.keys({ ...cluster.deleteWorkers, ...cluster.orphanWorkers });
  const readers = Object.keys(cluster.unchangedSince).map((reader) => reader.split(' ')[0]);
  expect(readers.filter((reader) => !busy.includes(String(reader)))).toEqual([]);
  const orphaned = Object.values(cluster.orphanWorkers).map((worker) => worker.node);
  expect(Object.keys(cluster.orphaning)).toEqual(orphaned);
}
