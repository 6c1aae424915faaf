import type {
  ApiObject,
  CollectorPatch,
  CollectorRequest,
  OwnerReference,
} from '../../../model/index.ts';
import type { SeenRequest } from '../logs/observations.ts';
import { seenReferences } from '../logs/seen-object.ts';
import { demandedBy } from './calls.ts';
import { type Difference, sameReferences } from './differences.ts';
import { isJson } from './json-patch.ts';

/**
 * Whether a logged request of the collector is the one that a worker of the model sends.
 *
 * | verb, body in the log                                            | model                        |
 * |------------------------------------------------------------------|------------------------------|
 * | get                                                              | getItem, getOwner, getForFinalizer |
 * | patch `metadata.ownerReferences[].$patch: delete`, `uid`         | patchOwners, patchDependents |
 * | patch `metadata.ownerReferences`, `resourceVersion` (after 415)  | the same, custom resources   |
 * | patch `metadata.ownerReferences[].blockOwnerDeletion: false`     | unblockOwners                |
 * | patch `metadata.finalizers`, `resourceVersion`                   | patchFinalizer               |
 * | update `metadata.finalizers`, `resourceVersion` (before 1.15)     | patchFinalizer               |
 * | delete `preconditions.uid`, `propagationPolicy`                  | delete                       |
 */
export function requestDifference(
  seen: SeenRequest,
  model: CollectorRequest,
  lastRead: string | null,
  stored: ApiObject | undefined,
): Difference | null {
  if (seen.verb !== model.verb) return { field: 'verb', seen: seen.verb, model: model.verb };
  switch (model.verb) {
    case 'get':
      return null;
    case 'delete':
      return deleteDifference(seen, model, lastRead);
    case 'update':
      return putDifference(seen, model, lastRead);
    case 'patch':
      return patchDifference(seen, model.patch, lastRead, stored);
    default:
      throw new Error(`unknown request ${JSON.stringify(model satisfies never)}`);
  }
}

function deleteDifference(
  { body }: SeenRequest,
  model: Extract<CollectorRequest, { verb: 'delete' }>,
  lastRead: string | null,
): Difference | null {
  if (body.is !== 'value') return null;
  const { kind: _k, apiVersion: _a, ...options } = isJson(body.value) ? body.value : {};
  const preconditions = {
    ...(model.uidPrecondition === null ? {} : { uid: model.uidPrecondition }),
    ...(model.versionPrecondition
      ? { resourceVersion: lastRead ?? demandedBy(body) ?? 'as read' }
      : {}),
  };
  const wanted = {
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(model.propagationPolicy === null ? {} : { propagationPolicy: model.propagationPolicy }),
  };
  return differs('DeleteOptions', options, wanted);
}

/** A PUT sends the whole object. Compares only finalizers, uid and resourceVersion. */
function putDifference(
  { body }: SeenRequest,
  model: Extract<CollectorRequest, { verb: 'update' }>,
  lastRead: string | null,
): Difference | null {
  if (body.is !== 'value') return null;
  const metadata = isJson(body.value) && isJson(body.value.metadata) ? body.value.metadata : {};
  const { finalizers = [], resourceVersion, uid } = metadata;
  return differs(
    'metadata',
    { finalizers, resourceVersion, uid },
    { finalizers: model.finalizers, resourceVersion: lastRead ?? resourceVersion, uid: model.uid },
  );
}

function patchDifference(
  { body, code }: SeenRequest,
  patch: CollectorPatch,
  lastRead: string | null,
  stored: ApiObject | undefined,
): Difference | null {
  if (body.is !== 'value') return null;
  const metadata = isJson(body.value) && isJson(body.value.metadata) ? body.value.metadata : {};
  const extra = isJson(body.value)
    ? Object.keys(body.value).filter((key) => key !== 'metadata')
    : [];
  if (extra.length > 0) return { field: 'body', seen: extra, model: ['metadata'] };
  const { creationTimestamp: _, ...given } = metadata;
  if (patch.do === 'setOwners') return wholeListDifference(given, patch, code, stored);
  switch (patch.do) {
    case 'removeOwners':
      return differs('metadata', given, {
        ...(patch.uidPrecondition === null ? {} : { uid: patch.uidPrecondition }),
        ownerReferences: patch.uids.map((uid) => ({ $patch: 'delete', uid })),
      });
    case 'unblockOwners': {
      const { ownerReferences, ...rest } = given;
      const uid = patch.uidPrecondition === null ? {} : { uid: patch.uidPrecondition };
      return (
        differs('metadata', rest, uid) ??
        referencesDiffer(seenReferences(ownerReferences ?? []), patch.ownerReferences)
      );
    }
    case 'setFinalizers':
      return differs('metadata', given, {
        resourceVersion: lastRead ?? given.resourceVersion,
        finalizers: patch.finalizers.length === 0 ? null : patch.finalizers,
      });
    default:
      throw new Error(`unknown patch ${JSON.stringify(patch satisfies never)}`);
  }
}

/**
 * The JSON merge patch after a 415 is made from the informer's copy, with its resourceVersion. Its
 * list can be compared with the stored one only if the patch was accepted.
 */
function wholeListDifference(
  given: Readonly<Record<string, unknown>>,
  patch: Extract<CollectorPatch, { do: 'setOwners' }>,
  code: number,
  stored: ApiObject | undefined,
): Difference | null {
  const { ownerReferences, resourceVersion, ...rest } = given;
  const extra = differs('metadata', rest, {});
  if (extra !== null) return extra;
  if (typeof resourceVersion !== 'string') {
    return { field: 'metadata.resourceVersion', seen: null, model: 'that of the copy' };
  }
  if (code !== 200 || stored === undefined) return null;
  return referencesDiffer(seenReferences(ownerReferences ?? []), patch.ownerReferences);
}

function referencesDiffer(
  seen: readonly OwnerReference[] | null,
  model: readonly OwnerReference[],
): Difference | null {
  if (seen !== null && sameReferences(seen, model)) return null;
  return { field: 'metadata.ownerReferences', seen, model };
}

function differs(
  field: string,
  seen: Readonly<Record<string, unknown>>,
  model: Readonly<Record<string, unknown>>,
): Difference | null {
  const names = [...new Set([...Object.keys(seen), ...Object.keys(model)])].sort();
  for (const name of names) {
    const a = JSON.stringify(sorted(seen[name]));
    const b = JSON.stringify(sorted(model[name]));
    if (a !== b) {
      return { field: `${field}.${name}`, seen: seen[name] ?? null, model: model[name] ?? null };
    }
  }
  return null;
}

/** The order of keys does not matter, the order of lists does. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJson(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
