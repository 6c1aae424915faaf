import type { CollectorPatch, CollectorRequest } from '../../model/collector/requests.ts';
import type { Call, Change, UpdateCall } from '../../model/state/calls.ts';
import type { ApiObject, ObjectKey } from '../../model/state/objects.ts';
import type { SentRequest } from './simulated-requests.ts';
import { type Deed, HOLD, KINDS } from './simulated-setups.ts';

/** Requests of simulated runs on the wire. */

/** What a client knows of an object when it sends a request about it. */
export interface Known {
  readonly version: string | null;
  readonly object: ApiObject | null;
}

/**
 * The request that the collector's worker sends.
 *
 * @param read the item as the worker has read it; for a patch after a 415 as the metadata show it.
 */
export function wireOf(request: CollectorRequest, call: Call | null, read: Known): SentRequest {
  const { key } = request;
  const sent = { actor: 'gc', key, body: undefined, call, demands: null };
  switch (request.verb) {
    case 'get':
      return { ...sent, verb: 'get', call: null };
    case 'delete': {
      const { uidPrecondition: uid, propagationPolicy, versionPrecondition } = request;
      const demands = versionPrecondition ? read.version : null;
      const preconditions = {
        ...(uid === null ? {} : { uid }),
        ...(demands === null ? {} : { resourceVersion: demands }),
      };
      return {
        ...sent,
        verb: 'delete',
        body: {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
          ...(propagationPolicy === null ? {} : { propagationPolicy }),
        },
        demands,
      };
    }
    case 'patch':
      return { ...sent, verb: 'patch', ...patchBody(request.patch, read.version) };
    case 'update': {
      const { uid, finalizers } = request;
      const metadata = { ...wholeMetadata(read.object), uid, finalizers };
      const body = { metadata: { ...metadata, resourceVersion: read.version } };
      return { ...sent, verb: 'update', body, demands: read.version };
    }
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

function patchBody(
  patch: CollectorPatch,
  version: string | null,
): Pick<SentRequest, 'body' | 'demands'> {
  switch (patch.do) {
    case 'setFinalizers': {
      const finalizers = patch.finalizers.length === 0 ? null : patch.finalizers;
      return { body: { metadata: { resourceVersion: version, finalizers } }, demands: version };
    }
    case 'setOwners': {
      const { ownerReferences } = patch;
      const list = ownerReferences.length === 0 ? null : ownerReferences;
      const metadata = { resourceVersion: version, ownerReferences: list };
      return { body: { metadata }, demands: version };
    }
    case 'removeOwners': {
      const uid = patch.uidPrecondition === null ? {} : { uid: patch.uidPrecondition };
      const ownerReferences = patch.uids.map((owner) => ({ $patch: 'delete', uid: owner }));
      return { body: { metadata: { ...uid, ownerReferences } }, demands: null };
    }
    case 'unblockOwners': {
      const uid = patch.uidPrecondition === null ? {} : { uid: patch.uidPrecondition };
      const { ownerReferences } = patch;
      const list = ownerReferences.length === 0 ? {} : { ownerReferences };
      return { body: { metadata: { ...uid, creationTimestamp: null, ...list } }, demands: null };
    }
    default:
      throw new Error(`unknown patch ${JSON.stringify(patch satisfies never)}`);
  }
}

/** The metadata that a PUT carries along. */
function wholeMetadata(object: ApiObject | null) {
  if (object === null) return {};
  const { name, namespace, ownerReferences } = object;
  return {
    ...{ name, namespace },
    ...(ownerReferences.length === 0 ? {} : { ownerReferences }),
  };
}

type Request = Exclude<Deed, { do: 'settle' } | { do: 'awaitObjects' }>;

/** The request of a user who knows this of the object. */
export function wireOfDeed(actor: string, deed: Request, known: Known): SentRequest {
  const { version } = known;
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
      const typed = { apiVersion: KINDS[kind]?.apiVersions[0], kind: KINDS[kind]?.kind };
      return { actor, verb: 'create', key, body: { ...typed, metadata }, call, demands: null };
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
    case 'deleteAll': {
      const { kind, policy } = deed;
      const options = policy === null ? {} : { propagationPolicy: policy };
      return {
        actor,
        verb: 'deletecollection',
        key: `${kind}/default/`,
        body: { kind: 'DeleteOptions', ...options },
        call: {
          ...{ verb: 'deleteCollection', client: actor, kind, namespace: 'default', options },
          ...{ at: 'list', remaining: [], current: null, listed: 0 },
        },
        demands: null,
      };
    }
    case 'put': {
      const { key, finalizers } = deed;
      const demands = deed.unchanged ? version : null;
      const { ownerReferences = [], uid = 'uid-of-nothing' } = known.object ?? {};
      const change: Change = { do: 'setMetadata', finalizers, ownerReferences, other: 'same' };
      const named = deed.named ? { uid } : {};
      const demanded = demands === null ? {} : { resourceVersion: demands };
      const metadata = { ...wholeMetadata(known.object), ...named, ...demanded, finalizers };
      const call = { ...update(key, change, demands), put: true, uid: deed.named ? uid : null };
      return { actor, verb: 'update', key, body: { metadata }, call, demands };
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
      const { key } = deed;
      const [kind = ''] = key.split('/');
      if (KINDS[kind]?.patchTypes === 'mergeOnly') {
        // A custom resource takes no strategic merge patch, so its owner sends the whole list.
        const finalizers = (known.object?.finalizers ?? []).filter((name) => name !== HOLD);
        const change = update(key, { do: 'setFinalizers', finalizers }, version);
        return { ...patch(key, { finalizers }, version), call: change };
      }
      const call = update(key, { do: 'removeFinalizer', finalizer: HOLD }, null);
      const metadata = { '$deleteFromPrimitiveList/finalizers': [HOLD] };
      return { ...patch(key, metadata, null), call };
    }
    default:
      throw new Error(`unknown request ${JSON.stringify(deed satisfies never)}`);
  }
}
