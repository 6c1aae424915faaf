import { objectKey } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import { groupOf } from '../cluster/resources.ts';
import { methodNotAllowed, notImplemented, notServed } from '../requests/status.ts';
import { apply } from './apply.ts';
import { bind } from './bind.ts';
import { type ApiRequest, type Reply, resourceOf, type Served } from './context.ts';
import {
  aggregate,
  aggregateType,
  coreVersions,
  groupList,
  isDeletedSingly,
  oneGroup,
  resourceList,
  wantsAggregate,
} from './discovery.ts';
import { evict } from './evict.ts';
import { OPENAPI_V2, openApi, openApiPaths, openApiV2Bytes } from './openapi.ts';
import { chosenKeys, list, read } from './read.ts';
import { remove, removeCollection } from './remove.ts';
import { answerReview, reviewOf } from './reviews.ts';
import type { ResourceRoute } from './route.ts';
import { possibleSteps, runProgress, setControllers, stateInWords, takeStep } from './steps.ts';
import { versionOf } from './version.ts';
import { type WatchSink, watch } from './watch.ts';
import { create, patch, patchType, replace } from './write.ts';

/** What a request is answered with. */
export type Answer =
  | Reply
  | { readonly text: string }
  | { readonly bytes: Uint8Array; readonly type: string }
  /** The events of a watch follow. */
  | { readonly begin: (sink: WatchSink) => void };

const PARTS_OF_PODS = ['attach', 'ephemeralcontainers', 'exec', 'log'];

/** What Kubernetes serves, and this server does not: version, resource, subresource. */
const NOT_IMPLEMENTED: readonly string[] = [
  ...[...PARTS_OF_PODS, 'portforward', 'proxy', 'resize'].map((part) => `v1 pods ${part}`),
  ...['v1 nodes proxy', 'v1 services proxy', 'v1 serviceaccounts token'],
  'certificates.k8s.io/v1 certificatesigningrequests approval',
  'authentication.k8s.io/v1 tokenreviews ',
];

/** Throws `StatusError` for a path that leads to nothing here. */
export function demandServed(served: Served, route: ResourceRoute): void {
  if (reviewOf(route) !== null) return;
  const { apiVersion, resource, subresource } = route;
  if (!NOT_IMPLEMENTED.includes(`${apiVersion} ${resource} ${subresource}`)) {
    resourceOf(served, route);
    return;
  }
  throw notImplemented(subresource === '' ? resource : `${resource}/${subresource}`);
}

/** A request for a resource. Throws `StatusError`. */
export async function handleResource(served: Served, request: ApiRequest): Promise<Answer> {
  const { method, route, query } = request;
  const review = reviewOf(route);
  if (review !== null) return answerReview(review, request);
  const resource = resourceOf(served, route);
  // Time passes from one request to the next, whatever it asks for.
  served.schedule.wake();
  const isWatch = route.watch || ['true', '1'].includes(query.get('watch') ?? '');
  const isCollection = route.name === '';
  const isAcross = isCollection && resource.kind.namespaced && route.namespace === '';
  if (isPartOfPod(route, 'eviction')) return evict(served, request);
  if (isPartOfPod(route, 'binding')) return bind(served, request);
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (isWatch) return { begin: watch(served, request) };
      if (request.isOfOperator) {
        await served.schedule.operator?.reads({
          kind: resource.kind.name,
          key: isCollection ? null : objectKey(resource.kind.name, route.namespace, route.name),
        });
      }
      return isCollection ? list(served, request) : read(served, request);
    case 'POST':
      if (!isCollection || isAcross) throw methodNotAllowed(method, pathOf(route));
      return create(served, request);
    case 'PUT':
      if (isCollection) throw methodNotAllowed(method, pathOf(route));
      return replace(served, request);
    case 'PATCH':
      if (isCollection) throw methodNotAllowed(method, pathOf(route));
      return patchType(request, resource) === 'apply'
        ? apply(served, request)
        : patch(served, request);
    case 'DELETE': {
      if (!isCollection) return remove(served, request);
      // Kubernetes lists and watches across namespaces, and nothing else; and no namespace goes
      // unnamed.
      if (isAcross || isDeletedSingly(resource, served.cluster.world.rules)) {
        throw methodNotAllowed(method, pathOf(route));
      }
      const isAll = !query.get('labelSelector') && !query.get('fieldSelector');
      if (isAll) return removeCollection(served, request, null);
      return removeCollection(served, request, chosenKeys(served, request, resource));
    }
    default:
      throw methodNotAllowed(method, pathOf(route));
  }
}

function isPartOfPod({ apiVersion, resource, subresource }: ResourceRoute, part: string): boolean {
  return apiVersion === 'v1' && resource === 'pods' && subresource === part;
}

function pathOf({ resource, name }: ResourceRoute): string {
  return name === '' ? resource : `${resource}/${name}`;
}

/** A request for anything else. Throws `StatusError`. */
export function handlePlain(
  served: Served,
  { method, path, accept, body, address }: PlainRequest,
): Answer {
  const { resources, world } = served.cluster;
  if (path === '/reapcheck/steps' && method === 'POST') return takeStep(served, body);
  if (path === '/reapcheck/controllers' && method === 'POST') return setControllers(served, body);
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, path);
  const ok = (found: Body | null): Reply => {
    if (found === null) throw notServed();
    return { code: 200, body: found };
  };
  const version = wantsAggregate(accept);
  switch (path) {
    case '/healthz':
    case '/livez':
    case '/readyz':
      return { text: 'ok' };
    case '/version':
      return ok(versionOf(served.protocol));
    case '/api':
      return version === null
        ? ok(coreVersions(address))
        : { ...ok(aggregate(resources, true, version, world.rules)), type: aggregateType(version) };
    case '/apis':
      return version === null
        ? ok(groupList(resources))
        : {
            ...ok(aggregate(resources, false, version, world.rules)),
            type: aggregateType(version),
          };
    case '/openapi/v2': {
      const wantsBytes = accept.includes('application/com.github.proto-openapi.spec.v2');
      const type = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
      return wantsBytes ? { bytes: openApiV2Bytes(), type } : ok(OPENAPI_V2);
    }
    case '/openapi/v3':
      return ok(openApiPaths(resources));
    case '/reapcheck/steps':
      return possibleSteps(served);
    case '/reapcheck/state':
      return stateInWords(served);
    case '/reapcheck/run':
      return runProgress(served);
    case '/':
      return ok({
        paths: [
          ...['/api', '/apis', '/openapi/v2', '/openapi/v3'],
          ...['/reapcheck/run', '/reapcheck/state', '/reapcheck/steps', '/version'],
        ],
      });
    default:
      return ok(belowRoot(served, path.split('/').slice(1)));
  }
}

export interface PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  readonly body: unknown;
  /** Host and port of this server. */
  readonly address: string;
}

function belowRoot(
  { cluster: { resources, world } }: Served,
  parts: readonly string[],
): Body | null {
  const [root, first = '', second = '', ...rest] = parts;
  if (root === 'api' && parts.length === 2) return resourceList(resources, first, world.rules);
  if (root === 'apis' && parts.length === 2) return oneGroup(resources, first);
  if (root === 'apis' && parts.length === 3) {
    return resourceList(resources, `${first}/${second}`, world.rules);
  }
  if (root !== 'openapi' || first !== 'v3') return null;
  const apiVersion = rest.join('/');
  const isRight = (groupOf(apiVersion) === '') === (second === 'api');
  return isRight ? openApi(resources, apiVersion) : null;
}
