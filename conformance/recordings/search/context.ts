import type { NodeId, ObjectKey, World } from '../../../model/index.ts';
import { keyOfRequest } from '../logs/keys.ts';
import type { SeenPod, SeenRequest, Trace } from '../logs/observations.ts';
import type { Timeline } from '../logs/timeline.ts';
import { callsOf, type PossibleCall } from '../matching/calls.ts';
import type { Misfit } from '../matching/differences.ts';
import type { ObjectRelations } from '../matching/object-relations.ts';
import type { RuleReads } from './history.ts';

/** The log to be explained, and what never changes while it is. */
export interface TraceContext {
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
  readonly lastReferences: ReadonlyMap<string, number>;
  readonly relations: ObjectRelations;
  /** Offer only hidden steps that bear upon the next observation. */
  readonly reduced: boolean;
  /** Null unless the rules that a step reads are asked for. */
  readonly reads: RuleReads | null;
  /** Whether requests may have been left out of the log. */
  readonly partial: boolean;
  /** Told of every step that does not fit. */
  readonly reportMisfit: (index: number, misfit: Misfit) => void;
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

export function requestAt(context: TraceContext, index: number): SeenRequest {
  const request = context.trace.requests[index];
  if (request === undefined) throw new Error(`there is no request ${index}`);
  return request;
}
