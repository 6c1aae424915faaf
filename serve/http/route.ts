import { badRequest, notServed } from '../requests/status.ts';

/** What the path of a request names. */
export type Route = { readonly of: 'plain'; readonly path: string } | ResourceRoute;

export interface ResourceRoute {
  readonly of: 'resource';
  readonly apiVersion: string;
  /** Plural. */
  readonly resource: string;
  /** Empty: cluster scope, or all namespaces. */
  readonly namespace: string;
  /** Empty: the collection. */
  readonly name: string;
  /** Empty: the object itself. */
  readonly subresource: string;
  /** The old form of a watch: `/api/v1/watch/pods`. */
  readonly watch: boolean;
}

/** Throws `StatusError` for a path that cannot be decoded, or that leads nowhere. */
export function routeOf(path: string): Route {
  const parts = path.split('/').slice(1).map(decoded);
  if (parts.at(-1) === '') parts.pop();
  const [root, group = '', version = ''] = parts;
  const isLegacy = root === 'api' && parts.length > 2;
  const isGroup = root === 'apis' && parts.length > 3;
  if (!isLegacy && !isGroup) return { of: 'plain', path: `/${parts.join('/')}` };
  const apiVersion = isLegacy ? group : `${group}/${version}`;
  const rest = parts.slice(isLegacy ? 2 : 3);
  const watch = rest[0] === 'watch' && rest.length > 1;
  return { ...inVersion(apiVersion, watch ? rest.slice(1) : rest), watch };
}

function inVersion(apiVersion: string, parts: readonly string[]): Omit<ResourceRoute, 'watch'> {
  const at = (resource = '', namespace = '', name = '', rest: readonly string[] = []) => {
    if (rest.length > 1 && rest[0] !== 'proxy') throw notServed();
    const subresource = rest[0] ?? '';
    return { of: 'resource', apiVersion, resource, namespace, name, subresource } as const;
  };
  const [first, second, third, fourth, ...more] = parts;
  // `namespaces/a/status` is a subresource, `namespaces/a/pods` a collection.
  const isNamespace = first === 'namespaces' && parts.length > 2;
  if (isNamespace && !(parts.length === 3 && (third === 'status' || third === 'finalize'))) {
    return at(third, second, fourth, more);
  }
  return at(first, '', second, parts.slice(2));
}

/** Names have no slash, and no client means a step upwards. */
function decoded(part: string): string {
  let text: string;
  try {
    text = decodeURIComponent(part);
  } catch {
    throw badRequest('the path of the request cannot be decoded');
  }
  const isStep = text === '.' || text === '..';
  if (isStep || text.includes('/') || text.includes('\0')) {
    throw badRequest('the path of the request names no resource');
  }
  return text;
}
