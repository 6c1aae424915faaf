import {
  DEFAULT_GRACE_PERIOD,
  type NodeId,
  type ObjectKey,
  type Uid,
  type World,
} from '../../../model/index.ts';
import { keyOfRequest } from '../logs/keys.ts';
import type { SeenPod, SeenRequest, Trace } from '../logs/observations.ts';
import type { Timeline } from '../logs/timeline.ts';
import { callsOf, type PossibleCall } from '../matching/calls.ts';
import type { Misfit } from '../matching/differences.ts';
import type { ObjectRelations } from '../matching/object-relations.ts';
import type { CollectorMisfit } from '../open/collector-demands.ts';
import type { RuleReads } from './history.ts';

/** The log to be explained, and everything that stays the same during the search. */
export interface TraceContext {
  readonly trace: Trace;
  readonly timeline: Timeline;
  readonly world: World;
  /** Number of workers of each kind. */
  readonly workers: number;
  readonly calls: readonly (readonly PossibleCall[])[];
  /** What the log shows later about pods, by uid. */
  readonly pods: ReadonlyMap<string, SeenPod>;
  readonly keys: readonly (ObjectKey | null)[];
  /** A cache, filled on demand: the key that a GET of a node reads. */
  readonly keysOfNodes: Map<NodeId, ObjectKey | null>;
  /** Uids of objects that the log ever shows in foreground deletion. */
  readonly foreground: ReadonlySet<string>;
  /** Uids of objects that the log ever shows with the finalizer `orphan`. */
  readonly orphaned: ReadonlySet<string>;
  readonly lonely: readonly Lonely[];
  readonly sharedKeys: readonly SharedKey[];
  /** By uid of an owner: index of the last change with a reference to it. */
  readonly lastReferences: ReadonlyMap<string, number>;
  readonly relations: ObjectRelations;
  /** Offer only hidden steps that can affect the next observation. */
  readonly reduced: boolean;
  /**
   * Try deliveries of events before the other hidden steps. Only the order of the search differs.
   */
  readonly eventsFirst: boolean;
  /** Null unless the rules that each step reads are recorded. */
  readonly reads: RuleReads | null;
  /** Whether requests may be missing in the log. */
  readonly partial: boolean;
  /** A request that no worker of the collector sends; null: none is known. */
  readonly unsent: CollectorMisfit | null;
  /** Called for every step that does not fit. */
  readonly reportMisfit: (index: number, misfit: Misfit) => void;
}

/** An object at a key of its own, of which the collector sends GETs only to look it up. */
export interface Lonely {
  readonly key: ObjectKey;
  readonly uid: Uid;
  /** Index of the last change that leaves the object stored. */
  readonly lastStored: number;
  /** Index of the instant at which the last GET of the key is received. */
  readonly lastGet: number;
  /** The instants at which GETs are received that do not find the object. */
  readonly futile: readonly number[];
}

/** A key to which the worker of an owner sends GETs, and the workers of its dependents. */
export interface SharedKey {
  readonly key: ObjectKey;
  /** The owner. */
  readonly uid: Uid;
  /** The GETs of the key, in the order in which they are received. */
  readonly gets: readonly LoggedGet[];
  /** The GETs that read a dependent, in the order in which they are received. */
  readonly reads: readonly DependentRead[];
  /** The requests among them that show the owner in foreground deletion. */
  readonly inForeground: ReadonlySet<number>;
  /** Those that do, or that do not find the owner. */
  readonly counted: ReadonlySet<number>;
  /** The collector's writes of the owner's finalizers, in order. */
  readonly patches: readonly LoggedGet[];
  /** How many GETs for the finalizers there can be after which the worker sends no patch. */
  readonly unpaired: number;
  /** Whether the log shows all that can put the owner into the queue: it has no owners itself. */
  readonly wakesAreKnown: boolean;
  /** Requests of the collector for the owner that fail: the worker tries again. */
  readonly failures: readonly LoggedGet[];
  /** By dependent: requests of the collector that do not find it. */
  readonly absentReads: ReadonlyMap<Uid, readonly LoggedGet[]>;
}

/**
 * A GET of the collector, with the indices of the instants at which it is received and answered.
 */
export interface LoggedGet {
  readonly request: number;
  readonly received: number;
  readonly completed: number;
}

/** A GET that reads a dependent of the owner: its worker may look up the owner then. */
export interface DependentRead extends LoggedGet {
  readonly key: ObjectKey;
  /** How often the dependent names the owner. */
  readonly times: number;
  /**
   * Index of the instant at which the worker sends its next request for the dependent, if known.
   */
  readonly until: number;
  /** Whether the worker must have looked up the owner by then: it deletes the dependent. */
  readonly isCertain: boolean;
}

/** The model's client for a request: each request has its own. */
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

/**
 * What the log shows about pods only at their deletion: only pods on a node are granted a grace
 * period. Without one in the request it is the pod's own.
 */
export function podsIn(trace: Trace): ReadonlyMap<string, SeenPod> {
  const pods = new Map<string, SeenPod>();
  const recordGrace = (uid: string, granted: number | null): void => {
    if (granted === null) return;
    const scheduled = granted > 0;
    // A later request without a period can be the first that is answered.
    if (pods.has(uid) && (pods.get(uid)?.scheduled === true || !scheduled)) return;
    pods.set(uid, {
      scheduled,
      terminationGracePeriodSeconds: scheduled ? DEFAULT_GRACE_PERIOD : null,
    });
  };
  for (const { kind, object } of trace.changes ?? []) {
    if (kind.graceful) recordGrace(object.uid, object.deletionGracePeriodSeconds);
  }
  for (const { kind, answer } of trace.requests) {
    if (kind.graceful && answer !== null)
      recordGrace(answer.uid, answer.deletionGracePeriodSeconds);
  }
  return pods;
}

export function requestAt(context: Pick<TraceContext, 'trace'>, index: number): SeenRequest {
  const request = context.trace.requests[index];
  if (request === undefined) throw new Error(`there is no request ${index}`);
  return request;
}
