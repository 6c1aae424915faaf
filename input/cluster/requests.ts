import {
  type ApiObject,
  FOREGROUND,
  type Kind,
  keyOf,
  type ObjectKey,
  ORPHAN,
  requestsOf,
  type Setup,
  type UserRequest,
  type UserStep,
} from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';
import { remembered } from './lookups.ts';

/**
 * Whether each request of a setup is about one object, and about another one than the other
 * requests, and no user waits for anything but the answers to its own. Then a part that lacks an
 * object can do without the request for it (`requestsAbout`): the user still sends its other
 * requests, in their order, and each of them at any time.
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
  const known = sentIn(users);
  const sent = [...new Set(objects.map(keyOf))]
    .flatMap((key) => known.get(key) ?? [])
    .sort((one, other) => one.place - other.place);
  const byUser = groupedBy(sent, ({ user }) => user);
  return Object.fromEntries(
    [...byUser].map(([user, own]): [string, readonly UserStep[]] => [
      user,
      own.map(({ step }) => step),
    ]),
  );
}

/** By store key of an object: the steps about it, with their place among those of all users. */
const sentIn = remembered((users: Setup['users']) => {
  const steps = Object.entries(users).flatMap(([user, own]) =>
    own.map((step) => ({ user, step, key: 'key' in step.request ? step.request.key : '' })),
  );
  return groupedBy(
    steps.map((sent, place) => ({ ...sent, place })),
    ({ key }): string => key,
  );
});

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

const deletesByKey = remembered((users: Setup['users']) =>
  groupedBy(deletesIn(users), ({ key }): string => key),
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
 * Whether a request may delete the object with this policy, and add its finalizer. A DELETE without
 * a policy never adds that of the first (`deletionFinalizers`).
 */
export function isAskedWith(setup: Setup, object: ApiObject, policy: Policy): boolean {
  const { kinds, users } = setup;
  return (deletesByKey(users).get(keyOf(object)) ?? []).some(({ options }) => {
    const { propagationPolicy, orphanDependents } = options;
    if (propagationPolicy !== undefined) return propagationPolicy === policy;
    if (policy === 'Foreground') return false;
    return orphanDependents === true || orphansByDefault(kinds[object.kind]);
  });
}

/** Whether a DELETE without a policy may orphan the dependents of an object of this kind. */
export function orphansByDefault(kind: Kind | undefined): boolean {
  return kind?.defaultPolicyByVersion !== undefined || kind?.defaultPolicy === 'orphanDependents';
}
