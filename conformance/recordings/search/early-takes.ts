import { isDeepStrictEqual } from 'node:util';
import type { HiddenStep } from '../../../checker/index.ts';
import {
  type Cluster,
  identityOfNode,
  type NodeId,
  type OwnerReference,
} from '../../../model/index.ts';
import type { TraceContext } from './context.ts';
import { findNothing, getsFor, withLateness } from './pending-gets.ts';
import { keyOfNode, takeItem, takeOrphan, withEmptyQueue } from './queue-items.ts';
import type { TraceState } from './trace-state.ts';
import { nextRequest, readsMemory, type WorkerSlot, workerSlots } from './workers.ts';

/**
 * Taking an item from its queue is deferred until the item's request is seen. It must come earlier
 * only if another step would change what the worker finds: if that step adds the item again (after
 * an earlier take it would be in the queue a second time), makes it an item that is skipped, or
 * adds to the memory of absent owners that a worker reads next. Then the take is offered before
 * that step, provided that enough GETs of the log are left for it.
 */
export function earlyTakeSteps(
  context: TraceContext,
  state: TraceState,
  index: number,
  moving: readonly HiddenStep<TraceState>[],
): readonly HiddenStep<TraceState>[] {
  const { cluster } = state;
  const waiting = Object.keys(cluster.attemptToDelete).filter(
    (node) => takeItem(context, state, node) !== null,
  );
  const orphans = Object.keys(cluster.attemptToOrphan);
  const readers = workerSlots(state).filter((slot) => readsMemory(context, state, slot));
  if (waiting.length + orphans.length + readers.length === 0) return [];
  if (!context.reduced) return takingSteps(context, waiting, orphans, readers);
  const bare = withEmptyQueue(state);
  const touched = { items: new Set<NodeId>(), orphans: new Set<NodeId>(), memory: false };
  for (const step of moving) {
    const after = step.take(state);
    if (after === null) {
      // The step would leave a GET without a sender as long as an item of its key is not taken.
      for (const node of waiting) {
        const key = keyOfNode(context, node);
        if (key === null || state.pendingGets[key] !== undefined) touched.items.add(node);
      }
      for (const node of orphans) touched.orphans.add(node);
      touched.memory = true;
      continue;
    }
    const added = step.take(bare)?.cluster;
    for (const node of waiting) {
      const gets = getsOfNode(context, state, node, index);
      const again = added?.attemptToDelete[node] !== undefined && gets > 1;
      if (again || (gets > 0 && changesHeld(context, state, index, step, node))) {
        touched.items.add(node);
      }
    }
    for (const node of orphans) {
      const again = added?.attemptToOrphan[node] !== undefined;
      if (again || touchesDependents(cluster, after.cluster, node)) touched.orphans.add(node);
    }
    if (after.cluster.absentOwners !== cluster.absentOwners) touched.memory = true;
  }
  const { items, orphans: orphaned, memory } = touched;
  const looking = memory ? readers.filter((slot) => mayBeOvertaken(context, state, slot)) : [];
  return takingSteps(context, [...items], [...orphaned], looking);
}

/**
 * Whether the next step of another may add the owner that the worker is about to look up to the
 * memory: an event of the owner's end, or the answer to another worker's GET of it. No other step
 * does.
 */
function mayBeOvertaken(context: TraceContext, state: TraceState, slot: WorkerSlot): boolean {
  if (context.world.rules.replacedObject !== 'updated') return true;
  const uid = lookedUpBy(state, slot)?.uid;
  const { watch, graphChanges } = state.cluster;
  return (
    Object.keys(graphChanges).some((node) => identityOfNode(node).uid === uid) ||
    Object.values(watch).some((events) =>
      events.some(({ type, object }) => type === 'delete' && object.identity.uid === uid),
    ) ||
    workerSlots(state).some(
      (other) => lookedUpBy(state, other)?.uid === uid && mayMiss(context, state, other),
    )
  );
}

/** The owner that the worker looks up now. */
function lookedUpBy(
  { cluster }: TraceState,
  { role, node }: WorkerSlot,
): OwnerReference | undefined {
  const worker = role === 'delete' ? cluster.deleteWorkers[node] : undefined;
  if (worker?.at !== 'getOwner') return undefined;
  return worker.live.ownerReferences[worker.classes.length];
}

/** Whether an answer has arrived by which the worker may find its owner absent. */
function mayMiss(context: TraceContext, state: TraceState, slot: WorkerSlot): boolean {
  const uid = lookedUpBy(state, slot)?.uid;
  const key = nextRequest(context, state, slot)?.key;
  const gets = key === undefined ? [] : (state.pendingGets[key] ?? []);
  return gets.some(({ done }) => done !== null && done.object?.uid !== uid);
}

/**
 * A step that comes before all other hidden steps: a worker takes an item of which all GETs that
 * are left find nothing. Null if there is no such item.
 *
 * Such a worker sends one of these GETs or none, and drops the item, whatever it holds. If the item
 * is queued again meanwhile, the queue has one more, and no worker has to take that. So the state
 * after the take explains all that the state before it explains.
 */
export function forcedTake(
  context: TraceContext,
  state: TraceState,
  index: number,
): HiddenStep<TraceState> | null {
  if (!context.reduced || context.partial) return null;
  const futile = Object.keys(state.cluster.attemptToDelete).find((node) => {
    const key = keyOfNode(context, node);
    if (key === null || !findNothing(context, state, key, index)) return false;
    return getsFor(context, state, key, index) > 0 && takeItem(context, state, node) !== null;
  });
  return futile === undefined ? null : (takingSteps(context, [futile], [], [])[0] ?? null);
}

function takingSteps(
  context: TraceContext,
  items: readonly NodeId[],
  orphans: readonly NodeId[],
  readers: readonly WorkerSlot[],
): readonly HiddenStep<TraceState>[] {
  const taken = (from: TraceState, next: TraceState | null) =>
    next === null ? null : withLateness(context, from, next, null);
  return [
    ...items.map((node) => ({
      label: 'takeForDelete',
      take: (from: TraceState) => taken(from, takeItem(context, from, node)),
    })),
    ...orphans.map((node) => ({
      label: 'takeForOrphan',
      take: (from: TraceState) => taken(from, takeOrphan(context, from, node)),
    })),
    ...readers.map((slot) => ({
      label: 'looks up the owner',
      take: (from: TraceState) =>
        readsMemory(context, from, slot) ? withCheckedMemory(from, slot) : null,
    })),
  ];
}

function getsOfNode(context: TraceContext, state: TraceState, node: NodeId, index: number): number {
  const key = keyOfNode(context, node);
  return key === null ? 0 : getsFor(context, state, key, index);
}

/**
 * Whether the worker would hold the item in another state if it took it after the step. A worker
 * whose GET finds nothing drops the item, whatever its state is.
 */
function changesHeld(
  context: TraceContext,
  state: TraceState,
  index: number,
  step: HiddenStep<TraceState>,
  node: NodeId,
): boolean {
  const after = step.take(state);
  const { uid } = identityOfNode(node);
  const parts = ['attemptToDelete', 'graph', 'dependents'] as const;
  const alike = parts.every((part) => {
    const name = part === 'attemptToDelete' ? node : uid;
    return state.cluster[part][name] === after?.cluster[part][name];
  });
  if (alike) return false;
  const before = takeItem(context, state, node);
  const first = before === null ? null : step.take(before);
  const last = after === null ? null : takeItem(context, after, node);
  if (first === null || last === null) return true;
  const key = keyOfNode(context, node);
  if (key !== null && findNothing(context, state, key, index)) return false;
  return !isDeepStrictEqual(first.cluster.processing[node], last.cluster.processing[node]);
}

function touchesDependents(before: Cluster, after: Cluster, node: NodeId): boolean {
  const { uid } = identityOfNode(node);
  return (
    before.attemptToOrphan[node] !== after.attemptToOrphan[node] ||
    before.graph[uid] !== after.graph[uid] ||
    before.dependents[uid] !== after.dependents[uid] ||
    (before.dependents[uid] ?? []).some((one) => before.graph[one] !== after.graph[one])
  );
}

function withCheckedMemory(state: TraceState, slot: WorkerSlot): TraceState {
  return { ...state, checkedMemory: { ...state.checkedMemory, [slot.node]: true } };
}
