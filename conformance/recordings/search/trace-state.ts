import type { ApiObject, Call, Cluster, NodeId, ObjectKey, Uid } from '../../../model/index.ts';
import type { DecidedAnswer } from '../matching/answers.ts';
import type { Written } from '../matching/initial-objects.ts';
import type { History } from './history.ts';

/** A state of the model together with how it is tied to the log. */
export interface TraceState {
  readonly cluster: Cluster;
  /** How many changes in the store have been explained. */
  readonly changes: number;
  /** Version and deletionTimestamp of the stored objects, as the log writes them. */
  readonly stored: Readonly<Record<ObjectKey, Written>>;
  /** Requests that the API server has received and not yet answered, by index. */
  readonly open: Readonly<Record<string, OpenRequest>>;
  /** Writing requests that the collector's workers have sent, by their sender. */
  readonly sent: Readonly<Record<Sender, SentRequest>>;
  /** GETs of the collector whose senders are not withEagerSteps yet, by what they went to; in order. */
  readonly pendingGets: Readonly<Record<ObjectKey, readonly PendingGet[]>>;
  /** By key and possible sender: the last GET that was received before it could have sent one. */
  readonly late: Readonly<Record<ObjectKey, Readonly<Record<Sender, number>>>>;
  /** resourceVersion of the object whose finalizers a worker is about to patch. */
  readonly lastRead: Readonly<Record<Sender, string>>;
  /** Workers that have looked into the memory of absent owners and are checkedMemory to send their GET. */
  readonly checkedMemory: Readonly<Record<NodeId, true>>;
  readonly restarts: number;
  /** How many undelivered events of each kind are left of the list after a restart: in any order. */
  readonly listed: Readonly<Record<string, number>>;
  /** How it came about; no part of what the state is. */
  readonly history: History | null;
  /** Warnings of the collector so far, by the key of the dependent. */
  readonly warnings: Readonly<Record<ObjectKey, true>>;
}

/** A request at the API server. */
export interface OpenRequest {
  /** Where the handler stands; null for a GET and for a request that is done. */
  readonly call: Call | null;
  /** ModelAnswer; the answer may still be on its way. */
  readonly done: ModelAnswer | null;
  /** The resourceVersion that the request demands. */
  readonly demands: string | null;
  readonly sender: Sender | null;
  /** The answer is decided although the removal is still to come: what it shows. */
  readonly decided: DecidedAnswer | null;
}

/** The model's answer, as far as the collector reads it. */
export interface ModelAnswer {
  readonly code: number;
  readonly object: ApiObject | null;
}

/** A worker, for an orphan worker's parallel patches with the dependent's uid. */
export type Sender = string;

export interface PendingGet {
  readonly request: number;
  /** Index of the instant at which it was received. */
  readonly received: number;
  /** Null until it has been answered. */
  readonly done: ModelAnswer | null;
  readonly version: string | null;
}

/** Null until the answer has arrived. */
export interface SentRequest {
  readonly answer: ModelAnswer | null;
}

/** An item that waits in a queue: whoever takes it. */
export function queuedSender(role: 'delete' | 'orphan', node: NodeId): Sender {
  return `queued ${role} ${node}`;
}

export function deleteSender(node: NodeId): Sender {
  return `delete ${node}`;
}

export function orphanSender(node: NodeId, dependent: Uid | null): Sender {
  return `orphan ${node} ${dependent ?? ''}`;
}
