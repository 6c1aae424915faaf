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

/** A change of the store as a watch shows it: the new object, or of a removal the last one. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
}

export interface RequestStep {
  readonly cluster: Cluster;
  readonly progress: Progress;
  readonly events: readonly StoreEvent[];
}

function watcher(key: ObjectKey): string {
  return `watcher of ${key}`;
}

/**
 * Runs one atomic step of a request. Each object gets a reader that detects writes, so that a write
 * of a field that the model does not keep is an event too.
 *
 * @param cached the copy that the transaction of a DELETE tries first.
 */
export function runStep(
  before: Cluster,
  world: World,
  call: Call,
  cached?: ApiObject,
): RequestStep {
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
  if (progress === undefined) throw new Error('the API server took no step');
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

export interface Finished {
  readonly cluster: Cluster;
  readonly answer: Answer;
  readonly events: readonly StoreEvent[];
}

/** Runs a request to its end, with nothing in between. */
export function runRequest(
  before: Cluster,
  world: World,
  request: Call,
  cached?: ApiObject,
): Finished {
  let cluster = before;
  let call = request;
  const events: StoreEvent[] = [];
  for (;;) {
    const step = runStep(cluster, world, call, cached);
    events.push(...step.events);
    cluster = step.cluster;
    if (step.progress.done) return { cluster, answer: step.progress.answer, events };
    call = step.progress.call;
  }
}

/** The reason of an error answer; null for a success. */
export function errorOf(answer: Answer): string | null {
  return 'reason' in answer ? answer.reason : null;
}
