import { type ApiObject, type Kind, keyOf } from '../../../model/index.ts';
import type { Evidence } from '../doubts/evidence.ts';
import { byKeyIn, byKindIn, remembered } from '../lookups.ts';
import type { Writes } from '../observed/credentials.ts';

/** Whether the account of a workload may take finalizers off the objects of a kind. */
export type Right =
  /** A rule names the group of the kind. */
  | 'named'
  /** A rule is about all groups. */
  | 'any'
  /** The dump lacks bindings, or the rules of a role. */
  | 'unsaid'
  | 'none';

const RBAC = 'rbac.authorization.k8s.io';

/**
 * @param kind of the objects.
 * @param namespaces of the objects.
 */
export function rightOn(
  workload: ApiObject,
  kind: Kind | undefined,
  namespaces: ReadonlySet<string>,
  { dump, observations }: Pick<Evidence, 'dump' | 'observations'>,
): Right {
  if (kind === undefined || !byKindIn(dump).has(`ClusterRoleBinding.${RBAC}`)) return 'unsaid';
  const observed = observations.get(keyOf(workload));
  const isSaid = observed?.of === 'workload' || observed?.of === 'pod';
  const account = `${workload.namespace}/${(isSaid && observed.serviceAccount) || 'default'}`;
  const subjects = [
    ...[account, 'system:authenticated', 'system:serviceaccounts'],
    `system:serviceaccounts:${workload.namespace}`,
  ];
  const group = (kind.apiVersions[0] ?? '').includes('/')
    ? (kind.apiVersions[0]?.split('/')[0] ?? '')
    : '';
  const found = new Set<Right>();
  for (const { subject, role, namespace } of bindingsIn(dump)(observations)) {
    if (!subjects.includes(subject) || (namespace !== '' && !namespaces.has(namespace))) continue;
    if (role === null) found.add('unsaid');
    for (const { groups, resources } of role ?? []) {
      if (![kind.resource, '*'].some((resource) => resources.includes(resource))) continue;
      if (groups.includes(group)) found.add('named');
      else if (groups.includes('*')) found.add('any');
    }
  }
  return (['named', 'any', 'unsaid'] as const).find((right) => found.has(right)) ?? 'none';
}

interface Binding {
  /** An account as `namespace/name`, or a group. */
  readonly subject: string;
  /** Null: not said. */
  readonly role: readonly Writes[] | null;
  /** Empty: all. */
  readonly namespace: string;
}

const bindingsIn = remembered((dump: readonly ApiObject[]) =>
  remembered((observations: Evidence['observations']): readonly Binding[] =>
    dump.flatMap(({ kind, namespace, name }) => {
      const observed = observations.get(keyOf({ kind, namespace, name }));
      if (observed?.of !== 'binding') return [];
      const bound = observed.names?.find((one) => one.kind.endsWith('Role'));
      const key = {
        kind: `${bound?.kind}.${RBAC}`,
        namespace: bound?.kind === 'Role' ? namespace : '',
        name: bound?.name ?? '',
      };
      const object = byKeyIn(dump).get(keyOf(key));
      const said = object && observations.get(keyOf(object));
      const role = said?.of === 'role' ? said.writes : null;
      return [...observed.accounts, ...observed.groups].map((subject) => ({
        ...{ subject, role, namespace },
      }));
    }),
  ),
);
