import { advanceCall } from '../apiserver/handle.ts';
import type { Answer, Call } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { type ControllerRole, setState, stateOf } from '../state/controllers.ts';
import type { ApiObject, ObjectKey } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { World } from '../state/world.ts';
import { type ActionDefinition, action, orNone } from './actor.ts';

/**
 * The requests that a controller has decided on. Most controllers read their caches, decide, send
 * one or a few requests, and wait for the answers. Anything can happen between the decision and the
 * requests.
 */
export interface DecidedRequests {
  readonly role: 'requests';
  readonly call: Call;
  /** Requests that follow, unless the first one fails. Absent: none. */
  readonly then?: readonly Call[];
}

export const DECIDED_REQUESTS: ControllerRole<DecidedRequests> = {
  role: 'requests',
  inManager: true,
  next: ({ call }) => call,
};

/** The request that this client sends next or has in flight. */
export function decidedRequest(cluster: Cluster | ClusterDraft, client: string): Call | null {
  return stateOf(cluster, client, DECIDED_REQUESTS)?.call ?? null;
}

/** The client decides on these requests. */
export function decide(cluster: ClusterDraft, client: string, ...calls: readonly Call[]): void {
  const [call, ...then] = calls;
  if (call === undefined) return;
  const state: DecidedRequests = {
    role: 'requests',
    call,
    ...(then.length === 0 ? {} : { then }),
  };
  setState(cluster, client, state);
}

/**
 * The API server does the next step of the request that the client has decided on. After the last
 * answer, or an error, the client is idle again and forgets what it has read.
 *
 * @returns the answer to the request; null if there is none yet.
 */
export function proceedDecided(cluster: ClusterDraft, world: World, client: string): Answer | null {
  const state = stateOf(cluster, client, DECIDED_REQUESTS);
  if (state === null) return null;
  const { call, then = [] } = state;
  const progress = advanceCall(cluster, world, call);
  if (!progress.done) {
    decide(cluster, client, progress.call, ...then);
    return null;
  }
  delete cluster.controllers[client];
  delete cluster.unchangedSince[client];
  if (progress.answer.code < 400) decide(cluster, client, ...then);
  return progress.answer;
}

/** A controller of the controller manager that uses `syncAction` to work on each of its objects. */
interface SyncHandler
  extends Pick<ActionDefinition<{ key: ObjectKey }>, 'about' | 'describe' | 'obstacle'> {
  /** The objects that the controller works on. */
  keys(setup: Setup): readonly ObjectKey[];
  /** The kind of these objects, if the controller works on all objects of a kind. */
  readonly kind?: {
    readonly name: string;
    isWorkedOn(setup: Setup): boolean;
    /** False: for such an object, `sync` changes nothing while the controller has no state. */
    readonly mayBeDue: (object: ApiObject) => boolean;
  };
  /** The client under which the controller works on this object. */
  client(key: ObjectKey): string;
  /** Called when no request is left to send: reads, and can decide on requests. */
  sync(cluster: ClusterDraft, key: ObjectKey, setup: Setup, world: World): void;
}

/**
 * Each step is either a step of the API server on the request that was decided on, or a call of
 * `sync`.
 */
export function syncAction({ keys, kind, client, sync, ...words }: SyncHandler): ActionDefinition {
  return action<{ key: ObjectKey }>({
    ...words,
    fairness: 'weak',
    parameters: (setup) => orNone(keys(setup).map((key) => ({ key }))),
    ...(kind === undefined
      ? {}
      : {
          // What was begun outlives the reason for it, and even the object.
          candidates: (setup, _world, { controllers }, { stored }) =>
            kind.isWorkedOn(setup)
              ? [
                  ...new Set([
                    ...stored(kind.name, kind.mayBeDue),
                    ...pending(controllers, client, kind.name),
                  ]),
                ].map((key) => ({ key }))
              : [],
        }),
    reducer:
      (setup, world) =>
      (cluster, { key }) => {
        if (cluster.stopped.controllers !== undefined) return;
        if (decidedRequest(cluster, client(key)) === null) sync(cluster, key, setup, world);
        else proceedDecided(cluster, world, client(key));
      },
    request: (_setup, before, { key }) => decidedRequest(before, client(key)),
    continued: (after, { key }) => decidedRequest(after, client(key)),
  });
}

/** The keys of the objects of a kind for which the controller has a state. */
function pending(
  controllers: Cluster['controllers'],
  client: (key: ObjectKey) => string,
  kind: string,
): readonly ObjectKey[] {
  return Object.keys(controllers).flatMap((name) => {
    const key = name.slice(name.indexOf(`${kind}/`));
    return client(key) === name ? [key] : [];
  });
}
