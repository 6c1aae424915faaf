import { definitionKey, refusedByDefinition } from '../../apiserver/definition.ts';
import { advanceCall } from '../../apiserver/handle.ts';
import { isNotInstalled, refusedUntilInstalled } from '../../apiserver/installed.ts';
import { listKeys, readObject, rememberRead } from '../../apiserver/store.ts';
import type { Answer, Call, Failure, UpdateCall } from '../../state/calls.ts';
import type { ClusterDraft } from '../../state/cluster.ts';
import { type Kind, kindNamed, namespaceKind } from '../../state/kinds.ts';
import { type ApiObject, type ObjectKey, objectKey } from '../../state/objects.ts';
import type { World } from '../../state/world.ts';
import { beginNamespace, receive, requestOf } from './controller.ts';
import type { ContentType, ListedItem, NamespaceAnswer, NamespaceRequest } from './requests.ts';
import type { NamespaceResult, NamespaceWorker, Unsupported } from './worker.ts';

/** Connects the namespace controller to the model's own API server. */

export interface NamespaceActor {
  readonly worker: NamespaceWorker;
  readonly unsupported: Unsupported;
  /** A request that writes takes several steps. Null between requests. */
  readonly call: Call | null;
}

export type ActorStep =
  | { readonly done: false; readonly actor: NamespaceActor }
  | { readonly done: true; readonly result: NamespaceResult; readonly unsupported: Unsupported };

export function beginActor(name: string, unsupported: Unsupported = { operations: [] }) {
  return { worker: beginNamespace(name), unsupported, call: null } satisfies NamespaceActor;
}

/**
 * The next atomic step: one access to etcd, or one request to discovery.
 *
 * @param order names of kinds in the order in which discovery lists them; empty: the order of the
 * table.
 */
export function stepActor(
  cluster: ClusterDraft,
  world: World,
  client: string,
  actor: NamespaceActor,
  order: readonly string[] = [],
): ActorStep {
  const { worker } = actor;
  const call = nextCall(world, client, actor);
  if (call === null) {
    const request = requestOf(world.rules, worker);
    return forgetful(
      cluster,
      client,
      goOn(world, actor, read(cluster, world, client, request, order)),
    );
  }
  const progress = advanceCall(cluster, world, call);
  if (!progress.done) return { done: false, actor: { ...actor, call: progress.call } };
  // The controller ignores the object in the answer to the write of the conditions.
  if (worker.at === 'updateConditions') delete cluster.unchangedSince[client];
  return forgetful(cluster, client, goOn(world, actor, answerOf(progress.answer)));
}

/** The writing request that the next step advances. Null if that step only reads. */
export function nextCall(world: World, client: string, actor: NamespaceActor): Call | null {
  return actor.call ?? callOf(world, client, actor.worker, requestOf(world.rules, actor.worker));
}

/** After the last step of a call, the client forgets its read: the next call starts with a GET. */
function forgetful(cluster: ClusterDraft, client: string, step: ActorStep): ActorStep {
  if (step.done) delete cluster.unchangedSince[client];
  return step;
}

function goOn(world: World, actor: NamespaceActor, answer: NamespaceAnswer): ActorStep {
  const { step, unsupported } = receive(world.rules, actor.unsupported, actor.worker, answer);
  if (step.done) return { done: true, result: step.result, unsupported };
  return { done: false, actor: { worker: step.worker, unsupported, call: null } };
}

function namespaceKey(world: World, name: string): ObjectKey {
  const kind = namespaceKind(world.kinds);
  if (kind === undefined) throw new Error('the table of kinds has no Namespace');
  return objectKey(kind.name, '', name);
}

function typeOf({ rules }: World, kind: Kind): ContentType {
  const [first = '', second] = (kind.apiVersions[0] ?? '').split('/');
  return {
    ...(second === undefined ? { group: '', version: first } : { group: first, version: second }),
    resource: kind.resource,
    ...(kind.singlyDeleted === true && rules.serviceCollections === 'refused'
      ? { verbs: ['delete', 'list'] }
      : {}),
  };
}

function contentKinds(world: World): readonly Kind[] {
  return Object.values(world.kinds).filter((kind) => kind.namespaced);
}

/**
 * The kinds that discovery lists. A kind whose definition is an object of the model is listed only
 * while that definition is stored.
 */
function servedKinds(
  cluster: ClusterDraft,
  world: World,
  order: readonly string[],
): readonly Kind[] {
  const served = contentKinds(world).filter((kind) => {
    const key = definitionKey(world, kind);
    return key === null || !world.definitions?.includes(key) || cluster.store[key] !== undefined;
  });
  const place = ({ name }: Kind): number => order.indexOf(name);
  return order.length === 0 ? served : served.toSorted((a, b) => place(a) - place(b));
}

/** The 404 for a kind whose definition is gone. */
function unserved(cluster: ClusterDraft, world: World, kind: string): Failure | null {
  const refused = refusedByDefinition(cluster, world, kindNamed(world.kinds, kind), 'delete');
  return refused?.reason === 'NotFound' ? refused : null;
}

function kindOfType(world: World, type: ContentType): string {
  const kind = contentKinds(world).find((candidate) => {
    const { group, resource } = typeOf(world, candidate);
    return group === type.group && resource === type.resource;
  });
  if (kind === undefined) throw new Error(`no kind serves ${type.resource}.${type.group}`);
  return kind.name;
}

/** The request as the API server handles it. Null for a request that only reads. */
function callOf(
  world: World,
  client: string,
  worker: NamespaceWorker,
  request: NamespaceRequest,
): Call | null {
  const put = (name: string, change: UpdateCall['change']): UpdateCall => ({
    verb: 'update',
    client,
    key: namespaceKey(world, name),
    change,
    uid: worker.at === 'get' ? null : worker.namespace.uid,
    put: true,
    resourceVersion: true,
    at: 'update',
  });
  switch (request.verb) {
    case 'get':
    case 'discover':
    case 'listPods':
    case 'list':
      return null;
    case 'updateStatus':
      return put(request.name, {
        do: 'setNamespaceStatus',
        phase: request.phase,
        conditions: request.conditions,
      });
    case 'finalize':
      return put(request.name, { do: 'finalizeNamespace' });
    case 'deleteNamespace':
      return {
        verb: 'delete',
        client,
        key: namespaceKey(world, request.name),
        options: { preconditions: { uid: request.uid } },
        at: 'get',
      };
    case 'deleteCollection':
      return {
        verb: 'deleteCollection',
        client,
        kind: kindOfType(world, request.type),
        namespace: request.namespace,
        options: request.options,
        at: 'list',
        remaining: [],
        current: null,
        listed: 0,
      };
    case 'delete':
      return {
        verb: 'delete',
        client,
        key: objectKey(kindOfType(world, request.type), request.namespace, request.name),
        options: request.options,
        at: 'get',
      };
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

function read(
  cluster: ClusterDraft,
  world: World,
  client: string,
  request: NamespaceRequest,
  order: readonly string[],
): NamespaceAnswer {
  const items = (kind: string, namespace: string): NamespaceAnswer => ({
    kind: 'items',
    items: listKeys(cluster, kind, namespace).flatMap((key) => {
      const object = readObject(cluster, key);
      return object === null ? [] : [listedItem(object)];
    }),
  });
  switch (request.verb) {
    case 'get': {
      const key = namespaceKey(world, request.name);
      const namespace = readObject(cluster, key);
      if (namespace === null) {
        return { kind: 'failed', reason: 'NotFound', message: `${key} not found` };
      }
      rememberRead(cluster, client, key);
      return { kind: 'namespace', namespace };
    }
    case 'discover': {
      const kinds = servedKinds(cluster, world, order);
      const found = kinds.filter(({ name }) => !isNotInstalled(cluster, world, name));
      const refused =
        world.rules.notInstalledKinds === 'unavailable' && found.length < kinds.length;
      const down = world.unavailableApis ?? [];
      const error =
        refused || down.length > 0
          ? ['unable to retrieve the complete list of server APIs', ...down].join(': ')
          : null;
      return { kind: 'types', types: found.map((kind) => typeOf(world, kind)), error };
    }
    case 'listPods':
      return items('Pod', request.namespace);
    case 'list': {
      const kind = kindOfType(world, request.type);
      const refused = refusedUntilInstalled(cluster, world, kind) ?? unserved(cluster, world, kind);
      return refused === null ? items(kind, request.namespace) : failedAnswer(refused);
    }
    default:
      throw new Error(`${request.verb} writes`);
  }
}

/** Mirrors the fields that `estimateGracefulTerminationForPods` (1.20) reads of a pod. */
function listedItem(object: ApiObject): ListedItem {
  const { pod } = object;
  const grace = pod === undefined || pod.finished ? null : pod.terminationGracePeriodSeconds;
  return {
    name: object.name,
    finalizers: object.finalizers,
    ...(grace === null ? {} : { graceSeconds: grace }),
  };
}

function answerOf(answer: Answer): NamespaceAnswer {
  if ('reason' in answer) return failedAnswer(answer);
  return answer.object === null
    ? { kind: 'done' }
    : { kind: 'namespace', namespace: answer.object };
}

function failedAnswer({ reason, message }: Failure): NamespaceAnswer {
  switch (reason) {
    case 'NotFound':
    case 'Conflict':
    case 'MethodNotAllowed':
      return { kind: 'failed', reason, message };
    default:
      return { kind: 'failed', reason: 'Other', message };
  }
}
