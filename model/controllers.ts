import { castDraft } from 'immer';
import { type DefinitionWorker, isTerminating, stepDefinition } from './definition/controller.ts';
import { beginActor, type NamespaceActor, stepActor } from './namespace/actor.ts';
import { isFinalized } from './namespace/conditions.ts';
import { type ObjectKey, objectKey } from './objects.ts';
import type { Setup } from './setup.ts';
import type { Cluster, ClusterDraft } from './state.ts';
import type { World } from './world.ts';

/** Controllers next to the collector that remove the contents of what is being deleted. */

/** A controller at work on one namespace or one definition. */
export type Controller =
  | { readonly empties: 'namespace'; readonly actor: NamespaceActor; readonly seen: Contents }
  /** What was left of exactly these contents was the same: it will be again. */
  | { readonly empties: 'namespace'; readonly triedInVain: Contents }
  | { readonly empties: 'definition'; readonly worker: DefinitionWorker };

/** What is in a namespace, as far as a pass over it depends on that. */
type Contents = string;

function contentsOf(
  kinds: Setup['kinds'],
  cluster: ClusterDraft | Cluster,
  name: string,
): Contents {
  const contents = Object.values(cluster.store).filter(
    (object) => object.namespace === name && kinds[object.kind]?.namespaced === true,
  );
  const rows = contents.map(
    ({ kind, uid, finalizers, deletionTimestamp, deletionGracePeriodSeconds }) =>
      JSON.stringify([kind, uid, finalizers, deletionTimestamp, deletionGracePeriodSeconds]),
  );
  return rows.sort().join();
}

/** The client under which the namespace controller works on one namespace. */
export function namespaceClient(name: string): string {
  return `namespace controller for ${name}`;
}

/** The client under which the controller of definitions works on one of them. */
export function definitionClient(definition: ObjectKey): string {
  return `definition controller for ${definition}`;
}

function namespaceKey(kinds: Setup['kinds'], name: string): ObjectKey {
  const kind = Object.values(kinds).find(({ storage }) => storage === 'namespace');
  if (kind === undefined) throw new Error('the table of kinds has no Namespace');
  return objectKey(kind.name, '', name);
}

function hasContentsToRemove(
  kinds: Setup['kinds'],
  cluster: ClusterDraft | Cluster,
  name: string,
): boolean {
  const namespace = cluster.store[namespaceKey(kinds, name)];
  return namespace !== undefined && namespace.deletionTimestamp !== null && !isFinalized(namespace);
}

/**
 * The next step of the namespace controller for this namespace. It begins once deletion has begun,
 * and begins again whenever something was left.
 *
 * Kubernetes tries again and again while something holds the contents. A pass that came upon some
 * contents and left them as they were does the same as often as it is repeated; so the next one waits
 * here until they are others.
 */
export function emptyNamespace(cluster: ClusterDraft, world: World, name: string): void {
  if (cluster.stopped.controllers !== undefined) return;
  const client = namespaceClient(name);
  const before = cluster.controllers[client] as Controller | undefined;
  const busy = before !== undefined && 'actor' in before ? before : null;
  if (busy === null && !isDue(world.kinds, cluster, name)) return;
  const actor = busy?.actor ?? beginActor(name);
  const seen = busy?.seen ?? contentsOf(world.kinds, cluster, name);
  const step = stepActor(cluster, world, client, actor);
  if (!step.done) {
    cluster.controllers[client] = castDraft({ empties: 'namespace', actor: step.actor, seen });
  } else if (step.result.outcome === 'remaining') {
    cluster.controllers[client] = { empties: 'namespace', triedInVain: seen };
  } else {
    delete cluster.controllers[client];
  }
}

/** The controller is idle and has something to do that it has not tried in vain. */
function isDue(kinds: Setup['kinds'], cluster: ClusterDraft | Cluster, name: string): boolean {
  if (!hasContentsToRemove(kinds, cluster, name)) return false;
  const before = cluster.controllers[namespaceClient(name)];
  if (before === undefined || !('triedInVain' in before)) return true;
  return before.triedInVain !== contentsOf(kinds, cluster, name);
}

/** The next step of the controller that removes the instances of a definition. */
export function emptyDefinition(cluster: ClusterDraft, world: World, definition: ObjectKey): void {
  const client = definitionClient(definition);
  const busy = cluster.controllers[client] as Controller | undefined;
  if (busy === undefined && !isTerminating(cluster, definition)) return;
  const worker: DefinitionWorker = busy?.empties === 'definition' ? busy.worker : { at: 'list' };
  const next = stepDefinition(cluster, world, client, definition, worker);
  if (next === null) delete cluster.controllers[client];
  else cluster.controllers[client] = castDraft({ empties: 'definition', worker: next });
}

/** No controller is at work, and none has work that it has not tried in vain. */
export function controllersAreIdle(
  setup: Pick<Setup, 'kinds' | 'emptiedNamespaces' | 'definitions'>,
  cluster: Cluster,
): boolean {
  return (
    Object.values(cluster.controllers).every((controller) => 'triedInVain' in controller) &&
    (setup.emptiedNamespaces ?? []).every((name) => !isDue(setup.kinds, cluster, name)) &&
    (setup.definitions ?? []).every((key) => !isTerminating(cluster, key))
  );
}
