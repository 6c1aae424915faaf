import type { ActionInstance } from '../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  continuedItemCall,
  finalizerClient,
  type ItemCall,
  isBeingDeleted,
  isVisible,
  type Setup,
  type UpdateCall,
} from '../model/index.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { askedBy, isAlwaysAccepted } from './changes.ts';
import { nameOf } from './relations.ts';
import { isDryRun, isRefusedType, otherFields, unmetConditions } from './writes.ts';

/** What comes of requests against which nothing speaks. */

/** No definition that comes or goes, and no start of the API server, decides whether it is served. */
function isAlwaysServed(setup: Setup, { kind }: ApiObject): boolean {
  return setup.definitions === undefined && setup.notInstalled?.includes(kind) !== true;
}

/** The stored object for which this request can only be carried out, by this step or a later one. */
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
    return isRefusedType(setup, call, stored) || !isAlwaysAccepted(call.change, stored)
      ? null
      : { call, stored };
  }
  const { orphanDependents, propagationPolicy } = call.options;
  const valid = orphanDependents === undefined || propagationPolicy === undefined;
  return valid ? { call, stored } : null;
}

function isUpdated(call: UpdateCall, old: ApiObject, now: ApiObject | undefined): boolean {
  if (now === undefined) return true;
  const asked = askedBy(call.change, old);
  return otherFields({ ...old, ...asked }, now, []).length === 0;
}

/** A client with a request under way that begins another one with this step; null: there is none. */
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

export const ACCEPTED_IS_DONE: CatalogueEntry = {
  name: 'a request that nothing stands against is carried out',
  kind: 'step',
  about:
    'Once a DELETE has been answered whose conditions the object meets, the object is gone or being ' +
    'deleted; once a PUT or PATCH has been answered that cannot be invalid, the object has what it ' +
    'asks for. Nobody gives a request up by sending another one before it is answered.',
  trigger: 'a request that nothing stands against is answered, or given up',
  source: 'Kubernetes API conventions, verbs on resources',
  fairness: 'none',
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
      kind: 'step',
      name: ACCEPTED_IS_DONE.name,
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
};
