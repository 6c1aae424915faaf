import { produce } from 'immer';
import {
  type Answer,
  type ApiObject,
  advanceCall,
  type Call,
  type Cluster,
  type ObjectKey,
  type Progress,
  updateBeforeDelete,
  type World,
} from '../../../model/index.ts';

/** A change of the store, as somebody who watches it sees it: the new object, or the last one. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
}

export interface ServedStep {
  readonly cluster: Cluster;
  readonly progress: Progress;
  readonly events: readonly StoreEvent[];
}

function watcher(key: ObjectKey): string {
  return `watcher of ${key}`;
}

/**
 * One atomic step of the API server. What has moved shows by a reader of each object, so that a
 * write of something which the model does not keep is an event too.
 *
 * @param cached the copy that the transaction of a DELETE tries first.
 */
export function serveStep(
  before: Cluster,
  world: World,
  call: Call,
  cached?: ApiObject,
): ServedStep {
  let progress: Progress | undefined;
  const readers = Object.keys(before.store).map((key) => [watcher(key), key] as const);
  const watched = {
    ...before,
    unchangedSince: { ...before.unchangedSince, ...Object.fromEntries(readers) },
  };
  const after = produce(watched, (draft) => {
    progress =
      cached !== undefined && call.verb === 'delete' && call.at === 'update'
        ? updateBeforeDelete(draft, world, call, cached)
        : advanceCall(draft, world, call);
  });
  if (progress === undefined) throw new Error('the API server did nothing');
  const events = readers.flatMap(([reader, key]): StoreEvent[] => {
    const was = before.store[key];
    const is = after.store[key];
    if (was === undefined || after.unchangedSince[reader] === key) return [];
    return [is === undefined ? { type: 'DELETED', object: was } : { type: 'MODIFIED', object: is }];
  });
  const added = Object.entries(after.store)
    .filter(([key]) => before.store[key] === undefined)
    .map(([, object]): StoreEvent => ({ type: 'ADDED', object }));
  const isReader = new Set(readers.map(([reader]) => reader));
  const unchangedSince = Object.fromEntries(
    Object.entries(after.unchangedSince).filter(([reader]) => !isReader.has(reader)),
  );
  return { cluster: { ...after, unchangedSince }, progress, events: [...events, ...added] };
}

export interface Served {
  readonly cluster: Cluster;
  readonly answer: Answer;
  readonly events: readonly StoreEvent[];
}

/** A whole request, nothing in between. */
export function serve(before: Cluster, world: World, request: Call, cached?: ApiObject): Served {
  let cluster = before;
  let call = request;
  const events: StoreEvent[] = [];
  for (;;) {
    const step = serveStep(cluster, world, call, cached);
    events.push(...step.events);
    cluster = step.cluster;
    if (step.progress.done) return { cluster, answer: step.progress.answer, events };
    call = step.progress.call;
  }
}

export function errorOf(answer: Answer): string | null {
  return 'reason' in answer ? answer.reason : null;
}
