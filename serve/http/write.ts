import { type Call, equalJson, keyOf, objectKey } from '../../model/index.ts';
import type { Asked } from '../cluster/asked.ts';
import { type Body, bodyIn, isBody, metadataOf, textIn } from '../cluster/body.ts';
import { definitionStatus } from '../cluster/definitions.ts';
import type { Resource } from '../cluster/resources.ts';
import type { Stored } from '../cluster/stored-objects.ts';
import { timeText } from '../cluster/views.ts';
import { type Entry, entriesIn } from '../fields/entries.ts';
import { afterUpdate } from '../fields/ownership.ts';
import {
  allOf,
  entriesFor,
  managerName,
  typedOf,
  updater,
  withEntries,
} from '../fields/tracking.ts';
import { type Changed, changeTo, type Subresource } from '../requests/changes.ts';
import { withDefaults } from '../requests/defaults.ts';
import { isDryRun } from '../requests/delete-options.ts';
import { withGenerated, withGeneratedBefore } from '../requests/generated.ts';
import { checkFields, checkName, checkNamespace, checkTexts } from '../requests/metadata.ts';
import { keptOf, modelObject } from '../requests/objects.ts';
import { PATCH_TYPES, type PatchType, patched } from '../requests/patches.ts';
import { scaledTo, scaleOf } from '../requests/scale.ts';
import {
  badRequest,
  invalidRequest,
  notFoundOf,
  notServed,
  StatusError,
  unsupportedType,
} from '../requests/status.ts';
import { admitted, demandValid, schemaIn } from '../schemas/admission.ts';
import { demandDefinition, withoutEffect } from '../schemas/definition.ts';
import { demandComplete } from '../schemas/required.ts';
import { ask, reply } from './ask.ts';
import { type ApiRequest, type Reply, resourceOf, type Served, withType } from './context.ts';
import { ratchets } from './version.ts';

/** POST of an object. Throws `StatusError`. */
export async function create(served: Served, request: ApiRequest): Promise<Reply> {
  const resource = resourceOf(served, request.route);
  const given = objectIn(request.body, resource, request.route.apiVersion);
  const { namespace } = placeOf(resource, request, given);
  const metadata = metadataOf(given);
  const prefix = textIn(metadata, 'generateName');
  const name = textIn(metadata, 'name') || (prefix === '' ? '' : `${prefix}${served.newSuffix()}`);
  const named = { ...given, metadata: { ...metadata, name, namespace } };
  const { apiVersion } = request.route;
  return createNamed(served, request, resource, named, (object) => {
    const typed = typedOf(resource, schemaIn(resource, apiVersion), '');
    const manager = updater(managerName(request.query, request.userAgent), apiVersion);
    return [allOf(typed, object, { ...manager, time: timeText(served.cluster.clock()) })];
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

/**
 * Creates an object whose name is known.
 *
 * @param entriesOf who owns the fields of the object.
 */
export async function createNamed(
  served: Served,
  request: ApiRequest,
  resource: Resource,
  given: Body,
  entriesOf: (object: Body) => readonly Entry[],
): Promise<Reply> {
  const { route, query, userAgent } = request;
  const { apiVersion } = route;
  checkFields(given, query);
  checkTexts(resource, apiVersion, given);
  checkName(resource, apiVersion, given);
  checkNew(given, query);
  const { body: formed, warnings } = admitted(resource, apiVersion, given, query, null);
  const written = initialBody(served, resource, apiVersion, formed);
  demandValid(resource, apiVersion, written, null);
  // The objects of a run have no specs.
  const isRun = served.schedule.progress !== undefined;
  if (!isRun) demandComplete(resource, apiVersion, written, null);
  const whole = withDefaults(resource, written);
  const uid = served.newUid(resource.kind.name, given);
  const others = () => served.cluster.viewsOf(resource.kind.name);
  const made = isRun ? whole : withGenerated(resource, apiVersion, whole, { uid, others });
  const body = keptOf(withEntries(made, entriesOf(whole)));
  const identified = { ...keptOf(written), metadata: { ...metadataOf(given), uid } };
  const object = modelObject(resource, apiVersion, identified, uid);
  const call: Call = {
    verb: 'create',
    client: served.cluster.nextClient(userAgent),
    object,
    ...(isDryRun(query.getAll('dryRun')) ? { dryRun: true } : {}),
  };
  const answered = await ask(served, request, { verb: 'create', call, body });
  const answer = reply(served, answered, resource, apiVersion, keyOf(object));
  return {
    ...answer,
    ...(call.dryRun === true ? { body: withoutVersion(answer.body) } : {}),
    warnings: [...warnings, ...withoutEffect(resource, given)],
  };
}

/** What was not stored has no version. */
function withoutVersion(body: Body): Body {
  const { resourceVersion: _, ...metadata } = metadataOf(body);
  return { ...body, metadata };
}

/** A new object has no status, but a definition is served at once. Throws `StatusError`. */
function initialBody(
  { cluster }: Served,
  resource: Resource,
  apiVersion: string,
  given: Body,
): Body {
  const { status: _, ...rest } = given;
  if (resource.kind.storage !== 'customResourceDefinition') return resource.status ? rest : given;
  demandDefinition(resource, apiVersion, given, true);
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
  if (!isBody(request.body)) throw badRequest('the body of a PUT must be an object');
  const next =
    subresource === 'scale' ? request.body : objectIn(request.body, resource, route.apiVersion);
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

interface UpdateOptions {
  readonly put: boolean;
  /** The uid that the object must have. Null: any. */
  readonly uid: string | null;
  /** Whether `change` says who owns the fields afterwards. */
  readonly applies?: boolean;
}

/** @param change makes the object that the request wants from the one that is stored. */
export async function update(
  served: Served,
  request: ApiRequest,
  subresource: Subresource,
  change: (stored: Stored) => Body,
  { put, uid, applies = false }: UpdateOptions,
): Promise<Reply> {
  const { cluster } = served;
  const { route, query, userAgent } = request;
  const { apiVersion } = route;
  const resource = resourceOf(served, route);
  const key = objectKey(resource.kind.name, route.namespace, route.name);
  let warnings: readonly string[] = [];
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
        const formed = admitted(resource, apiVersion, change(stored), query, stored.view);
        const next = withGeneratedBefore(resource, formed.body, stored.view, () =>
          cluster.viewsOf(resource.kind.name),
        );
        warnings = [...formed.warnings, ...withoutEffect(resource, next)];
        demandDefinition(resource, apiVersion, next, false);
        const changed = tracked(
          served,
          request,
          stored,
          next,
          changeTo(resource, apiVersion, stored, ownedAsIn(stored, next), subresource),
          applies,
        );
        const written = { ...changed.body, metadata: metadataOf(next) };
        demandValid(resource, apiVersion, written, ratchets(served.protocol) ? stored.view : null);
        if (subresource === '') demandComplete(resource, apiVersion, written, stored.view);
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
        // Thrown here, it would end what takes the steps of the model.
        return { refusal: error };
      }
    },
  };
  const answered = await ask(served, request, asked);
  if (subresource === 'scale' && !('refusal' in answered) && answered.view !== null) {
    const stored = cluster.get(key);
    if (stored !== null) return { code: 200, body: scaleOf(resource, stored) };
  }
  return { ...reply(served, answered, resource, apiVersion, key), warnings };
}

/** The object without what it says of the owners of fields, which is no change by itself. */
function ownedAsIn({ view }: Stored, next: Body): Body {
  const { managedFields: _, ...metadata } = metadataOf(next);
  const { managedFields } = view.metadata;
  return {
    ...next,
    metadata: managedFields === undefined ? metadata : { ...metadata, managedFields },
  };
}

/** The change with the owners of the fields afterwards. */
function tracked(
  served: Served,
  { route, query, userAgent }: ApiRequest,
  stored: Stored,
  next: Body,
  changed: Changed,
  applies: boolean,
): Changed {
  const { change, body } = changed;
  if (change.do !== 'setMetadata') return changed;
  const { apiVersion, subresource } = route;
  const resource = resourceOf(served, route);
  const before = entriesFor(stored.view, subresource === '' ? next : {});
  const { finalizers, ownerReferences } = change;
  const after = { ...body, metadata: { ...metadataOf(body), finalizers, ownerReferences } };
  const time = timeText(served.cluster.clock());
  const entries = applies
    ? entriesIn(metadataOf(next).managedFields)
    : before.length === 0
      ? []
      : afterUpdate(
          typedOf(resource, schemaIn(resource, apiVersion), subresource),
          before,
          updater(managerName(query, userAgent), apiVersion, subresource),
          [stored.view, after],
          time,
        );
  const whole = withEntries(body, entries);
  const [is, was] = [whole, stored.view].map((view) => ownersIn(view, change.other === 'same'));
  const isSame = equalJson(is, was);
  if (isSame) return changed;
  return {
    change: { ...change, other: change.other === 'same' ? 'data' : change.other },
    body: whole,
  };
}

/**
 * @param isTimeless without the times: of a request that changes nothing else, they are no change
 * (`IgnoreManagedFieldsTimestampsTransformer`).
 */
function ownersIn(view: Body, isTimeless: boolean): unknown {
  const { managedFields } = metadataOf(view);
  if (!isTimeless || !Array.isArray(managedFields)) return managedFields ?? null;
  return managedFields.map((entry) => JSON.stringify({ ...entry, time: null })).sort();
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
  if (isRight) return body.metadata === undefined ? body : { ...body, metadata: texts(body) };
  throw badRequest(
    `the API version in the data (${given.apiVersion}, Kind=${given.kind}) does not match the expected one (${apiVersion}, Kind=${kind.kind})`,
  );
}

/** The metadata, with an empty text where YAML has nothing after the key of a label, as Go reads it. */
function texts(body: Body): Body {
  const metadata = metadataOf(body);
  const filled = ['labels', 'annotations'].flatMap((field) => {
    const given = metadata[field];
    if (!isBody(given) || !Object.values(given).includes(null)) return [];
    const pairs = Object.entries(given).map(([key, value]) => [key, value ?? ''] as const);
    return [[field, Object.fromEntries(pairs)] as const];
  });
  return filled.length === 0 ? metadata : { ...metadata, ...Object.fromEntries(filled) };
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
