import type { ExplainedStep, HiddenStep } from '../../../checker/index.ts';
import { formatKey } from '../../../model/index.ts';
import { demandedBy } from '../matching/calls.ts';
import { requestDifference } from '../matching/collector-request.ts';
import { requestAt, type TraceContext } from './context.ts';
import { deferredReadSteps } from './deferred-reads.ts';
import { deliverySteps, listingSteps } from './deliveries.ts';
import { withEagerSteps } from './eager-steps.ts';
import { earlyTakeSteps } from './early-takes.ts';
import { memoised } from './hidden-step.ts';
import { everyGetHasSender, withCertainlyTaken, withLateness } from './pending-gets.ts';
import { takeOrphan } from './queue-items.ts';
import type { Scope } from './scope.ts';
import type { OpenRequest, TraceState } from './trace-state.ts';
import { callOfSlot, nextRequest, type WorkerSlot, workerSlots } from './workers.ts';

/**
 * The collector's side of an explanation: which worker sends a logged request, and which steps
 * came before it.
 */

/** All ways in which the collector can send this request now. */
export function sendings(
  context: TraceContext,
  state: TraceState,
  request: number,
  index: number,
): readonly ExplainedStep<TraceState>[] {
  if (requestAt(context, request).verb === 'get') {
    return sendGet(context, state, request, index);
  }
  const taken = Object.keys(state.cluster.attemptToOrphan).flatMap((node) => {
    const next = takeOrphan(context, state, node);
    return next === null ? [] : [withLateness(context, state, next, null)];
  });
  const found: ExplainedStep<TraceState>[] = [];
  for (const before of [state, ...taken]) {
    for (const slot of workerSlots(before)) {
      const after = send(context, before, slot, request, index);
      if (after !== null && everyGetHasSender(context, after)) {
        found.push({ label: `${slot.role} worker sends`, state: withEagerSteps(context, after) });
      }
    }
  }
  return found;
}

/** Adds a GET to the pending GETs of its key, if there is a possible sender for it. */
function sendGet(
  context: TraceContext,
  state: TraceState,
  request: number,
  index: number,
): readonly ExplainedStep<TraceState>[] {
  const key = context.keys[request] ?? null;
  if (key === null) return [];
  const get = { request, received: index, done: null, version: null };
  const open: OpenRequest = { call: null, done: null, demands: null, sender: null, decided: null };
  const after: TraceState = {
    ...state,
    open: { ...state.open, [request]: open },
    pendingGets: { ...state.pendingGets, [key]: [...(state.pendingGets[key] ?? []), get] },
  };
  if (everyGetHasSender(context, after)) {
    return [{ label: 'a worker sends', state: withCertainlyTaken(context, after, key) }];
  }
  context.reportMisfit(index, {
    changes: state.changes,
    request,
    what: 'collector',
    sentence: `no worker is about to GET ${formatKey(key)}`,
    difference: null,
  });
  return [];
}

function send(
  context: TraceContext,
  state: TraceState,
  slot: WorkerSlot,
  request: number,
  index: number,
): TraceState | null {
  const model = nextRequest(context, state, slot);
  if (model === null || model.verb === 'get' || model.key !== context.keys[request]) return null;
  const seen = requestAt(context, request);
  const stored = state.cluster.store[model.key];
  const lastRead = state.lastRead[slot.sender] ?? null;
  const found = requestDifference(seen, model, lastRead, stored);
  if (found !== null) {
    context.reportMisfit(index, {
      changes: state.changes,
      request,
      what: 'collector',
      sentence: `a worker sends ${model.verb} to ${formatKey(model.key)}, but not with this ${found.field}`,
      difference: found,
    });
    return null;
  }
  const demands = demandedBy(seen.body);
  const call = callOfSlot(state, slot);
  // A merge patch carries a resourceVersion, whether the model's call demands one or not.
  const sent =
    call?.verb === 'update' && demands !== null ? { ...call, resourceVersion: true } : call;
  const open: OpenRequest = {
    call: sent,
    done: null,
    demands,
    sender: slot.sender,
    decided: null,
  };
  return {
    ...state,
    open: { ...state.open, [request]: open },
    sent: { ...state.sent, [slot.sender]: { answer: null } },
  };
}

/**
 * The hidden steps of the collector that may be needed now.
 *
 * @param due the request to be explained; null for all possible steps.
 * @param scope the objects whose events can affect that request.
 */
export function collectorSteps(
  context: TraceContext,
  state: TraceState,
  index: number,
  due: number | null,
  scope: Scope,
): readonly HiddenStep<TraceState>[] {
  const deliveries = deliverySteps(context, state, index, scope).map(memoised);
  const reads = deferredReadSteps(context, state, due, scope, deliveries);
  const moving = [...reads, ...deliveries];
  const takes = earlyTakeSteps(context, state, index, moving);
  const ordered = context.eventsFirst ? [...deliveries, ...takes, ...reads] : [...takes, ...moving];
  return [...ordered, ...listingSteps(context, state)];
}
