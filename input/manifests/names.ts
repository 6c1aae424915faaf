import { type ApiObject, formatKey, keyOf } from '../../model/index.ts';

/** `Pod/web`, or `Pod/web.shop` outside of the namespace `default`: the words of the traces. */
export function displayName(object: Pick<ApiObject, 'kind' | 'namespace' | 'name'>): string {
  return formatKey(keyOf(object));
}

/** Name rules of the API server; each returns what is wrong, or null. */

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
 * Mirrors `ValidateObjectMeta` with the name function of the kind's strategy: DNS subdomains, but
 * path segments for RBAC objects. Kinds that are not built in may come from any API server, which
 * has at least the rule for path segments.
 */
export function objectNameFault(name: string, group: string, builtIn: boolean): string | null {
  if (!builtIn || group === 'rbac.authorization.k8s.io') return pathSegmentFault(name);
  return name.length <= 253 && DNS_SUBDOMAIN.test(name)
    ? null
    : 'lower-case letters, digits, - and ., at most 253 of them';
}

/** Mirrors `path.IsValidPathSegmentName`. */
function pathSegmentFault(name: string): string | null {
  return name === '.' || name === '..' || /[/%]/.test(name)
    ? 'not ".", "..", no "/" and no "%"'
    : null;
}

const STANDARD_FINALIZERS = ['kubernetes', 'orphan', 'foregroundDeletion'];

/**
 * Mirrors `ValidateFinalizerName`: a qualified name; of built-in kinds also with a prefix, unless it
 * is a standard one.
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

/** Mirrors `schema.ParseGroupVersion`: the group, or null when it is no apiVersion. */
export function groupOf(apiVersion: string): string | null {
  const parts = apiVersion.split('/');
  if (parts.length > 2 || parts.some((part) => part === '')) return null;
  return parts.length === 2 ? parts[0]! : '';
}
