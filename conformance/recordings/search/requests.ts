import { castDraft, produce } from 'immer';
import type { ExplainedStep, HiddenStep } from '../../../checker/index.ts';
import { difference } from '../matching/differences.ts';
import { keyOfCall, serveStep } from './api-server.ts';
import { recorded, requestOfTrial, type Trial } from './context.ts';
import { settled } from './eager-steps.ts';
import { bears, dueChanges, type Scope } from './scope.ts';
import type { Done, TraceState } from './trace-state.ts';

/** Arrival, reading and answering of requests, as far as it does not write. */

/** A client other than the collector has sent a request; it is an input. */
export function received(
  trial: Trial,
  state: TraceState,
  request: number,
): readonly ExplainedStep<TraceState>[] {
  const seen = requestOfTrial(trial, request);
  const label = `${seen.client} sends`;
  const open = (call: TraceState['open'][string]['call'], demands: string | null): TraceState => ({
    ...state,
    open: { ...state.open, [request]: { call, done: null, demands, sender: null, decided: null } },
  });
  if (seen.verb === 'get') return [{ label, state: withReads(trial, open(null, null)) }];
  const possible = trial.calls[request] ?? [];
  const what = { action: 'request', step: seen.verb, subject: trial.keys[request] ?? '' };
  return possible.map(({ call, demands }) => ({
    label,
    state: recorded(trial, state, what, () => open(call, demands)),
  }));
}

/** A GET reads the first state that shows what it has answered: it changes nothing by that. */
export function withReads(trial: Trial, state: TraceState): TraceState {
  let current = state;
  for (const [index, open] of Object.entries(state.open)) {
    if (open.call !== null || open.done !== null) continue;
    const done = readNow(trial, current, Number(index));
    if (done === null) continue;
    current = { ...current, open: { ...current.open, [index]: { ...open, done } } };
    current = withVersion(trial, current, Number(index));
  }
  return current;
}

/** What the GET would answer now, if that is what it has answered. */
function readNow(trial: Trial, state: TraceState, request: number): Done | null {
  const seen = requestOfTrial(trial, request);
  const key = trial.keys[request] ?? null;
  if (key === null) return { code: seen.code, object: null };
  const object = state.cluster.store[key];
  if (seen.code === 404) return object === undefined ? { code: 404, object: null } : null;
  if (seen.code !== 200 || object === undefined) return null;
  const { answer } = seen;
  if (answer === null) return { code: 200, object };
  const version = state.stored[key]?.version ?? null;
  if (version !== null && version !== answer.resourceVersion) return null;
  const found = difference(seen.kind, answer, object);
  return found === null ? { code: 200, object } : null;
}

function withVersion(trial: Trial, state: TraceState, request: number): TraceState {
  const key = trial.keys[request] ?? '';
  const version = requestOfTrial(trial, request).answer?.resourceVersion ?? null;
  const written = state.stored[key];
  if (written === undefined || written.version !== null || version === null) return state;
  return { ...state, stored: { ...state.stored, [key]: { ...written, version } } };
}

/** The API server has answered: nothing of the request may be left to do. */
export function completed(
  trial: Trial,
  state: TraceState,
  request: number,
  index: number,
): readonly ExplainedStep<TraceState>[] {
  const open = state.open[request];
  if (open?.done === null || open === undefined) {
    noteUndone(trial, state, request, index);
    return [];
  }
  const { done, sender } = open;
  const seen = requestOfTrial(trial, request);
  const version = seen.answer?.resourceVersion ?? null;
  const key = trial.keys[request] ?? '';
  const next = produce(state, (draft) => {
    delete draft.open[request];
    // After a restart of the collector nobody waits for the answer.
    if (sender !== null) draft.sent[sender] = { answer: castDraft(done) };
    const pool = draft.pools[key];
    if (pool !== undefined && seen.collector && seen.verb === 'get') {
      draft.pools[key] = pool.map((get) =>
        get.request === request ? { ...get, done: castDraft(done), version } : get,
      );
    }
  });
  return [{ label: `${seen.client} is answered`, state: settled(trial, next) }];
}

function noteUndone(trial: Trial, state: TraceState, request: number, index: number): void {
  const seen = requestOfTrial(trial, request);
  if (seen.verb !== 'get') return;
  const key = trial.keys[request] ?? '';
  const object = state.cluster.store[key];
  const version = state.stored[key]?.version ?? null;
  const model =
    object === undefined ? 'nothing there' : `version ${version ?? 'unknown'} of the object`;
  const found =
    object === undefined || seen.answer === null
      ? null
      : difference(seen.kind, seen.answer, object);
  trial.misfit(index, {
    changes: state.changes,
    request,
    what: 'answer',
    sentence: `the GET finds ${model}`,
    difference: found,
  });
}

/**
 * The steps of the API server that may be needed before the next observation. A step that only
 * reads is put off until its request has to be answered, or until another request is about to write
 * the same object: only then does its place matter. Steps that write are tried before answers that
 * need them, and before requests of the collector that may follow from them.
 *
 * @param due the request to be answered; null before a request of the collector.
 * @param scope what bears upon that request of the collector.
 */
export function servingSteps(
  trial: Trial,
  state: TraceState,
  index: number,
  due: number | null,
  scope: Scope = null,
): readonly HiddenStep<TraceState>[] {
  if (due === null) {
    const bearing = dueChanges(trial, state, index).some(({ seen }) =>
      bears(scope, seen.object.uid),
    );
    if (!bearing && trial.timeline.removals) return [];
  }
  const written = trial.timeline.changes[state.changes]?.key ?? null;
  const steps: HiddenStep<TraceState>[] = [];
  for (const [name, open] of Object.entries(state.open)) {
    const request = Number(name);
    if (open.call === null) continue;
    const key = keyOfCall(open.call);
    const relevant = request === due || key === written || open.call.verb === 'deleteCollection';
    if (!relevant && trial.timeline.removals) continue;
    const ways = serveStep(trial, state, request, index).length;
    for (let way = 0; way < ways; way++) {
      steps.push({
        label: `serve ${request}`,
        take: (from) => {
          const next = serveStep(trial, from, request, index)[way];
          return next === undefined ? null : withReads(trial, next);
        },
      });
    }
  }
  return steps;
}
