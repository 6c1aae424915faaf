import { produce } from 'immer';
import { modelApiServer } from '../../../model/apiserver/port.ts';
import { observe } from '../../../model/apiserver/store.ts';
import { stepDeleteWorker, takeForDelete } from '../../../model/collector/delete-worker.ts';
import { processGraphChange } from '../../../model/collector/graph-builder.ts';
import {
  patchDependent,
  stepOrphanWorker,
  takeForOrphan,
} from '../../../model/collector/orphan-worker.ts';
import { type CollectorRequest, requestOf } from '../../../model/collector/requests.ts';
import { type Cluster, type ClusterDraft, EMPTY_CLUSTER } from '../../../model/state/cluster.ts';
import { identityOfNode, type NodeId } from '../../../model/state/nodes.ts';
import type { ApiObject, OwnerReference } from '../../../model/state/objects.ts';
import { keyOf } from '../../../model/state/objects.ts';
import type { World } from '../../../model/state/world.ts';

/** Drives the collector by hand: stores objects, delivers events, runs workers. */

export function stored(...objects: readonly ApiObject[]): Cluster {
  const store = Object.fromEntries(objects.map((object) => [keyOf(object), object]));
  return { ...EMPTY_CLUSTER, store };
}

/** The graph builder receives these objects as added. */
export function told(cluster: Cluster, world: World, ...objects: readonly ApiObject[]): Cluster {
  return produce(cluster, (draft) => {
    for (const object of objects) {
      processGraphChange(draft, world, {
        type: 'add',
        object: observe(object, world),
        old: null,
      });
    }
  });
}

/** The graph builder receives an update. */
export function changed(
  cluster: Cluster,
  world: World,
  before: ApiObject,
  after: ApiObject,
): Cluster {
  return produce(cluster, (draft) => {
    const old = observe(before, world).deletion;
    processGraphChange(draft, world, { type: 'update', object: observe(after, world), old });
  });
}

export function gone(cluster: Cluster, world: World, object: ApiObject): Cluster {
  const { identity } = observe(object, world);
  return produce(cluster, (draft) => {
    processGraphChange(draft, world, { type: 'delete', identity });
  });
}

export function ownedBy(owner: ApiObject, more: Partial<OwnerReference> = {}): OwnerReference {
  const apiVersion = owner.kind.includes('.') ? 'example.test/v1' : 'v1';
  const [kind = ''] = owner.kind.split('.');
  return { apiVersion, kind, name: owner.name, uid: owner.uid, ...more };
}

/** Names of the waiting items. A star marks virtual ones. */
export function queue(
  cluster: Cluster,
  name: 'attemptToDelete' | 'attemptToOrphan' | 'graphChanges',
) {
  return Object.keys(cluster[name]).map((id) => {
    const { name: object, uid } = identityOfNode(id);
    return cluster.graph[uid]?.virtual === true ? `${object}*` : object;
  });
}

export interface Worked {
  readonly cluster: Cluster;
  /** Each request with the code of its answer, as `get a 200`. */
  readonly requests: readonly string[];
}

const WORKER = 'worker-1';

/**
 * A worker takes the first item and works on it to the end. The API server does its part at once.
 *
 * @param between runs before each step of the worker.
 */
export function work(
  start: Cluster,
  given: World,
  name: 'attemptToDelete' | 'attemptToOrphan' = 'attemptToDelete',
  between: (draft: ClusterDraft, request: CollectorRequest | null) => void = () => undefined,
): Worked {
  const [head] = Object.keys(start[name]);
  if (head === undefined) throw new Error('nothing waits');
  const requests: string[] = [];
  let current: CollectorRequest | null = null;
  const note = (code: number): void => {
    requests.push(`${current === null ? 'unannounced' : describe(current)} ${code}`);
    current = null;
  };
  const api = given.api ?? modelApiServer;
  const world: World = {
    ...given,
    api: {
      get: (cluster, outer, key) => {
        const answer = api.get(cluster, outer, key);
        note(answer.code);
        return answer;
      },
      advance: (cluster, outer, call) => {
        const progress = api.advance(cluster, outer, call);
        if (progress.done) note(progress.answer.code);
        return progress;
      },
    },
  };
  let cluster = produce(start, (draft) => taken(draft, world, name, head));
  for (;;) {
    const workers = name === 'attemptToDelete' ? cluster.deleteWorkers : cluster.orphanWorkers;
    const worker = workers[WORKER];
    if (worker === undefined) return { cluster, requests };
    const [dependent] = worker.at === 'patchDependents' ? Object.keys(worker.calls) : [];
    const request = requestOf(world, cluster, worker, dependent);
    cluster = produce(cluster, (draft) => between(draft, request));
    current = request ?? current;
    cluster = produce(cluster, (draft) => {
      if (name === 'attemptToDelete') stepDeleteWorker(draft, world, WORKER);
      else if (dependent !== undefined) patchDependent(draft, world, WORKER, dependent);
      else stepOrphanWorker(draft, world, WORKER);
    });
  }
}

function taken(draft: ClusterDraft, world: World, name: string, id: NodeId): void {
  if (name === 'attemptToDelete') takeForDelete(draft, world, WORKER, id);
  else takeForOrphan(draft, world, WORKER, id);
}

function describe(request: CollectorRequest): string {
  const { verb, name } = request;
  if (request.verb === 'delete') return `delete ${name} ${request.propagationPolicy}`;
  if (request.verb === 'update') return `put ${name}`;
  return request.verb === 'patch' ? `patch ${name} ${request.patch.do}` : `${verb} ${name}`;
}
