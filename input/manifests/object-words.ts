import type { ApiObject, KindTable } from '../../model/index.ts';
import { shellQuoted } from '../../text/layout.ts';

/**
 * The words that mean an object in a command of kubectl: `RESOURCE[.GROUP] NAME [-n NAMESPACE]`.
 */
export function objectWords({ kind, name, namespace }: ApiObject, kinds: KindTable): string {
  const known = kinds[kind];
  const [version = 'v1'] = known?.apiVersions ?? [];
  const group = version.includes('/') ? `.${version.split('/')[0]}` : '';
  const resource = `${known?.resource ?? kind.split('.')[0]?.toLowerCase()}${group}`;
  const scope = namespace === '' ? [] : ['-n', namespace];
  return [resource, name, ...scope].map(shellQuoted).join(' ');
}

/** A command that asks admission about a DELETE, and deletes nothing. */
export function dryRunOf(object: ApiObject, kinds: KindTable): string {
  return `kubectl delete ${objectWords(object, kinds)} --dry-run=server`;
}
