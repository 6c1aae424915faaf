import type { Answer, Call } from '../state/calls.ts';
import type { Cluster, ClusterDraft, ControllerState } from '../state/cluster.ts';
import type { ControllerRole } from '../state/controllers.ts';
import type { NodeId } from '../state/nodes.ts';
import type { ApiObject, ObjectKey, Uid } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { Informer, World } from '../state/world.ts';
import type { Context, Parameters, Reading } from '../words/context.ts';

/**
 * The complete description of one action: when it exists, what it does, and its words. No other
 * file switches on the names of actions.
 */
export interface ActionDefinition<P extends Parameters = Parameters> {
  /**
   * `weak`: a step that stays possible is taken eventually. `strong`: so is a step that becomes
   * possible again and again. `none`: the step may never be taken.
   */
  readonly fairness: 'none' | 'weak' | 'strong';
  /** The same in a model of this setup, if it depends on the setup. */
  fairnessIn?(setup: Setup): ActionDefinition['fairness'];
  /** What the action is, in one sentence, for `reapcheck list actions`. */
  readonly about: string;
  /**
   * One entry for each instance of the action. Null if a model of this setup does not have the
   * action.
   */
  parameters(setup: Setup, world: World): readonly P[] | null;
  /**
   * The instances that may be possible in this state, in a model of an open setup
   * (`Setup.open`). Every instance that is not among them is impossible. Absent: the instances
   * do not depend on which objects there are, so `parameters` has them all.
   */
  candidates?(setup: Setup, world: World, cluster: Cluster, keys: OpenKeys): Candidates<P>;
  /** Applies a step to a draft of the state. Changes nothing if the step is not possible. */
  reducer(setup: Setup, world: World): (cluster: ClusterDraft, parameters: P) => void;
  /**
   * The request that this step advances, as it was before the step. Absent or null: the step is not
   * a step of the API server.
   */
  request?(setup: Setup, before: Cluster, parameters: P): Call | null;
  /** The same request after the step. Absent or null once it has been answered. */
  continued?(after: Cluster, parameters: P): Call | null;
  /**
   * A step that is not a step of the API server, in one sentence that begins with the actor:
   * `kubelet: ...`.
   */
  describe(context: Context, parameters: P, before: Cluster, after: Cluster): string;
  /** Lines for the beliefs of the actor that differ from the store and that the step acts on. */
  beliefs?(context: Context, parameters: P, before: Cluster, after: Cluster): readonly string[];
  /**
   * Why the step is not possible, if `words` alone does not explain it. `words` is the clause for
   * the last thing that the reducer has read.
   */
  obstacle?(
    context: Context,
    parameters: P,
    cluster: Cluster,
    reading: Reading,
    words: string,
  ): string;
}

/**
 * A list, or for the items of a queue: one after the other when it is asked for, the oldest first.
 */
export type Candidates<P> = readonly P[] | Iterable<P>;

/** Keys of a state of an open setup, which has too many objects to go through all in each state. */
export interface OpenKeys {
  /**
   * The keys of the stored objects of a kind for which a function is true. The store keeps them for
   * each function. Give the same function each time; its answer must depend on the object alone.
   */
  stored(kind: string, isChosen: (object: ApiObject) => boolean): Iterable<ObjectKey>;
  /** The items of a queue, the oldest first. */
  queued(queue: 'attemptToDelete' | 'attemptToOrphan'): Iterable<NodeId>;
}

/** An action with parameters of one shape. It only receives parameters of its own instances. */
export function action<P extends Parameters>(definition: ActionDefinition<P>): ActionDefinition {
  return definition as unknown as ActionDefinition;
}

/** For actions that a model has only if they have an instance. */
export function orNone<P>(parameters: readonly P[]): readonly P[] | null {
  return parameters.length === 0 ? null : parameters;
}

/** A finalizer that an actor removes from an object that is being deleted. */
export interface FinalizerRemoval {
  readonly finalizer: string;
  readonly key: ObjectKey;
  /** Absent: from every object with this key. */
  readonly uid?: Uid;
  /** Who removes it, and when: `claim protection, once no pod uses the claim`. */
  readonly by: string;
}

/**
 * A part of the system that acts: the collector, a controller, a kubelet. The setup switches most
 * of them on. `ACTORS` registers them; no other code knows an actor by name.
 */
export interface Actor {
  /** By name; no other actor has an action of the same name. */
  readonly actions: Readonly<Record<string, ActionDefinition>>;
  /** The clients whose requests `serve` carries out for this actor, each with its words. */
  clients?(setup: Setup): readonly (readonly [client: string, words: string])[];
  /** Whether the actor has nothing to do, or only work that fails again until something changes. */
  isIdle(setup: Setup, cluster: Cluster): boolean;
  /** The name by which workloads of a setup choose it (`Workload.controller`). */
  readonly workloadController?: string;
  /** The roles of its states in `Cluster.controllers`. */
  readonly roles?: readonly ControllerRole[];
  /** Its states in `Cluster.controllers` at the start, by client name. */
  initialStates?(setup: Setup): Readonly<Record<string, ControllerState>>;
  /** How often the actor may do each thing that is bounded. */
  budget?(setup: Setup, world: World): Readonly<Record<string, number>>;
  /** The caches that it bases its decisions on, if they can lag. */
  informers?(setup: Setup): readonly Informer[];
  /** Called when `serve` has answered a request of one of its clients. */
  answered?(cluster: ClusterDraft, setup: Setup, client: string, call: Call, answer: Answer): void;
  /** Whether the actor will end the grace period of this pod as things are. */
  endsGracePeriod?(setup: Setup, cluster: Cluster, pod: ApiObject): boolean;
  /** The finalizers that the actor removes. No other actor removes finalizers of these names. */
  removals?(setup: Setup): readonly FinalizerRemoval[];
  /** Whether the finalizer is the actor's alone, also if the actor removes it from no object. */
  owns?(setup: Setup, finalizer: string): boolean;
  /**
   * Whether this finalizer, which the actor removes, stays on the object until something changes.
   */
  keepsFinalizer?(setup: Setup, cluster: Cluster, key: ObjectKey, finalizer: string): boolean;
}
