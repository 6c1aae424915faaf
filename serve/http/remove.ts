import {
  type Call,
  type DeleteCall,
  type ObjectKey,
  objectKey,
  validateDeleteOptions,
} from '../../model/index.ts';
import type { Answered, Asked, Refusal } from '../cluster/asked.ts';
import { type Body, isBody } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import { type AskedDeletion, deleteOptions } from '../requests/delete-options.ts';
import { badRequest, invalidRequest, notServed, ofFailure } from '../requests/status.ts';
import { ask, named, reply, success } from './ask.ts';
import { type ApiRequest, type Reply, resourceOf, type Served } from './context.ts';

/** DELETE of one object. Throws `StatusError`. */
export async function remove(served: Served, request: ApiRequest): Promise<Reply> {
  const { route } = request;
  const resource = resourceOf(served, route);
  if (route.subresource !== '') throw notServed();
  const key = objectKey(resource.kind.name, route.namespace, route.name);
  const asked = deleteOptions(optionsIn(request.body), request.query);
  const uid = served.cluster.get(key)?.object.uid;
  const answered = await askDeletion(served, request, resource, asked);
  const { code, body } = reply(served, answered, resource, route.apiVersion, key);
  const isGone = 'answer' in answered && 'deleted' in answered.answer && answered.answer.deleted;
  return isGone ? { code, body: deletedStatus(resource, route.name, uid ?? '') } : { code, body };
}

/** Sends the DELETE of the object that the path names. */
export function askDeletion(
  served: Served,
  request: ApiRequest,
  { kind }: Resource,
  { options, resourceVersion }: AskedDeletion,
): Promise<Answered | Refusal> {
  const { route, userAgent } = request;
  const key = objectKey(kind.name, route.namespace, route.name);
  const call: DeleteCall = {
    verb: 'delete',
    client: served.cluster.nextClient(userAgent),
    key,
    options,
    apiVersion: route.apiVersion,
    at: 'get',
  };
  const asked: Asked = {
    verb: 'delete',
    call,
    ...(resourceVersion === null ? {} : { readAt: { key, revision: resourceVersion } }),
  };
  return ask(served, request, asked);
}

/** DELETE of a collection. Throws `StatusError`. */
export async function removeCollection(
  served: Served,
  request: ApiRequest,
  names: readonly ObjectKey[] | null,
): Promise<Reply> {
  const { route } = request;
  const resource = resourceOf(served, route);
  const { options } = deleteOptions(optionsIn(request.body), request.query);
  if (names !== null) return removeEach(served, request, resource, names);
  const call: Call = {
    verb: 'deleteCollection',
    client: served.cluster.nextClient(request.userAgent),
    kind: resource.kind.name,
    namespace: route.namespace,
    options,
    apiVersion: route.apiVersion,
    at: 'list',
    remaining: [],
    current: null,
    listed: 0,
  };
  const answered = await ask(served, request, { verb: 'delete', call });
  return collectionReply(served, answered, resource);
}

/** With a selector the list has fewer objects, and each DELETE is one of its own. */
async function removeEach(
  served: Served,
  request: ApiRequest,
  resource: Resource,
  keys: readonly ObjectKey[],
): Promise<Reply> {
  const { options } = deleteOptions(optionsIn(request.body), request.query);
  const faults = validateDeleteOptions(options);
  if (faults.length > 0) throw invalidRequest(faults.join(', '));
  for (const key of keys) {
    const call: DeleteCall = {
      verb: 'delete',
      client: served.cluster.nextClient(request.userAgent),
      key,
      options,
      apiVersion: request.route.apiVersion,
      at: 'get',
    };
    const answered = await ask(served, request, { verb: 'delete', call });
    const failed = 'answer' in answered && 'reason' in answered.answer ? answered.answer : null;
    if (failed !== null && failed.code !== 404) return collectionReply(served, answered, resource);
  }
  return { code: 200, body: success({ kind: resource.kind.resource }) };
}

function collectionReply(served: Served, answered: Answered | Refusal, resource: Resource): Reply {
  if ('refusal' in answered) throw answered.refusal;
  const { answer } = answered;
  if ('reason' in answer) throw ofFailure(answer, resource, null, named(served));
  return { code: 200, body: success({ kind: resource.kind.resource }) };
}

function optionsIn(body: unknown): Body | null {
  if (body === undefined || body === null) return null;
  if (!isBody(body)) throw badRequest('the body of a DELETE must be DeleteOptions');
  return Object.keys(body).length === 0 ? null : body;
}

function deletedStatus({ kind }: Resource, name: string, uid: string): Body {
  const [version = ''] = kind.apiVersions;
  const group = version.includes('/') ? version.slice(0, version.indexOf('/')) : '';
  return success({ name, ...(group === '' ? {} : { group }), kind: kind.resource, uid });
}
