import { applyChange } from '../../model/apiserver/changes.ts';
import { modelApiServer } from '../../model/apiserver/port.ts';
import type { CollectorRequest } from '../../model/collector/requests.ts';
import type { Call, Change, UpdateCall } from '../../model/state/calls.ts';
import type { ClusterDraft } from '../../model/state/cluster.ts';
import type { ApiObject, ObjectKey } from '../../model/state/objects.ts';
import type { World } from '../../model/state/world.ts';
import { type Deed, HOLD } from './simulated-setups.ts';

/** Requests of simulated runs: on the wire, and at the model's API server. */

/** A request as it is sent. */
export interface SentRequest {
  readonly actor: string;
  readonly verb: 'create' | 'patch' | 'delete' | 'get';
  readonly key: ObjectKey;
  readonly body: unknown;
  /** Null for a GET. */
  readonly call: Call | null;
  /** The resourceVersion that it demands. */
  readonly demands: string | null;
}

export interface SimulatedAnswer {
  readonly code: number;
  readonly object: ApiObject | null;
  readonly version: string | null;
  readonly message: string;
}

/** A request at the API server. */
export interface Handling {
  readonly call: Call | null;
  readonly demands: string | null;
  /** The answer, if it is decided although the object is not removed yet. */
  readonly decided: { readonly object: ApiObject; readonly version: string | null } | null;
  readonly answer: SimulatedAnswer | null;
}

const WITNESS = 'the next revision';

/** One step of a request: its next state, and whether it wrote. */
export function stepHandling(
  cluster: ClusterDraft,
  world: World,
  request: SentRequest,
  handling: Handling,
  version: string | null,
  nextVersion: string,
): { readonly next: Handling; readonly wrote: boolean } {
  const { key } = request;
  const { call } = handling;
  if (call === null) {
    const found = modelApiServer.get(cluster, world, key);
    const object = found.code === 200 ? found.object : null;
    const message = object === null ? 'not found' : '';
    const answer = { code: found.code, object, version, message };
    return { next: { ...handling, answer }, wrote: false };
  }
  const before = cluster.store[key] as ApiObject | undefined;
  cluster.unchangedSince = { [WITNESS]: key };
  if (handling.demands !== null && handling.demands === version) {
    cluster.unchangedSince[call.client] = key;
  }
  const plainBefore = before === undefined ? undefined : structuredClone(plain(before));
  const progress = modelApiServer.advance(cluster, world, call);
  const wrote = cluster.unchangedSince[WITNESS] === undefined;
  const follows = cluster.unchangedSince[call.client] === key;
  cluster.unchangedSince = {};
  const now = wrote && cluster.store[key] !== undefined ? nextVersion : version;
  if (!progress.done) {
    const { call: next } = progress;
    const decided =
      call.verb === 'update' && next.verb === 'update' && plainBefore !== undefined
        ? { object: applyChange(plainBefore, call.change), version: now }
        : null;
    const demands = follows && handling.demands !== null ? now : handling.demands;
    return { next: { call: next, demands, decided, answer: null }, wrote };
  }
  const { answer } = progress;
  if ('reason' in answer) {
    const { code, message } = answer;
    return {
      next: { ...handling, answer: { code, object: null, version: null, message } },
      wrote,
    };
  }
  const shown = handling.decided ?? { object: answer.object, version: now };
  const gone = call.verb === 'delete' && answer.deleted;
  return {
    next: {
      ...handling,
      answer: {
        code: answer.code,
        object: gone ? null : shown.object,
        version: gone ? null : shown.version,
        message: '',
      },
    },
    wrote,
  };
}

function plain(object: ApiObject): ApiObject {
  return JSON.parse(JSON.stringify(object)) as ApiObject;
}

/** The request that the collector's worker sends. */
export function wireOf(
  request: CollectorRequest,
  call: Call | null,
  lastRead: string | null,
): SentRequest {
  const { key } = request;
  const sent = { actor: 'gc', key, body: undefined, call, demands: null };
  switch (request.verb) {
    case 'get':
      return { ...sent, verb: 'get', call: null };
    case 'delete':
      return {
        ...sent,
        verb: 'delete',
        body: {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          ...(request.uidPrecondition === null
            ? {}
            : { preconditions: { uid: request.uidPrecondition } }),
          ...(request.propagationPolicy === null
            ? {}
            : { propagationPolicy: request.propagationPolicy }),
        },
      };
    case 'patch': {
      const { patch } = request;
      if (patch.do === 'setFinalizers') {
        const finalizers = patch.finalizers.length === 0 ? null : patch.finalizers;
        const metadata = { resourceVersion: lastRead, finalizers };
        return { ...sent, verb: 'patch', body: { metadata }, demands: lastRead };
      }
      if (patch.do === 'setOwners') throw new Error('no kind here refuses strategic merge patches');
      const uid = patch.uidPrecondition === null ? {} : { uid: patch.uidPrecondition };
      if (patch.do === 'removeOwners') {
        const ownerReferences = patch.uids.map((owner) => ({ $patch: 'delete', uid: owner }));
        return { ...sent, verb: 'patch', body: { metadata: { ...uid, ownerReferences } } };
      }
      const { ownerReferences } = patch;
      const list = ownerReferences.length === 0 ? {} : { ownerReferences };
      return {
        ...sent,
        verb: 'patch',
        body: { metadata: { ...uid, creationTimestamp: null, ...list } },
      };
    }
    case 'update':
      throw new Error('v1.20 has no PUT of the collector');
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

type Request = Exclude<Deed, { do: 'settle' } | { do: 'awaitObjects' }>;

/** The request of a user who knows the object at this version. */
export function wireOfDeed(actor: string, deed: Request, version: string | null): SentRequest {
  const patch = (key: ObjectKey, metadata: object, demands: string | null) => ({
    actor,
    verb: 'patch' as const,
    key,
    body: { metadata: { ...metadata, ...(demands === null ? {} : { resourceVersion: demands }) } },
    demands,
  });
  const update = (key: ObjectKey, change: Change, demands: string | null): UpdateCall => ({
    verb: 'update',
    client: actor,
    key,
    change,
    uid: null,
    put: false,
    resourceVersion: demands !== null,
    at: 'update',
  });
  switch (deed.do) {
    case 'create': {
      const { kind, namespace, name, finalizers, ownerReferences } = deed.object;
      const metadata = { name, finalizers, ownerReferences };
      const call: Call = { verb: 'create', client: actor, object: deed.object };
      const key = `${kind}/${namespace}/${name}`;
      return { actor, verb: 'create', key, body: { metadata }, call, demands: null };
    }
    case 'delete': {
      const { key, policy, uid } = deed;
      const demands = deed.unchanged ? version : null;
      const policyOption = policy === null ? {} : { propagationPolicy: policy };
      const conditions = uid === null ? {} : { uid };
      const demanded = demands === null ? {} : { resourceVersion: demands };
      const preconditions = { ...conditions, ...demanded };
      const asked = Object.keys(preconditions).length > 0;
      const marked = demands === null ? {} : { resourceVersion: true as const };
      return {
        actor,
        verb: 'delete',
        key,
        body: { kind: 'DeleteOptions', ...policyOption, ...(asked ? { preconditions } : {}) },
        call: {
          verb: 'delete',
          client: actor,
          key,
          options: {
            ...policyOption,
            ...(asked ? { preconditions: { ...conditions, ...marked } } : {}),
          },
          at: 'get',
        },
        demands,
      };
    }
    case 'setFinalizers': {
      const { key, finalizers } = deed;
      const demands = deed.unchanged ? version : null;
      const call = update(key, { do: 'setFinalizers', finalizers }, demands);
      return { ...patch(key, { finalizers }, demands), call };
    }
    case 'setOwners': {
      const { key, ownerReferences } = deed;
      const call = update(key, { do: 'setOwnerReferences', ownerReferences }, null);
      return { ...patch(key, { ownerReferences }, null), call };
    }
    case 'label': {
      const call = update(deed.key, { do: 'touch' }, null);
      return { ...patch(deed.key, { labels: { seen: 'yes' } }, null), call };
    }
    case 'release': {
      const call = update(deed.key, { do: 'removeFinalizer', finalizer: HOLD }, null);
      const metadata = { '$deleteFromPrimitiveList/finalizers': [HOLD] };
      return { ...patch(deed.key, metadata, null), call };
    }
    default:
      throw new Error(`unknown request ${JSON.stringify(deed satisfies never)}`);
  }
}
