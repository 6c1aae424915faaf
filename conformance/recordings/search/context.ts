import type { NodeId, ObjectKey, World } from '../../../model/index.ts';
import type { SeenPod, SeenRequest, Trace } from '../logs/observations.ts';
import { keyOfRequest, type Timeline } from '../logs/timeline.ts';
import { callsOf, type PossibleCall } from '../matching/calls.ts';
import type { Difference } from '../matching/differences.ts';
import type { ModelStep, RuleReads } from './history.ts';
import type { Neighbours } from './scope.ts';
import type { TraceState } from './trace-state.ts';

/** Why a step of the model does not fit the log: kept for the verdict, if nothing gets further. */
export interface Misfit {
  /** Changes in the store that had been explained. */
  readonly changes: number;
  readonly request: number | null;
  readonly what: 'change' | 'answer' | 'collector';
  readonly sentence: string;
  readonly difference: Difference | null;
}

/** The log to be explained, and what never changes while it is. */
export interface Trial {
  readonly trace: Trace;
  readonly timeline: Timeline;
  readonly world: World;
  /** Workers of each kind. */
  readonly workers: number;
  readonly calls: readonly (readonly PossibleCall[])[];
  /** What later became known of pods, by uid. */
  readonly pods: ReadonlyMap<string, SeenPod>;
  readonly keys: readonly (ObjectKey | null)[];
  /** Filled as it is asked: where a GET of a node goes. */
  readonly keysOfNodes: Map<NodeId, ObjectKey | null>;
  /** Uids that are ever seen in foreground deletion. */
  readonly foreground: ReadonlySet<string>;
  /** By uid of an owner: index of the last change with a reference to it. */
  readonly mentions: ReadonlyMap<string, number>;
  readonly neighbours: Neighbours;
  /** Offer only hidden steps that bear upon the next observation. */
  readonly reduced: boolean;
  /** Null unless the rules that a step reads are asked for. */
  readonly reads: RuleReads | null;
  /** Whether requests may have been left out of the log. */
  readonly partial: boolean;
  /** Told of every step that does not fit. */
  readonly misfit: (index: number, misfit: Misfit) => void;
}

/** Name of the model's client that sends a request; each request is one of its own. */
export function clientOf(request: number): string {
  return `request ${request}`;
}

export function preparedCalls(
  trace: Trace,
  pods: ReadonlyMap<string, SeenPod>,
): readonly (readonly PossibleCall[])[] {
  return trace.requests.map((request, index) => {
    const key = keyOfRequest(request);
    const pod = pods.get(request.answer?.uid ?? '') ?? null;
    return callsOf(request, clientOf(index), key, pod);
  });
}

/** `corev1.DefaultTerminationGracePeriodSeconds`. */
const DEFAULT_GRACE = 30;

/**
 * Facts of pods that only show later: a grace period is granted to pods on a node alone. Without a
 * word of the request it is the pod's own.
 */
export function podsIn(trace: Trace): ReadonlyMap<string, SeenPod> {
  const pods = new Map<string, SeenPod>();
  const look = (uid: string, granted: number | null): void => {
    if (pods.has(uid) || granted === null) return;
    const scheduled = granted > 0;
    pods.set(uid, {
      scheduled,
      terminationGracePeriodSeconds: scheduled ? DEFAULT_GRACE : null,
    });
  };
  for (const { kind, object } of trace.changes ?? []) {
    if (kind.graceful) look(object.uid, object.deletionGracePeriodSeconds);
  }
  for (const { kind, answer } of trace.requests) {
    if (kind.graceful && answer !== null) look(answer.uid, answer.deletionGracePeriodSeconds);
  }
  return pods;
}

/** Takes a step of the model and notes it in the history of the state to which it leads. */
export function recorded(
  trial: Trial,
  before: TraceState,
  { action, step, subject }: ModelStep,
  take: () => TraceState,
): TraceState {
  trial.reads?.taken();
  const after = take();
  const rules = trial.reads?.taken() ?? [];
  return { ...after, history: { action, step, subject, rules, previous: before.history } };
}

export function requestOfTrial(trial: Trial, index: number): SeenRequest {
  const request = trial.trace.requests[index];
  if (request === undefined) throw new Error(`there is no request ${index}`);
  return request;
}
