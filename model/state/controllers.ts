import { castDraft } from 'immer';
import type { Call } from './calls.ts';
import type { Cluster, ClusterDraft, ControllerState } from './cluster.ts';

/**
 * A role of states in `Cluster.controllers`. The actor that keeps such states declares it
 * (`Actor.roles`). No other code knows the roles by name.
 */
export interface ControllerRole<State extends ControllerState = ControllerState> {
  readonly role: State['role'];
  /**
   * Whether its states end with the controller manager. Otherwise the actor is a separate process.
   */
  readonly inManager: boolean;
  /**
   * What comes next: the request in flight, or a phrase. Null: nothing, the state is only a memory.
   */
  next(state: State): Call | string | null;
  /**
   * The state as a clause, for the answer to why a step is not possible.
   *
   * @param name of the controller, in words.
   * @returns null if "is at work" is enough.
   */
  clause?(state: State, name: string): string | null;
}

/** The state of this client, if it has one of this role. */
export function stateOf<State extends ControllerState>(
  cluster: Cluster | ClusterDraft,
  client: string,
  { role }: ControllerRole<State>,
): State | null {
  const state = cluster.controllers[client];
  return state?.role === role ? (state as State) : null;
}

export function setState<State extends ControllerState>(
  cluster: ClusterDraft,
  client: string,
  state: State,
): void {
  cluster.controllers[client] = castDraft(state as ControllerState);
}
