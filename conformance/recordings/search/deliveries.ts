import { type Draft, produce } from 'immer';
import type { HiddenStep } from '../../../checker/index.ts';
import {
  bringForward,
  deliver,
  deliverVirtualDelete,
  formatKey,
  identityOfNode,
  type NodeId,
  restartCollector,
} from '../../../model/index.ts';
import { keyOfDependent } from '../logs/keys.ts';
import { recorded, type Trial } from './context.ts';
import { settled } from './eager-steps.ts';
import { isCovered, withLateness } from './pending-gets.ts';
import { subjectOf } from './queue-items.ts';
import { bears, dueChanges, type Scope } from './scope.ts';
import type { TraceState } from './trace-state.ts';

/**
 * Events on their way to the graph builder, one step each: those that bear upon the request to be
 * explained, and those before them in the same stream.
 */
export function deliverySteps(
  trial: Trial,
  state: TraceState,
  index: number,
  scope: Scope,
): readonly HiddenStep<TraceState>[] {
  const steps: HiddenStep<TraceState>[] = [];
  for (const node of Object.keys(state.cluster.graphChanges)) {
    if (!bears(scope, identityOfNode(node).uid)) continue;
    steps.push({
      label: 'deliverVirtualDelete',
      take: (from) => virtualDelivered(trial, from, node),
    });
  }
  for (const [kind, pending] of Object.entries(state.cluster.watch)) {
    // Of a list that came after a restart any event may be the next.
    const listed = Math.max(1, state.listed[kind] ?? 1);
    const behind =
      pending.slice(listed).some(({ object }) => bears(scope, object.identity.uid)) ||
      dueChanges(trial, state, index).some(
        ({ seen }) => seen.kind.name === kind && bears(scope, seen.object.uid),
      );
    for (const [position, { key, object }] of pending.slice(0, listed).entries()) {
      if (!behind && !bears(scope, object.identity.uid)) continue;
      steps.push({
        label: `deliver ${kind}`,
        take: (from) =>
          from.cluster.watch[kind]?.[position]?.key === key
            ? delivered(trial, from, kind, position)
            : null,
      });
    }
  }
  return steps;
}

function virtualDelivered(trial: Trial, state: TraceState, node: NodeId): TraceState | null {
  if (state.cluster.graphChanges[node] === undefined) return null;
  const what = { action: 'deliverVirtualDelete', step: '', subject: subjectOf(node) };
  const next = recorded(trial, state, what, () =>
    produce(state, (draft) => deliverVirtualDelete(draft.cluster, trial.world, node)),
  );
  return settledAfter(trial, state, next);
}

function settledAfter(trial: Trial, before: TraceState, after: TraceState): TraceState | null {
  const next = settled(trial, withLateness(trial, before, after, null));
  return isCovered(trial, next) ? next : null;
}

function delivered(
  trial: Trial,
  state: TraceState,
  kind: string,
  position: number,
): TraceState | null {
  const heard: string[] = [];
  const world = {
    ...trial.world,
    report: (warning: Parameters<NonNullable<typeof trial.world.report>>[0]) =>
      heard.push(keyOfDependent(trial.world, warning)),
  };
  const event = state.cluster.watch[kind]?.[position];
  const subject = event === undefined ? kind : formatKey(event.key);
  const take = (draft: Draft<TraceState>): void => {
    if (position > 0) bringForward(draft.cluster, kind, position);
    deliver(draft.cluster, world, kind);
    for (const key of heard) draft.warnings[key] = true;
    const listed = draft.listed[kind];
    if (listed !== undefined && listed > 2) draft.listed[kind] = listed - 1;
    else delete draft.listed[kind];
  };
  const what = { action: 'deliver', step: event?.type ?? '', subject };
  const next = recorded(trial, state, what, () => produce(state, take));
  return settledAfter(trial, state, next);
}

/** The controller manager may have been restarted, as often as the trace says. */
export function restartSteps(trial: Trial, state: TraceState): readonly HiddenStep<TraceState>[] {
  if (state.restarts === 0) return [];
  return [{ label: 'restart', take: (from) => restarted(trial, from) }];
}

function restarted(trial: Trial, state: TraceState): TraceState | null {
  if (state.restarts === 0) return null;
  const take = (draft: Draft<TraceState>): void => {
    restartCollector(draft.cluster, trial.world);
    for (const open of Object.values(draft.open)) open.sender = null;
    draft.sent = {};
    draft.pools = {};
    draft.late = {};
    draft.lastRead = {};
    draft.bound = {};
    draft.restarts--;
    for (const [kind, list] of Object.entries(draft.cluster.watch)) {
      if (list.length > 1) draft.listed[kind] = list.length;
      else delete draft.listed[kind];
    }
  };
  const what = { action: 'restart', step: '', subject: '' };
  return recorded(trial, state, what, () => produce(state, take));
}
