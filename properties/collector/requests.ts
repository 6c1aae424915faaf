import type { ActionInstance } from '../../checker/index.ts';
import {
  type Cluster,
  type DeleteOptions,
  FOREGROUND,
  formatKey,
  identityOfNode,
  isBeingDeleted,
  ORPHAN,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOfNode, storedOwner } from '../relations.ts';

/**
 * What is wrong with the PATCH or PUT that a worker has just decided to send to take off a
 * finalizer of the collector. Null if it has decided on none.
 */
function faultsOfRemoval(
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): readonly string[] | null {
  const [workers, finalizer] =
    action.name === 'attemptToOrphan'
      ? (['orphanWorkers', ORPHAN] as const)
      : (['deleteWorkers', FOREGROUND] as const);
  const name = String(action.parameters.worker);
  const old = before[workers][name];
  const now = after[workers][name];
  if (old?.at !== 'getForFinalizer' || now?.at !== 'patchFinalizer') return null;
  const { key } = now.call;
  // A lagging member of etcd shows an old object.
  const isThere = before.store[key]?.finalizers.includes(finalizer) === true;
  if (isThere || before.lagging[key] !== undefined) return [];
  return [`a PATCH of ${formatKey(key)}, which has no finalizer ${finalizer}`];
}

/**
 * What is wrong with the request that this worker has just decided to send. Null if there is none.
 */
function faultsOfDecision(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): readonly string[] | null {
  const ofRemoval = faultsOfRemoval(before, action, after);
  if (ofRemoval !== null || action.name === 'attemptToOrphan') return ofRemoval;
  const name = String(action.parameters.worker);
  const old = before.deleteWorkers[name];
  const now = after.deleteWorkers[name];
  if (old === undefined || now === undefined || old.at === now.at) return null;
  if (now.at === 'patchOwners') {
    const { change } = now.call;
    const takesOff = change.do === 'removeOwners' && change.uids.length > 0;
    return takesOff ? [] : ['a PATCH that takes no owner reference off'];
  }
  if (now.at !== 'delete' || old.at !== 'getOwner') return null;
  const item = identityOfNode(old.node);
  const reference = old.live.ownerReferences[old.classes.length];
  const last = reference === undefined ? null : storedOwner(setup, before, item, reference);
  const waits =
    old.classes.includes('waiting') ||
    (last !== null && isBeingDeleted(last) && last.finalizers.includes(FOREGROUND));
  const policy = now.call.options.propagationPolicy;
  const { orphan, foreground } = old.live;
  if (isReasonable(policy, { orphan, foreground, waits })) return [];
  const asked = `its finalizers ask for ${orphan ? 'Orphan' : foreground ? 'Foreground' : 'nothing'}`;
  const waiting = waits ? 'an owner waits for it' : 'no owner waits for it';
  return [
    `a DELETE of ${nameOfNode(item)} with policy ${policy}, for which there is no reason (${asked}, ${waiting})`,
  ];
}

/** Whether the finalizers of the item, or its owners, ask for this policy. */
function isReasonable(
  policy: DeleteOptions['propagationPolicy'],
  asked: { readonly orphan: boolean; readonly foreground: boolean; readonly waits: boolean },
): boolean {
  switch (policy) {
    case undefined:
      return true;
    case 'Orphan':
      return asked.orphan;
    case 'Foreground':
      return !asked.orphan && (asked.foreground || asked.waits);
    case 'Background':
      return !asked.orphan && !asked.foreground;
    default:
      throw new Error(`unknown policy ${policy satisfies never}`);
  }
}

export const COLLECTOR_REQUESTS_JUSTIFIED = defineProperty({
  id: 'collector-requests-justified',
  group: "the collector's own bookkeeping",
  name: 'the collector sends no request without a reason',
  kind: 'step',
  about:
    'A PATCH for an object that keeps an owner names the references to be removed. A PATCH ' +
    'that takes off a finalizer is sent only if the object, when read, has that finalizer. A ' +
    'DELETE has the policy that a finalizer of the collector on the object asks for. If there ' +
    'is none, the policy is Foreground if an owner waits for the object, and Background ' +
    'otherwise.',
  trigger: 'a worker decides to send a PATCH, or a DELETE after it has looked up the owners',
  source:
    'Synchronous Garbage Collection (proposal), processItem(): what is done in the cases of solid, ' +
    'dangling and waiting owners',
  build: (setup) => ({
    actions: ['attemptToDelete', 'attemptToOrphan'],
    trigger: (before, action, after) => faultsOfDecision(setup, before, action, after) !== null,
    holds: (before, action, after) =>
      (faultsOfDecision(setup, before, action, after) ?? []).length === 0,
    explain: (before, action, after) =>
      (faultsOfDecision(setup, before, action, after) ?? []).map(
        (what) => `the collector decides on ${what}`,
      ),
  }),
});
