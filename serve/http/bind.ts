import { type Body, bodyIn, metadataOf, textIn, valueAt, withValueAt } from '../cluster/body.ts';
import type { Stored } from '../cluster/stored-objects.ts';
import { badRequest, invalidObject, methodNotAllowed, StatusError } from '../requests/status.ts';
import { missing, oneOf } from '../schemas/field-faults.ts';
import { success } from './ask.ts';
import { type ApiRequest, type Reply, resourceOf, type Served } from './context.ts';
import { objectIn, update } from './write.ts';

/**
 * POST of `pods/NAME/binding`: what a scheduler sends. Mirrors `BindingREST.Create` (1.33). Throws
 * `StatusError`.
 */
export async function bind(served: Served, request: ApiRequest): Promise<Reply> {
  const { method, route } = request;
  if (method !== 'POST') throw methodNotAllowed(method, `pods/${route.name}/binding`);
  const pods = resourceOf(served, route);
  const binding = objectIn(
    request.body,
    { ...pods, kind: { ...pods.kind, kind: 'Binding' } },
    'v1',
  );
  if (textIn(metadataOf(binding), 'name') !== route.name) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  const target = bodyIn(binding, 'target');
  const faults = [
    ...oneOf(target, 'kind', 'target', ['Node']),
    ...(textIn(target, 'name') === '' ? [missing('target.name')] : []),
  ];
  if (faults.length > 0) throw invalidObject('Binding', 'v1', binding, faults);
  const assigned = ({ view }: Stored): Body => {
    const node = valueAt(view, 'spec.nodeName');
    const why =
      view.metadata.deletionTimestamp !== undefined
        ? 'is being deleted, cannot be assigned to a host'
        : typeof node === 'string' && node !== ''
          ? `is already assigned to node ${JSON.stringify(node)}`
          : null;
    if (why === null) return withValueAt(view, ['spec', 'nodeName'], textIn(target, 'name'));
    const what = `pods/binding ${JSON.stringify(route.name)}`;
    const message = `Operation cannot be fulfilled on ${what}: pod ${route.name} ${why}`;
    const details = { name: route.name, kind: 'pods/binding' };
    throw new StatusError(409, 'Conflict', message, details);
  };
  await update(served, request, 'binding', assigned, { put: true, uid: null });
  return { code: 201, body: success({ name: route.name, kind: 'pods' }) };
}
