import {
  type ApiObject,
  type Call,
  type Change,
  DEFAULT_GRACE_PERIOD,
  type Kind,
  listsWithStatus,
  type ObjectKey,
  type PodGrace,
  type UpdateCall,
} from '../../../model/index.ts';
import type { SeenBody, SeenPod, SeenRequest } from '../logs/observations.ts';
import { seenReferences } from '../logs/seen-object.ts';
import { optionsOf } from './delete-options.ts';
import { isJson, mayNotApply } from './json-patch.ts';
import { changesOf } from './patches.ts';

/** Logged requests of clients other than the collector, as requests of the model. */

/**
 * A request that the logged one may have been, and the resourceVersion in its preconditions or
 * body.
 */
export interface PossibleCall {
  readonly call: Call;
  readonly demands: string | null;
}

/**
 * @param key null for collections.
 * @param pod what the log shows later about the pod that a create makes.
 */
export function callsOf(
  request: SeenRequest,
  client: string,
  key: ObjectKey | null,
  pod: SeenPod | null,
): readonly PossibleCall[] {
  switch (request.verb) {
    case 'get':
      return [];
    case 'create':
      return createCalls(request, client, key, pod);
    case 'delete':
      if (key === null) return [];
      return optionsOf(request).map(({ options, demands }) => ({
        call: { verb: 'delete', client, key, options, ...versionOf(request), at: 'get' },
        demands,
      }));
    case 'deletecollection':
      return optionsOf(request).map(({ options, demands }) => ({
        call: {
          verb: 'deleteCollection',
          client,
          kind: request.kind.name,
          namespace: request.namespace,
          options,
          at: 'list',
          remaining: [],
          current: null,
          listed: 0,
        },
        demands,
      }));
    case 'patch':
      return key === null ? [] : patchCalls(request, client, key, pod);
    case 'update':
      return key === null ? [] : [updateCall(request, client, key)];
    default:
      throw new Error(`unknown verb ${JSON.stringify(request.verb satisfies never)}`);
  }
}

function versionOf({ apiVersion }: SeenRequest): { readonly apiVersion?: string } {
  return apiVersion === null ? {} : { apiVersion };
}

function bodyOf(request: SeenRequest): unknown {
  return request.body.is === 'value' ? request.body.value : {};
}

/** The resourceVersion in the body of a PUT or patch, or in the preconditions of a DELETE. */
export function demandedBy(body: SeenBody): string | null {
  const value = body.is === 'value' && isJson(body.value) ? body.value : {};
  const from = [value.metadata, value.preconditions].find(isJson);
  const resourceVersion = from?.resourceVersion;
  return typeof resourceVersion === 'string' && resourceVersion !== '' ? resourceVersion : null;
}

/** A patch that names its manager may be a server-side apply. */
function isManaged({ verb, query }: SeenRequest): boolean {
  return verb === 'patch' && query.fieldManager !== undefined;
}

/** A server-side apply creates an object that is not there, or is refused as a create would be. */
function patchCalls(
  request: SeenRequest,
  client: string,
  key: ObjectKey,
  pod: SeenPod | null,
): readonly PossibleCall[] {
  const update = updateCall(request, client, key);
  if (!isManaged(request) || request.subresource !== '') return [update];
  const creates = createCalls(request, client, key, pod);
  if (request.code === 201) return creates;
  return request.code >= 400 ? [update, ...creates] : [update];
}

/** The change depends on the stored object: see `changesFor`. */
function updateCall(request: SeenRequest, client: string, key: ObjectKey): PossibleCall {
  const body = bodyOf(request);
  const metadata = isJson(body) && isJson(body.metadata) ? body.metadata : {};
  const { uid } = metadata;
  const demands = demandedBy(request.body);
  const call: UpdateCall = {
    verb: 'update',
    client,
    key,
    change: { do: 'nothing' },
    uid: typeof uid === 'string' && uid !== '' ? uid : null,
    put: request.verb === 'update',
    resourceVersion: demands !== null,
    ...(request.query.dryRun === 'All' ? { dryRun: true } : {}),
    at: 'update',
  };
  return { call, demands };
}

/**
 * All changes that the body of a PUT or patch can mean, given the stored object.
 *
 * @param deletedAt the deletionTimestamp of the stored object as the log shows it; null: not shown.
 * @param version the stored resourceVersion; null: not known.
 */
export function changesFor(
  request: SeenRequest,
  stored: ApiObject,
  deletedAt: string | null = null,
  version: string | null = null,
): readonly Change[] {
  const body = bodyOf(request);
  const asked = () =>
    changesOf(
      body,
      request.verb === 'update',
      request.kind.patchTypes === 'mergeOnly',
      stored,
      deletedAt,
      isManaged(request),
      version,
    );
  switch (request.subresource) {
    case '':
      return asked();
    case 'status':
      return request.kind.storage === 'namespace'
        ? [{ do: 'touch' }, { do: 'nothing' }]
        : withStatus(request.kind, asked());
    case 'finalize':
      return [{ do: 'finalizeNamespace', ...specFinalizersOf(body) }];
    case 'scale':
      return [
        { do: 'nothing' },
        { do: 'setMetadata', other: 'spec' },
        { do: 'setMetadata', other: 'data' },
      ];
    // Only a pod on a node is granted a grace period.
    case 'binding':
      return [
        {
          do: 'setMetadata',
          other: 'spec',
          ...(stored.pod === undefined ? {} : { pod: { ...stored.pod, scheduled: true } }),
        },
      ];
    // A part that the model does not keep. Nothing is stored if it is unchanged.
    default:
      return [{ do: 'touch' }, { do: 'nothing' }];
  }
}

/** What remains of these changes if they are asked of the subresource `status`. */
function withStatus(kind: Kind, changes: readonly Change[]): readonly Change[] {
  const lists = listsWithStatus(kind);
  const alone: readonly Change[] = [{ do: 'touch' }, { do: 'nothing' }];
  if (lists?.length === 0) return alone;
  const taken = changes.flatMap((change): readonly Change[] => {
    if (change.do !== 'setMetadata' || change.other === 'spec') return [];
    if (lists === null || lists.includes('ownerReferences')) return [change];
    // The strategy of pods also clears the deletionTimestamp, which leaves the stored one.
    const { ownerReferences: _references, deletionTimestamp: _time, ...rest } = change;
    return [rest];
  });
  return lists === null ? [...taken, ...alone] : taken;
}

/**
 * Whether the API server may have refused the request before the model's part of it: a patch of a
 * type that custom resources do not take (415), a JSON patch that does not apply (422), or a PUT
 * without a version (422).
 *
 * @param version the stored resourceVersion; null: not known.
 */
export function isRefusedEarly(
  { verb, code, kind, body, message }: SeenRequest,
  stored: ApiObject | null,
  version: string | null,
): boolean {
  // `AllowUnconditionalUpdate`, which custom resources and definitions do not have.
  if (verb === 'update' && code === 422 && demandedBy(body) === null) {
    return message.includes('metadata.resourceVersion');
  }
  if (verb !== 'patch') return false;
  if (code === 415) return kind.patchTypes === 'mergeOnly';
  if (code !== 422 || stored === null || body.is !== 'value') return false;
  return Array.isArray(body.value) && mayNotApply(body.value, stored, version);
}

/** What the model knows reasons for is judged by it. */
const KNOWN_REASONS =
  /metadata(?!\.(name|labels|annotations)\b)|terminat|propagationPolicy|orphanDependents|gracePeriod|precondition|status\.phase/i;

/** Rights, quotas, webhooks, too many requests, a spec that is not valid. */
const REFUSALS = [400, 401, 403, 405, 413, 422, 429];

/** A pod that has a node, or is being deleted, gets no other one. */
const REFUSED_BINDING = /^Operation cannot be fulfilled on pods\/binding /;

/** Whether the API server refused the request for a reason that the model knows nothing of. */
export function isRefusedForOthers({
  code,
  message,
}: Pick<SeenRequest, 'code' | 'message'>): boolean {
  if (code === 409) return REFUSED_BINDING.test(message);
  return REFUSALS.includes(code) && message !== '' && !KNOWN_REASONS.test(message);
}

function specFinalizersOf(body: unknown): { readonly specFinalizers?: readonly string[] } {
  if (!isJson(body) || !isJson(body.spec)) return {};
  const { finalizers } = body.spec;
  return Array.isArray(finalizers)
    ? { specFinalizers: finalizers.filter((name) => typeof name === 'string') }
    : { specFinalizers: [] };
}

function createCalls(
  request: SeenRequest,
  client: string,
  key: ObjectKey | null,
  pod: SeenPod | null,
): readonly PossibleCall[] {
  if (request.subresource === 'eviction' && key !== null) {
    const body = bodyOf(request);
    const options = isJson(body) ? body.deleteOptions : undefined;
    const evicted = optionsOf({ ...request, body: { is: 'value', value: options ?? {} } });
    return evicted.map((given) => ({
      call: { verb: 'delete', client, key, options: given.options, at: 'get' },
      demands: given.demands,
    }));
  }
  if (request.subresource !== '') {
    return key === null ? [] : [updateCall({ ...request, verb: 'patch' }, client, key)];
  }
  const object = createdObject(request, pod);
  const dryRun = request.query.dryRun === 'All' ? { dryRun: true } : {};
  return [{ call: { verb: 'create', client, object, ...dryRun }, demands: null }];
}

/** The object that a POST asks for, with the uid in the answer. */
function createdObject(request: SeenRequest, pod: SeenPod | null): ApiObject {
  const body = bodyOf(request);
  const metadata = isJson(body) && isJson(body.metadata) ? body.metadata : {};
  const { finalizers } = metadata;
  const { kind } = request;
  return {
    kind: kind.name,
    namespace: request.namespace,
    name: request.name ?? '',
    uid: request.answer?.uid ?? 'never-stored',
    generation: 0,
    finalizers: Array.isArray(finalizers)
      ? finalizers.filter((name): name is string => typeof name === 'string')
      : [],
    ownerReferences: seenReferences(metadata.ownerReferences ?? []) ?? [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    ...(kind.graceful ? { pod: podOf(body, pod) } : {}),
    ...(kind.storage === 'namespace' ? specFinalizersOf(body) : {}),
  };
}

/**
 * The log does not show whether a pod was on a node, and still running, when it was deleted. The
 * granted grace period shows it; if the log has none, the spec decides.
 */
function podOf(body: unknown, turnedOut: SeenPod | null): PodGrace {
  const spec = isJson(body) && isJson(body.spec) ? body.spec : null;
  const asked = spec?.terminationGracePeriodSeconds;
  // The answer to an eviction does not show the period that it grants.
  const byDefault = spec === null ? null : DEFAULT_GRACE_PERIOD;
  const onNode = typeof spec?.nodeName === 'string' && spec.nodeName !== '';
  return {
    scheduled: turnedOut?.scheduled ?? onNode,
    terminationGracePeriodSeconds:
      typeof asked === 'number' ? asked : (turnedOut?.terminationGracePeriodSeconds ?? byDefault),
    finished: false,
  };
}
