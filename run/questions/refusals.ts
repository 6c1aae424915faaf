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
import { blocks } from '../../input/cluster/pieces.ts';
import type { Refused } from '../../input/cluster/webhooks/refusals.ts';
import type { Plan } from '../../input/plan.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  keyOf,
  requestsOf,
  type Setup,
} from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';

/**
 * What a webhook that does not answer has to do with an object: it refuses requests about the object
 * itself, about one that the object waits for, or about an owner without which nobody deletes it.
 * Webhooks are no part of the model.
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
 * Whether this object stays because every DELETE that is asked for is refused, as surely as the dump
 * can say it: no pod of the webhook is ready.
 */
export function isRefusedWithTargets(
  object: ApiObject,
  plan: Plan,
  refusals: readonly Refused[],
): boolean {
  if (refusals.length === 0 || isBeingDeleted(object)) return false;
  const asked = [...deletesIn(plan.setup.users).keys];
  const sure = plan.cluster === null ? null : surelyRefusedIn(plan.cluster);
  if (sure === null || asked.length === 0 || !asked.every((key) => sure.has(key))) return false;
  // Something else may delete it already: an owner, its namespace or its definition.
  const byKey = byKeyIn(plan.setup.objects);
  const above = [...reached(object, plan, owners)].flatMap((key) => byKey.get(key) ?? []);
  return ![...above, ...containersOf(object, plan)].some(isBeingDeleted);
}

const surelyRefusedIn = remembered(
  ({ refused }: ClusterAround) =>
    new Set<string>(refused.flatMap(({ isSure, object }) => (isSure ? [object] : []))),
);

/** Store keys of the object, of what goes before it does, and of owners without which nobody deletes it. */
export function relatedTo(object: ApiObject, plan: Plan): ReadonlySet<string> {
  return new Set([...reached(object, plan, awaited), ...reached(object, plan, owners)]);
}

type Step = (object: ApiObject, plan: Plan) => readonly ApiObject[];

/** Store keys of the object and of what these steps lead to. */
function reached(object: ApiObject, plan: Plan, next: Step): ReadonlySet<string> {
  const found = new Map([[keyOf(object), object]]);
  for (const one of found.values()) {
    for (const other of next(one, plan)) found.set(keyOf(other), other);
  }
  return new Set(found.keys());
}

/** What goes before the object does: its contents, instances, claim, users, and dependents that block it. */
function awaited(object: ApiObject, plan: Plan): readonly ApiObject[] {
  const { objects } = plan.setup;
  const { uid, volume } = object;
  const claim = volume?.bound === true ? byKeyIn(objects).get(volume.claim) : undefined;
  const dependents = isForeground(object, plan) ? (dependentsIn(objects).get(uid) ?? []) : [];
  return [
    ...contentsOf(object, plan),
    ...(claim === undefined ? [] : [claim]),
    ...(claimantsIn(objects).get(keyOf(object)) ?? []),
    ...dependents.filter((dependent) => blocks(dependent, uid)),
  ];
}

/** Those without whose end nothing deletes the object: what it is in, or else its owners. */
function owners(object: ApiObject, plan: Plan): readonly ApiObject[] {
  const around = containersOf(object, plan);
  if (isAsked(object, plan) || [object, ...around].some(isBeingDeleted)) return [];
  const taking = around.filter((other) => isAsked(other, plan));
  if (taking.length > 0) return taking;
  const byUid = byUidIn(plan.setup.objects);
  return object.ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? []);
}

/** Whether a user sends a DELETE of the object. */
export function isAsked(object: ApiObject, { setup }: Plan): boolean {
  return deletesIn(setup.users).keys.has(keyOf(object));
}

/** What is in this namespace, or an instance of this definition. */
function contentsOf(container: ApiObject, { setup }: Plan): readonly ApiObject[] {
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
  return deletesIn(setup.users).isForeground || finalizers.includes(FOREGROUND);
}

/** What users delete. */
const deletesIn = remembered((users: Setup['users']) => {
  const requests = requestsOf({ users }).flatMap((request) =>
    request.do === 'delete' ? [request] : [],
  );
  return {
    keys: new Set<string>(requests.map(({ key }) => key)),
    isForeground: requests.some(({ options }) => options.propagationPolicy === 'Foreground'),
  };
});
