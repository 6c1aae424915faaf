import type { AuditLog } from '../audit/events.ts';
import { isBody, metadataOf, textIn } from '../cluster/body.ts';
import { StatusError, statusBody } from '../requests/status.ts';
import type { ApiRequest } from './context.ts';
import type { Answer } from './handle.ts';

/** Handles a request of a client, and logs it with its answer. A watch is not logged. */
export async function audited(
  audit: AuditLog,
  request: ApiRequest,
  uri: string,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  const { route, body, userAgent } = request;
  const { apiVersion, resource, subresource, namespace } = route;
  // As in Kubernetes (`audit.LogRequestObject`): the object that a POST sends has the name.
  const name = route.name === '' && isBody(body) ? textIn(metadataOf(body), 'name') : route.name;
  const logged = {
    verb: verbOf(request),
    uri,
    user: 'client',
    userAgent,
    object: { apiVersion, resource, subresource, namespace, name },
    body,
    received: audit.now(),
  };
  try {
    const answer = await handle();
    if ('code' in answer) {
      const { code, body: given } = answer;
      audit.add(logged, { code, body: given, completed: audit.now() });
    }
    return answer;
  } catch (error) {
    if (error instanceof StatusError) {
      const { code, message } = error;
      audit.add(logged, { code, message, body: statusBody(error), completed: audit.now() });
    }
    throw error;
  }
}

function verbOf({ method, route }: ApiRequest): string {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return route.name === '' ? 'deletecollection' : 'delete';
    default:
      return route.name === '' ? 'list' : 'get';
  }
}
