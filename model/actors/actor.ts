import type { Draft } from 'immer';
import type { Step } from '../actions.ts';
import type { Reading } from '../describe/readings.ts';
import type { Context } from '../describe/steps.ts';
import type { Call } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import type { Controller } from '../state/controllers.ts';
import type { Informer } from '../state/informers.ts';
import type { ApiObject, ObjectKey } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { World } from '../state/world.ts';

export type Parameters = Readonly<Record<string, string | number | boolean>>;

/** An action in the explorer's form; kept structural, so that the model needs no explorer. */
export interface DeletionAction {
  readonly parameters: readonly Parameters[];
  readonly fairness: 'none' | 'weak' | 'strong';
  reduce(draft: Draft<Cluster>, parameters: Parameters): void;
}

export function action<P extends Parameters>(
  fairness: DeletionAction['fairness'],
  parameters: readonly P[],
  reduce: (cluster: ClusterDraft, parameters: P) => void,
): DeletionAction {
  return { fairness, parameters, reduce: (draft, chosen) => reduce(draft, chosen as P) };
}

/**
 * Somebody who acts besides users and collector, switched on by the setup. `ACTORS` has them all;
 * nothing else knows one by name.
 */
export interface Actor {
  /** Names of all actions that it may have; no other actor has one of that name. */
  readonly actionNames: readonly string[];
  /** Its actions by name; none where the setup does not switch it on. */
  actions(setup: Setup, world: World): Readonly<Record<string, DeletionAction>>;
  /** The names under which it sends the requests that `serve` carries out, each with its words. */
  clients(setup: Setup): readonly (readonly [client: string, words: string])[];
  /** It has nothing to do, or nothing but what it has tried in vain. */
  isIdle(setup: Setup, cluster: Cluster): boolean;
  /** What it may do a bounded number of times. */
  budget?(setup: Setup): Readonly<Record<string, number>>;
  /** The caches on which it decides, where they may lag. */
  informers?(setup: Setup): readonly Informer[];
  /** What it is at from the start, by client. */
  begins?(setup: Setup): Readonly<Record<string, Controller>>;
  /** Whether it is bound to end the grace period of this pod as things are. */
  endsGracePeriod?(setup: Setup, cluster: Cluster, pod: ApiObject): boolean;
  /** Whether it is the one that takes this finalizer off. */
  ownsFinalizer?(setup: Setup, finalizer: string): boolean;
  /** Whether such a finalizer on this object stays for as long as somebody else does nothing. */
  keepsFinalizer?(setup: Setup, cluster: Cluster, key: ObjectKey, finalizer: string): boolean;
  /**
   * The request whose handler takes its next step here, as it stands before the step; null if the
   * step is none of the API server's. Asked about its own actions only.
   */
  acting(setup: Setup, before: Cluster, step: Step): Call | null;
  /** The same request after the step; null once it has been answered. */
  continued(after: Cluster, step: Step): Call | null;
  /** Those steps that are no requests, in words, the actor first. */
  describe(context: Context, step: Step, before: Cluster, after: Cluster): string;
  /**
   * Why one of its actions cannot be done, where it takes more than what the reducer has read last,
   * which `words` say.
   */
  obstacle?(step: Step, reading: Reading, words: string): string;
}

export function parameter(step: Step, name: string): string {
  return String(step.parameters[name] ?? '');
}
