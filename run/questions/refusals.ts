import { definitionName } from '../../input/cluster/links.ts';
import { deletesOf, isToBeDeleted } from '../../input/cluster/requests.ts';
import type { Refused } from '../../input/cluster/webhooks/refusals.ts';
import type { Plan } from '../../input/plan.ts';
import { type ApiObject, FOREGROUND, isBeingDeleted, keyOf, usesClaim } from '../../model/index.ts';

/**
 * What a webhook that does not answer has to do with an object: it refuses requests about the object
 * itself, about one that the object waits for, or about an owner without which nobody deletes it.
 * Webhooks are no part of the model.
 */
export function refusalsFor(object: ApiObject, plan: Plan): readonly Refused[] {
  const refused = plan.cluster?.refused ?? [];
  if (refused.length === 0) return [];
  const related = relatedTo(object, plan);
  const found = refused.filter((one) => related.has(one.object));
  return [...new Map(found.map((one) => [one.why, one])).values()];
}

/**
 * Whether this object stays because every DELETE that is asked for is refused, or it is one of them
 * and its own is, as surely as the dump can say it: no pod of the webhook is ready, or a policy refuses
 * whoever asks.
 */
export function isRefusedWithTargets(
  object: ApiObject,
  plan: Plan,
  refusals: readonly Refused[],
): boolean {
  if (refusals.length === 0 || isBeingDeleted(object)) return false;
  const sure = new Set(
    (plan.cluster?.refused ?? []).flatMap((one) => (one.isSure ? [one.object] : [])),
  );
  const asked = deletesOf(plan.setup);
  const isOwn = sure.has(keyOf(object)) && isToBeDeleted(plan.setup, object);
  if (isOwn && !isTaken(object, plan)) return true;
  if (asked.length === 0 || !asked.every(({ key }) => sure.has(key))) return false;
  // Something else may delete it already: an owner, its namespace or its definition.
  const above = reached(object, plan, owners);
  return plan.setup.objects.every(
    (other) =>
      !isBeingDeleted(other) || !(above.has(keyOf(other)) || isInside(object, other, plan)),
  );
}

/** Whether a definition that is deleted takes the object along, which no admission is asked about. */
function isTaken(object: ApiObject, plan: Plan): boolean {
  return plan.setup.objects.some(
    (other) =>
      plan.setup.kinds[other.kind]?.storage === 'customResourceDefinition' &&
      isInside(object, other, plan) &&
      (isBeingDeleted(other) || isToBeDeleted(plan.setup, other)),
  );
}

/** Store keys of the object, of what goes before it does, and of owners without which nobody deletes it. */
export function relatedTo(object: ApiObject, plan: Plan): ReadonlySet<string> {
  const known = RELATED.get(plan) ?? new Map<ApiObject, ReadonlySet<string>>();
  RELATED.set(plan, known);
  const found =
    known.get(object) ??
    new Set([...reached(object, plan, awaited), ...reached(object, plan, owners)]);
  known.set(object, found);
  return found;
}

/** By plan: several reasons for doubts ask it for each object. */
const RELATED = new WeakMap<Plan, Map<ApiObject, ReadonlySet<string>>>();

const CLAIM = 'PersistentVolumeClaim';

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
  const waits = isForeground(object, plan);
  return plan.setup.objects.filter(
    (other) =>
      isInside(other, object, plan) ||
      (object.volume?.bound === true && keyOf(other) === object.volume.claim) ||
      (object.kind === CLAIM && usesClaim(object)(other)) ||
      (waits &&
        other.ownerReferences.some(
          ({ uid, blockOwnerDeletion }) => uid === object.uid && blockOwnerDeletion === true,
        )),
  );
}

/** Those without whose end nothing deletes the object: what it is in, or else its owners. */
function owners(object: ApiObject, plan: Plan): readonly ApiObject[] {
  const { objects } = plan.setup;
  const around = objects.filter((other) => isInside(object, other, plan));
  if (isToBeDeleted(plan.setup, object) || [object, ...around].some(isBeingDeleted)) return [];
  const taking = around.filter((other) => isToBeDeleted(plan.setup, other));
  if (taking.length > 0) return taking;
  const above = new Set(object.ownerReferences.map(({ uid }) => uid));
  return objects.filter(({ uid }) => above.has(uid));
}

/** Whether an object is in this namespace, or an instance of this definition. */
function isInside(object: ApiObject, container: ApiObject, { setup }: Plan): boolean {
  switch (setup.kinds[container.kind]?.storage) {
    case 'namespace':
      return object.namespace === container.name;
    case 'customResourceDefinition':
      return definitionName(setup.kinds[object.kind]) === container.name;
    default:
      return false;
  }
}

/** Whether the object may be deleted in the foreground. */
function isForeground({ finalizers }: ApiObject, plan: Plan): boolean {
  const isRequested = deletesOf(plan.setup).some(
    ({ options }) => options.propagationPolicy === 'Foreground',
  );
  return isRequested || finalizers.includes(FOREGROUND);
}
