import { type Body, isBody } from '../cluster/body.ts';
import { messageOf } from '../protobuf/messages.ts';
import { messageSchema } from './built-in.ts';
import { IS_QUANTITY } from './quantities.ts';

/**
 * The schemas of the built-in kinds as OpenAPI has them: each message by its name in the documents
 * of Kubernetes, such as `io.k8s.api.core.v1.Container`, and references between them. They have no
 * descriptions.
 */

/** By name. */
export type Components = Readonly<Record<string, Body>>;

/** The schema of a kind, with all schemas that it refers to. Null: the table has no such kind. */
export function publishedSchema(
  apiVersion: string,
  kind: string,
): { readonly schema: Body; readonly parts: Components } | null {
  const message = messageOf(apiVersion, kind);
  if (message === null) return null;
  const parts: Record<string, Body> = { ...SCALARS };
  const reference = (of: string): Body => {
    const name = nameOf(of);
    if (!Object.hasOwn(parts, name)) {
      // A message may refer to itself.
      parts[name] = {};
      parts[name] = ofClients(messageSchema(of, reference));
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  return { schema: ofClients(messageSchema(message, reference)), parts };
}

function nameOf(message: string): string {
  const [group = '', rest = ''] = message.split('/');
  const root = group === 'meta' ? 'io.k8s.apimachinery.pkg.apis' : 'io.k8s.api';
  return `${root}.${group}.${rest}`;
}

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const INT_OR_STRING = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';

/** What is no message in Go, but a type with a name. */
const SCALARS: Components = {
  [QUANTITY]: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  [INT_OR_STRING]: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
};

/** Without the marks that only this server reads. */
function ofClients(schema: Body): Body {
  if (schema[IS_QUANTITY] === true) return { $ref: `#/components/schemas/${QUANTITY}` };
  if (schema['x-kubernetes-int-or-string'] === true) {
    return { $ref: `#/components/schemas/${INT_OR_STRING}` };
  }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !key.startsWith('x-reapcheck-'))
      .map(([key, value]) => [key, isBody(value) ? ofClients(value) : value]),
  );
}
