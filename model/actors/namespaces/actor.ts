import { castDraft } from 'immer';
import { definitionKey } from '../../apiserver/definition.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import type { Controller } from '../../state/controllers.ts';
import { type Contents, isAtWork } from '../../state/controllers.ts';
import { kindNamed } from '../../state/kinds.ts';
import { type ObjectKey, objectKey, type Uid } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import { surroundingsOf } from '../../state/surroundings.ts';
import type { World } from '../../state/world.ts';
import { type Actor, action, parameter } from '../actor.ts';
import { isFinalized } from './conditions.ts';
import { beginActor, nextCall, stepActor } from './sync.ts';
import { describeNamespaceStep } from './words.ts';
import type { Unsupported } from './worker.ts';

/** The namespace controller: `setup.emptiedNamespaces`. */
export const NAMESPACES: Actor = {
  actionNames: ['emptyNamespace'],
  actions: (setup, world) => {
    const { emptiedNamespaces } = setup;
    if (emptiedNamespaces === undefined) return {};
    const { order, namespaceRetries } = { order: orders(world.kinds), ...setup };
    const bounded = namespaceRetries !== undefined;
    return {
      emptyNamespace: action(
        'weak',
        emptiedNamespaces.flatMap((namespace) =>
          order.map((_, number) => (number === 0 ? { namespace } : { namespace, order: number })),
        ),
        (cluster, { namespace, order: number }: { namespace: string; order?: number }) =>
          emptyNamespace(cluster, world, namespace, bounded, order[number ?? 0] ?? []),
      ),
    };
  },
  clients: ({ emptiedNamespaces = [] }) =>
    emptiedNamespaces.map((name) => [namespaceClient(name), 'namespace controller']),
  budget: ({ emptiedNamespaces = [], namespaceRetries = 0 }) =>
    namespaceRetries === 0
      ? {}
      : Object.fromEntries(emptiedNamespaces.map((name) => [retriesKey(name), namespaceRetries])),
  isIdle: (setup, cluster) =>
    cluster.stopped.controllers !== undefined ||
    (setup.emptiedNamespaces ?? []).every(
      (name) =>
        !isAtWork(cluster.controllers[namespaceClient(name)]) && !isDue(setup, cluster, name),
    ),
  acting: (setup, before, step) => {
    // A request is only in flight once its first step is done.
    const client = namespaceClient(parameter(step, 'namespace'));
    const controller = before.controllers[client];
    if (controller === undefined || !('actor' in controller)) return null;
    return nextCall(surroundingsOf(setup), client, controller.actor);
  },
  continued: (after, step) => {
    const controller = after.controllers[namespaceClient(parameter(step, 'namespace'))];
    return controller !== undefined && 'actor' in controller ? controller.actor.call : null;
  },
  describe: ({ world }, step, before) => {
    const name = parameter(step, 'namespace');
    const controller = before.controllers[namespaceClient(name)];
    return `namespace controller: ${describeNamespaceStep(world, controller, name)}`;
  },
};

/** What is fixed of it while a model runs. */
type Fixed = Pick<Setup, 'kinds' | 'rules' | 'definitions'>;

function contentsOf(fixed: Fixed, cluster: ClusterDraft | Cluster, name: string): Contents {
  const { kinds } = fixed;
  const contents = Object.values(cluster.store).filter(
    (object) => object.namespace === name && kinds[object.kind]?.namespaced === true,
  );
  const rows = contents.map(
    ({ kind, uid, finalizers, deletionTimestamp, deletionGracePeriodSeconds }) =>
      JSON.stringify([
        kind,
        uid,
        finalizers,
        deletionTimestamp,
        deletionGracePeriodSeconds,
        ...(isListed(fixed, cluster, kind) ? [] : ['not listed']),
      ]),
  );
  return rows.sort().join();
}

/** Whether an object with this uid was among these contents. */
export function hasContent(contents: Contents, uid: Uid): boolean {
  const rows = JSON.parse(`[${contents}]`) as readonly (readonly unknown[])[];
  return rows.some(([, found]) => found === uid);
}

/** Whether discovery may list a kind of contents: one that it comes to list later is worth a pass. */
function isListed(fixed: Fixed, cluster: ClusterDraft | Cluster, kind: string): boolean {
  if (cluster.notInstalled[kind] !== undefined) return false;
  const definition = definitionKey(fixed, kindNamed(fixed.kinds, kind));
  if (definition === null || fixed.definitions?.includes(definition) !== true) return true;
  return cluster.store[definition] !== undefined;
}

/** The client under which the namespace controller works on one namespace. */
export function namespaceClient(name: string): string {
  return `namespace controller for ${name}`;
}

function namespaceKey(kinds: Setup['kinds'], name: string): ObjectKey {
  const kind = Object.values(kinds).find(({ storage }) => storage === 'namespace');
  if (kind === undefined) throw new Error('the table of kinds has no Namespace');
  return objectKey(kind.name, '', name);
}

/** It has contents to remove; or, where nobody else removes what is finalized, itself. */
function isToBeWorkedOn(
  { kinds, rules }: Fixed,
  cluster: ClusterDraft | Cluster,
  name: string,
): boolean {
  const namespace = cluster.store[namespaceKey(kinds, name)];
  if (namespace === undefined || namespace.deletionTimestamp === null) return false;
  if (!isFinalized(namespace)) return true;
  const asked = namespace.deletionGracePeriodSeconds !== null;
  return rules.finalizedNamespace === 'deletedByController' && !asked;
}

/**
 * The next step of the namespace controller for this namespace. It begins once deletion has begun,
 * and begins again whenever something was left.
 *
 * Kubernetes tries again and again while something holds the contents. A pass that came upon some
 * contents and left them as they were does the same as often as it is repeated; so the next one waits
 * here until they are others.
 */
function emptyNamespace(
  cluster: ClusterDraft,
  world: World,
  name: string,
  boundedRetries: boolean,
  order: readonly string[],
): void {
  if (cluster.stopped.controllers !== undefined) return;
  const client = namespaceClient(name);
  const before = cluster.controllers[client] as Controller | undefined;
  const busy = before !== undefined && 'actor' in before ? before : null;
  const begun = busy?.actor ?? beginActor(name);
  const choosing = begun.worker.at === 'discover';
  if (order.length > 0 && !choosing) return;
  if (busy === null && !isDue(world, cluster, name)) return;
  const actor = { ...begun, unsupported: memoryOf(cluster) };
  const seen = busy?.seen ?? contentsOf(world, cluster, name);
  const step = stepActor(cluster, world, client, actor, order);
  remember(cluster, step.done ? step.unsupported : step.actor.unsupported);
  if (!step.done) {
    const next = { ...step.actor, unsupported: NOTHING_UNSUPPORTED };
    cluster.controllers[client] = castDraft({ role: 'namespace', actor: next, seen });
    return;
  }
  delete cluster.controllers[client];
  if (step.result.outcome === 'remaining') {
    cluster.controllers[client] = { role: 'namespace', triedInVain: seen };
  } else if (step.result.outcome === 'error' && boundedRetries) {
    const left = cluster.budget[retriesKey(name)];
    if (left === undefined) cluster.controllers[client] = { role: 'namespace', gaveUp: true };
    else if (left === 1) delete cluster.budget[retriesKey(name)];
    else cluster.budget[retriesKey(name)] = left - 1;
  }
}

function retriesKey(name: string): string {
  return `retries of namespace ${name}`;
}

/**
 * The orders in which the kinds of contents may be gone through: Kubernetes walks a map. The first
 * one, given as empty, is that of the table of kinds.
 */
function orders(kinds: Setup['kinds']): readonly (readonly string[])[] {
  const names = Object.values(kinds).flatMap(({ name, namespaced }) => (namespaced ? [name] : []));
  if (names.length > MOST_ORDERED) return [[]];
  return [[], ...permutations(names).slice(1)];
}

/** More kinds than this are gone through in one order only. */
const MOST_ORDERED = 4;

function permutations(names: readonly string[]): readonly (readonly string[])[] {
  if (names.length === 0) return [[]];
  return names.flatMap((name, index) =>
    permutations(names.toSpliced(index, 1)).map((rest) => [name, ...rest]),
  );
}

const MEMORY = 'memory of the namespace controller';

const NOTHING_UNSUPPORTED: Unsupported = { operations: [] };

/** Operations that a kind was once found not to know: one memory for all namespaces. */
function memoryOf(cluster: ClusterDraft): Unsupported {
  const memory = cluster.controllers[MEMORY];
  if (memory?.role !== 'namespaceMemory') return NOTHING_UNSUPPORTED;
  return { operations: [...memory.operations] };
}

function remember(cluster: ClusterDraft, { operations }: Unsupported): void {
  if (operations.length === 0) return;
  const sorted = [...new Set(operations)].sort();
  cluster.controllers[MEMORY] = { role: 'namespaceMemory', operations: sorted };
}

/** The controller is idle and has something to do that it has not tried in vain. */
function isDue(fixed: Fixed, cluster: ClusterDraft | Cluster, name: string): boolean {
  if (!isToBeWorkedOn(fixed, cluster, name)) return false;
  const before = cluster.controllers[namespaceClient(name)];
  if (before?.role === 'namespace' && 'gaveUp' in before) return false;
  if (before === undefined || !('triedInVain' in before)) return true;
  return before.triedInVain !== contentsOf(fixed, cluster, name);
}
