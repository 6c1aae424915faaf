import {
  type ApiObject,
  FOREGROUND,
  keyOf,
  type ObjectKey,
  ORPHAN,
  requestsOf,
  type Setup,
  type UserRequest,
  type UserStep,
} from '../../model/index.ts';
import { remembered } from './lookups.ts';

/**
 * Whether each request of a setup is about one object, and about another one than the other requests,
 * and no user waits for anything but the answers to its own. Then a part that lacks an object can do
 * without the request for it (`requestsAbout`): the user still sends its other requests, in their
 * order, and each of them at any time.
 */
export function areRequestsApart(setup: Setup): boolean {
  const steps = Object.values(setup.users).flat();
  const keys = steps.flatMap((step) => (isApart(step) ? [step.request.key] : []));
  return keys.length === steps.length && new Set(keys).size === keys.length;
}

/** A DELETE, or a PATCH that takes off a finalizer as its owner does. */
type OfOneObject = UserRequest & { readonly do: 'delete' | 'update'; readonly key: ObjectKey };

function isApart(step: UserStep): step is UserStep & { readonly request: OfOneObject } {
  const { request, after, answer } = step;
  if (after.length > 0 || answer !== undefined) return false;
  if (request.do === 'delete') return true;
  if (request.do !== 'update' || request.change.do !== 'removeFinalizer') return false;
  return request.change.finalizer !== FOREGROUND && request.change.finalizer !== ORPHAN;
}

/** What users send for these objects, if their requests are apart. */
export function requestsAbout(
  { users }: Pick<Setup, 'users'>,
  objects: readonly ApiObject[],
): Setup['users'] {
  const keys = new Set<string>(objects.map(keyOf));
  const kept = Object.entries(users).map(([user, steps]): [string, readonly UserStep[]] => [
    user,
    steps.filter(({ request }) => 'key' in request && keys.has(request.key)),
  ]);
  return Object.fromEntries(kept.filter(([, steps]) => steps.length > 0));
}

type DeleteRequest = UserRequest & { readonly do: 'delete' };

/** The DELETEs of single objects that users send. */
export function deletesOf({ users }: Pick<Setup, 'users'>): readonly DeleteRequest[] {
  return deletesIn(users);
}

const deletesIn = remembered((users: Setup['users']): readonly DeleteRequest[] =>
  requestsOf({ users }).flatMap((request) => (request.do === 'delete' ? [request] : [])),
);

/** Whether a user sends a DELETE of the object. */
export function isToBeDeleted({ users }: Pick<Setup, 'users'>, object: ApiObject): boolean {
  return deletedIn(users).has(keyOf(object));
}

const deletedIn = remembered(
  (users: Setup['users']): ReadonlySet<string> => new Set(deletesIn(users).map(({ key }) => key)),
);

/** Store keys of the objects that requests name. */
const askedIn = remembered(
  (users: Setup['users']): ReadonlySet<string> =>
    new Set(requestsOf({ users }).flatMap((request) => ('key' in request ? [request.key] : []))),
);

/** Whether a request names the object. */
export function isAsked(setup: Pick<Setup, 'users'>, object: ApiObject): boolean {
  return askedIn(setup.users).has(keyOf(object));
}

type Policy = 'Foreground' | 'Orphan';

/**
 * Whether a request may delete the object with this policy, and add its finalizer. A DELETE without a
 * policy never adds that of the first (`deletionFinalizers`).
 */
export function isAskedWith(setup: Setup, object: ApiObject, policy: Policy): boolean {
  const { kinds } = setup;
  return (
    isAsked(setup, object) &&
    requestsOf(setup).some((request) => {
      if (request.do !== 'delete' || request.key !== keyOf(object)) return false;
      const { propagationPolicy, orphanDependents } = request.options;
      if (propagationPolicy !== undefined) return propagationPolicy === policy;
      if (policy === 'Foreground') return false;
      const kind = kinds[object.kind];
      const mayOrphan =
        kind?.defaultPolicyByVersion !== undefined || kind?.defaultPolicy === 'orphanDependents';
      return orphanDependents === true || mayOrphan;
    })
  );
}
