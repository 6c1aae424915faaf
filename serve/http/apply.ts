import { objectKey, type Uid } from '../../model/index.ts';
import { type Body, metadataOf, textIn } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import type { Stored } from '../cluster/stored-objects.ts';
import { applied, conflictsWith, withoutDropped } from '../requests/apply-merge.ts';
import { checkFields } from '../requests/objects.ts';
import { badRequest, invalidRequest, StatusError } from '../requests/status.ts';
import { unknownIn } from '../schemas/admission.ts';
import { type ApiRequest, type Reply, resourceOf, type Served, withType } from './context.ts';
import { createNamed, objectIn, subresourceOf, update } from './write.ts';

/**
 * PATCH of the type `apply`. Fields belong to the managers that have applied them; fields that
 * other requests have written belong to nobody. Throws `StatusError`.
 */
export async function apply(served: Served, request: ApiRequest): Promise<Reply> {
  const { route, query } = request;
  const resource = resourceOf(served, route);
  const config = objectIn(request.body, resource, route.apiVersion);
  const manager = query.get('fieldManager') ?? '';
  if (manager === '') {
    throw invalidRequest(
      'PatchOptions is invalid: fieldManager: Required value: is required for apply patch',
    );
  }
  if (textIn(metadataOf(config), 'name') !== route.name) {
    throw badRequest('the name of the object does not match the name on the URL');
  }
  if (metadataOf(config).managedFields !== undefined) {
    throw badRequest('metadata.managedFields must be nil');
  }
  checkFields(config, query);
  demandKnown(resource, request, config);
  const isForced = ['true', '1'].includes(query.get('force') ?? '');
  const key = objectKey(resource.kind.name, route.namespace, route.name);
  const stored = served.cluster.get(key);
  const { namespace } = route;
  const given = {
    ...config,
    metadata: { ...metadataOf(config), ...(namespace === '' ? {} : { namespace }) },
  };
  const reply =
    stored === null && route.subresource === ''
      ? await createNamed(served, request, resource, given)
      : await update(
          served,
          request,
          subresourceOf(resource, route.subresource),
          (found: Stored) => {
            const whole = withType(route.apiVersion, resource.kind.kind, found.view);
            return merged(served, whole, found.object.uid, manager, given, isForced);
          },
          { put: false, uid: null },
        );
  const uid = textIn(metadataOf(reply.body), 'uid');
  if (uid !== '' && !query.has('dryRun')) {
    const managers = served.applied.get(uid) ?? new Map<string, Body>();
    if (isForced) release(managers, manager, given);
    served.applied.set(uid, managers.set(manager, given));
  }
  return reply;
}

/** Every field of a configuration has a schema, or it could have no manager. Throws `StatusError`. */
function demandKnown(resource: Resource, { route }: ApiRequest, config: Body): void {
  const { apiVersion, namespace, name } = route;
  const fields = unknownIn(resource, apiVersion, config).map(
    (field) => `.${field}: field not declared in schema`,
  );
  if (fields.length === 0) return;
  const message = `failed to create typed patch object (${namespace}/${name}; ${apiVersion}, Kind=${resource.kind.kind}): ${fields.join(', ')}`;
  // Kubernetes names no reason either.
  throw new StatusError(500, '', message);
}

function merged(
  { applied: known }: Served,
  object: Body,
  uid: Uid,
  manager: string,
  config: Body,
  isForced: boolean,
): Body {
  const managers = known.get(uid) ?? new Map<string, Body>();
  const others = [...managers].filter(([name]) => name !== manager);
  if (!isForced) {
    for (const [name, other] of others) {
      const conflicts = conflictsWith(object, config, other);
      if (conflicts.length > 0) throw conflictError(name, conflicts);
    }
  }
  const last = managers.get(manager) ?? {};
  const rest = withoutDropped(
    object,
    last,
    config,
    others.map(([, other]) => other),
  );
  return applied(rest, config);
}

function conflictError(manager: string, fields: readonly string[]): StatusError {
  const message = `Apply failed with ${fields.length} conflict${fields.length === 1 ? '' : 's'}: conflict with ${JSON.stringify(manager)}: ${fields.join(', ')}`;
  const causes = fields.map((field) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${JSON.stringify(manager)}`,
    field,
  }));
  return new StatusError(409, 'Conflict', message, { causes });
}

/** A forced apply takes the fields over that others have applied with another value. */
function release(managers: Map<string, Body>, manager: string, config: Body): void {
  for (const [name, other] of managers) {
    if (name !== manager) managers.set(name, withoutDropped(other, config, {}, []));
  }
}
