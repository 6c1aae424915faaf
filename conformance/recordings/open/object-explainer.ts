import type { Explainer, HiddenStep } from '../../../checker/index.ts';
import type { Answer, ApiObject, World } from '../../../model/index.ts';
import type { SeenObject, SeenRequest } from '../logs/observations.ts';
import { decidedBy, loggedCode } from '../matching/answers.ts';
import { difference, type Misfit } from '../matching/differences.ts';
import { access, type Handling, nameOfState, type ObjectState, RECEIVED } from './object-state.ts';
import { type CallContext, type OpenCall, openCalls } from './open-calls.ts';
import { initialObjects, OPEN_UID } from './unknowns.ts';

/** The requests of a log for one object, in the form that the search for explanations takes. */
export interface ObjectLog extends CallContext {
  readonly world: World;
  readonly place: Pick<ApiObject, 'namespace' | 'name'>;
  /** Their indices in the log, and the requests. */
  readonly requests: ReadonlyMap<number, SeenRequest>;
  readonly instants: readonly ObjectInstant[];
  readonly reportMisfit: (index: number, misfit: Misfit) => void;
}

export interface ObjectInstant {
  readonly at: 'received' | 'completed';
  readonly request: number;
}

export function objectExplainer(log: ObjectLog): Explainer<ObjectState> {
  return {
    initial: initialObjects(log.unknowns, log.place).map((object) => ({
      object,
      version: null,
      dead: [],
      open: {},
    })),
    observations: log.instants.length,
    key: nameOfState,
    match(state, index) {
      const instant = log.instants[index];
      if (instant === undefined) return [];
      const { request, at } = instant;
      if (at === 'received') {
        const open = { ...state.open, [request]: RECEIVED };
        return [{ label: 'received', state: { ...state, open } }];
      }
      if (state.open[request]?.done !== true && !mayFail(log, request)) {
        noteUndone(log, state, request, index);
        return [];
      }
      const { [request]: _, ...open } = state.open;
      return [{ label: 'answered', state: { ...state, open } }];
    },
    // Only an answer waits for the API server, so its steps are tried only before answers.
    hidden(state, index) {
      if (log.instants[index]?.at !== 'completed') return [];
      const indices = Object.keys(state.open).map(Number);
      return indices.flatMap((request) =>
        stepsOf(log, state, request, index).map(
          (_, way): HiddenStep<ObjectState> => ({
            label: `serve ${request}`,
            take: (from) => stepsOf(log, from, request, index)[way] ?? null,
          }),
        ),
      );
    },
  };
}

/** Errors that the model does not decide: rights, admission, validation of the rest, failures. */
function isRefusal({ code, verb }: SeenRequest): boolean {
  if (code === 404) return verb === 'create' || verb === 'deletecollection';
  return code >= 400 && code !== 409;
}

/** Whether a request may have ended anywhere: the log does not show its outcome. */
function hasOpenOutcome({ code, verb }: SeenRequest): boolean {
  return code === 0 || code >= 500 || (verb === 'deletecollection' && code >= 300);
}

function requestAt(log: ObjectLog, index: number): SeenRequest {
  const request = log.requests.get(index);
  if (request === undefined) throw new Error(`there is no request ${index}`);
  return request;
}

function mayFail(log: ObjectLog, index: number): boolean {
  const request = requestAt(log, index);
  return isRefusal(request) || hasOpenOutcome(request);
}

/** All ways in which the next access of a request fits the log. */
function stepsOf(
  log: ObjectLog,
  state: ObjectState,
  index: number,
  instant: number,
): readonly ObjectState[] {
  const handling = state.open[index];
  if (handling === undefined || handling.done) return [];
  const request = requestAt(log, index);
  if (isRefusal(request) && !hasOpenOutcome(request)) return [];
  if (request.verb === 'get') return readSteps(state, index, request);
  if (handling.call !== null) {
    return stepped(log, state, index, { call: handling.call, demands: null }, instant);
  }
  return openCalls(log, request, state.object).flatMap((begun) =>
    begun === null
      ? [withHandling(state, index, { ...handling, done: true })]
      : stepped(log, state, index, begun, instant),
  );
}

function withHandling(state: ObjectState, index: number, handling: Handling): ObjectState {
  return { ...state, open: { ...state.open, [index]: handling } };
}

/** A GET shows one state of the object. */
function readSteps(
  state: ObjectState,
  index: number,
  { code, answer, kind }: SeenRequest,
): readonly ObjectState[] {
  const done = (from: ObjectState): readonly ObjectState[] => [
    withHandling(from, index, { ...RECEIVED, done: true }),
  ];
  if (code === 404) return state.object === null ? done(state) : [];
  if (code !== 200 || state.object === null) return [];
  if (answer === null) return done(state);
  if (!mayShow(state, answer)) return [];
  const object = withUid(state.object, answer.uid);
  if (difference(kind, comparable(answer), object) !== null) return [];
  return done({ ...state, object, version: answer.resourceVersion ?? state.version });
}

function mayShow({ version, dead }: ObjectState, shown: SeenObject): boolean {
  if (dead.includes(shown.uid)) return false;
  return version === null || shown.resourceVersion === null || version === shown.resourceVersion;
}

/** What is not compared: the spec, which an answer may show before or after a change. */
function comparable(seen: SeenObject): SeenObject {
  return { ...seen, generation: null, phase: null, specFinalizers: null };
}

function withUid(object: ApiObject, uid: string): ApiObject {
  return object.uid === OPEN_UID ? { ...object, uid } : object;
}

/** Whether the request finds the version that it demands: both, if the version is not known. */
function demandsMet({ version }: ObjectState, demands: string | null): readonly boolean[] {
  if (demands === null) return [false];
  if (demands === 'any') return [false, true];
  return version === null ? [true, false] : [version === demands];
}

function stepped(
  log: ObjectLog,
  state: ObjectState,
  index: number,
  begun: OpenCall,
  instant: number,
): readonly ObjectState[] {
  const handling = state.open[index] ?? RECEIVED;
  const request = requestAt(log, index);
  const ways = handling.call !== null ? [handling.current] : demandsMet(state, begun.demands);
  return ways.flatMap((current) =>
    uidsOf(begun, state, request).flatMap((uid) => {
      const object =
        uid === null || state.object === null ? state.object : withUid(state.object, uid);
      const known = {
        ...state,
        object,
        version:
          current && begun.demands !== null && begun.demands !== 'any'
            ? begun.demands
            : state.version,
      };
      const next = afterAccess(log, known, index, { ...begun, current }, instant);
      return next === null ? [] : [next];
    }),
  );
}

/**
 * The uids that the stored object may turn out to have: the one that the request demands, or not.
 */
function uidsOf(
  { call }: OpenCall,
  { object, dead }: ObjectState,
  { code }: SeenRequest,
): readonly (string | null)[] {
  const demanded =
    call.verb === 'delete'
      ? call.options.preconditions?.uid
      : call.verb === 'update'
        ? call.uid
        : null;
  if (object?.uid !== OPEN_UID || typeof demanded !== 'string') return [null];
  if (demanded === 'another' || dead.includes(demanded)) return [null];
  return code < 300 ? [demanded] : [demanded, null];
}

function afterAccess(
  log: ObjectLog,
  state: ObjectState,
  index: number,
  { call, current }: OpenCall & { readonly current: boolean },
  instant: number,
): ObjectState | null {
  const handling = state.open[index] ?? RECEIVED;
  const request = requestAt(log, index);
  const { object, wrote, progress } = access(log.world, log.key, state.object, call, current);
  const removed = state.object !== null && object === null ? [state.object.uid] : [];
  const changed: ObjectState = {
    object,
    version: wrote ? null : state.version,
    dead: [...new Set([...state.dead, ...removed.filter((uid) => uid !== OPEN_UID)])],
    open: wrote ? outdated(state.open, index) : state.open,
  };
  if (!progress.done) {
    const decided = decidedBy(call, progress.call, state.object ?? undefined) ?? handling.decided;
    return withHandling(changed, index, {
      call: progress.call,
      decided,
      current: current && !wrote,
      done: false,
    });
  }
  const finished = withHandling(changed, index, { ...RECEIVED, done: true });
  if (hasOpenOutcome(request)) return finished;
  return answered(log, finished, request, index, progress.answer, handling.decided, instant);
}

/** After a write, no request finds the version any more that it has read. */
function outdated(open: ObjectState['open'], writer: number): ObjectState['open'] {
  return Object.fromEntries(
    Object.entries(open).map(([index, handling]) => [
      index,
      Number(index) === writer ? handling : { ...handling, current: false },
    ]),
  );
}

/** The state after the answer; null if it does not fit the log. */
function answered(
  log: ObjectLog,
  state: ObjectState,
  seen: SeenRequest,
  index: number,
  answer: Answer,
  decided: ApiObject | null,
  instant: number,
): ObjectState | null {
  const wrong = (sentence: string, field: string, inLog: unknown, inModel: unknown): null => {
    const found = { field, seen: inLog, model: inModel };
    log.reportMisfit(instant, {
      changes: 0,
      request: index,
      what: 'answer',
      sentence,
      difference: found,
    });
    return null;
  };
  const code = loggedCode(seen, answer);
  if (code !== seen.code) {
    const why = 'message' in answer ? ` (${answer.message})` : '';
    return wrong(
      `the model answers ${code}${why}, the log has ${seen.code}`,
      'code',
      seen.code,
      code,
    );
  }
  if ('reason' in answer || seen.verb === 'deletecollection') return state;
  if (seen.verb === 'delete' && seen.bareSuccess && !answer.deleted) {
    return wrong(
      'the model keeps the object and answers with it',
      'responseStatus.status',
      'Success',
      'none: the object is the answer',
    );
  }
  const { answer: shown } = seen;
  const object = decided ?? answer.object;
  if (shown === null || object === null || !isShown(seen)) return state;
  const own = withUid(object, shown.uid);
  const found = difference(seen.kind, comparable(shown), own);
  if (found !== null) {
    return wrong(`the answer differs in ${found.field}`, found.field, found.seen, found.model);
  }
  if (state.object === null || decided !== null) return state;
  if (state.dead.includes(shown.uid)) return null;
  return {
    ...state,
    object: withUid(state.object, shown.uid),
    version:
      state.object.uid === shown.uid || state.object.uid === OPEN_UID
        ? (state.version ?? shown.resourceVersion)
        : state.version,
  };
}

/** Answers of subresources may be other objects, or show it at another time. */
function isShown({ subresource }: SeenRequest): boolean {
  return subresource === '' || subresource === 'status';
}

function noteUndone(log: ObjectLog, state: ObjectState, index: number, instant: number): void {
  const seen = requestAt(log, index);
  if (seen.verb !== 'get') return;
  const stored = state.object === null ? 'nothing there' : 'the object';
  log.reportMisfit(instant, {
    changes: 0,
    request: index,
    what: 'answer',
    sentence: `the GET finds ${stored} in the model`,
    difference: null,
  });
}
