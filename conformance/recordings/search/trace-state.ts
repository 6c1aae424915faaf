import type { ApiObject, Call, Cluster, NodeId, ObjectKey, Uid } from '../../../model/index.ts';
import type { DecidedAnswer } from '../matching/answers.ts';
import type { Written } from '../matching/initial-objects.ts';
import type { History } from './history.ts';

/** A state of the model, and how it relates to the log. */
export interface TraceState {
  readonly cluster: Cluster;
  /** Number of changes in the store that are explained. */
  readonly changes: number;
  /** Version and deletionTimestamp of the stored objects, as in the log. */
  readonly stored: Readonly<Record<ObjectKey, Written>>;
  /** Requests that the API server has received and not yet answered, by index. */
  readonly open: Readonly<Record<string, OpenRequest>>;
  /** Writing requests that the collector's workers have sent, by sender. */
  readonly sent: Readonly<Record<Sender, SentRequest>>;
  /** By key: GETs of the collector whose senders are still open, in order. */
  readonly pendingGets: Readonly<Record<ObjectKey, readonly PendingGet[]>>;
  /**
   * By key and candidate: the last GET that was received before the candidate could have sent one.
   */
  readonly late: Readonly<Record<ObjectKey, Readonly<Record<Sender, number>>>>;
  /** By worker: the resourceVersion that it has read, and demands in a later request. */
  readonly lastRead: Readonly<Record<Sender, string>>;
  /** Workers that have read the memory of absent owners and must send their GET now. */
  readonly checkedMemory: Readonly<Record<NodeId, true>>;
  readonly restarts: number;
  /** How often a watch of the collector may still break. */
  readonly relists: number;
  /**
   * By kind: number of undelivered events of the list after a restart. They can come in any order.
   */
  readonly listed: Readonly<Record<string, number>>;
  /** The steps to this state. Not part of its identity. */
  readonly history: History | null;
  /** Warnings of the collector so far, by the key of the dependent. */
  readonly warnings: Readonly<Record<ObjectKey, true>>;
}

/** Whether the collector may list again: then what is gone from its graph can come back. */
export function mayListAgain({ restarts, relists }: TraceState): boolean {
  return restarts + relists > 0;
}

/** A request at the API server. */
export interface OpenRequest {
  /** The position of the handler; null for a GET and for a request that is done. */
  readonly call: Call | null;
  /** The answer of a request that is done. It may still be on its way. */
  readonly done: ModelAnswer | null;
  /** The resourceVersion that the request demands. */
  readonly demands: string | null;
  readonly sender: Sender | null;
  /** The answer, if it is decided although the object is not removed yet. */
  readonly decided: DecidedAnswer | null;
}

/** The model's answer, as far as the collector reads it. */
export interface ModelAnswer {
  readonly code: number;
  readonly object: ApiObject | null;
}

/** A worker; for the parallel patches of an orphan worker, with the dependent's uid. */
export type Sender = string;

export interface PendingGet {
  readonly request: number;
  /** Index of the instant at which it was received. */
  readonly received: number;
  /** Null until it is answered. */
  readonly done: ModelAnswer | null;
  readonly version: string | null;
}

/** Null until the answer has arrived. */
export interface SentRequest {
  readonly answer: ModelAnswer | null;
}

/** The sender of a queued item: the worker that will take it. */
export function queuedSender(role: 'delete' | 'orphan', node: NodeId): Sender {
  return `queued ${role} ${node}`;
}

export function deleteSender(node: NodeId): Sender {
  return `delete ${node}`;
}

export function orphanSender(node: NodeId, dependent: Uid | null): Sender {
  return `orphan ${node} ${dependent ?? ''}`;
}
