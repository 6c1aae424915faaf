import { isDeepStrictEqual } from 'node:util';
import {
  type ApiObject,
  type Change,
  inPatchOrder,
  mergeReferences,
  type OwnerReference,
} from '../../../model/index.ts';
import { seenReferences } from '../logs/seen-object.ts';
import { sameReferences } from './differences.ts';
import { isJson, type Json, jsonPatched, type Lists, texts } from './json-patch.ts';

/**
 * What a PUT or a patch asks for. A log does not show the type of a patch, so an object is read
 * both as a JSON merge patch and as a strategic merge patch, a whole object of a named manager also
 * as a server-side apply, and a list as a JSON patch. The model keeps no labels, data or spec, so
 * whether those in the body differ from the stored ones is open. So one body can mean several
 * changes.
 */

/** Metadata that identifies the object, or that the API server sets itself. */
const IDENTIFYING = [
  'uid',
  'name',
  'namespace',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/**
 * @param put a PUT, whose body is the whole object.
 * @param mergeOnly the kind takes no strategic merge patches.
 * @param managed the request may be a server-side apply: it is a patch that names its manager.
 * @param deletedAt the deletionTimestamp of the stored object as the log shows it; null: not shown.
 */
export function changesOf(
  body: unknown,
  put: boolean,
  mergeOnly: boolean,
  stored: ApiObject,
  deletedAt: string | null,
  managed: boolean,
  version: string | null = null,
): readonly Change[] {
  const results = Array.isArray(body)
    ? [jsonPatched(body, stored, version)]
    : [
        merged(body, put, stored),
        ...(put || mergeOnly ? [] : [strategic(body, stored)]),
        ...(managed ? applied(body, stored) : []),
      ];
  const others = othersIn(body, stored);
  const deletion = deletionIn(body, stored, deletedAt);
  const changes: Change[] = [];
  for (const lists of results) {
    if (lists === null) continue;
    for (const other of others) {
      const change: Change = { do: 'setMetadata', ...differing(lists, stored), ...deletion, other };
      if (!changes.some((known) => isDeepStrictEqual(known, change))) changes.push(change);
    }
  }
  return changes;
}

/** The lists that change; unchanged lists are left out. */
function differing(lists: Lists, stored: ApiObject): Partial<Lists> {
  return {
    ...(isDeepStrictEqual(lists.finalizers, stored.finalizers)
      ? {}
      : { finalizers: lists.finalizers }),
    ...(sameReferences(lists.ownerReferences, stored.ownerReferences)
      ? {}
      : { ownerReferences: lists.ownerReferences }),
  };
}

/**
 * The fields of the deletion that a body changes. An absent field, or null, leaves them as they
 * are. A timestamp that differs from the stored one is any other number.
 */
function deletionIn(
  body: unknown,
  stored: ApiObject,
  deletedAt: string | null,
): { readonly deletionTimestamp?: number; readonly deletionGracePeriodSeconds?: number } {
  const metadata = isJson(body) && isJson(body.metadata) ? body.metadata : {};
  const { deletionTimestamp: time, deletionGracePeriodSeconds: grace } = metadata;
  const begun = stored.deletionTimestamp;
  const moved =
    typeof time === 'string' && (begun === null || (deletedAt !== null && time !== deletedAt));
  return {
    ...(moved ? { deletionTimestamp: (begun ?? 0) + 1 } : {}),
    ...(typeof grace === 'number' && grace !== stored.deletionGracePeriodSeconds
      ? { deletionGracePeriodSeconds: grace }
      : {}),
  };
}

/** Whether other parts may change: `data` for labels and the like, `spec` for the spec. */
function othersIn(body: unknown, stored: ApiObject): readonly ('same' | 'data' | 'spec')[] {
  const value = Array.isArray(body) ? Object.assign({}, ...body.map(touchedBy)) : body;
  if (!isJson(value)) return ['same'];
  const { metadata, apiVersion: _a, kind: _k, ...rest } = value;
  const labels = isJson(metadata)
    ? Object.keys(metadata).some(
        (field) =>
          !IDENTIFYING.includes(field) && field !== 'finalizers' && field !== 'ownerReferences',
      )
    : false;
  if (Object.keys(rest).length === 0 && !labels) return ['same'];
  return 'spec' in rest && stored.generation > 0 ? ['same', 'data', 'spec'] : ['same', 'data'];
}

function touchedBy(operation: unknown): Json {
  const path = isJson(operation) && typeof operation.path === 'string' ? operation.path : '';
  const [, field = '', below = ''] = path.split('/');
  return field === 'metadata' ? { metadata: { [below]: true } } : { [field]: true };
}

/** A JSON merge patch; a PUT is one that sets every list. */
function merged(body: unknown, put: boolean, stored: ApiObject): Lists | null {
  const metadata = isJson(body) && isJson(body.metadata) ? body.metadata : {};
  const finalizers = listOr(metadata, 'finalizers', put ? [] : stored.finalizers, texts);
  const ownerReferences = listOr(
    metadata,
    'ownerReferences',
    put ? [] : stored.ownerReferences,
    seenReferences,
  );
  return finalizers === null || ownerReferences === null ? null : { finalizers, ownerReferences };
}

function listOr<Element>(
  metadata: Json,
  field: string,
  otherwise: readonly Element[],
  read: (value: unknown) => readonly Element[] | null,
): readonly Element[] | null {
  if (!(field in metadata)) return otherwise;
  const value = metadata[field];
  return value === null ? [] : read(value);
}

/**
 * A strategic merge patch: finalizers are merged as a set, owner references by uid, with the
 * directives `$patch`, `$deleteFromPrimitiveList` and `$setElementOrder`.
 */
function strategic(body: unknown, stored: ApiObject): Lists | null {
  const metadata = isJson(body) && isJson(body.metadata) ? body.metadata : {};
  const removed = texts(metadata['$deleteFromPrimitiveList/finalizers'] ?? []) ?? [];
  const added = metadata.finalizers === null ? null : texts(metadata.finalizers ?? []);
  const kept = metadata.finalizers === null ? [] : stored.finalizers;
  const finalizers = [
    ...kept.filter((name) => !removed.includes(name)),
    ...(added ?? []).filter((name) => !kept.includes(name)),
  ];
  const ownerReferences = strategicReferences(metadata.ownerReferences, stored);
  if (ownerReferences === null) return null;
  const named = metadata['$setElementOrder/ownerReferences'];
  const uids = Array.isArray(named)
    ? texts(named.map((item) => (isJson(item) ? item.uid : null)))
    : null;
  return {
    finalizers: inPatchOrder(
      finalizers,
      texts(metadata['$setElementOrder/finalizers'] ?? null) ?? added ?? [],
      stored.finalizers,
      (name) => name,
    ),
    ownerReferences:
      uids === null
        ? ownerReferences
        : inPatchOrder(ownerReferences, uids, stored.ownerReferences, ({ uid }) => uid),
  };
}

/**
 * A server-side apply: finalizers are a set, owner references a map by uid. What the manager
 * applied before and leaves out now goes; the log does not show which of the others that is, so
 * either none of them or all.
 */
function applied(body: unknown, stored: ApiObject): readonly (Lists | null)[] {
  if (!isJson(body) || typeof body.apiVersion !== 'string' || typeof body.kind !== 'string')
    return [];
  const added = strategic(body, stored);
  const alone = merged(body, true, stored);
  if (added === null || alone === null) return [];
  // Releases differ in whether what is new comes first or last.
  const names = lastIn(added.finalizers, stored.finalizers, (name) => name);
  const references = lastIn(added.ownerReferences, stored.ownerReferences, ({ uid }) => uid);
  return [names, added.finalizers, alone.finalizers].flatMap((finalizers) =>
    [references, added.ownerReferences, alone.ownerReferences].map((ownerReferences) => ({
      finalizers,
      ownerReferences,
    })),
  );
}

/** The list with what is stored already first, in its order. */
function lastIn<Element>(
  list: readonly Element[],
  stored: readonly Element[],
  identity: (element: Element) => string,
): readonly Element[] {
  const known = stored.map(identity);
  const place = (element: Element): number => {
    const at = known.indexOf(identity(element));
    return at < 0 ? known.length : at;
  };
  return list.toSorted((a, b) => place(a) - place(b));
}

function strategicReferences(value: unknown, stored: ApiObject): readonly OwnerReference[] | null {
  if (value === undefined) return stored.ownerReferences;
  if (value === null) return [];
  if (!Array.isArray(value)) return null;
  const directive = (item: unknown): unknown => (isJson(item) ? item.$patch : undefined);
  const uids = value
    .filter((item: unknown): item is Json => directive(item) === 'delete')
    .map(({ uid }) => uid);
  const replaces = value.some((item) => directive(item) === 'replace');
  const kept = replaces ? [] : stored.ownerReferences.filter(({ uid }) => !uids.includes(uid));
  const patch = seenReferences(value.filter((item) => directive(item) === undefined));
  return patch === null ? null : mergeReferences(kept, patch);
}
