import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  actingCall,
  actingItemCall,
  type Cluster,
  continuedCall,
  continuedItemCall,
  type DeleteCall,
  finalizerClient,
  formatKey,
  hasBegunRemoval,
  type ItemCall,
  isBeingDeleted,
  isVisible,
  refusedDeletion,
  type Setup,
  type UpdateCall,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOf } from '../relations.ts';
import { askedBy, isAlwaysAccepted } from './changes.ts';
import { isDryRun, isRefusedType, otherFields, unmetConditions } from './requests.ts';

/**
 * Whether the kind is served in every state: its definition never comes or goes, and it is
 * installed.
 */
function isAlwaysServed(setup: Setup, { kind }: ApiObject): boolean {
  return setup.definitions === undefined && setup.notInstalled?.includes(kind) !== true;
}

/**
 * A request that must be carried out, by this step or a later one, with the object that is stored.
 */
function acceptable(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
): { readonly call: ItemCall; readonly stored: ApiObject } | null {
  const call = actingItemCall(setup, before, action);
  if (call === null || call.verb === 'create' || isDryRun(call)) return null;
  const stored = before.store[call.key];
  if (stored === undefined || !isVisible(stored) || !isAlwaysServed(setup, stored)) return null;
  if (unmetConditions(before, call, stored).length > 0) return null;
  if (call.verb === 'update') {
    return isRefusedType(setup, call, stored) ||
      setup.refusesUpdates?.includes(stored.kind) === true ||
      !isAlwaysAccepted(call.change, stored)
      ? null
      : { call, stored };
  }
  if (refusedDeletion(setup.kinds[stored.kind], call.key) !== null) return null;
  const { orphanDependents, propagationPolicy } = call.options;
  const valid = orphanDependents === undefined || propagationPolicy === undefined;
  return valid ? { call, stored } : null;
}

function isUpdated(call: UpdateCall, old: ApiObject, now: ApiObject | undefined): boolean {
  if (now === undefined) return true;
  const asked = askedBy(call.change, old);
  return otherFields({ ...old, ...asked }, now, []).length === 0;
}

/**
 * The client that begins a request with this step while another one is under way; null if none
 * does.
 */
function givenUp(before: Cluster, { name, parameters }: ActionInstance): string | null {
  const { user, finalizer, key } = parameters;
  const client =
    name === 'request'
      ? String(user)
      : name === 'removeThirdPartyFinalizer'
        ? finalizerClient(String(finalizer), String(key))
        : null;
  return client !== null && before.calls[client] !== undefined ? client : null;
}

export const VALID_REQUEST_CARRIED_OUT = defineProperty({
  id: 'valid-request-carried-out',
  group: 'clients',
  name: 'a request that nothing stands against is carried out',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'When a DELETE whose conditions the object meets has been answered, the object is gone or ' +
    'being deleted. When a PUT or PATCH that cannot be invalid has been answered, the object ' +
    'has what the request asks for. No client sends another request before its last one is ' +
    'answered.',
  trigger: 'a valid request is answered, or its client sends another request first',
  source: 'Kubernetes API conventions, verbs on resources',
  build: (setup) => {
    const answered = (before: Cluster, action: ActionInstance, after: Cluster) => {
      const found = acceptable(setup, before, action);
      if (found === null) return null;
      return continuedItemCall(after, action, found.call) === null ? found : null;
    };
    const isDone = (before: Cluster, action: ActionInstance, after: Cluster): boolean => {
      const found = answered(before, action, after);
      if (found === null || found.call.verb === 'create') return true;
      const { call, stored } = found;
      const now = after.store[call.key];
      if (call.at !== 'get' && call.at !== 'update' && call.at !== 'terminate') {
        return now === undefined;
      }
      if (call.verb === 'update') return isUpdated(call, stored, now);
      return now === undefined || isBeingDeleted(now);
    };
    return {
      trigger: (before, action, after) =>
        givenUp(before, action) !== null || answered(before, action, after) !== null,
      holds: (before, action, after) =>
        givenUp(before, action) === null && isDone(before, action, after),
      explain: (before, action, after) => {
        const client = givenUp(before, action);
        if (client !== null) return [`${client} sends a request, and one of it is under way`];
        const found = answered(before, action, after);
        if (found === null || isDone(before, action, after)) return [];
        const verb = found.call.verb === 'delete' ? 'a DELETE' : 'an update';
        return [`${verb} of ${nameOf(found.stored)} is answered and not carried out`];
      },
    };
  },
});

/**
 * Whether the DELETE of a collection has reached an object that is gone, and has more to delete.
 */
function isAtGap(setup: Setup, before: Cluster, action: ActionInstance): boolean {
  const call = actingCall(setup, before, action);
  if (call?.verb !== 'deleteCollection' || call.current === null) return false;
  return before.store[call.current.key] === undefined && call.remaining.length > 0;
}

export const DELETE_COLLECTION_SKIPS_MISSING = defineProperty({
  id: 'delete-collection-skips-missing',
  group: 'clients',
  name: 'a DELETE of a collection passes over what has gone',
  kind: 'step',
  about:
    'An object that has been removed since the list was made causes no error: the DELETE of ' +
    'the collection continues with the rest of the list.',
  trigger: 'the DELETE of a collection reaches an object that is gone',
  source: 'store.go, Store.DeleteCollection: that an item is not found is ignored',
  build: (setup) => ({
    trigger: (before, action) => isAtGap(setup, before, action),
    holds: (before, action, after) =>
      !isAtGap(setup, before, action) || continuedCall(after, action) !== null,
    explain: (before, action) => {
      const call = actingCall(setup, before, action);
      if (call?.verb !== 'deleteCollection') return [];
      return call.remaining.map(
        (key) => `the DELETE of the collection ends before ${formatKey(key)}`,
      );
    },
  }),
});

/**
 * A DELETE that is about to remove the object in the version that its client has read and demands.
 */
function knowingRemoval(setup: Setup, before: Cluster, action: ActionInstance): DeleteCall | null {
  const call = actingItemCall(setup, before, action);
  if (call?.verb !== 'delete' || call.options.dryRun === true) return null;
  if (call.at !== 'remove' && call.at !== 'removeMarked') return null;
  if (call.options.preconditions?.resourceVersion === undefined) return null;
  return before.unchangedSince[call.client] === call.key ? call : null;
}

/**
 * A request that is about to be answered, and has decided on the removal of its object or has
 * marked the object for that. Null if this step answers none.
 */
function answeredRemoval(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): ItemCall | null {
  const call = actingItemCall(setup, before, action);
  if (call === null || !hasBegunRemoval(call)) return null;
  return continuedItemCall(after, action, call) === null ? call : null;
}

/** Whether this step answers with a 404 a request that has begun the removal itself. */
function isUnearned(before: Cluster, after: Cluster, { client }: ItemCall): boolean {
  return before.unearned[client] === undefined && after.unearned[client] !== undefined;
}

export const DELETE_NEVER_CONFLICTS_WITH_ITSELF = defineProperty({
  id: 'delete-never-conflicts-with-itself',
  group: 'clients',
  name: 'a client gets no error that its own request has caused',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'A DELETE that demands the resourceVersion that its client has read removes the object, if ' +
    'nothing but this DELETE has written the object since. A request that has marked an object ' +
    'for removal, or has decided to remove it, is not answered that there is no such object.',
  trigger:
    'a DELETE with a resourceVersion is about to remove an object that no one else has written, ' +
    'or a request is answered that has begun to remove its object',
  source:
    'https://github.com/kubernetes/kubernetes/issues/85485, ' +
    'https://github.com/kubernetes/kubernetes/issues/77988',
  build: (setup) => ({
    trigger: (before, action, after) =>
      knowingRemoval(setup, before, action) !== null ||
      answeredRemoval(setup, before, action, after) !== null,
    holds: (before, action, after) => {
      const call = knowingRemoval(setup, before, action);
      if (call !== null && after.store[call.key] !== undefined) return false;
      const ended = answeredRemoval(setup, before, action, after);
      return ended === null || !isUnearned(before, after, ended);
    },
    explain: (before, action, after) => {
      const call = knowingRemoval(setup, before, action);
      const object = call === null ? undefined : after.store[call.key];
      if (object !== undefined) {
        return [`${nameOf(object)} is not removed, although nobody else has changed it`];
      }
      const ended = answeredRemoval(setup, before, action, after);
      if (ended === null || !isUnearned(before, after, ended)) return [];
      const name = formatKey(after.unearned[ended.client] ?? '');
      return [`the request that has begun to remove ${name} is answered 404: there is no ${name}`];
    },
  }),
});
