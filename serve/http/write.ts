import { type Call, type DeleteCall, keyOf, type ObjectKey, objectKey } from '../../model/index.ts';
import type { Answered, Asked, Refusal } from '../cluster/asked.ts';
import { type Body, bodyIn, isBody, metadataOf, textIn } from '../cluster/body.ts';
import { definitionFaults, definitionStatus } from '../cluster/definitions.ts';
import type { Resource } from '../cluster/resources.ts';
import type { Stored } from '../cluster/stored-objects.ts';
import { timeText } from '../cluster/views.ts';
import { changeTo, type Subresource } from '../requests/changes.ts';
import { deleteOptions, isDryRun } from '../requests/delete-options.ts';
import {
  checkFields,
  checkName,
  checkNamespace,
  checkTexts,
  keptOf,
  modelObject,
} from '../requests/objects.ts';
import { PATCH_TYPES, type PatchType, patched } from '../requests/patches.ts';
import { scaledTo, scaleOf } from '../requests/scale.ts';
import {
  badRequest,
  invalidRequest,
  notFoundOf,
  notServed,
  ofFailure,
  StatusError,
  unsupportedType,
} from '../requests/status.ts';
import { type ApiRequest, type Reply, resourceOf, type Served, withType } from './context.ts';

/** POST of an object. Throws `StatusError`. */
export async function create(served: Served, request: ApiRequest): Promise<Reply> {
  const resource = resourceOf(served, request.route);
  const given = objectIn(request.body, resource, request.route.apiVersion);
  const { namespace } = placeOf(resource, request, given);
  const metadata = metadataOf(given);
  const prefix = textIn(metadata, 'generateName');
  const name = textIn(metadata, 'name') || (prefix === '' ? '' : `${prefix}${served.newSuffix()}`);
  return createNamed(served, request, resource, {
    ...given,
    metadata: { ...metadata, name, namespace },
  });
}

/** A version belongs to what is stored. A dry run stores nothing. Throws `StatusError`. */
function checkNew(given: Body, query: URLSearchParams): void {
  const { resourceVersion = '' } = metadataOf(given);
  if (['', '0', null].includes(resourceVersion as string | null)) return;
  if (isDryRun(query.getAll('dryRun'))) return;
  const message = 'resourceVersion should not be set on objects to be created';
  throw new StatusError(500, 'InternalError', message);
}

/** Creates an object whose name is known. */
export async function createNamed(
  served: Served,
  { route, query, userAgent }: ApiRequest,
  resource: Resource,
  given: Body,
): Promise<Reply> {
  const { apiVersion } = route;
  checkTexts(given);
  checkFields(given, query);
  checkName(resource, apiVersion, textIn(metadataOf(given), 'name'));
  checkNew(given, query);
  const body = keptOf(initialBody(served, resource, given));
  const made = {
    ...body,
    metadata: { ...metadataOf(given), uid: served.newUid(resource.kind.name, given) },
  };
  const object = modelObject(resource, apiVersion, made, textIn(made.metadata, 'uid'));
  const call: Call = {
    verb: 'create',
    client: served.cluster.nextClient(userAgent),
    object,
    ...(isDryRun(query.getAll('dryRun')) ? { dryRun: true } : {}),
  };
  const answered = await ask(served, { verb: 'create', call, body });
  return reply(served, answered, resource, apiVersion, keyOf(object));
}

/** A new object has no status, but a definition is served at once. Throws `StatusError`. */
function initialBody({ cluster }: Served, resource: Resource, given: Body): Body {
  const { status: _, ...rest } = given;
  if (resource.kind.storage !== 'customResourceDefinition') return resource.status ? rest : given;
  const faults = definitionFaults(given);
  if (faults.length > 0) {
    throw invalidRequest(`CustomResourceDefinition is invalid: ${faults.join('; ')}`);
  }
  const names = bodyIn(bodyIn(given, 'spec'), 'names');
  const group = textIn(bodyIn(given, 'spec'), 'group');
  const other = cluster.resources.ofKind(`${textIn(names, 'kind')}.${group}`);
  if (other !== null && other.kind.resource !== textIn(names, 'plural')) {
    throw invalidRequest(
      `CustomResourceDefinition is invalid: spec.names.kind: reapcheck serves the kind ${other.kind.kind} of ${group} as ${other.kind.resource} already`,
    );
  }
  return { ...rest, status: definitionStatus(given, timeText(cluster.clock())) };
}

/** PUT. Throws `StatusError`. */
export async function replace(served: Served, request: ApiRequest): Promise<Reply> {
  const { route } = request;
  const resource = resourceOf(served, route);
  const subresource = subresourceOf(resource, route.subresource);
  const next = isBody(request.body) ? request.body : null;
  if (next === null) throw badRequest('the body of a PUT must be an object');
  if (subresource !== 'scale') objectIn(next, resource, route.apiVersion);
  checkFields(next, request.query);
  const { uid } = metadataOf(next);
  if (
    isCustom(resource) &&
    subresource === '' &&
    textIn(metadataOf(next), 'resourceVersion') === ''
  ) {
    throw invalidRequest(
      'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    );
  }
  const change = (stored: Stored): Body =>
    subresource === 'scale' ? scaledTo(resource, stored, next) : next;
  return update(served, request, subresource, change, {
    put: true,
    uid: typeof uid === 'string' && uid !== '' ? uid : null,
  });
}

/** PATCH of any type but apply. Throws `StatusError`. */
export async function patch(served: Served, request: ApiRequest): Promise<Reply> {
  const { route, body } = request;
  const resource = resourceOf(served, route);
  const subresource = subresourceOf(resource, route.subresource);
  const type = patchType(request, resource);
  if (isBody(body)) checkFields(body, request.query);
  if (type === 'apply') throw new Error('an apply patch is handled by itself');
  const change = (stored: Stored): Body => {
    if (subresource === 'scale') {
      const scale = patched(scaleOf(resource, stored), type, body);
      return scaledTo(resource, stored, scale);
    }
    return patched(withType(route.apiVersion, resource.kind.kind, stored.view), type, body);
  };
  return update(served, request, subresource, change, { put: false, uid: null });
}

/** Throws `StatusError` for a type that nothing supports, or not this kind. */
export function patchType({ contentType }: ApiRequest, { kind }: Resource): PatchType {
  const known = Object.keys(PATCH_TYPES).join(', ');
  if (!Object.hasOwn(PATCH_TYPES, contentType)) throw unsupportedType(contentType, known);
  const type = PATCH_TYPES[contentType as keyof typeof PATCH_TYPES];
  if (type === 'strategic' && kind.patchTypes === 'mergeOnly') {
    throw unsupportedType(contentType, 'JSON, merge and apply patches of custom resources');
  }
  return type;
}

/** @param change makes the object that the request wants from the one that is stored. */
export async function update(
  served: Served,
  { route, query, userAgent }: ApiRequest,
  subresource: Subresource,
  change: (stored: Stored) => Body,
  { put, uid }: { readonly put: boolean; readonly uid: string | null },
): Promise<Reply> {
  const { cluster } = served;
  const resource = resourceOf(served, route);
  const key = objectKey(resource.kind.name, route.namespace, route.name);
  const plain = {
    verb: 'update',
    client: cluster.nextClient(userAgent),
    key,
    change: { do: 'nothing' },
    uid,
    put,
    resourceVersion: false,
    ...(isDryRun(query.getAll('dryRun')) ? { dryRun: true as const } : {}),
    at: 'update',
  } as const;
  const asked: Asked = {
    verb: 'update',
    call: plain,
    update: (stored) => {
      if (stored === null) return { call: plain, body: {}, asRead: false, version: '' };
      try {
        const next = change(stored);
        checkDefinition(resource, next);
        const changed = changeTo(resource, route.apiVersion, stored, next, subresource);
        const version = textIn(metadataOf(next), 'resourceVersion');
        const wanted = textIn(metadataOf(next), 'uid');
        return {
          call: {
            ...plain,
            change: changed.change,
            uid: uid ?? (wanted === '' || wanted === stored.object.uid ? null : wanted),
            resourceVersion: version !== '',
          },
          body: changed.body,
          asRead: version === String(stored.kept.revision),
          version,
        };
      } catch (error) {
        if (error instanceof StatusError) return { refusal: error };
        throw error;
      }
    },
  };
  const answered = await ask(served, asked);
  if (subresource === 'scale' && !('refusal' in answered) && answered.view !== null) {
    const stored = cluster.get(key);
    if (stored !== null) return { code: 200, body: scaleOf(resource, stored) };
  }
  return reply(served, answered, resource, route.apiVersion, key);
}

function checkDefinition({ kind }: Resource, next: Body): void {
  if (kind.storage !== 'customResourceDefinition') return;
  const faults = definitionFaults(next);
  if (faults.length > 0) {
    throw invalidRequest(`CustomResourceDefinition is invalid: ${faults.join('; ')}`);
  }
}

/** DELETE of one object. Throws `StatusError`. */
export async function remove(served: Served, request: ApiRequest): Promise<Reply> {
  const { route } = request;
  const resource = resourceOf(served, route);
  if (route.subresource !== '') throw notServed();
  const key = objectKey(resource.kind.name, route.namespace, route.name);
  const { options, resourceVersion } = deleteOptions(optionsIn(request.body), request.query);
  const uid = served.cluster.get(key)?.object.uid;
  const call: DeleteCall = {
    verb: 'delete',
    client: served.cluster.nextClient(request.userAgent),
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
  const answered = await ask(served, asked);
  const { code, body } = reply(served, answered, resource, route.apiVersion, key);
  const isGone = 'answer' in answered && 'deleted' in answered.answer && answered.answer.deleted;
  return isGone ? { code, body: deletedStatus(resource, route.name, uid ?? '') } : { code, body };
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
  const answered = await ask(served, { verb: 'delete', call });
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
  for (const key of keys) {
    const call: DeleteCall = {
      verb: 'delete',
      client: served.cluster.nextClient(request.userAgent),
      key,
      options,
      apiVersion: request.route.apiVersion,
      at: 'get',
    };
    const answered = await ask(served, { verb: 'delete', call });
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

function success(details: Body): Body {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

async function ask({ cluster, schedule }: Served, asked: Asked): Promise<Answered | Refusal> {
  const answered = cluster.send(asked);
  schedule.wake();
  const given = await answered;
  schedule.wake();
  return given;
}

/** The answer of the model as a reply. Throws the `StatusError` of a failure. */
function reply(
  served: Served,
  answered: Answered | Refusal,
  resource: Resource,
  apiVersion: string,
  key: ObjectKey,
): Reply {
  if ('refusal' in answered) throw answered.refusal;
  const { answer, view } = answered;
  if ('reason' in answer) throw ofFailure(answer, resource, key, named(served));
  if (view === null) return { code: answer.code, body: success({ kind: resource.kind.resource }) };
  return { code: answer.code, body: withType(apiVersion, resource.kind.kind, view) };
}

function named({ cluster }: Served) {
  return (key: ObjectKey): Resource | null => cluster.resources.ofKey(key);
}

/** The object in a body: of the type that the path names. Throws `StatusError`. */
export function objectIn(body: unknown, { kind }: Resource, apiVersion: string): Body {
  if (!isBody(body)) throw badRequest('the body of the request must be an object');
  if (body.metadata !== undefined && !isBody(body.metadata)) {
    throw badRequest('the metadata of an object must be a mapping');
  }
  const given = { apiVersion: textIn(body, 'apiVersion'), kind: textIn(body, 'kind') };
  const isRight =
    (given.kind === '' || given.kind === kind.kind) &&
    (given.apiVersion === '' || given.apiVersion === apiVersion);
  if (isRight) return body;
  throw badRequest(
    `the API version in the data (${given.apiVersion}, Kind=${given.kind}) does not match the expected one (${apiVersion}, Kind=${kind.kind})`,
  );
}

/** The namespace of a new object. Throws `StatusError` if path and body differ. */
function placeOf(resource: Resource, { route }: ApiRequest, body: Body): { namespace: string } {
  if (!resource.kind.namespaced) return { namespace: '' };
  const inBody = textIn(metadataOf(body), 'namespace');
  if (inBody !== '' && route.namespace !== '' && inBody !== route.namespace) {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  const namespace = route.namespace || inBody;
  if (namespace === '') throw badRequest('an empty namespace may not be set during creation');
  checkNamespace(namespace);
  return { namespace };
}

/** Throws `StatusError` if the resource has no such subresource. */
export function subresourceOf(resource: Resource, name: string): Subresource {
  const { kind, status, scale } = resource;
  if (name === '') return name;
  if (name === 'status' && status) return name;
  if (name === 'scale' && scale !== null) return name;
  if (name === 'finalize' && kind.storage === 'namespace') return name;
  throw notServed();
}

function isCustom({ kind }: Resource): boolean {
  return kind.patchTypes === 'mergeOnly' || kind.storage === 'customResourceDefinition';
}

/** What is stored at the place that the path names. Throws `StatusError`. */
export function storedAt(served: Served, { route }: ApiRequest, resource: Resource): Stored {
  const stored = served.cluster.get(objectKey(resource.kind.name, route.namespace, route.name));
  if (stored === null) throw notFoundOf(resource, route.name);
  return stored;
}
