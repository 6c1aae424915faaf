import { castDraft, produce } from 'immer';
import {
  type ApiObject,
  type Call,
  type Change,
  formatKey,
  modelApiServer,
  type ObjectKey,
  type Progress,
  readerOf,
} from '../../../model/index.ts';
import type { SeenRequest } from '../logs/observations.ts';
import { answerMisfit, decidedBy, withDecided, withOwnDelete } from '../matching/answers.ts';
import { changesFor, isRefusedEarly, isRefusedForOthers } from '../matching/calls.ts';
import type { Misfit } from '../matching/differences.ts';
import { NOT_SHOWN, type Written } from '../matching/initial-objects.ts';
import { requestAt, type TraceContext } from './context.ts';
import { recorded } from './hidden-step.ts';
import type { OpenRequest, TraceState } from './trace-state.ts';
import { matchWrite } from './writes.ts';

/**
 * The API server's side of an explanation: the model's API server takes one step of a request. Its
 * write must match the next change in the store, and its answer the one in the log.
 */

/** A client that has read the object: it shows whether a step writes the object. */
const WITNESS = 'trace';

/** The key that the next step of a call may write; null if there is none. */
export function keyOfCall(call: Call): ObjectKey | null {
  switch (call.verb) {
    case 'create':
      return `${call.object.kind}/${call.object.namespace}/${call.object.name}`;
    case 'delete':
    case 'update':
      return call.key;
    case 'deleteCollection':
      return call.current?.key ?? null;
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

/** The result of one step of a handler. */
export interface ServerStep {
  readonly state: TraceState;
  readonly progress: Progress;
  /** What the log shows of the version of the object in an answer. */
  readonly written: Written;
  /** Whether the client's read of the object is still current after the step. */
  readonly readIsCurrent: boolean;
}

/** A request as far as a step depends on it. */
export interface ApiRequest {
  readonly call: Call;
  /** The resourceVersion that the request demands. */
  readonly demands: string | null;
  /** The resourceVersion in the logged answer, if there is one; `next`: that of the next change. */
  readonly shows: string | 'next' | null;
  readonly request: number | null;
}

/** Takes the next step. Null if its write does not match the next change in the log. */
export function takeServerStep(
  context: TraceContext,
  state: TraceState,
  { call, demands, shows, request }: ApiRequest,
  index: number,
): ServerStep | null {
  const key = keyOfCall(call);
  const before = (key === null ? undefined : state.stored[key]) ?? NOT_SHOWN;
  const { version } = before;
  const subject = key === null ? '' : formatKey(key);
  const what = { action: 'serve', step: `${call.verb} ${call.at ?? 'admit'}`, subject };
  const reader = call.verb === 'update' ? readerOf(call) : call.client;
  let progress: Progress | null = null;
  let wrote = false;
  let readIsCurrent = false;
  const next = recorded(context, state, what, () =>
    produce(state, ({ cluster }) => {
      if (key !== null) cluster.unchangedSince[WITNESS] = key;
      // If the log does not show the stored version, the demand can be met or not.
      if (key !== null && demands !== null && (version === null || demands === version)) {
        cluster.unchangedSince[reader] = key;
      }
      progress = modelApiServer.advance(cluster, context.world, call);
      wrote = key !== null && cluster.unchangedSince[WITNESS] === undefined && !isDryRun(call);
      readIsCurrent = key !== null && cluster.unchangedSince[reader] === key;
      cluster.unchangedSince = {};
    }),
  );
  if (progress === null) throw new Error('the API server did not answer');
  if (!wrote || key === null) return { state: next, progress, written: before, readIsCurrent };
  const stored: ApiObject | undefined = next.cluster.store[key];
  const placed = matchWrite(context, state, shows, key, state.cluster.store[key], stored);
  if (placed.misfit !== null) {
    context.reportMisfit(index, { ...placed.misfit, request });
    return null;
  }
  // The write fits, but it is too early.
  if (placed.explains !== null && placed.explains.after >= index) return null;
  const { [key]: _, ...others } = state.stored;
  const written = { version: placed.version, deletionTimestamp: placed.time };
  return {
    state: {
      ...next,
      changes: state.changes + (placed.explains === null ? 0 : 1),
      stored: stored === undefined ? others : { ...others, [key]: written },
    },
    progress,
    written: stored === undefined ? { ...written, version } : written,
    readIsCurrent,
  };
}

function isDryRun(call: Call): boolean {
  return call.verb === 'create' || call.verb === 'update' ? call.dryRun === true : false;
}

/** All ways in which the next step of an open request matches the log. */
export function serverSteps(
  context: TraceContext,
  state: TraceState,
  request: number,
  index: number,
): readonly TraceState[] {
  const open = state.open[request];
  if (open === undefined || open.call === null) return [];
  const refused = refusedEarly(context, state, request, open.call);
  const ways = variants(context, state, request, open.call).flatMap((call) =>
    versionsShown(context, state, requestAt(context, request), call).flatMap((shows) => {
      const next = served(context, state, request, { ...open, call }, index, shows);
      return next === null ? [] : [next];
    }),
  );
  return refused === null ? ways : [refused, ...ways];
}

/** The request of a client is refused without any access to what the model keeps. */
function refusedEarly(
  context: TraceContext,
  state: TraceState,
  request: number,
  call: Call,
): TraceState | null {
  const seen = requestAt(context, request);
  if (seen.collector || !mayRefuseEarly(context, state, seen, call)) return null;
  return produce(state, (draft) => {
    const open = draft.open[request];
    if (open === undefined) return;
    open.call = null;
    open.done = { code: seen.code, object: null };
  });
}

function mayRefuseEarly(
  { world }: TraceContext,
  state: TraceState,
  seen: SeenRequest,
  call: Call,
): boolean {
  if (isFirstStep(call) && isRefusedForOthers(seen)) return true;
  if (call.verb === 'create') {
    // Nothing shows that the namespace exists.
    const { namespace } = call.object;
    const known = world.namespaces === 'all' || (world.namespaces ?? []).includes(namespace);
    return seen.code === 404 && namespace !== '' && !known;
  }
  if (call.verb !== 'update' || call.at !== 'update') return false;
  const stored = state.cluster.store[call.key] ?? null;
  return isRefusedEarly(seen, stored, state.stored[call.key]?.version ?? null);
}

function isFirstStep(call: Call): boolean {
  switch (call.verb) {
    case 'create':
      return call.at === undefined;
    case 'update':
      return call.at === 'update';
    case 'delete':
      return call.at === 'get';
    case 'deleteCollection':
      return call.at === 'list';
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

/**
 * A logged PUT or patch can mean several changes. A DELETE of a collection with a selector may
 * leave each listed object out. Any other request means one.
 */
function variants(
  context: TraceContext,
  state: TraceState,
  request: number,
  call: Call,
): readonly Call[] {
  const seen = requestAt(context, request);
  if (call.verb === 'deleteCollection') {
    const leavesOut = seen.selects && call.current?.at === 'get';
    return leavesOut ? [call, { ...call, current: null }] : [call];
  }
  if (call.verb !== 'update' || call.at !== 'update' || seen.collector) return [call];
  const stored = state.cluster.store[call.key];
  if (stored === undefined) return [call];
  const { deletionTimestamp = null, version = null } = state.stored[call.key] ?? {};
  return changesFor(seen, stored, deletionTimestamp, version).map((change: Change) => ({
    ...call,
    change,
  }));
}

/**
 * The version that the step may write. In a log without watch events only answers show versions,
 * and an answer to a later request may be the first to show what this one has written.
 */
function versionsShown(
  { timeline }: TraceContext,
  state: TraceState,
  request: SeenRequest,
  call: Call,
): readonly (string | 'next' | null)[] {
  const shows = request.answer?.resourceVersion ?? null;
  if (shows !== null || timeline.removals) return [shows];
  const isNext = timeline.changes[state.changes]?.key === keyOfCall(call);
  return isNext ? ['next', null] : [null];
}

function served(
  context: TraceContext,
  state: TraceState,
  request: number,
  open: OpenRequest & { readonly call: Call },
  index: number,
  written: string | 'next' | null,
): TraceState | null {
  const { call, demands } = open;
  const seen = requestAt(context, request);
  const shows = seen.answer?.resourceVersion ?? null;
  const step = takeServerStep(context, state, { call, demands, shows: written, request }, index);
  if (step === null || (written === 'next' && step.state.changes === state.changes)) return null;
  const { progress } = step;
  const key = keyOfCall(call);
  const withOpen = (next: OpenRequest): TraceState =>
    produce(step.state, (draft) => {
      draft.open[request] = castDraft(next);
      // The answer may show a version that was unknown before.
      const written = key === null ? undefined : draft.stored[key];
      if (next.done !== null && written?.version === null) written.version = shows;
    });
  if (!progress.done) {
    const object = key === null ? undefined : state.cluster.store[key];
    const answer = decidedBy(call, progress.call, object);
    const decided = answer === null ? null : { object: answer, written: step.written };
    // A version that the log does not show stays one that the demand can meet.
    const isMet = step.readIsCurrent && demands !== null;
    const still = isMet ? (step.written.version ?? demands) : demands;
    return withOpen({ ...open, demands: still, decided, call: progress.call });
  }
  const answer = withOwnDelete(progress.answer, call, seen.kind, context.world.rules);
  const shown = withDecided(answer, open.decided);
  const stored =
    key === null ? undefined : (step.state.cluster.store[key] ?? state.cluster.store[key]);
  const known = open.decided?.written ?? step.written;
  // A dry run is answered with an object that is not stored.
  const isStored =
    'object' in shown && shown.object?.deletionTimestamp === stored?.deletionTimestamp;
  const wrong = answerMisfit(seen, shown, isStored ? known : { ...known, deletionTimestamp: null });
  if (wrong !== null) {
    const misfit: Misfit = { ...wrong, changes: state.changes, request };
    context.reportMisfit(index, misfit);
    return null;
  }
  const object = 'object' in answer ? answer.object : null;
  return withOpen({ ...open, call: null, done: { code: answer.code, object } });
}
