import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import {
  type ApiObject,
  type Change,
  keyOf,
  kindOf,
  splitKey,
  type UserRequest,
} from '../../model/index.ts';
import type { ServedCluster } from '../../serve/cluster/cluster.ts';

import { PATIENCE } from '../clock.ts';
import { CLAIM, CONTAINERS, JOB, WORKLOAD } from './server.ts';

/** Sends what users of the model send, over HTTP. */
export interface ProgramClient {
  /** A request of this user. False: it is none that a client sends. */
  perform(user: string, request: UserRequest): Promise<boolean>;
}

type Method = 'POST' | 'GET' | 'PUT' | 'PATCH' | 'DELETE';

export function programClient(app: FastifyInstance, cluster: ServedCluster): ProgramClient {
  /** By user: the resourceVersion that it has read last. */
  const versions = new Map<string, string>();

  const send = (method: Method, url: string, payload?: object, type = 'application/json') =>
    app.inject({
      method,
      url,
      ...(payload === undefined
        ? {}
        : { payload: JSON.stringify(payload), headers: { 'content-type': type } }),
    });

  const update = async (
    user: string,
    { key, change, put, resourceVersion }: Extract<UserRequest, { do: 'update' }>,
  ): Promise<void> => {
    const path = pathOf(cluster, key);
    const { metadata, ...rest } = (await send('GET', path)).json();
    if (metadata?.name === undefined) {
      await send('PATCH', path, {}, 'application/merge-patch+json');
      return;
    }
    const demanded = resourceVersion ? { resourceVersion: versions.get(user) } : {};
    const changed = { ...metadataAfter(metadata, change), ...demanded };
    if (put) await send('PUT', path, { ...rest, metadata: { ...metadata, ...changed } });
    else await send('PATCH', path, { metadata: changed }, 'application/merge-patch+json');
  };

  const perform = async (user: string, request: UserRequest): Promise<boolean> => {
    switch (request.do) {
      case 'create': {
        const path = pathOf(cluster, keyOf(request.object), false);
        await send('POST', path, bodyOf(cluster, request.object));
        return true;
      }
      case 'read': {
        const { metadata } = (await send('GET', pathOf(cluster, request.key))).json();
        versions.set(user, String(metadata?.resourceVersion));
        return true;
      }
      case 'delete': {
        const { preconditions, ...options } = request.options;
        const demands = {
          ...(preconditions?.uid === undefined ? {} : { uid: preconditions.uid }),
          ...(preconditions?.resourceVersion === undefined
            ? {}
            : { resourceVersion: versions.get(user) }),
        };
        const asked = Object.keys(demands).length === 0 ? {} : { preconditions: demands };
        await send('DELETE', pathOf(cluster, request.key), { ...options, ...asked });
        return true;
      }
      case 'update':
        await update(user, request);
        return true;
      default:
        return false;
    }
  };
  return { perform };
}

export async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited in vain');
    await pause(2);
  }
}

function pathOf(cluster: ServedCluster, key: string, withName = true): string {
  const [, namespace, name] = splitKey(key);
  const kind = cluster.setup.kinds[kindOf(key)]!;
  const [version = ''] = kind.apiVersions;
  const root = version.includes('/') ? '/apis' : '/api';
  const place = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${root}/${version}${place}/${kind.resource}${withName ? `/${name}` : ''}`;
}

function bodyOf(cluster: ServedCluster, object: ApiObject): object {
  const { name, namespace, uid, finalizers, ownerReferences, pod, initializers } = object;
  const pending = initializers?.pending.map((each) => ({ name: each }));
  const kind = cluster.setup.kinds[object.kind]!;
  return {
    apiVersion: kind.apiVersions[0],
    kind: kind.kind,
    metadata: {
      name,
      namespace,
      uid,
      finalizers,
      ownerReferences,
      ...(pending === undefined ? {} : { initializers: { pending } }),
    },
    ...(pod === undefined ? SPECS[object.kind] : { spec: podSpec(pod) }),
  };
}

/** What Kubernetes demands of an object of the kind, with which the model does nothing. */
const SPECS: Readonly<Record<string, object>> = {
  'Deployment.apps': { spec: WORKLOAD },
  'ReplicaSet.apps': { spec: WORKLOAD },
  'StatefulSet.apps': { spec: WORKLOAD },
  'DaemonSet.apps': { spec: WORKLOAD },
  'Job.batch': { spec: JOB },
  Service: { spec: { ports: [{ port: 80 }] } },
  PersistentVolumeClaim: { spec: CLAIM },
};

function podSpec(pod: NonNullable<ApiObject['pod']>): object {
  const { scheduled, node = 'node', claims = [], terminationGracePeriodSeconds } = pod;
  return {
    ...(scheduled ? { nodeName: node } : {}),
    terminationGracePeriodSeconds,
    containers: CONTAINERS,
    volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
  };
}

/** The parts of the metadata that a change sets. */
function metadataAfter(
  metadata: {
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly { readonly uid: string }[];
  },
  change: Change,
): object {
  const { finalizers = [], ownerReferences = [] } = metadata;
  switch (change.do) {
    case 'removeFinalizer':
      return { finalizers: finalizers.filter((name) => name !== change.finalizer) };
    case 'addFinalizer':
      return { finalizers: [...new Set([...finalizers, change.finalizer])] };
    case 'removeOwners':
      return { ownerReferences: ownerReferences.filter(({ uid }) => !change.uids.includes(uid)) };
    case 'setFinalizers':
      return { finalizers: change.finalizers };
    case 'setOwnerReferences':
      return { ownerReferences: change.ownerReferences };
    case 'setMetadata':
      return change.finalizers === undefined ? {} : { finalizers: change.finalizers };
    case 'touch':
      return { labels: { touched: String(Math.random()) } };
    default:
      throw new Error(`a client does not send the change ${change.do}`);
  }
}
