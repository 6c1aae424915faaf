import type { HiddenStep } from '../../../checker/index.ts';
import type {
  ApiObject,
  Call,
  Change,
  DeleteOptions,
  ObjectKey,
  UpdateCall,
} from '../../../model/index.ts';
import { keyOfRequest } from '../logs/keys.ts';
import type { SeenChange, SeenObject, SeenRequest } from '../logs/observations.ts';
import { difference } from '../matching/differences.ts';
import { objectOf } from '../matching/initial-objects.ts';
import { takeServerStep } from './api-server.ts';
import { requestAt, type TraceContext } from './context.ts';
import { withReads } from './requests.ts';
import type { TraceState } from './trace-state.ts';

/**
 * Requests that are missing in the log: all requests for a watch stream, some with `--partial`.
 * Any client may have sent anything, so only the rules of the API server are checked. Such a
 * request runs without interruption, except that its DELETE may have decided on an older version
 * of the object.
 */

/** All ways in which an unlogged request makes the next change of the log. */
export function unloggedChange(
  context: TraceContext,
  state: TraceState,
  index: number,
): readonly TraceState[] {
  const next = context.timeline.changes[state.changes];
  if (next === undefined || next.after >= index) return [];
  const { seen, key } = next;
  const target = seen.type === 'DELETED' ? null : seen.object;
  const place: SeenChange = seen;
  return byUnloggedRequest(context, state, index, { key, target, place, changes: 1 });
}

/** All ways in which an unlogged request leaves the object as the answer to a GET shows it. */
export function unloggedBefore(
  context: TraceContext,
  state: TraceState,
  request: number,
  index: number,
): readonly TraceState[] {
  if (context.timeline.removals) return [];
  const seen = requestAt(context, request);
  const key = keyOfRequest(seen);
  if (seen.verb !== 'get' || key === null || (seen.code !== 404 && seen.answer === null)) return [];
  const target = seen.code === 404 ? null : seen.answer;
  return byUnloggedRequest(context, state, index, { key, target, place: seen, changes: 0 });
}

interface Wanted {
  readonly key: ObjectKey;
  /** The object after the request; null if it is removed. */
  readonly target: SeenObject | null;
  readonly place: SeenChange | SeenRequest;
  /** Number of changes in the log that the request must explain. */
  readonly changes: number;
}

function byUnloggedRequest(
  context: TraceContext,
  state: TraceState,
  index: number,
  wanted: Wanted,
): readonly TraceState[] {
  const stored = state.cluster.store[wanted.key];
  const found: TraceState[] = [];
  for (const call of possibleCalls(context, state, wanted, stored)) {
    const after = done(context, state, call, wanted, index);
    if (after !== null) found.push(withReads(context, after));
  }
  return found;
}

/** Runs a request to its end, or until it has made the wanted change. */
function done(
  context: TraceContext,
  state: TraceState,
  begun: Call,
  { key, target, place, changes }: Wanted,
  index: number,
): TraceState | null {
  let current = state;
  for (let call = begun; ; ) {
    const shows = target?.resourceVersion ?? null;
    const step = takeServerStep(
      context,
      current,
      { call, demands: null, shows, request: null },
      index,
    );
    if (step === null) return null;
    current = step.state;
    if (changes > 0 && current.changes === state.changes + changes) return current;
    if (!step.progress.done) {
      call = step.progress.call;
      continue;
    }
    const stored = current.cluster.store[key];
    if (changes > 0 || step.progress.answer.code >= 400) return null;
    if (target === null) return stored === undefined ? current : null;
    if (stored === undefined || difference(place.kind, target, stored) !== null) return null;
    const written = { version: shows, deletionTimestamp: target.deletionTimestamp };
    return { ...current, stored: { ...current.stored, [key]: written } };
  }
}

const CLIENT = 'unlogged';

function possibleCalls(
  context: TraceContext,
  state: TraceState,
  { key, target, place }: Wanted,
  stored: ApiObject | undefined,
): readonly Call[] {
  if (stored === undefined) {
    if (target === null || place.name === null) return [];
    const object = objectOf(place, place.name, target);
    const pod = context.pods.get(target.uid);
    const made = pod === undefined ? object : { ...object, pod: { ...pod, finished: false } };
    return [{ verb: 'create', client: CLIENT, object: made }];
  }
  const update = (change: Change): UpdateCall => ({
    verb: 'update',
    client: CLIENT,
    key,
    change,
    uid: null,
    put: false,
    resourceVersion: false,
    at: 'update',
  });
  const deletions = optionsFor(target).map(
    (options): Call => ({ verb: 'delete', client: CLIENT, key, options, at: 'get' }),
  );
  if (target === null) {
    return [
      ...deletions,
      update({ do: 'setMetadata', finalizers: [], other: 'data' }),
      ...(place.kind.storage === 'namespace' ? [update({ do: 'finalizeNamespace' })] : []),
      ...staleRemoval(context, state, key, stored),
    ];
  }
  const { finalizers, ownerReferences } = target;
  const specFinalizers = target.specFinalizers ?? [];
  return [
    update({ do: 'setMetadata', finalizers, ownerReferences, other: 'data' }),
    update({ do: 'setMetadata', finalizers, ownerReferences, other: 'spec' }),
    ...deletions,
    ...(place.kind.storage === 'namespace'
      ? [update({ do: 'finalizeNamespace', specFinalizers })]
      : []),
  ];
}

const POLICIES: readonly DeleteOptions[] = [
  {},
  { propagationPolicy: 'Background' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Orphan' },
];

function optionsFor(target: SeenObject | null): readonly DeleteOptions[] {
  const grace = target === null ? 0 : target.deletionGracePeriodSeconds;
  if (grace === null) return POLICIES;
  return [...POLICIES, ...POLICIES.map((options) => ({ ...options, gracePeriodSeconds: grace }))];
}

/** A DELETE that read the object when it had no finalizers, and removes it in its present state. */
function staleRemoval(
  context: TraceContext,
  state: TraceState,
  key: ObjectKey,
  stored: ApiObject,
): readonly Call[] {
  const earlier = context.timeline.changes.slice(0, state.changes);
  const free = earlier.some(
    ({ seen }) => seen.object.uid === stored.uid && seen.object.finalizers.length === 0,
  );
  if (!free || stored.finalizers.length === 0) return [];
  return [{ verb: 'delete', client: CLIENT, key, options: {}, at: 'remove' }];
}

/** Unlogged requests as hidden steps, for a log with gaps. */
export function unloggedSteps(
  context: TraceContext,
  state: TraceState,
  index: number,
  due: number | null,
): readonly HiddenStep<TraceState>[] {
  if (!context.partial) return [];
  const ways = (from: TraceState): readonly TraceState[] => [
    ...unloggedChange(context, from, index),
    ...(due === null ? [] : unloggedBefore(context, from, due, index)),
  ];
  return ways(state).map((_, way) => ({
    label: 'a request that is not in the log',
    take: (from) => ways(from)[way] ?? null,
  }));
}
