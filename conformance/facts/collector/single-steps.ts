import { castDraft, produce } from 'immer';
import {
  type ClusterDraft,
  type CollectorWarning,
  deliver,
  deliverVirtualDelete,
  type KindTable,
  patchDependent,
  type Rules,
  requestOf,
  runDeleteStep,
  runOrphanStep,
  takeForDelete,
  takeForOrphan,
  type WatchEvent,
  type World,
} from '../../../model/index.ts';
import type { RunState } from './run-state.ts';
import { type ServerBehaviour, type TraceServer, traceServer } from './trace-server.ts';

/**
 * The collector, one step at a time: every function here runs the reducers of the model under plain
 * `produce`, and records the requests they sent and the warnings they reported.
 */
export interface Conditions {
  readonly kinds: KindTable;
  readonly rules: Rules;
  readonly server: ServerBehaviour;
  readonly absentOwnerCapacity: number;
}

const DELETE_WORKER = 'delete-1';
const ORPHAN_WORKER = 'orphan-1';

interface Stepping {
  readonly world: World;
  readonly server: TraceServer;
  readonly warnings: CollectorWarning[];
  state: RunState;
}

function begin(conditions: Conditions, state: RunState): Stepping {
  const server = traceServer(conditions.server, state.injected);
  const warnings: CollectorWarning[] = [...state.warnings];
  const { kinds, rules, absentOwnerCapacity } = conditions;
  const report = (warning: CollectorWarning): void => {
    warnings.push(warning);
  };
  return {
    world: { kinds, rules, absentOwnerCapacity, api: server, report },
    server,
    warnings,
    state,
  };
}

/** Runs one reducer. Virtual delete events that it makes go to the end of the event queue. */
function apply(stepping: Stepping, reduce: (cluster: ClusterDraft) => void): void {
  const before = stepping.state;
  const cluster = produce(before.cluster, (draft) => {
    reduce(draft);
  });
  const own = Object.keys(cluster.graphChanges).map((node) => ({ virtual: node }));
  stepping.state = {
    ...before,
    cluster: { ...cluster, graphChanges: {} },
    eventQueue: [...before.eventQueue, ...own],
    injected: stepping.server.left(),
    warnings: stepping.warnings,
  };
}

/**
 * A step of a worker that may send a request.
 *
 * @param expected the request that the worker is about to send; null for none.
 */
function send(
  stepping: Stepping,
  expected: ReturnType<typeof requestOf>,
  reduce: (cluster: ClusterDraft) => void,
): void {
  const sent = stepping.server.codes.length;
  apply(stepping, reduce);
  const codes = stepping.server.codes.slice(sent);
  if (codes.length !== (expected === null ? 0 : 1)) {
    throw new Error(`a worker sent ${codes.length} requests, expected ${JSON.stringify(expected)}`);
  }
  const [code] = codes;
  if (expected === null || code === undefined) return;
  const requests = [...stepping.state.requests, { request: expected, code }];
  stepping.state = { ...stepping.state, requests };
}

/** Adds an event to the front or to the end of the event queue. */
export function enqueueEvent(state: RunState, event: WatchEvent, front: boolean): RunState {
  const taken = new Set(Object.keys(state.cluster.watch));
  let number = 0;
  while (taken.has(`event ${number}`)) number++;
  const stream = `event ${number}`;
  const cluster = produce(state.cluster, (draft) => {
    draft.watch[stream] = [castDraft(event)];
  });
  const eventQueue = front ? [{ stream }, ...state.eventQueue] : [...state.eventQueue, { stream }];
  return { ...state, cluster, eventQueue };
}

/** The graph builder processes the first item of the event queue. Null if the queue is empty. */
export function processGraph(conditions: Conditions, state: RunState): RunState | null {
  const [head, ...rest] = state.eventQueue;
  if (head === undefined) return null;
  const stepping = begin(conditions, { ...state, eventQueue: rest });
  if ('virtual' in head) {
    apply(stepping, (draft) => {
      draft.graphChanges[head.virtual] = true;
      deliverVirtualDelete(draft, stepping.world, head.virtual);
    });
    return stepping.state;
  }
  const { stream } = head;
  apply(stepping, (draft) => {
    deliver(draft, stepping.world, stream);
    delete draft.watch[stream];
  });
  return stepping.state;
}

/** The delete worker processes the first item of its queue. Null if the queue is empty. */
export function processDelete(conditions: Conditions, state: RunState): RunState | null {
  const [head] = Object.keys(state.cluster.attemptToDelete);
  if (head === undefined) return null;
  const stepping = begin(conditions, { ...state, lastError: null });
  const { world } = stepping;
  apply(stepping, (draft) => takeForDelete(draft, world, DELETE_WORKER, head));
  for (;;) {
    const worker = stepping.state.cluster.deleteWorkers[DELETE_WORKER];
    if (worker === undefined) return stepping.state;
    const expected = requestOf(world, stepping.state.cluster, worker);
    let error: string | null = null;
    send(stepping, expected, (draft) => {
      const outcome = runDeleteStep(draft, world, DELETE_WORKER);
      if (outcome === 'failed' || outcome === 'dropped') error = outcome;
    });
    if (error !== null) stepping.state = { ...stepping.state, lastError: error };
  }
}

/**
 * The orphan worker processes the first item of its queue. Null if the queue is empty.
 *
 * @param until `patched`: stop when all dependents are patched.
 */
export function processOrphan(
  conditions: Conditions,
  state: RunState,
  until: 'end' | 'patched' = 'end',
): RunState | null {
  const [head] = Object.keys(state.cluster.attemptToOrphan);
  if (head === undefined) return null;
  const stepping = begin(conditions, { ...state, lastError: null });
  const { world } = stepping;
  apply(stepping, (draft) => takeForOrphan(draft, world, ORPHAN_WORKER, head));
  for (;;) {
    const worker = stepping.state.cluster.orphanWorkers[ORPHAN_WORKER];
    if (worker === undefined) return stepping.state;
    if (worker.at === 'patchDependents' && Object.keys(worker.calls).length > 0) {
      const [dependent = ''] = Object.keys(worker.calls);
      const expected = requestOf(world, stepping.state.cluster, worker, dependent);
      send(stepping, expected, (draft) => patchDependent(draft, world, ORPHAN_WORKER, dependent));
      continue;
    }
    if (until === 'patched' && worker.at !== 'patchDependents') return stepping.state;
    const expected = requestOf(world, stepping.state.cluster, worker);
    let failed = false;
    send(stepping, expected, (draft) => {
      failed = runOrphanStep(draft, world, ORPHAN_WORKER) === 'failed';
    });
    if (failed) stepping.state = { ...stepping.state, lastError: 'failed' };
  }
}
