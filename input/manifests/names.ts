import { type ApiObject, formatKey, keyOf } from '../../model/index.ts';

/** `Pod/web`, or `Pod/web.shop` outside of the namespace `default`, as in traces. */
export function displayName(object: Pick<ApiObject, 'kind' | 'namespace' | 'name'>): string {
  return formatKey(keyOf(object));
}

/** Name rules of the API server. Each returns the rule that a name breaks, or null. */

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** Mirrors `validation.IsDNS1123Label`. */
export function namespaceFault(namespace: string): string | null {
  return namespace.length <= 63 && DNS_LABEL.test(namespace)
    ? null
    : 'lower-case letters, digits and -, at most 63 of them';
}

/**
 * Mirrors `ValidateObjectMeta` with the name function of the kind's strategy: a DNS label for
 * namespaces, a path segment for RBAC objects and the like, else a DNS subdomain. Other API servers
 * define the names of kinds that are not built in, but all of them require a path segment.
 *
 * @param kind name in the table of kinds.
 */
export function objectNameFault(
  name: string,
  kind: string,
  group: string,
  builtIn: boolean,
): string | null {
  if (kind === 'Namespace') return namespaceFault(name);
  if (!builtIn || isFreelyNamed(kind, group)) return pathSegmentFault(name);
  return name.length <= 253 && DNS_SUBDOMAIN.test(name)
    ? null
    : 'lower-case letters, digits, - and ., at most 253 of them';
}

/**
 * Whether any path segment is a name: of roles, certificate requests, and APIServices, as that of the
 * core API is `v1.`. The names of addresses are addresses.
 */
export function isFreelyNamed(kind: string, group: string): boolean {
  const groups = ['rbac.authorization.k8s.io', 'certificates.k8s.io', 'apiregistration.k8s.io'];
  return groups.includes(group) || kind === 'IPAddress.networking.k8s.io';
}

/** Mirrors `path.IsValidPathSegmentName`. */
function pathSegmentFault(name: string): string | null {
  return name === '.' || name === '..' || /[/%]/.test(name)
    ? 'not ".", "..", no "/" and no "%"'
    : null;
}

const STANDARD_FINALIZERS = ['kubernetes', 'orphan', 'foregroundDeletion'];

/**
 * Mirrors `ValidateFinalizerName`: a qualified name. For built-in kinds it needs a prefix, unless
 * it is a standard finalizer.
 */
export function finalizerFault(finalizer: string, builtIn: boolean): string | null {
  const parts = finalizer.split('/');
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0]! : null;
  const qualified =
    parts.length <= 2 &&
    name.length <= 63 &&
    QUALIFIED_NAME.test(name) &&
    (prefix === null || (prefix.length <= 253 && DNS_SUBDOMAIN.test(prefix)));
  if (!qualified) return 'a qualified name such as example.com/hold';
  if (builtIn && prefix === null && !STANDARD_FINALIZERS.includes(name)) {
    return `a prefix, as in example.com/${name}, or one of ${STANDARD_FINALIZERS.join(', ')}`;
  }
  return null;
}

/** Mirrors `schema.ParseGroupVersion`: the group, or null if the text is not a valid apiVersion. */
export function groupOf(apiVersion: string): string | null {
  const parts = apiVersion.split('/');
  if (parts.length > 2 || parts.some((part) => part === '')) return null;
  return parts.length === 2 ? parts[0]! : '';
}

const NAMED_AT_MOST = 3;

/** `Pod/a, Pod/b and 12 more`. */
export function firstFew(names: readonly string[]): string {
  const rest = names.length - NAMED_AT_MOST;
  const shown = names.slice(0, NAMED_AT_MOST).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
