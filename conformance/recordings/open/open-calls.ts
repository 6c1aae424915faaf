import {
  type ApiObject,
  type Call,
  type Change,
  type DeleteOptions,
  FOREGROUND,
  type ObjectKey,
  ORPHAN,
  thirdPartyFinalizers,
  type UpdateCall,
} from '../../../model/index.ts';
import type { SeenRequest } from '../logs/observations.ts';
import { callsOf, changesFor, isRefusedEarly } from '../matching/calls.ts';
import { OPEN_UID, podsOf, type Unknowns } from './unknowns.ts';

/**
 * The requests of the model that a logged request may have been, if its body may be missing. Null
 * is a request that does nothing to this object.
 */
export interface OpenCall {
  readonly call: Call;
  /** resourceVersion that the request demands; `any`: one that the log does not show. */
  readonly demands: string | null;
}

const CLIENT = 'logged';

/** What decides about the calls, for one object. */
export interface CallContext {
  readonly key: ObjectKey;
  readonly unknowns: Unknowns;
  /** A DELETE without a logged body may have been a dry run. */
  readonly dryRuns: boolean;
}

/** @param stored the object when the request makes its first access. */
export function openCalls(
  context: CallContext,
  request: SeenRequest,
  stored: ApiObject | null,
): readonly (OpenCall | null)[] {
  const named: SeenRequest = { ...request, name: request.name ?? nameIn(context.key) };
  const aside = missesObject(request) || isRefusedEarly(request, stored, null) ? [null] : [];
  return [...aside, ...callsFor(context, named, stored)];
}

function nameIn(key: ObjectKey): string {
  return key.split('/').slice(2).join('/');
}

/**
 * A create with a name that the log does not show, or a collection of which only a part is meant.
 */
function missesObject({ verb, name, selects }: SeenRequest): boolean {
  if (verb === 'create') return name === null;
  return verb === 'deletecollection' && selects;
}

function callsFor(
  context: CallContext,
  request: SeenRequest,
  stored: ApiObject | null,
): readonly OpenCall[] {
  const { body, verb, subresource } = request;
  switch (verb) {
    case 'get':
      return [];
    case 'create':
      if (subresource === 'eviction') return deletions(context, request);
      return subresource === '' ? creations(context, request) : updates(context, request, stored);
    case 'delete':
    case 'deletecollection':
      if (body.is === 'notLogged') return deletions(context, request);
      return known(context, request).flatMap((given) => withGraces(context, given));
    case 'update':
    case 'patch':
      return updates(context, request, stored);
    default:
      throw new Error(`unknown verb ${JSON.stringify(verb satisfies never)}`);
  }
}

function known({ key }: CallContext, request: SeenRequest): readonly OpenCall[] {
  return callsOf(request, CLIENT, request.verb === 'deletecollection' ? null : key, null);
}

/**
 * Until 1.20 the items of a collection share their options: the grace period of one pod becomes the
 * request for the next.
 */
function withGraces({ unknowns }: CallContext, given: OpenCall): readonly OpenCall[] {
  const { call } = given;
  if (call.verb !== 'deleteCollection' || !unknowns.kind.graceful) return [given];
  const shared = [0, ...unknowns.graces].map((gracePeriodSeconds): OpenCall => {
    const options = { ...call.options, gracePeriodSeconds };
    return { ...given, call: { ...call, options } };
  });
  return [given, ...shared];
}

function creations(context: CallContext, request: SeenRequest): readonly OpenCall[] {
  const { unknowns } = context;
  const { body, answer } = request;
  const given = known(context, request).flatMap(({ call, demands }) =>
    call.verb === 'create' ? [{ call, demands }] : [],
  );
  const pods = unknowns.kind.graceful ? podsOf(unknowns.graces) : [null];
  return given.flatMap(({ call, demands }) => {
    const lists =
      body.is === 'notLogged' && answer === null
        ? unknowns.finalizers.flatMap((finalizers) =>
            unknowns.ownerReferences.map((ownerReferences) => ({ finalizers, ownerReferences })),
          )
        : [answer ?? call.object];
    return lists.flatMap(({ finalizers, ownerReferences }) =>
      pods.map((pod) => ({
        call: {
          ...call,
          object: {
            ...call.object,
            uid: answer?.uid ?? OPEN_UID,
            finalizers,
            ownerReferences,
            ...(pod === null ? {} : { pod }),
          },
        },
        demands,
      })),
    );
  });
}

function deletions(context: CallContext, request: SeenRequest): readonly OpenCall[] {
  return optionsFor(context, request).map((options): OpenCall => {
    const value = { ...request, body: { is: 'value', value: {} } } as const;
    const asDelete = request.verb === 'create' ? { ...value, verb: 'delete' as const } : value;
    const [begun] = known(context, asDelete);
    if (begun === undefined || !('options' in begun.call)) throw new Error('not a DELETE');
    return { call: { ...begun.call, options }, demands: null };
  });
}

function optionsFor(
  { unknowns, dryRuns }: CallContext,
  { code, collector, query }: SeenRequest,
): readonly DeleteOptions[] {
  const policies: DeleteOptions[] = (['Background', 'Foreground', 'Orphan'] as const).map(
    (propagationPolicy) => ({ propagationPolicy }),
  );
  if (code === 409) return [{ preconditions: { uid: 'another' } }];
  // The collector names a policy, and no grace period.
  if (collector) return code === 202 ? [{ orphanDependents: false }] : [...policies, {}];
  const plain: DeleteOptions[] =
    code === 202 ? [{ orphanDependents: false }, { orphanDependents: true }] : [{}, ...policies];
  const graces = unknowns.kind.graceful ? [null, 0, ...unknowns.graces] : [null];
  const asked = plain.flatMap((options) =>
    graces.map((grace) => (grace === null ? options : { ...options, gracePeriodSeconds: grace })),
  );
  if (query.dryRun === 'All') return asked.map((options) => ({ ...options, dryRun: true }));
  return dryRuns ? [...asked, ...asked.map((options) => ({ ...options, dryRun: true }))] : asked;
}

function updates(
  context: CallContext,
  request: SeenRequest,
  stored: ApiObject | null,
): readonly OpenCall[] {
  const shown = request.body.is === 'notLogged' ? null : request;
  const [begun] = known(context, {
    ...request,
    verb: request.verb === 'update' ? 'update' : 'patch',
  });
  if (begun?.call.verb !== 'update') return [];
  const { call, demands } = begun;
  if (shown === null && request.code === 409) {
    return [
      { call: { ...call, resourceVersion: true }, demands: 'any' },
      { call: { ...call, put: true, uid: 'another' }, demands: null },
    ];
  }
  if (stored === null) return [begun];
  const changes =
    shown === null ? openChanges(context, request, stored) : changesFor(request, stored);
  return changes
    .filter((change) => !request.collector || request.code >= 300 || isOfCollector(change, stored))
    .map((change) => ({ call: { ...call, change } satisfies UpdateCall, demands }));
}

function openChanges(
  { unknowns }: CallContext,
  { subresource }: SeenRequest,
  stored: ApiObject,
): readonly Change[] {
  switch (subresource) {
    case '':
      return unknowns.finalizers.flatMap((finalizers) =>
        unknowns.ownerReferences.map(
          (ownerReferences): Change => ({
            do: 'setMetadata',
            finalizers,
            ownerReferences,
            other: 'data',
          }),
        ),
      );
    case 'finalize':
      return [
        { do: 'finalizeNamespace', specFinalizers: [] },
        { do: 'finalizeNamespace', specFinalizers: stored.specFinalizers ?? [] },
      ];
    // A status, a scale, or another part that the model does not keep.
    default:
      return [{ do: 'touch' }, { do: 'nothing' }];
  }
}

/**
 * The collector takes only its own finalizers off, and adds none: those of third parties it sends
 * back as it has read them.
 */
function isOfCollector(change: Change, stored: ApiObject): boolean {
  if (change.do !== 'setMetadata' || change.finalizers === undefined) return true;
  const { finalizers } = change;
  const own = [ORPHAN, FOREGROUND].filter((name) => finalizers.includes(name));
  return (
    own.every((name) => stored.finalizers.includes(name)) &&
    thirdPartyFinalizers({ finalizers }).join() === thirdPartyFinalizers(stored).join()
  );
}
