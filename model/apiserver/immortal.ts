import { splitKey } from '../state/keys.ts';
import type { Kind } from '../state/kinds.ts';

/** What the API server never deletes. */
interface Immortal {
  /** What it answers. */
  readonly why: string;
  /** What refuses it. */
  readonly by: string;
}

/** `immortalNamespaces` of the admission plugin, since 1.2. */
const NAMESPACES = ['default', 'kube-system', 'kube-public'];
/** `SystemPriorityClasses`, which `REST.Delete` of `registry/scheduling/priorityclass` spares. */
const PRIORITY_CLASSES = ['system-node-critical', 'system-cluster-critical'];

/**
 * Why a DELETE of this object is answered with 403 in every state; null: it is not.
 *
 * @param kind undefined: not known, so no kind of Kubernetes.
 */
export function refusedDeletion(kind: Kind | undefined, key: string): Immortal | null {
  if (kind === undefined) return null;
  if (kind.storage === 'namespace') {
    return NAMESPACES.includes(splitKey(key)[2])
      ? { why: 'this namespace may not be deleted', by: 'NamespaceLifecycle' }
      : null;
  }
  if (kind.name !== 'PriorityClass.scheduling.k8s.io') return null;
  return PRIORITY_CLASSES.includes(splitKey(key)[2])
    ? {
        why: 'this is a system priority class and cannot be deleted',
        by: 'the storage of priority classes',
      }
    : null;
}
