import type { Answer, ApiObject, Call, ObjectKey, OpenStep } from '../../model/index.ts';

/** The name of a client that sends one request. */
export type RequestName = string;

/** Learns what happens in the served cluster, in the order in which it happens. */
export interface ClusterObserver {
  /** A request has arrived. No step of it is done yet. @param agent is the program that sent it. */
  sent(request: RequestName, agent: string): void;
  /**
   * The API server has done one step of a request.
   *
   * @param call as it was before the step, with the change that it asks for.
   * @param version the resourceVersion that it demands; empty: none.
   * @param answer null: the request goes on.
   */
  served(request: RequestName, call: Call, version: string, answer: Answer | null): void;
  /** The request was wrong in itself, and nothing was done. */
  refused(request: RequestName): void;
  /** A controller has done a step. */
  took(step: OpenStep): void;
  /** The controller manager has ended, or a new one has started. */
  switched(run: boolean): void;
  /**
   * An object has a new revision, or is gone (null). It comes before the step that has done it, and
   * before the first step for what is stored at the start.
   */
  committed(key: ObjectKey, object: ApiObject | null, revision: number): void;
}
