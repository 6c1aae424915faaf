import { NAMESPACE_CACHE } from '../../apiserver/create.ts';
import { definitionKey } from '../../apiserver/definition.ts';
import { spend } from '../../state/budget.ts';
import type { Call } from '../../state/calls.ts';
import type { Cluster, ClusterDraft, ControllerState } from '../../state/cluster.ts';
import type { ControllerRole } from '../../state/controllers.ts';
import { setState, stateOf } from '../../state/controllers.ts';
import { splitKey } from '../../state/keys.ts';
import { kindNamed, namespaceKind } from '../../state/kinds.ts';
import type { Contents } from '../../state/known-uids.ts';
import { isBeingDeleted, type ObjectKey, objectKey } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import { surroundingsOf } from '../../state/surroundings.ts';
import type { World } from '../../state/world.ts';
import { type Actor, action } from '../actor.ts';
import { isFinalized } from './conditions.ts';
import { beginNamespace, requestOf } from './controller.ts';
import type { NamespaceActor } from './sync.ts';
import { beginActor, nextCall, stepActor } from './sync.ts';
import type { Unsupported } from './worker.ts';

/** What the namespace controller is doing for one namespace, or remembers about it. */
type NamespaceState =
  /**
   * A pass over the namespace, with the contents that the namespace has had since the pass began.
   * `CHANGED` once they have changed.
   */
  | { readonly role: 'namespace'; readonly actor: NamespaceActor; readonly contents: Contents }
  /**
   * A pass has left some of these contents, or finalizers of others in `spec.finalizers`, or has
   * failed for a reason that lasts. Another pass would do the same until the contents change.
   * `CHANGED`: they changed during the pass, so another one is due.
   */
  | { readonly role: 'namespace'; readonly triedContents: Contents; readonly failed?: true }
  /** The controller has failed as often as it may, and has given up. */
  | { readonly role: 'namespace'; readonly gaveUp: true };

/**
 * Equals no contents. It takes the place of contents that changed during a pass, even if they
 * changed back: some steps of the pass saw other contents than the next pass would see.
 */
const CHANGED: Contents = JSON.stringify(['changed']);

const NAMESPACE: ControllerRole<NamespaceState> = {
  role: 'namespace',
  inManager: true,
  next: (state) => ('actor' in state ? `at ${state.actor.worker.at}` : null),
  clause: (state, name) => {
    if ('gaveUp' in state) return `${name} has given up`;
    return 'triedContents' in state ? `${name} has done what it can and waits for a change` : null;
  },
};

/** What the namespace controller remembers across all namespaces. */
interface NamespaceMemory {
  readonly role: 'namespaceMemory';
  readonly operations: readonly string[];
}

const NAMESPACE_MEMORY: ControllerRole<NamespaceMemory> = {
  role: 'namespaceMemory',
  inManager: true,
  next: () => null,
};

/** The namespace controller: `setup.emptiedNamespaces`. */
export const NAMESPACES: Actor = {
  actions: {
    emptyNamespace: action<{ namespace: string; order?: number }>({
      fairness: 'weak',
      about: 'The namespace controller does its next step in emptying a namespace.',
      parameters: ({ emptiedNamespaces }, { kinds }) =>
        emptiedNamespaces?.flatMap((namespace) =>
          orders(kinds).map((_, order) => (order === 0 ? { namespace } : { namespace, order })),
        ) ?? null,
      candidates: (setup, { kinds }, cluster) =>
        (setup.emptiedNamespaces ?? []).flatMap((namespace) =>
          passOf(cluster, namespace) !== null || isToBeWorkedOn(setup, cluster, namespace)
            ? orders(kinds).map((_, order) => (order === 0 ? { namespace } : { namespace, order }))
            : [],
        ),
      reducer: ({ namespaceRetries, namespaceAdmission }, world) => {
        const order = orders(world.kinds);
        const bounded = namespaceRetries !== undefined;
        const waits = namespaceAdmission === 'bounded';
        return (cluster, { namespace, order: number = 0 }) => {
          if (waits && isBeginning(cluster, namespace) && isUnsettled(cluster, world, namespace)) {
            return;
          }
          emptyNamespace(cluster, world, namespace, bounded, order[number] ?? []);
        };
      },
      request: (setup, before, { namespace }) => {
        // A request is in flight only after its first step.
        const pass = passOf(before, namespace);
        if (pass === null) return null;
        return nextCall(surroundingsOf(setup), namespaceClient(namespace), pass.actor);
      },
      continued: (after, { namespace }) => passOf(after, namespace)?.actor.call ?? null,
      describe: ({ world }, { namespace }, before) =>
        `namespace controller: ${describeStep(world, before, namespace)}`,
    }),
  },
  roles: [NAMESPACE, NAMESPACE_MEMORY],
  clients: ({ emptiedNamespaces = [] }) =>
    emptiedNamespaces.map((name) => [namespaceClient(name), 'namespace controller']),
  budget: ({ emptiedNamespaces = [], namespaceRetries = 0 }) =>
    namespaceRetries === 0
      ? {}
      : Object.fromEntries(emptiedNamespaces.map((name) => [retriesKey(name), namespaceRetries])),
  isIdle: (setup, cluster) =>
    cluster.stopped.controllers !== undefined ||
    (setup.emptiedNamespaces ?? []).every(
      (name) => passOf(cluster, name) === null && !isDue(setup, cluster, name),
    ),
};

/** What the namespace controller reads in this step. A write is described as a request. */
function describeStep(world: World, before: Cluster, name: string): string {
  const worker = passOf(before, name)?.actor.worker ?? beginNamespace(name);
  const request = requestOf(world.rules, worker);
  switch (request.verb) {
    case 'get':
      return `GET Namespace/${request.name}`;
    case 'discover':
      return `asks discovery what there can be in namespace ${name}`;
    case 'listPods':
      return `LIST pods in namespace ${request.namespace}, for their grace periods`;
    case 'list':
      return `LIST ${request.type.resource} in namespace ${request.namespace}`;
    case 'updateStatus':
    case 'finalize':
    case 'deleteNamespace':
    case 'delete':
    case 'deleteCollection':
      return `works on namespace ${name}`;
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

/** The state of the namespace controller for a namespace: a pass, a failure, or null. */
export function namespaceStateOf(
  cluster: Cluster | ClusterDraft,
  name: string,
): NamespaceState | null {
  return stateOf(cluster, namespaceClient(name), NAMESPACE);
}

/** The pass over this namespace that is in progress. */
function passOf(
  cluster: Cluster | ClusterDraft,
  name: string,
): Extract<NamespaceState, { actor: unknown }> | null {
  const state = namespaceStateOf(cluster, name);
  return state !== null && 'actor' in state ? state : null;
}

/** What the controller knows about a model. */
type Fixed = Pick<Setup, 'kinds' | 'rules' | 'definitions' | 'otherContents'>;

/** Everything that the result of a pass depends on, and that can change. */
function contentsOf(fixed: Fixed, cluster: ClusterDraft | Cluster, name: string): Contents {
  const rows = Object.keys(cluster.store).flatMap((key) => {
    if (splitKey(key)[1] !== name) return [];
    const object = cluster.store[key];
    if (object === undefined || fixed.kinds[object.kind]?.namespaced !== true) return [];
    const { kind, uid, finalizers, deletionTimestamp, deletionGracePeriodSeconds, pod } = object;
    const row = [
      kind,
      uid,
      finalizers,
      deletionTimestamp,
      deletionGracePeriodSeconds,
      ...(isListed(fixed, cluster, kind) ? [] : ['not listed']),
      ...(pod?.finished === true ? ['finished'] : []),
    ];
    return [JSON.stringify(row)];
  });
  const { operations } = memoryOf(cluster);
  const remembered = operations.length === 0 ? [] : [JSON.stringify(['memory', operations])];
  return [...rows.sort(), ...remembered].join();
}

/**
 * Whether discovery lists a kind of contents. If a kind is listed later, another pass is
 * worthwhile.
 */
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
  const kind = namespaceKind(kinds);
  if (kind === undefined) throw new Error('the table of kinds has no Namespace');
  return objectKey(kind.name, '', name);
}

/**
 * Whether there are contents to remove, or, if the controller removes finalized namespaces, the
 * namespace itself.
 */
function isToBeWorkedOn(
  { kinds, rules }: Fixed,
  cluster: ClusterDraft | Cluster,
  name: string,
): boolean {
  const namespace = cluster.store[namespaceKey(kinds, name)];
  if (namespace === undefined || !isBeingDeleted(namespace)) return false;
  if (!isFinalized(namespace)) return true;
  const asked = namespace.deletionGracePeriodSeconds !== null;
  return rules.finalizedNamespace === 'deletedByController' && !asked;
}

/** Whether the namespace is being deleted, and is not finalized. */
function hasSpecFinalizers(
  { kinds }: Fixed,
  cluster: ClusterDraft | Cluster,
  name: string,
): boolean {
  const namespace = cluster.store[namespaceKey(kinds, name)];
  return namespace !== undefined && isBeingDeleted(namespace) && !isFinalized(namespace);
}

/**
 * The next step of the namespace controller for this namespace. The controller begins once deletion
 * has begun, and begins again whenever something was left.
 *
 * Kubernetes retries while something holds the contents. A pass during which the contents do not
 * change has the same result however often it is repeated. So the model starts the next pass only
 * after the contents have changed, during the pass or later.
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
  const busy = passOf(cluster, name);
  const begun = busy?.actor ?? beginActor(name);
  const choosing = begun.worker.at === 'discover';
  if (order.length > 0 && !choosing) return;
  if (busy === null && !isDue(world, cluster, name)) return;
  const actor = { ...begun, unsupported: memoryOf(cluster) };
  const now = busy?.contents === CHANGED ? CHANGED : contentsOf(world, cluster, name);
  const contents = busy === null || busy.contents === now ? now : CHANGED;
  const step = stepActor(cluster, world, client, actor, order);
  remember(cluster, step.done ? step.unsupported : step.actor.unsupported);
  if (!step.done) {
    const next = { ...step.actor, unsupported: NOTHING_UNSUPPORTED };
    setState<NamespaceState>(cluster, client, { role: 'namespace', actor: next, contents });
    return;
  }
  delete cluster.controllers[client];
  // A group that cannot be discovered fails every pass. Another one would end like this one.
  const failsAlways =
    step.result.outcome === 'error' &&
    (world.unavailableApis ?? []).length > 0 &&
    'pass' in begun.worker &&
    begun.worker.pass.discoveryError === step.result.message;
  const leavesFinalizers =
    step.result.outcome === 'done' && hasSpecFinalizers(world, cluster, name);
  if (step.result.outcome === 'remaining' || leavesFinalizers || failsAlways) {
    const failed = failsAlways ? { failed: true as const } : {};
    setState<NamespaceState>(cluster, client, {
      role: 'namespace',
      triedContents: contents,
      ...failed,
    });
  } else if (step.result.outcome === 'error' && boundedRetries) {
    if (!spend(cluster, retriesKey(name))) {
      setState<NamespaceState>(cluster, client, { role: 'namespace', gaveUp: true });
    }
  }
}

function isBeginning(cluster: ClusterDraft, name: string): boolean {
  return passOf(cluster, name) === null;
}

/**
 * Whether some API server has not seen the deletion of the namespace, or has not stored what it
 * admitted before. The controller waits for that (`namespaceDeletionGracePeriod`, 5 seconds in
 * 1.20), as far as this takes less time.
 */
function isUnsettled(cluster: ClusterDraft, { kinds }: World, name: string): boolean {
  const key = namespaceKey(kinds, name);
  if ((cluster.unseen[NAMESPACE_CACHE] ?? []).some((change) => change.key === key)) return true;
  const calls = [
    ...Object.values(cluster.calls),
    ...Object.values(cluster.controllers).map((state) => controllerCall(state)),
  ];
  return calls.some(
    (call) => call?.verb === 'create' && call.at === 'write' && call.object.namespace === name,
  );
}

/** The request that a controller has in flight. */
function controllerCall(state: ControllerState): Call | null {
  return 'call' in state ? (state.call as Call | null) : null;
}

function retriesKey(name: string): string {
  return `retries of namespace ${name}`;
}

/**
 * The orders in which the controller can go through the kinds of contents: Kubernetes walks a map.
 * The first order, given as empty, is that of the table of kinds.
 */
function orders(kinds: Setup['kinds']): readonly (readonly string[])[] {
  const names = Object.values(kinds).flatMap(({ name, namespaced }) => (namespaced ? [name] : []));
  if (names.length > MOST_ORDERED) return [[]];
  return [[], ...permutations(names).slice(1)];
}

/** With more kinds than this, the model uses one order only. */
const MOST_ORDERED = 4;

function permutations(names: readonly string[]): readonly (readonly string[])[] {
  if (names.length === 0) return [[]];
  return names.flatMap((name, index) =>
    permutations(names.toSpliced(index, 1)).map((rest) => [name, ...rest]),
  );
}

const MEMORY = 'memory of the namespace controller';

const NOTHING_UNSUPPORTED: Unsupported = { operations: [] };

/** Operations that a kind was once found not to support. All namespaces share this memory. */
function memoryOf(cluster: ClusterDraft | Cluster): Unsupported {
  const memory = stateOf(cluster, MEMORY, NAMESPACE_MEMORY);
  return memory === null ? NOTHING_UNSUPPORTED : { operations: [...memory.operations] };
}

function remember(cluster: ClusterDraft, { operations }: Unsupported): void {
  if (operations.length === 0) return;
  const sorted = [...new Set(operations)].sort();
  setState<NamespaceMemory>(cluster, MEMORY, { role: 'namespaceMemory', operations: sorted });
}

/** The controller is idle, and another pass could end differently from the last one. */
function isDue(fixed: Fixed, cluster: ClusterDraft | Cluster, name: string): boolean {
  if (!isToBeWorkedOn(fixed, cluster, name)) return false;
  const before = namespaceStateOf(cluster, name);
  if (before !== null && 'gaveUp' in before) return false;
  if (before === null || !('triedContents' in before)) return true;
  // The last finalizer of others is gone, and the controller removes the namespace.
  if (!hasSpecFinalizers(fixed, cluster, name)) return true;
  return fixed.otherContents === true || before.triedContents !== contentsOf(fixed, cluster, name);
}
