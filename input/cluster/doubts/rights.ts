import { type ApiObject, type Kind, keyOf } from '../../../model/index.ts';
import { groupedBy, shellQuoted } from '../../../text/layout.ts';
import { groupOf } from '../../manifests/names.ts';
import { byKeyIn, byKindIn, remembered } from '../lookups.ts';
import type { Writes } from '../observed/credentials.ts';
import type { Evidence } from './evidence.ts';

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
  const account = accountOf(workload, observations);
  if (kind === undefined || account === null) return 'unsaid';
  const bindings = bindingsOf(account, dump, observations);
  // A dump with the bindings of another release alone says nothing of this account.
  if (bindings.length === 0 && !hasAllBindings(dump)) return 'unsaid';
  const found = new Set<Right>();
  for (const { role, namespace } of bindings) {
    if (namespace !== '' && !namespaces.has(namespace)) continue;
    if (role === null) found.add('unsaid');
    for (const writes of role ?? []) {
      const right = rightIn(writes, kind, WHOLE);
      if (right !== null) found.add(right);
    }
  }
  return (['named', 'any', 'unsaid'] as const).find((right) => found.has(right)) ?? 'none';
}

/** The API server makes these in every cluster (`PostStartHook` of the RBAC storage). */
const hasAllBindings = remembered((dump: readonly ApiObject[]) =>
  (byKindIn(dump).get(`ClusterRoleBinding.${RBAC}`) ?? []).some(
    ({ name }) => name === 'cluster-admin' || name.startsWith('system:'),
  ),
);

/** A command that says whether the account of a workload may change an object. */
export function rightSettled(
  workload: ApiObject,
  resource: string,
  namespace: string,
  { observations }: Pick<Evidence, 'observations'>,
): string {
  const account = accountOf(workload, observations);
  const scope = namespace === '' ? '' : ` -n ${shellQuoted(namespace)}`;
  const as = `system:serviceaccount:${account?.namespace}:${account?.name}`;
  return `kubectl auth can-i update ${resource}${scope} --as ${as}`;
}

const WHOLE: readonly string[] = [''];
/** Some controllers are granted this part instead, and need the whole: who has it is theirs. */
const WITH_FINALIZERS: readonly string[] = ['', '/finalizers'];

/** What a rule says of a kind; null: nothing. */
function rightIn(
  { groups, resources }: Writes,
  { apiVersions: [apiVersion = ''], resource }: Kind,
  parts: readonly string[],
): 'named' | 'any' | null {
  const isMeant = [resource, '*'].some((one) =>
    parts.some((part) => resources.includes(`${one}${part}`)),
  );
  if (!isMeant) return null;
  const group = groupOf(apiVersion) ?? '';
  return groups.includes(group) ? 'named' : groups.includes('*') ? 'any' : null;
}

/**
 * An account, binding or role that goes, so that a workload or pod can no longer change one of these
 * objects; null: it can, or never could. Of a role that the dump lacks, it may be so.
 */
export function rightsGoing(
  workload: ApiObject,
  objects: readonly ApiObject[],
  evidence: Pick<Evidence, 'dump' | 'goes' | 'observations' | 'kinds'>,
): ApiObject | null {
  const { dump, goes, observations, kinds } = evidence;
  const account = accountOf(workload, observations);
  if (account === null) return null;
  const own = accountGoing(account, evidence);
  if (own !== null) return own;
  const bindings = bindingsOf(account, dump, observations);
  const going = bindings.flatMap((one) => {
    const object = one.objects.find(goes);
    return object === undefined ? [] : [{ ...one, object }];
  });
  if (going.length === 0) return null;
  const staying = bindings.filter((one) => !one.objects.some(goes));
  for (const [place] of groupedBy(
    objects,
    ({ kind, namespace }) => `${kind} ${namespace}`,
  ).values()) {
    if (place === undefined) continue;
    const kind = kinds[place.kind];
    const isHere = ({ namespace }: Binding): boolean =>
      namespace === '' || namespace === place.namespace;
    const gives = ({ role }: Binding): boolean =>
      kind !== undefined &&
      role?.some((writes) => !writes.isOfSome && rightIn(writes, kind, WHOLE) !== null) === true;
    const mayGive = ({ role }: Binding): boolean =>
      kind === undefined ||
      role === null ||
      role.some((writes) => rightIn(writes, kind, WITH_FINALIZERS) !== null);
    const isGranted = staying.some((one) => isHere(one) && (isAdmin(one) || gives(one)));
    const lost = isGranted ? undefined : going.find((one) => isHere(one) && mayGive(one));
    if (lost !== undefined) return lost.object;
  }
  return null;
}

/** Whether a workload may lose rights on anything. */
export function mayLoseRights(
  workload: ApiObject,
  evidence: Pick<Evidence, 'dump' | 'goes' | 'observations'>,
): boolean {
  const { dump, goes, observations } = evidence;
  const account = accountOf(workload, observations);
  if (account === null) return false;
  if (accountGoing(account, evidence) !== null) return true;
  return bindingsOf(account, dump, observations).some(({ objects }) => objects.some(goes));
}

/** The account itself, if it goes. */
function accountGoing(
  account: Account,
  { dump, goes }: Pick<Evidence, 'dump' | 'goes'>,
): ApiObject | null {
  const own = byKeyIn(dump).get(keyOf({ kind: 'ServiceAccount', ...account }));
  return own !== undefined && goes(own) ? own : null;
}

interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** The account of a workload or pod; null: it is neither. */
function accountOf(workload: ApiObject, observations: Evidence['observations']): Account | null {
  const observed = observations.get(keyOf(workload));
  if (observed?.of !== 'workload' && observed?.of !== 'pod') return null;
  return { namespace: workload.namespace, name: observed.serviceAccount || 'default' };
}

/** Those that name an account, or a group that it is in. */
function bindingsOf(
  { namespace, name }: Account,
  dump: readonly ApiObject[],
  observations: Evidence['observations'],
): readonly Binding[] {
  const bySubject = bindingsIn(dump)(observations);
  return [
    ...[`${namespace}/${name}`, 'system:authenticated', 'system:serviceaccounts'],
    `system:serviceaccounts:${namespace}`,
  ].flatMap((subject) => bySubject.get(subject) ?? []);
}

/** What grants everything in every cluster. */
function isAdmin({ namespace, name }: Binding): boolean {
  return namespace === '' && name === 'cluster-admin';
}

interface Binding {
  /** An account as `namespace/name`, or a group. */
  readonly subject: string;
  /** The binding, and its role if the dump has it. */
  readonly objects: readonly ApiObject[];
  /** Of the role. */
  readonly name: string;
  /** Null: not said. */
  readonly role: readonly Writes[] | null;
  /** Empty: all. */
  readonly namespace: string;
}

/** By their subjects. */
const bindingsIn = remembered((dump: readonly ApiObject[]) =>
  remembered((observations: Evidence['observations']) => {
    const all = dump.flatMap((binding): readonly Binding[] => {
      const { namespace } = binding;
      const observed = observations.get(keyOf(binding));
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
      const objects = object === undefined ? [binding] : [binding, object];
      return [...observed.accounts, ...observed.groups].map((subject) => ({
        ...{ subject, objects, name: key.name, role, namespace },
      }));
    });
    return groupedBy(all, ({ subject }) => subject);
  }),
);
