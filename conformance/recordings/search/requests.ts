import { castDraft, produce } from 'immer';
import type { ExplainedStep, HiddenStep } from '../../../checker/index.ts';
import { difference, writtenDifference } from '../matching/differences.ts';
import { keyOfCall, serverSteps } from './api-server.ts';
import { requestAt, type TraceContext } from './context.ts';
import { withEagerSteps } from './eager-steps.ts';
import { recorded } from './hidden-step.ts';
import { dueChanges, isInScope, type Scope } from './scope.ts';
import type { ModelAnswer, TraceState } from './trace-state.ts';

/** Arrival and answers of requests, and reads. Writes are in `api-server.ts`. */

/** A client other than the collector sends a request. Such requests are inputs of the model. */
export function received(
  context: TraceContext,
  state: TraceState,
  request: number,
): readonly ExplainedStep<TraceState>[] {
  const seen = requestAt(context, request);
  const label = `${seen.client} sends`;
  const open = (call: TraceState['open'][string]['call'], demands: string | null): TraceState => ({
    ...state,
    open: { ...state.open, [request]: { call, done: null, demands, sender: null, decided: null } },
  });
  if (seen.verb === 'get') return [{ label, state: withReads(context, open(null, null)) }];
  const possible = context.calls[request] ?? [];
  const what = { action: 'request', step: seen.verb, subject: context.keys[request] ?? '' };
  return possible.map(({ call, demands }) => ({
    label,
    state: recorded(context, state, what, () => open(call, demands)),
  }));
}

/** A GET reads the first state that agrees with its logged answer. It changes nothing. */
export function withReads(context: TraceContext, state: TraceState): TraceState {
  let current = state;
  for (const [index, open] of Object.entries(state.open)) {
    if (open.call !== null || open.done !== null) continue;
    const done = readNow(context, current, Number(index));
    if (done === null) continue;
    current = { ...current, open: { ...current.open, [index]: { ...open, done } } };
    current = withVersion(context, current, Number(index));
  }
  return current;
}

/** The answer of the GET in this state, if it agrees with the log. */
function readNow(context: TraceContext, state: TraceState, request: number): ModelAnswer | null {
  const seen = requestAt(context, request);
  const key = context.keys[request] ?? null;
  if (key === null) return { code: seen.code, object: null };
  const object = state.cluster.store[key];
  if (seen.code === 404) return object === undefined ? { code: 404, object: null } : null;
  if (seen.code !== 200 || object === undefined) return null;
  const { answer } = seen;
  if (answer === null) return { code: 200, object };
  if (writtenDifference(answer, state.stored[key]) !== null) return null;
  const found = difference(seen.kind, answer, object);
  return found === null ? { code: 200, object } : null;
}

function withVersion(context: TraceContext, state: TraceState, request: number): TraceState {
  const key = context.keys[request] ?? '';
  const version = requestAt(context, request).answer?.resourceVersion ?? null;
  const written = state.stored[key];
  if (written === undefined || written.version !== null || version === null) return state;
  return { ...state, stored: { ...state.stored, [key]: { ...written, version } } };
}

/** The API server answers. The request must be done. */
export function completed(
  context: TraceContext,
  state: TraceState,
  request: number,
  index: number,
): readonly ExplainedStep<TraceState>[] {
  const open = state.open[request];
  if (open?.done === null || open === undefined) {
    noteUndone(context, state, request, index);
    return [];
  }
  const { done, sender } = open;
  const seen = requestAt(context, request);
  const version = seen.answer?.resourceVersion ?? null;
  const key = context.keys[request] ?? '';
  const next = produce(state, (draft) => {
    delete draft.open[request];
    // After a restart of the collector no worker waits for the answer.
    if (sender !== null) draft.sent[sender] = { answer: castDraft(done) };
    const pool = draft.pendingGets[key];
    if (pool !== undefined && seen.collector && seen.verb === 'get') {
      draft.pendingGets[key] = pool.map((get) =>
        get.request === request ? { ...get, done: castDraft(done), version } : get,
      );
    }
  });
  return [{ label: `${seen.client} is answered`, state: withEagerSteps(context, next) }];
}

function noteUndone(
  context: TraceContext,
  state: TraceState,
  request: number,
  index: number,
): void {
  const seen = requestAt(context, request);
  if (seen.verb !== 'get') return;
  const key = context.keys[request] ?? '';
  const object = state.cluster.store[key];
  const version = state.stored[key]?.version ?? null;
  const model =
    object === undefined ? 'nothing there' : `version ${version ?? 'unknown'} of the object`;
  const found =
    object === undefined || seen.answer === null
      ? null
      : difference(seen.kind, seen.answer, object);
  context.reportMisfit(index, {
    changes: state.changes,
    request,
    what: 'answer',
    sentence: `the GET finds ${model}`,
    difference: found,
  });
}

/**
 * The steps of the API server that may be needed before the next observation. A step that only
 * reads is deferred until its request must be answered, or until another request may write the
 * same object: only then does its position matter. A step that writes is tried before answers that
 * need it, and before requests of the collector that it may cause.
 *
 * @param due the request to be answered; null before a request of the collector.
 * @param scope the objects whose events can affect that request of the collector.
 */
export function servingSteps(
  context: TraceContext,
  state: TraceState,
  index: number,
  due: number | null,
  scope: Scope = null,
): readonly HiddenStep<TraceState>[] {
  if (due === null) {
    const bearing = dueChanges(context, state, index).some(({ seen }) =>
      isInScope(scope, seen.object.uid),
    );
    if (!bearing && context.timeline.removals) return [];
  }
  const written = context.timeline.changes[state.changes]?.key ?? null;
  const steps: HiddenStep<TraceState>[] = [];
  for (const [name, open] of Object.entries(state.open)) {
    const request = Number(name);
    if (open.call === null) continue;
    const key = keyOfCall(open.call);
    const relevant = request === due || key === written || open.call.verb === 'deleteCollection';
    if (!relevant && context.timeline.removals) continue;
    const ways = serverSteps(context, state, request, index).length;
    for (let way = 0; way < ways; way++) {
      steps.push({
        label: `serve ${request}`,
        take: (from) => {
          const next = serverSteps(context, from, request, index)[way];
          return next === undefined ? null : withReads(context, next);
        },
      });
    }
  }
  return steps;
}
