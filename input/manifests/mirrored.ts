import type { OwnerReference } from '../../model/index.ts';
import { groupOf } from './names.ts';

type Named = Pick<OwnerReference, 'apiVersion' | 'kind'>;

const RBAC = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'];

/**
 * Kinds whose objects OpenShift makes from those of other kinds when it is asked, with their names
 * and uids (`convertNamespace`, `convertClusterRole`). The collector gets no events of them, and
 * looks such owners up as all others: they are there as long as the objects of the other kinds.
 */
const MIRRORS: ReadonlyMap<string, Named> = new Map([
  ['Project.project.openshift.io', { apiVersion: 'v1', kind: 'Namespace' }],
  ...RBAC.map((kind): [string, Named] => [
    `${kind}.authorization.openshift.io`,
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind },
  ]),
]);

/** The kind whose objects OpenShift serves as this one as well; null: it is no such kind. */
export function mirroredBy({ apiVersion, kind }: Named): Named | null {
  return MIRRORS.get(`${kind}.${groupOf(apiVersion)}`) ?? null;
}

/** The reference to the object that is stored; others as they are. */
export function withoutMirror(reference: OwnerReference): OwnerReference {
  return { ...reference, ...mirroredBy(reference) };
}
