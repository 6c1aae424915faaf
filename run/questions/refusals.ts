import type { ClusterAround } from '../../input/cluster/around.ts';
import { definitionName } from '../../input/cluster/links.ts';
import {
  byKeyIn,
  byKindIn,
  byUidIn,
  claimantsIn,
  contentsIn,
  dependentsIn,
  remembered,
} from '../../input/cluster/lookups.ts';
import { areHeldByPods } from '../../input/cluster/parts.ts';
import { blocks } from '../../input/cluster/pieces.ts';
import { deletesOf, isToBeDeleted } from '../../input/cluster/requests.ts';
import type { Refused } from '../../input/cluster/webhooks/refusals.ts';
import type { Plan } from '../../input/plan.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  keyOf,
  type Setup,
} from '../../model/index.ts';
import type { Wait } from '../../report/document/answer.ts';
import { groupedBy } from '../../text/layout.ts';

/**
 * What a webhook that does not answer has to do with an object: it refuses requests about the
 * object itself, about one that the object waits for, or about an owner without which nobody
 * deletes it. Webhooks are no part of the model.
 */
export function refusalsFor(object: ApiObject, plan: Plan): readonly Refused[] {
  const refused = plan.cluster?.refused ?? [];
  if (refused.length === 0) return [];
  const related = relatedTo(object, plan);
  const byObject = refusedIn(refused);
  const found = [...related]
    .flatMap((key) => byObject.get(key) ?? [])
    .sort((one, other) => one.place - other.place);
  return [...new Map(found.map((one) => [one.why, one])).values()];
}

const refusedIn = remembered((refused: readonly Refused[]) =>
  groupedBy(
    refused.map((one, place) => ({ ...one, place })),
    ({ object }) => object,
  ),
);

/**
 * Whether this object stays because every DELETE that is asked for is refused, or it is one of them
 * and its own is, as surely as the dump can say it: no pod of the webhook is ready, or a policy
 * refuses every user.
 */
export function isRefusedWithTargets(
  object: ApiObject,
  plan: Plan,
  refusals: readonly Refused[],
): boolean {
  if (refusals.length === 0 || isBeingDeleted(object)) return false;
  const { setup, cluster } = plan;
  const sure = cluster === null ? null : surelyRefusedIn(cluster);
  if (sure === null) return false;
  const isOwn = sure.has(keyOf(object)) && isToBeDeleted(setup, object);
  if (isOwn && !isTaken(object, plan)) return true;
  const asked = deletesOf(setup);
  if (asked.length === 0 || !asked.every(({ key }) => sure.has(key))) return false;
  // Something else may delete it already: an owner, its namespace or its definition.
  const byKey = byKeyIn(plan.setup.objects);
  const above = [...reached(object, plan, owners)].flatMap((key) => byKey.get(key) ?? []);
  return ![...above, ...containersOf(object, plan)].some(isBeingDeleted);
}

/** What refuses every change of an object that is being deleted, and so of its finalizers. */
export function lockedBy(object: ApiObject, refused: readonly Refused[]): readonly Wait[] {
  if (!isBeingDeleted(object)) return [];
  const own = refused.filter((one) => one.isSure && one.object === keyOf(object));
  return own.map(({ why }): Wait => ({ for: 'nothing', what: '', text: why }));
}

/**
 * Whether a definition that is deleted takes the object along, which no admission is asked about.
 */
function isTaken(object: ApiObject, plan: Plan): boolean {
  return containersOf(object, plan).some(
    (other) =>
      plan.setup.kinds[other.kind]?.storage === 'customResourceDefinition' &&
      (isBeingDeleted(other) || isToBeDeleted(plan.setup, other)),
  );
}

const surelyRefusedIn = remembered(
  ({ refused }: ClusterAround) =>
    new Set<string>(refused.flatMap(({ isSure, object }) => (isSure ? [object] : []))),
);

/**
 * Store keys of the object, of what goes before it does, and of owners without which nobody deletes
 * it.
 */
export function relatedTo(object: ApiObject, plan: Plan): ReadonlySet<string> {
  return relatedIn(plan)(object);
}

/** Store keys of the object, and of what goes before it does. */
export function goingBefore(object: ApiObject, plan: Plan): ReadonlySet<string> {
  return beforeIn(plan)(object);
}

/** By plan: several reasons for doubts ask it for each object. */
const relatedIn = remembered((plan: Plan) =>
  remembered(
    (object: ApiObject): ReadonlySet<string> =>
      new Set([...goingBefore(object, plan), ...reached(object, plan, owners)]),
  ),
);

const beforeIn = remembered((plan: Plan) =>
  remembered((object: ApiObject) => reached(object, plan, awaited)),
);

type Step = (object: ApiObject, plan: Plan) => readonly ApiObject[];

/** Store keys of the object and of what these steps lead to. */
function reached(object: ApiObject, plan: Plan, next: Step): ReadonlySet<string> {
  const found = new Map([[keyOf(object), object]]);
  for (const one of found.values()) {
    for (const other of next(one, plan)) found.set(keyOf(other), other);
  }
  return new Set(found.keys());
}

/**
 * What goes before the object does: its contents, instances, claim, users, dependents that block it,
 * and pods of a namespace that is emptied.
 */
function awaited(object: ApiObject, plan: Plan): readonly ApiObject[] {
  const { objects } = plan.setup;
  const { uid, volume } = object;
  const claim = volume?.bound === true ? byKeyIn(objects).get(volume.claim) : undefined;
  const isWaiting = plan.cluster !== null && waitingIn(plan.cluster).has(keyOf(object));
  const dependents =
    isWaiting || isForeground(object, plan) ? (dependentsIn(objects).get(uid) ?? []) : [];
  return [
    ...contentsOf(object, plan),
    ...(claim === undefined ? [] : [claim]),
    ...(claimantsIn(objects).get(keyOf(object)) ?? []),
    ...dependents.filter((dependent) => isWaiting || blocks(dependent, uid)),
    ...podsBefore(object, plan),
  ];
}

/** Store keys of the objects with a finalizer whose owner waits for all that they own. */
const waitingIn = remembered(
  ({ finalizers }: ClusterAround) =>
    new Set<string>(
      finalizers.flatMap(({ rows }) =>
        rows.flatMap(({ known, objects }) => (known?.waitsForDependents === true ? objects : [])),
      ),
    ),
);

/**
 * Pods that may stay, and so hold back the object: while a pod is left, the namespace controller
 * deletes nothing else of a namespace (1.33). One pod for each reason.
 */
function podsBefore(object: ApiObject, plan: Plan): readonly ApiObject[] {
  const { setup } = plan;
  const { namespace, pod } = object;
  if (pod !== undefined || !areHeldByPods(setup)) return [];
  if (isBeingDeleted(object) || isToBeDeleted(setup, object)) return [];
  if (setup.emptiedNamespaces?.includes(namespace) !== true) return [];
  return doubtfulPodsIn(plan).get(namespace) ?? [];
}

const doubtfulPodsIn = remembered(({ setup, cluster }: Plan) => {
  const byKey = byKeyIn(setup.objects);
  const found = new Map<string, ApiObject>();
  for (const { object, why } of [...(cluster?.doubts ?? []), ...(cluster?.refused ?? [])]) {
    const pod = byKey.get(object);
    if (pod?.pod !== undefined) found.set(`${pod.namespace} ${why}`, pod);
  }
  return groupedBy([...new Set(found.values())], ({ namespace }) => namespace);
});

/** Those without whose end nothing deletes the object: what it is in, or else its owners. */
function owners(object: ApiObject, plan: Plan): readonly ApiObject[] {
  const around = containersOf(object, plan);
  if (isToBeDeleted(plan.setup, object) || [object, ...around].some(isBeingDeleted)) return [];
  const taking = around.filter((other) => isToBeDeleted(plan.setup, other));
  if (taking.length > 0) return taking;
  const byUid = byUidIn(plan.setup.objects);
  return object.ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? []);
}

/** What is in this namespace, or an instance of this definition. */
export function contentsOf(container: ApiObject, { setup }: Plan): readonly ApiObject[] {
  switch (setup.kinds[container.kind]?.storage) {
    case 'namespace':
      return contentsIn(setup.objects).get(container.name) ?? [];
    case 'customResourceDefinition':
      return [...byKindIn(setup.objects)].flatMap(([kind, instances]) =>
        definitionName(setup.kinds[kind]) === container.name ? instances : [],
      );
    default:
      return [];
  }
}

/** The namespace that an object is in, and the definition that it is an instance of. */
function containersOf({ kind, namespace }: ApiObject, { setup }: Plan): readonly ApiObject[] {
  const { namespaces, definitions } = containersIn(setup);
  return [
    ...(namespaces.get(namespace) ?? []),
    ...(definitions.get(definitionName(setup.kinds[kind])) ?? []),
  ];
}

/** By name. */
const containersIn = remembered(({ objects, kinds }: Setup) => {
  const of = (storage: string) =>
    groupedBy(
      objects.filter(({ kind }) => kinds[kind]?.storage === storage),
      ({ name }) => name,
    );
  return { namespaces: of('namespace'), definitions: of('customResourceDefinition') };
});

/** Whether the object may be deleted in the foreground. */
function isForeground({ finalizers }: ApiObject, { setup }: Plan): boolean {
  const isRequested = deletesOf(setup).some(
    ({ options }) => options.propagationPolicy === 'Foreground',
  );
  return isRequested || finalizers.includes(FOREGROUND);
}
