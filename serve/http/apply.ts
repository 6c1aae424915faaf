import { objectKey } from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';
import { type Body, metadataOf, textIn } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import type { Stored } from '../cluster/stored-objects.ts';
import { timeText } from '../cluster/views.ts';
import type { Manager } from '../fields/entries.ts';
import { wordsOf } from '../fields/leaves.ts';
import { duplicatesIn } from '../fields/merge.ts';
import { afterApply, type Conflict } from '../fields/ownership.ts';
import { allOf, entriesBefore, managerWords, typedOf, withEntries } from '../fields/tracking.ts';
import { checkFields } from '../requests/metadata.ts';
import { badRequest, invalidRequest, StatusError } from '../requests/status.ts';
import { schemaIn, unknownIn } from '../schemas/admission.ts';
import { type ApiRequest, type Reply, resourceOf, type Served, withType } from './context.ts';
import { createNamed, objectIn, subresourceOf, update } from './write.ts';

/** PATCH of the type `apply`. Throws `StatusError`. */
export async function apply(served: Served, request: ApiRequest): Promise<Reply> {
  const { route, query } = request;
  const { apiVersion, namespace } = route;
  const resource = resourceOf(served, route);
  const subresource = subresourceOf(resource, route.subresource);
  const config = objectIn(request.body, resource, apiVersion);
  const name = query.get('fieldManager') ?? '';
  if (name === '') {
    throw invalidRequest(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  }
  if (textIn(metadataOf(config), 'name') !== route.name) {
    throw badRequest('the name of the object does not match the name on the URL');
  }
  if ((metadataOf(config).managedFields ?? null) !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  checkFields(config, query);
  const isForced = ['true', '1'].includes(query.get('force') ?? '');
  const key = objectKey(resource.kind.name, namespace, route.name);
  const given = {
    ...config,
    metadata: { ...metadataOf(config), ...(namespace === '' ? {} : { namespace }) },
  };
  const manager: Manager = { manager: name, operation: 'Apply', apiVersion, subresource };
  const typed = typedOf(resource, schemaIn(resource, apiVersion), subresource);
  demandTyped(resource, request, typed.schema, config);
  const time = timeText(served.cluster.clock());
  if (served.cluster.get(key) === null && subresource === '') {
    const own = allOf(typed, given, { ...manager, time });
    return createNamed(served, request, resource, given, () => [own]);
  }
  const change = ({ view }: Stored): Body => {
    const live = withType(apiVersion, resource.kind.kind, view);
    const entries = entriesBefore(typed, live, apiVersion, time);
    const applied = afterApply(typed, entries, manager, [live, given], time);
    if (applied.conflicts.length > 0 && !isForced) throw conflictError(applied.conflicts);
    return withEntries(applied.object, applied.entries);
  };
  return update(served, request, subresource, change, { put: false, uid: null, applies: true });
}

/**
 * Every field of a configuration has a schema, or it could have no manager; and no two elements of
 * a list have the same keys. Throws `StatusError`.
 */
function demandTyped(
  resource: Resource,
  { route }: ApiRequest,
  schema: Body | null,
  config: Body,
): void {
  const { apiVersion, namespace, name } = route;
  const faults = [
    ...unknownIn(resource, apiVersion, config).map(
      (field) => `.${field}: field not declared in schema`,
    ),
    ...duplicatesIn(schema, config),
  ];
  if (faults.length === 0) return;
  const message = `failed to create typed patch object (${namespace}/${name}; ${apiVersion}, Kind=${resource.kind.kind}): ${faults.join(', ')}`;
  // Kubernetes names no reason either.
  throw new StatusError(500, '', message);
}

/** Mirrors `NewConflictError` of the field manager. */
function conflictError(conflicts: readonly Conflict[]): StatusError {
  const found = conflicts
    .map(({ entry, path }) => ({ by: managerWords(entry), field: wordsOf(path) }))
    .toSorted((one, other) => (`${one.by} ${one.field}` < `${other.by} ${other.field}` ? -1 : 1));
  const causes = found.map(({ by, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${by}`,
    field,
  }));
  const [first] = found;
  const all = [...groupedBy(found, ({ by }) => by)].flatMap(([by, ones]) => [
    `conflicts with ${by}:`,
    ...ones.map(({ field }) => `- ${field}`),
  ]);
  const message =
    found.length === 1
      ? `Apply failed with 1 conflict: conflict with ${first?.by}: ${first?.field}`
      : `Apply failed with ${found.length} conflicts: ${all.join('\n')}`;
  return new StatusError(409, 'Conflict', message, { causes });
}
