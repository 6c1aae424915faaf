import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  continuedItemCall,
  type DeleteOptions,
  FOREGROUND,
  type ItemCall,
  isBeingDeleted,
  ORPHAN,
  type Setup,
  thirdPartyFinalizers,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { changed, nameOf, whichKeys } from '../relations.ts';

/** Finalizers of the collector that a DELETE with these options takes off. */
function takenOffByDelete(
  setup: Setup,
  object: ApiObject,
  options: DeleteOptions,
): readonly string[] {
  if (setup.kinds[object.kind]?.defaultPolicy === 'unsupported') return [ORPHAN, FOREGROUND];
  if (options.orphanDependents !== undefined) {
    return options.orphanDependents ? [FOREGROUND] : [ORPHAN, FOREGROUND];
  }
  switch (options.propagationPolicy) {
    case 'Orphan':
      return [FOREGROUND];
    case 'Foreground':
      return [ORPHAN];
    case 'Background':
      return [ORPHAN, FOREGROUND];
    case undefined:
      return [];
    default:
      throw new Error(`unknown policy ${options.propagationPolicy satisfies never}`);
  }
}

/**
 * The finalizer that the collector takes off with this action. It writes the whole list of the
 * others.
 */
function finalizerOfCollector(action: ActionInstance): string | null {
  if (action.name === 'attemptToDelete') return FOREGROUND;
  return action.name === 'attemptToOrphan' ? ORPHAN : null;
}

/** Finalizers on the object that this request is meant to take off. */
function takenOff(
  setup: Setup,
  action: ActionInstance,
  call: ItemCall | null,
  object: ApiObject,
): readonly string[] {
  if (call === null || call.verb === 'create') return [];
  if (call.verb === 'delete') return takenOffByDelete(setup, object, call.options);
  const { change } = call;
  if (change.do === 'removeFinalizer') return [change.finalizer];
  if (change.do === 'setMetadata') return without(object.finalizers, change.finalizers);
  if (change.do !== 'setFinalizers') return [];
  const one = finalizerOfCollector(action);
  if (one !== null) return [one];
  return without(object.finalizers, change.finalizers);
}

/** @param kept absent: all of them. */
function without(
  finalizers: readonly string[],
  kept: readonly string[] = finalizers,
): readonly string[] {
  return finalizers.filter((name) => !kept.includes(name));
}

/** The `spec.finalizers` of a namespace count as finalizers. Only `finalize` takes them off. */
function contentFinalizers(call: ItemCall | null, object: ApiObject): readonly string[] {
  const finalize = call?.verb === 'update' && call.change.do === 'finalizeNamespace';
  return finalize ? [] : (object.specFinalizers ?? []).map((name) => `${name} of its spec`);
}

/** Third-party finalizers that this request is not meant to take off. */
function pendingThirdParty(
  setup: Setup,
  action: ActionInstance,
  call: ItemCall | null,
  object: ApiObject,
): readonly string[] {
  const covered = takenOff(setup, action, call, object);
  return [
    ...thirdPartyFinalizers(object).filter((name) => !covered.includes(name)),
    ...contentFinalizers(call, object),
  ];
}

/** All finalizers, those of the collector included, that this request is not meant to take off. */
function pending(
  setup: Setup,
  action: ActionInstance,
  call: ItemCall | null,
  object: ApiObject,
): readonly string[] {
  const covered = takenOff(setup, action, call, object);
  return [
    ...object.finalizers.filter((name) => !covered.includes(name)),
    ...contentFinalizers(call, object),
  ];
}

function removes(call: ItemCall): boolean {
  return call.verb !== 'create' && (call.at === 'remove' || call.at === 'removeMarked');
}

interface Decision {
  readonly call: ItemCall;
  /** As stored when the removal is decided. */
  readonly object: ApiObject;
}

/** The decision by which a request goes on to remove an object; null if this step is none. */
function removalDecided(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): Decision | null {
  const call = actingItemCall(setup, before, action);
  if (call === null || call.verb === 'create' || removes(call)) return null;
  const next = continuedItemCall(after, action, call);
  if (next === null || !removes(next)) return null;
  const object = before.store[call.key];
  return object === undefined ? null : { call, object };
}

export const FINALIZERS_RESPECTED = defineProperty({
  id: 'finalizers-respected',
  group: 'objects and finalizers',
  name: 'finalizers are respected',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'A request decides to remove an object only if the object, as stored at that moment, has ' +
    'no third-party finalizer, and a namespace no spec.finalizers, other than those that the ' +
    'request itself takes off.',
  trigger: 'a request decides to remove an object',
  source:
    'Garbage Collection (proposal): "api server will only delete the object when object\'s Finalizers is empty"; ' +
    'https://github.com/kubernetes/kubernetes/issues/32157',
  build: (setup) => ({
    trigger: (before, action, after) => removalDecided(setup, before, action, after) !== null,
    holds: (before, action, after) => {
      const decision = removalDecided(setup, before, action, after);
      if (decision === null) return true;
      return pendingThirdParty(setup, action, decision.call, decision.object).length === 0;
    },
    explain: (before, action, after) => {
      const decision = removalDecided(setup, before, action, after);
      if (decision === null) return [];
      return pendingThirdParty(setup, action, decision.call, decision.object).map(
        (name) => `${nameOf(decision.object)} is to be removed with finalizer ${name} on it`,
      );
    },
  }),
});

export const NO_REMOVAL_WITH_FINALIZER = defineProperty({
  id: 'no-removal-with-finalizer',
  group: 'objects and finalizers',
  name: 'nothing leaves with a finalizer on it',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'At the moment of its removal the stored object has no finalizer, neither of a third ' +
    'party nor of the collector, other than those that the removing request takes off. This ' +
    'is stronger than finalizers-respected: a finalizer that is stored between the decision ' +
    'and the removal is lost, although the API server has confirmed it to the client that ' +
    'stored it.',
  trigger: 'an object leaves the store',
  source:
    'Garbage Collection (proposal): "api server will only delete the object when object\'s Finalizers is empty"; ' +
    'recorded from v1.20.2: w-add-finalizer-races-delete, w-last-finalizer-races-orphan-delete',
  build: (setup) => ({
    parameters: whichKeys(setup),
    trigger: (before, _action, after, { key }) =>
      Object.hasOwn(before.store, String(key)) && !Object.hasOwn(after.store, String(key)),
    holds: (before, action, after, { key }) => {
      const object = before.store[String(key)];
      if (object === undefined || after.store[String(key)] !== undefined) return true;
      if (object.finalizers.length === 0 && object.specFinalizers === undefined) return true;
      return pending(setup, action, actingItemCall(setup, before, action), object).length === 0;
    },
    explain: (before, action, _after, { key }) => {
      const object = before.store[String(key)];
      if (object === undefined) return [];
      return pending(setup, action, actingItemCall(setup, before, action), object).map(
        (name) => `${nameOf(object)} is removed with finalizer ${name} on it`,
      );
    },
  }),
});

export const NO_FINALIZER_ADDED_LATE = defineProperty({
  id: 'no-finalizer-added-late',
  group: 'objects and finalizers',
  name: 'updates add no finalizer after deletion began',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'Once deletionTimestamp is set, finalizers are only removed. The exception is a repeated ' +
    'DELETE, which may exchange `orphan` and `foregroundDeletion`.',
  trigger: 'a request changes the finalizers of an object that is being deleted',
  source:
    'ValidateObjectMetaUpdate: "no new finalizers can be added if the object is being deleted"; ' +
    'https://github.com/kubernetes/kubernetes/issues/32339',
  build: (setup) => ({
    parameters: whichKeys(setup),
    trigger: (before, _action, after, { key }) => {
      const pair = changed(before, after, String(key));
      if (pair === null || !isBeingDeleted(pair.old)) return false;
      return pair.old.finalizers.join() !== pair.now.finalizers.join();
    },
    holds: (before, action, after, { key }) => {
      const pair = changed(before, after, String(key));
      if (pair === null || !isBeingDeleted(pair.old)) return true;
      const added = pair.now.finalizers.filter((name) => !pair.old.finalizers.includes(name));
      if (added.length === 0) return true;
      const byDelete = actingItemCall(setup, before, action)?.verb === 'delete';
      return byDelete && added.every((name) => name === ORPHAN || name === FOREGROUND);
    },
    explain: (before, _action, after, { key }) => {
      const pair = changed(before, after, String(key));
      if (pair === null) return [];
      return pair.now.finalizers
        .filter((name) => !pair.old.finalizers.includes(name))
        .map((name) => `${nameOf(pair.now)} gains finalizer ${name} while it is being deleted`);
    },
  }),
});
