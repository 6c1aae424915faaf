import { type Actor, action } from '../actors/actor.ts';
import { ACTORS } from '../actors/registry.ts';
import { proceed } from '../apiserver/client.ts';
import type { Call } from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import type { Setup } from '../state/setup.ts';
import type { World } from '../state/world.ts';
import { FINALIZER_OWNERS } from './finalizer-owners.ts';
import { USERS } from './users.ts';

const CLIENTS: readonly Actor[] = [USERS, FINALIZER_OWNERS, ...ACTORS];

/** The API server, as far as it works on requests that clients have in flight (`Cluster.calls`). */
export const API_SERVER: Actor = {
  actions: {
    serve: action<{ client: string }>({
      fairness: 'weak',
      about: 'The API server does the next step of a request: get, update or remove.',
      // A controller uses one name for everything that it does.
      parameters: (setup) =>
        [...new Set(clientsOf(setup).map(([client]) => client))].map((client) => ({ client })),
      candidates: (_setup, _world, { calls }) => Object.keys(calls).map((client) => ({ client })),
      reducer:
        (setup, world) =>
        (cluster, { client }) =>
          serve(cluster, world, client, setup),
      request: (_setup, before, { client }) => before.calls[client] ?? null,
      continued: (after, { client }) => after.calls[client] ?? null,
      describe: ({ names }, { client }) => `API server: has no request of ${names.client(client)}`,
    }),
  },
  isIdle: () => true,
};

/** The clients whose requests `serve` carries out, each with its words. */
export function clientsOf(setup: Setup): readonly (readonly [client: string, words: string])[] {
  return CLIENTS.flatMap((actor) => actor.clients?.(setup) ?? []);
}

/** The API server does the next step of the request that this client has in flight. */
export function serve(cluster: ClusterDraft, world: World, client: string, setup: Setup): void {
  const call = cluster.calls[client] as Call | undefined;
  if (call === undefined) return;
  const answer = proceed(cluster, world, client, call);
  if (answer === null) return;
  for (const actor of CLIENTS) actor.answered?.(cluster, setup, client, call, answer);
}
