import type { ExplainedStep, HiddenStep } from '../../../checker/index.ts';
import { formatKey } from '../../../model/index.ts';
import { demandedBy } from '../matching/calls.ts';
import { requestDifference } from '../matching/collector-request.ts';
import { requestOfTrial, type Trial } from './context.ts';
import { lookingSteps } from './deferred-reads.ts';
import { deliverySteps, restartSteps } from './deliveries.ts';
import { settled } from './eager-steps.ts';
import { earlySteps } from './early-takes.ts';
import { memoised } from './hidden-step.ts';
import { isCovered, withCertainlyTaken, withLateness } from './pending-gets.ts';
import { takeOrphan } from './queue-items.ts';
import type { Scope } from './scope.ts';
import type { OpenRequest, TraceState } from './trace-state.ts';
import { callOfPost, nextRequest, type Post, posts } from './workers.ts';

/** The collector's side: which worker sends a request of the log, and what has gone before unseen. */

/** All ways in which the collector may be sending this request now. */
export function sendings(
  trial: Trial,
  state: TraceState,
  request: number,
  index: number,
): readonly ExplainedStep<TraceState>[] {
  if (requestOfTrial(trial, request).verb === 'get') {
    return sendGet(trial, state, request, index);
  }
  const taken = Object.keys(state.cluster.attemptToOrphan).flatMap((node) => {
    const next = takeOrphan(trial, state, node);
    return next === null ? [] : [withLateness(trial, state, next, null)];
  });
  const found: ExplainedStep<TraceState>[] = [];
  for (const before of [state, ...taken]) {
    for (const post of posts(before)) {
      const after = send(trial, before, post, request, index);
      if (after !== null && isCovered(trial, after)) {
        found.push({ label: `${post.role} worker sends`, state: settled(trial, after) });
      }
    }
  }
  return found;
}

/** A GET joins those whose sender is open, if there is one. */
function sendGet(
  trial: Trial,
  state: TraceState,
  request: number,
  index: number,
): readonly ExplainedStep<TraceState>[] {
  const key = trial.keys[request] ?? null;
  if (key === null) return [];
  const get = { request, received: index, done: null, version: null };
  const open: OpenRequest = { call: null, done: null, demands: null, sender: null, decided: null };
  const after: TraceState = {
    ...state,
    open: { ...state.open, [request]: open },
    pools: { ...state.pools, [key]: [...(state.pools[key] ?? []), get] },
  };
  if (isCovered(trial, after)) {
    return [{ label: 'a worker sends', state: withCertainlyTaken(trial, after, key) }];
  }
  trial.misfit(index, {
    changes: state.changes,
    request,
    what: 'collector',
    sentence: `no worker is about to GET ${formatKey(key)}`,
    difference: null,
  });
  return [];
}

function send(
  trial: Trial,
  state: TraceState,
  post: Post,
  request: number,
  index: number,
): TraceState | null {
  const model = nextRequest(trial, state, post);
  if (model === null || model.verb === 'get' || model.key !== trial.keys[request]) return null;
  const seen = requestOfTrial(trial, request);
  const stored = state.cluster.store[model.key];
  const lastRead = state.lastRead[post.sender] ?? null;
  const found = requestDifference(seen, model, lastRead, stored);
  if (found !== null) {
    trial.misfit(index, {
      changes: state.changes,
      request,
      what: 'collector',
      sentence: `a worker sends ${model.verb} to ${formatKey(model.key)}, but not with this ${found.field}`,
      difference: found,
    });
    return null;
  }
  const demands = demandedBy(seen.body);
  const call = callOfPost(state, post);
  // A merge patch carries a resourceVersion, whatever the model would make of it.
  const sent =
    call?.verb === 'update' && demands !== null ? { ...call, resourceVersion: true } : call;
  const open: OpenRequest = {
    call: sent,
    done: null,
    demands,
    sender: post.sender,
    decided: null,
  };
  return {
    ...state,
    open: { ...state.open, [request]: open },
    sent: { ...state.sent, [post.sender]: { answer: null } },
  };
}

/**
 * The hidden steps of the collector that may be needed now.
 *
 * @param due the request that is to be explained; null for all that is possible.
 * @param scope what bears upon it.
 */
export function collectorSteps(
  trial: Trial,
  state: TraceState,
  index: number,
  due: number | null,
  scope: Scope,
): readonly HiddenStep<TraceState>[] {
  const deliveries = deliverySteps(trial, state, index, scope).map(memoised);
  const looks = lookingSteps(trial, state, due, scope, deliveries);
  const moving = [...looks, ...deliveries];
  return [...moving, ...earlySteps(trial, state, index, moving), ...restartSteps(trial, state)];
}
