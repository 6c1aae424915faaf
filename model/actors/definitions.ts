import { CLEANUP_FINALIZER } from '../apiserver/definition.ts';
import { advanceCall } from '../apiserver/handle.ts';
import { listKeys } from '../apiserver/store.ts';
import type { Call } from '../state/calls.ts';
import { patchCall } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { type ControllerRole, setState, stateOf } from '../state/controllers.ts';
import { formatKey, kindOf, splitKey } from '../state/keys.ts';
import type { ObjectKey } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { type Actor, action } from './actor.ts';

/** The request that the controller of a definition sends next or has in flight. */
export type DefinitionWorker =
  | { readonly at: 'list' }
  | {
      readonly at: 'deleteCollection';
      /**
       * Namespaces that had instances when the controller listed them. The first one is being
       * emptied.
       */
      readonly namespaces: readonly string[];
      readonly call: Call;
    }
  | { readonly at: 'listRemaining' }
  | { readonly at: 'finalize'; readonly call: Call }
  | { readonly at: 'deleteAgain'; readonly call: Call };

interface DefinitionState {
  readonly role: 'definition';
  readonly worker: DefinitionWorker;
}

const DEFINITION: ControllerRole<DefinitionState> = {
  role: 'definition',
  inManager: false,
  next: ({ worker }) => `at ${worker.at}`,
};

/**
 * The controller behind the cleanup finalizer of a CustomResourceDefinition. It is part of the API
 * server: `crdFinalizer.sync` of
 * `apiextensions-apiserver/pkg/controller/finalizer/crd_finalizer.go` (1.20); `setup.definitions`.
 * It lists the instances, deletes them with one DELETE of a collection for each namespace, without
 * any options, checks that they are gone, and removes the finalizer. Earlier versions then sent a
 * DELETE of the definition. If an instance is left, the controller begins again.
 *
 * Left out: the conditions that it writes (nothing in the model reads them), and the wait of up to
 * a minute between its lists (the next list can come at any time).
 */
export const DEFINITIONS: Actor = {
  actions: {
    emptyDefinition: action<{ definition: ObjectKey }>({
      fairness: 'weak',
      about:
        'The controller of a CustomResourceDefinition does its next step in removing instances.',
      parameters: ({ definitions }) => definitions?.map((definition) => ({ definition })) ?? null,
      candidates: ({ definitions = [] }, _world, cluster) =>
        definitions.flatMap((definition) =>
          cluster.controllers[definitionClient(definition)] !== undefined ||
          isTerminating(cluster, definition)
            ? [{ definition }]
            : [],
        ),
      reducer:
        (_setup, world) =>
        (cluster, { definition }) =>
          emptyDefinition(cluster, world, definition),
      request: (_setup, before, { definition }) => callInFlight(before, definition),
      continued: (after, { definition }) => callInFlight(after, definition),
      describe: (_context, { definition }) =>
        `definition controller: LIST what ${formatKey(definition)} defines`,
    }),
  },
  roles: [DEFINITION],
  clients: ({ definitions = [] }) =>
    definitions.map((key) => [definitionClient(key), 'definition controller']),
  isIdle: (setup, cluster) =>
    (setup.definitions ?? []).every((key) => {
      const worker = stateOf(cluster, definitionClient(key), DEFINITION)?.worker;
      if (!isTerminating(cluster, key)) return worker === undefined;
      return worker?.at !== 'finalize' && waitsInVain(setup, cluster, key);
    }),
  removals: ({ definitions = [], finalizers }) =>
    finalizers[CLEANUP_FINALIZER] === 'stuck'
      ? []
      : definitions.map((key) => ({
          finalizer: CLEANUP_FINALIZER,
          key,
          by: 'the definition controller, once no object of the kind is left',
        })),
};

function callInFlight(cluster: Cluster, definition: ObjectKey): Call | null {
  const worker = stateOf(cluster, definitionClient(definition), DEFINITION)?.worker;
  return worker !== undefined && 'call' in worker ? worker.call : null;
}

/** The client under which the controller of definitions works on this definition. */
function definitionClient(definition: ObjectKey): string {
  return `definition controller for ${definition}`;
}

/** Whether the controller has anything to do for this definition. */
function isTerminating(cluster: Cluster | ClusterDraft, definition: ObjectKey): boolean {
  const object = cluster.store[definition];
  if (object === undefined || object.deletionTimestamp === null) return false;
  return object.finalizers.includes(CLEANUP_FINALIZER);
}

/** Whether instances are left that are being deleted already: another pass changes nothing. */
function waitsInVain(world: Pick<World, 'kinds'>, cluster: Cluster, key: ObjectKey): boolean {
  const kind = definedKind(world, key);
  const instances = Object.entries(cluster.store).filter(([own]) => kindOf(own) === kind);
  return (
    instances.length > 0 &&
    instances.every(([, { deletionTimestamp }]) => deletionTimestamp !== null)
  );
}

/** The next step of the controller that removes the instances of a definition. */
function emptyDefinition(cluster: ClusterDraft, world: World, definition: ObjectKey): void {
  const client = definitionClient(definition);
  const state = stateOf(cluster, client, DEFINITION);
  if (state === null && !isTerminating(cluster, definition)) return;
  const worker: DefinitionWorker = state?.worker ?? { at: 'list' };
  const next = stepDefinition(cluster, world, client, definition, worker);
  if (next === null) delete cluster.controllers[client];
  else setState(cluster, client, { role: 'definition', worker: next });
}

/** The kind that a definition defines: `widgets.example.test` is that of the resource `widgets`. */
function definedKind(world: Pick<World, 'kinds'>, definition: ObjectKey): string {
  const name = splitKey(definition)[2];
  const found = Object.values(world.kinds).find((kind) => {
    const [group = '', version] = (kind.apiVersions[0] ?? '').split('/');
    return version !== undefined && `${kind.resource}.${group}` === name;
  });
  if (found === undefined) throw new Error(`${definition} defines no kind`);
  return found.name;
}

/** The next atomic step. Null when the controller is done with the definition for now. */
function stepDefinition(
  cluster: ClusterDraft,
  world: World,
  client: string,
  definition: ObjectKey,
  worker: DefinitionWorker,
): DefinitionWorker | null {
  switch (worker.at) {
    case 'list': {
      const kind = definedKind(world, definition);
      const keys = listKeys(cluster, kind, '');
      return emptyNext(client, kind, [...new Set(keys.map((key) => splitKey(key)[1]))]);
    }
    case 'deleteCollection': {
      const progress = advanceCall(cluster, world, worker.call);
      if (!progress.done) return { ...worker, call: progress.call };
      if (progress.answer.code >= 400) return null;
      return emptyNext(client, definedKind(world, definition), worker.namespaces.slice(1));
    }
    case 'listRemaining': {
      if (listKeys(cluster, definedKind(world, definition), '').length > 0) return null;
      const change = { do: 'removeFinalizer', finalizer: CLEANUP_FINALIZER } as const;
      const call: Call = patchCall(client, definition, change);
      return { at: 'finalize', call };
    }
    case 'finalize': {
      const progress = advanceCall(cluster, world, worker.call);
      if (!progress.done) return { at: 'finalize', call: progress.call };
      if (progress.answer.code >= 400 || world.rules.finalizedDefinition === 'left') return null;
      const call: Call = { verb: 'delete', client, key: definition, options: {}, at: 'get' };
      return { at: 'deleteAgain', call };
    }
    case 'deleteAgain': {
      const progress = advanceCall(cluster, world, worker.call);
      return progress.done ? null : { at: 'deleteAgain', call: progress.call };
    }
    default:
      throw new Error(`unknown worker ${JSON.stringify(worker satisfies never)}`);
  }
}

function emptyNext(client: string, kind: string, namespaces: readonly string[]): DefinitionWorker {
  const [namespace] = namespaces;
  if (namespace === undefined) return { at: 'listRemaining' };
  const call: Call = {
    verb: 'deleteCollection',
    client,
    kind,
    namespace,
    options: {},
    internal: true,
    at: 'list',
    remaining: [],
    current: null,
    listed: 0,
  };
  return { at: 'deleteCollection', namespaces, call };
}
