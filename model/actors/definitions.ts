import { castDraft } from 'immer';
import type { Step } from '../actions.ts';
import { type DefinitionWorker, isTerminating, stepDefinition } from '../definition/controller.ts';
import type { Call } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { type Controller, isAtWork } from '../state/controllers.ts';
import { formatKey } from '../state/keys.ts';
import type { ObjectKey } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { type Actor, action, parameter } from './actor.ts';

/** The controller of CustomResourceDefinitions, a part of the API server: `setup.definitions`. */
export const DEFINITIONS: Actor = {
  actionNames: ['emptyDefinition'],
  actions: ({ definitions }, world) => {
    if (definitions === undefined) return {};
    return {
      emptyDefinition: action(
        'weak',
        definitions.map((definition) => ({ definition })),
        (cluster, { definition }) => emptyDefinition(cluster, world, definition),
      ),
    };
  },
  clients: ({ definitions = [] }) =>
    definitions.map((key) => [definitionClient(key), 'definition controller']),
  isIdle: ({ definitions = [] }, cluster) =>
    definitions.every(
      (key) =>
        !isAtWork(cluster.controllers[definitionClient(key)]) && !isTerminating(cluster, key),
    ),
  acting: (_setup, before, step) => callInFlight(before, step),
  continued: callInFlight,
  describe: (_context, step) =>
    `definition controller: LIST what ${formatKey(parameter(step, 'definition'))} defines`,
};

function callInFlight(cluster: Cluster, step: Step): Call | null {
  const controller = cluster.controllers[definitionClient(parameter(step, 'definition'))];
  if (controller?.role !== 'definition') return null;
  return 'call' in controller.worker ? controller.worker.call : null;
}

/** The client under which the controller of definitions works on one of them. */
function definitionClient(definition: ObjectKey): string {
  return `definition controller for ${definition}`;
}

/** The next step of the controller that removes the instances of a definition. */
function emptyDefinition(cluster: ClusterDraft, world: World, definition: ObjectKey): void {
  const client = definitionClient(definition);
  const busy = cluster.controllers[client] as Controller | undefined;
  if (busy === undefined && !isTerminating(cluster, definition)) return;
  const worker: DefinitionWorker = busy?.role === 'definition' ? busy.worker : { at: 'list' };
  const next = stepDefinition(cluster, world, client, definition, worker);
  if (next === null) delete cluster.controllers[client];
  else cluster.controllers[client] = castDraft({ role: 'definition', worker: next });
}
