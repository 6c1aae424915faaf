import { type ApiObject, type KindTable, keyOf } from '../../../model/index.ts';
import { groupedBy, plural } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import { byKeyIn, byKindIn } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import type { Named } from '../observed/references.ts';
import { meetsAll } from '../webhooks/asked.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/** What stays and does without something that goes: nothing holds the one for the other. */
export function brokenIn(
  given: BesidesGiven,
  labels: ReadonlyMap<string, Labels>,
): readonly Besides[] {
  const { all, kept, goes, kinds } = given;
  const going = kept.filter(goes);
  if (going.length === 0) return [];
  const byName = groupedBy(going, (object) => nameIn(kinds, object));
  const users = all
    .filter((object) => !goes(object))
    .flatMap((user) => usesBy(user, byName, given));
  return [
    ...[...groupedBy(users, ({ used, effect }) => `${keyOf(used)} ${effect}`).values()].flatMap(
      saidOf,
    ),
    ...going.flatMap((object) => rightsOf(object, given)),
    ...going.flatMap((object) => defaultLost(object, given)),
    ...going.flatMap((object) => rulesOf(object, given, labels.get(keyOf(object)) ?? {})),
    ...going.flatMap((object) => addressesOf(object, given)),
  ];
}

interface Use {
  readonly user: ApiObject;
  readonly used: ApiObject;
  readonly effect: string;
}

function usesBy(
  user: ApiObject,
  byName: ReadonlyMap<string, readonly ApiObject[]>,
  { observations, kinds }: BesidesGiven,
): readonly Use[] {
  const names = observations.get(keyOf(user))?.names ?? [];
  // Of what it names for both, its field says more.
  const needed = neededBy(user, observations).filter(
    (one) =>
      !names.some(
        ({ kind, name, namespace = user.namespace }) =>
          kind === one.kind && name === one.name && namespace === (one.namespace ?? user.namespace),
      ),
  );
  return [...names, ...needed].flatMap(({ kind, namespace, name, anywhere, effect }: Named) =>
    (byName.get(`${kind.split('.')[0]}/${name}`) ?? [])
      .filter((used) => {
        if (kind.includes('.') && used.kind !== kind) return false;
        const isNamespaced = kinds[used.kind]?.namespaced === true && anywhere !== true;
        return !isNamespaced || used.namespace === (namespace ?? user.namespace);
      })
      .map((used) => ({ user, used, effect })),
  );
}

/** What the controller of a custom resource reads; `unreadableIn` tells of those with finalizers. */
function neededBy(user: ApiObject, observations: BesidesGiven['observations']): readonly Named[] {
  if (user.finalizers.length > 0) return [];
  return marksOn(observations, user).flatMap((mark): readonly Named[] => {
    if (mark.mark !== 'needs' || mark.name === '') return [];
    const { tool, kind, namespace, name } = mark;
    const effect = `${tool} reads it to do its work for that`;
    return [{ kind, namespace, name, ...(mark.anywhere ? { anywhere: true } : {}), effect }];
  });
}

function nameIn(kinds: KindTable, { kind, name }: ApiObject): string {
  return `${kinds[kind]?.kind ?? kind}/${name}`;
}

/** Who makes the users counts, and not each of them. */
function saidOf(group: readonly Use[]): readonly Besides[] {
  const uids = new Set(group.map(({ user }) => user.uid));
  const top = group.filter(
    ({ user }) =>
      !user.ownerReferences.some(({ uid, controller }) => {
        return controller === true && uids.has(uid);
      }),
  );
  const [first] = top;
  if (first === undefined) return [];
  const { user, used, effect } = first;
  const more = top.length === 1 ? '' : ` and ${plural(top.length - 1, 'other object')}`;
  const names = top.length === 1 ? 'stays and names' : 'stay and name';
  const what = `${displayName(user)}${more} ${names} ${displayName(used)}: ${effect}`;
  return [{ object: keyOf(used), what }];
}

/** Whose rights go with a binding. */
function rightsOf(binding: ApiObject, { observations }: BesidesGiven): readonly Besides[] {
  const observed = observations.get(keyOf(binding));
  if (observed?.of !== 'binding' || observed.accounts.length === 0) return [];
  const [first = '', ...others] = observed.accounts;
  const [namespace = '', name = ''] = first.split('/');
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other account')}`;
  const lose = others.length === 0 ? 'loses' : 'lose';
  const what = `ServiceAccount/${name}.${namespace}${more} ${lose} what ${displayName(binding)} grants`;
  return [{ object: keyOf(binding), what }];
}

/** What a default means for what names no class, by kind. */
const WITHOUT_DEFAULT: Readonly<Record<string, string>> = {
  // `SetDefaultClass` and the retroactive assignment of the volume binder (1.28).
  'StorageClass.storage.k8s.io':
    'new claims that name no class stay pending until there is a default again',
  // `getDefaultClass` of the plug-in DefaultIngressClass.
  'IngressClass.networking.k8s.io': 'new Ingresses that name no class get none',
  'VolumeSnapshotClass.snapshot.storage.k8s.io': 'new snapshots that name no class fail',
  // `getDefaultPriority` of the plug-in Priority.
  'PriorityClass.scheduling.k8s.io': 'new pods that name no class get priority 0',
};

function isDefault(object: ApiObject, { observations }: BesidesGiven): boolean {
  return observations.get(keyOf(object))?.marks?.some(({ mark }) => mark === 'default') === true;
}

/** What names no class gets another one, or none, without the default. */
function defaultLost(object: ApiObject, given: BesidesGiven): readonly Besides[] {
  const effect = WITHOUT_DEFAULT[object.kind];
  if (effect === undefined || !isDefault(object, given)) return [];
  const other = given.all.find(
    (one) => one.kind === object.kind && !given.goes(one) && isDefault(one, given),
  );
  const then = other === undefined ? effect : `what names no class then gets ${displayName(other)}`;
  return [{ object: keyOf(object), what: `${displayName(object)} is the default: ${then}` }];
}

/** Which roles lose the rules of one that they aggregate (`ClusterRoleAggregationController`). */
function rulesOf(
  role: ApiObject,
  { all, goes, observations }: BesidesGiven,
  labels: Labels,
): readonly Besides[] {
  if (role.kind !== CLUSTER_ROLE) return [];
  return (byKindIn(all).get(CLUSTER_ROLE) ?? [])
    .filter((other) => other !== role && !goes(other))
    .filter((other) =>
      marksOn(observations, other).some(
        (mark) => mark.mark === 'aggregates' && mark.selectors.some((one) => meetsAll(one, labels)),
      ),
    )
    .map((other) => ({
      object: keyOf(role),
      what: `${displayName(other)} stays, aggregates ${displayName(role)} by its labels, and loses its rules`,
    }));
}

const CLUSTER_ROLE = 'ClusterRole.rbac.authorization.k8s.io';

/** The endpoints of a Service without a selector: who made them has to make them anew. */
function addressesOf(
  endpoints: ApiObject,
  { all, goes, observations }: BesidesGiven,
): readonly Besides[] {
  if (endpoints.kind !== 'Endpoints') return [];
  const service = byKeyIn(all).get(keyOf({ ...endpoints, kind: 'Service' }));
  if (service === undefined || goes(service)) return [];
  const observed = observations.get(keyOf(service));
  const selector = observed?.of === 'Service' ? observed.selector : null;
  if (selector === null || Object.keys(selector).length > 0) return [];
  const what = `${displayName(service)} stays and has no selector: nothing in Kubernetes makes ${displayName(endpoints)} anew, and the Service leads to nothing without it`;
  return [{ object: keyOf(endpoints), what }];
}
