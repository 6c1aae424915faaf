import { type Draft, produce } from 'immer';
import type { HiddenStep } from '../../../checker/index.ts';
import {
  bringForward,
  deliver,
  deliverVirtualDelete,
  formatKey,
  identityOfNode,
  listDifference,
  type NodeId,
  restartCollector,
} from '../../../model/index.ts';
import { keyOfDependent } from '../logs/keys.ts';
import type { TraceContext } from './context.ts';
import { afterEagerSteps } from './eager-steps.ts';
import { withoutTwins } from './faded.ts';
import { recorded } from './hidden-step.ts';
import { subjectOf } from './queue-items.ts';
import { dueChanges, isInScope, type Scope } from './scope.ts';
import type { TraceState } from './trace-state.ts';

/**
 * Deliveries of events to the graph builder, one step each: of the events in scope, and of those
 * before them in the same stream.
 */
export function deliverySteps(
  context: TraceContext,
  state: TraceState,
  index: number,
  scope: Scope,
): readonly HiddenStep<TraceState>[] {
  const steps: HiddenStep<TraceState>[] = [];
  const own = Object.keys(state.cluster.graphChanges).filter((node) =>
    isInScope(scope, identityOfNode(node).uid),
  );
  for (const node of withoutTwins(context, state, index, own)) {
    steps.push({
      label: 'deliverVirtualDelete',
      take: (from) => virtualDelivered(context, from, node),
    });
  }
  for (const [kind, pending] of Object.entries(state.cluster.watch)) {
    // The events of a list after a restart can come in any order.
    const listed = Math.max(1, state.listed[kind] ?? 1);
    const behind =
      pending.slice(listed).some(({ object }) => isInScope(scope, object.identity.uid)) ||
      dueChanges(context, state, index).some(
        ({ seen }) => seen.kind.name === kind && isInScope(scope, seen.object.uid),
      );
    for (const [position, { key, object }] of pending.slice(0, listed).entries()) {
      if (!behind && !isInScope(scope, object.identity.uid)) continue;
      steps.push({
        label: `deliver ${kind}`,
        take: (from) =>
          from.cluster.watch[kind]?.[position]?.key === key
            ? delivered(context, from, kind, position)
            : null,
      });
    }
  }
  return steps;
}

function virtualDelivered(
  context: TraceContext,
  state: TraceState,
  node: NodeId,
): TraceState | null {
  if (state.cluster.graphChanges[node] === undefined) return null;
  const what = { action: 'deliverVirtualDelete', step: '', subject: subjectOf(node) };
  const next = recorded(context, state, what, () =>
    produce(state, (draft) => deliverVirtualDelete(draft.cluster, context.world, node)),
  );
  return afterEagerSteps(context, state, next, null);
}

function delivered(
  context: TraceContext,
  state: TraceState,
  kind: string,
  position: number,
): TraceState | null {
  const warned: string[] = [];
  const world = {
    ...context.world,
    report: (warning: Parameters<NonNullable<typeof context.world.report>>[0]) =>
      warned.push(keyOfDependent(context.world, warning)),
  };
  const event = state.cluster.watch[kind]?.[position];
  const subject = event === undefined ? kind : formatKey(event.key);
  const take = (draft: Draft<TraceState>): void => {
    if (position > 0) bringForward(draft.cluster, kind, position);
    deliver(draft.cluster, world, kind);
    for (const key of warned) draft.warnings[key] = true;
    const listed = draft.listed[kind];
    if (listed !== undefined && listed > 2) draft.listed[kind] = listed - 1;
    else delete draft.listed[kind];
  };
  const what = { action: 'deliver', step: event?.type ?? '', subject };
  const next = recorded(context, state, what, () => produce(state, take));
  return afterEagerSteps(context, state, next, null);
}

/**
 * Restarts of the controller manager and new lists of the collector, as many as the trace allows.
 */
export function listingSteps(
  context: TraceContext,
  state: TraceState,
): readonly HiddenStep<TraceState>[] {
  const restart = { label: 'restart', take: (from: TraceState) => restarted(context, from) };
  // A list in the place of a single event shows the same.
  const behind = Object.entries(state.cluster.watch).filter(([, events]) => events.length > 1);
  return [
    ...(state.restarts === 0 ? [] : [restart]),
    ...(state.relists === 0 ? [] : behind).map(([kind]) => ({
      label: `relist ${kind}`,
      take: (from: TraceState) => relisted(context, from, kind),
    })),
  ];
}

/** The watch of the kind breaks, and the collector lists again. */
function relisted(context: TraceContext, state: TraceState, kind: string): TraceState | null {
  if (state.relists === 0 || (state.cluster.watch[kind]?.length ?? 0) < 2) return null;
  const take = (draft: Draft<TraceState>): void => {
    draft.relists--;
    listDifference(draft.cluster, context.world, kind);
    noteList(draft, kind);
  };
  const what = { action: 'relist', step: '', subject: kind };
  return recorded(context, state, what, () => produce(state, take));
}

/** The events of a list can come in any order. */
function noteList(draft: Draft<TraceState>, kind: string): void {
  const { length } = draft.cluster.watch[kind] ?? [];
  if (length > 1) draft.listed[kind] = length;
  else delete draft.listed[kind];
}

function restarted(context: TraceContext, state: TraceState): TraceState | null {
  if (state.restarts === 0) return null;
  const take = (draft: Draft<TraceState>): void => {
    restartCollector(draft.cluster, context.world);
    for (const open of Object.values(draft.open)) open.sender = null;
    draft.sent = {};
    draft.pendingGets = {};
    draft.late = {};
    draft.lastRead = {};
    draft.checkedMemory = {};
    draft.restarts--;
    for (const kind of Object.keys(draft.cluster.watch)) noteList(draft, kind);
  };
  const what = { action: 'restart', step: '', subject: '' };
  return recorded(context, state, what, () => produce(state, take));
}
