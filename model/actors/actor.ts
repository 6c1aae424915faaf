import type { Answer, Call } from '../state/calls.ts';
import type { Cluster, ClusterDraft, ControllerState } from '../state/cluster.ts';
import type { ControllerRole } from '../state/controllers.ts';
import type { ApiObject, ObjectKey } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { Informer, World } from '../state/world.ts';
import type { Context, Parameters, Reading } from '../words/context.ts';

/**
 * Everything there is to say of one action: when it exists, what it does, and its words. No other
 * file switches on names of actions.
 */
export interface ActionDefinition<P extends Parameters = Parameters> {
  /**
   * `weak`: what can be done all the time is done. `strong`: so is what can be done again and again.
   * `none`: it may never be done.
   */
  readonly fairness: 'none' | 'weak' | 'strong';
  /** What it is, in one sentence, for `reapcheck list actions`. */
  readonly about: string;
  /** One entry for each instance of the action; null where a model of this setup does not have it. */
  parameters(setup: Setup, world: World): readonly P[] | null;
  /** What a step does to a draft of the state; it changes nothing where the step cannot be done. */
  reducer(setup: Setup, world: World): (cluster: ClusterDraft, parameters: P) => void;
  /**
   * The request whose handler takes its next step with this one, as it was before the step.
   * Absent or null: the step is not one of the API server's.
   */
  request?(setup: Setup, before: Cluster, parameters: P): Call | null;
  /** The same request after the step; absent, or null once it has been answered. */
  continued?(after: Cluster, parameters: P): Call | null;
  /** A step that is not one of the API server's, in one sentence, the actor first: `kubelet: ...`. */
  describe(context: Context, parameters: P, before: Cluster, after: Cluster): string;
  /** Lines for what the actor believes and is stored otherwise, where the step acts on it. */
  beliefs?(context: Context, parameters: P, before: Cluster, after: Cluster): readonly string[];
  /**
   * Why the step cannot be done, where that takes more than `words`: the clause for what the reducer
   * has read last.
   */
  obstacle?(
    context: Context,
    parameters: P,
    cluster: Cluster,
    reading: Reading,
    words: string,
  ): string;
}

/** An action with parameters of one shape; it is only ever given parameters of its own instances. */
export function action<P extends Parameters>(definition: ActionDefinition<P>): ActionDefinition {
  return definition as unknown as ActionDefinition;
}

/** For actions that a model only has where they have an instance. */
export function orNone<P>(parameters: readonly P[]): readonly P[] | null {
  return parameters.length === 0 ? null : parameters;
}

/**
 * A part of the system that acts: the collector, a controller, a kubelet. The setup switches most of
 * them on. They are registered in `ACTORS`; nothing else knows one of them by name.
 */
export interface Actor {
  /** By name; no other actor has an action of the same name. */
  readonly actions: Readonly<Record<string, ActionDefinition>>;
  /** The clients under which it sends requests that `serve` carries out, each with its words. */
  clients?(setup: Setup): readonly (readonly [client: string, words: string])[];
  /** It has nothing to do, or nothing but what fails as long as nothing changes. */
  isIdle(setup: Setup, cluster: Cluster): boolean;
  /** The name by which workloads of a setup choose it (`Workload.controller`). */
  readonly workloadController?: string;
  /** The roles of its states in `Cluster.controllers`. */
  readonly roles?: readonly ControllerRole[];
  /** Its states in `Cluster.controllers` at the start, by client. */
  initialStates?(setup: Setup): Readonly<Record<string, ControllerState>>;
  /** How often it may do what it may only do a bounded number of times. */
  budget?(setup: Setup): Readonly<Record<string, number>>;
  /** The caches on which it decides, where they may lag. */
  informers?(setup: Setup): readonly Informer[];
  /** Is called when a request of one of its clients that `serve` carries out has been answered. */
  answered?(cluster: ClusterDraft, setup: Setup, client: string, call: Call, answer: Answer): void;
  /** Whether it will end the grace period of this pod as things are. */
  endsGracePeriod?(setup: Setup, cluster: Cluster, pod: ApiObject): boolean;
  /** Whether it is the one that removes this finalizer. */
  ownsFinalizer?(setup: Setup, finalizer: string): boolean;
  /** Whether this finalizer, which it owns, stays on the object for as long as nothing changes. */
  keepsFinalizer?(setup: Setup, cluster: Cluster, key: ObjectKey, finalizer: string): boolean;
}
