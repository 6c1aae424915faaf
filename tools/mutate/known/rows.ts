/**
 * For rows of docs/sources.md about one line of the model: the line, as the beginning of
 * `mutantWords`. Only changes of that line count as a proof of the row. An audit disabled these lines
 * one at a time, and found that the scenarios of their rows did not notice.
 */
export interface RowLine {
  readonly where: string;
  readonly statement: string;
  readonly line: string;
}

const SYNCHRONOUS = 'collector/synchronous-worker';
const CLASSES = 'collector/classification';
const BUILDER = 'collector/graph-builder';
const WORKER = 'collector/delete-worker';
const ABSENT =
  'collector/absent-owners, rememberAbsent: cluster.absentOwners[key] = true;, skipped';

export const ROW_LINES: readonly RowLine[] = [
  {
    where: 'GCFinalizer',
    statement: 'one that is not in the graph any more is passed over',
    line: `${SYNCHRONOUS}, takeForSynchronousDeletion: currentNode(cluster, id)?.deletingDependents`,
  },
  {
    where: 'GCFinalizer',
    statement:
      'one that is not marked is passed over: it stays, whatever becomes of its dependents',
    line: `${SYNCHRONOUS}, takeForSynchronousDeletion: currentNode(cluster, id)?.deletingDependents`,
  },
  {
    where: 'GCFinalizer',
    statement:
      'what has been put there is noted, so that an owner that comes again does not put it there again',
    line: `${SYNCHRONOUS}, readDependents: queued.includes(dependent)`,
  },
  {
    where: 'processItem',
    statement: 'an owner that is being deleted without the finalizer orphan counts as absent',
    line: `${CLASSES}, storedOwnerClass: 'leaving'`,
  },
  {
    where: 'processItem',
    statement: 'one with orphan does not',
    line: `${CLASSES}, storedOwnerClass: owner.finalizers.includes(ORPHAN), taken for false`,
  },
  {
    where: 'circular dependencies',
    statement: 'only a cycle all of whose objects have the finalizer counts',
    line: 'collector/owners, isInForegroundCycle: cluster.graph[owner.uid]?.deletingDependents',
  },
  {
    where: 'role',
    statement: 'nor what never had one',
    line: `${WORKER}, getItem: live.ownerReferences.length === 0, taken for false`,
  },
  {
    where: 'foreground',
    statement: 'then the collector deletes the dependents',
    line: `${BUILDER}, startForeground:`,
  },
  {
    where: 'state machine',
    statement: 'and not before',
    line: 'apiserver/update, removedByUpdate: object.finalizers.length > 0, taken for false',
  },
  {
    where: '`addDependentToOwners`',
    statement: 'a virtual node becomes a usual one when its object is seen',
    line: `${BUILDER}, markObserved: current`,
  },
  {
    where: '`startsWaitingForDependentsDeleted`',
    statement: 'its dependents are queued for deletion',
    line: `${BUILDER}, startForeground: enqueueForDelete(cluster, dependent);`,
  },
  {
    where: '`startsWaitingForDependentsDeleted`',
    statement: 'and so is the node itself, which may have no dependents',
    line: `${BUILDER}, startForeground: enqueueForDelete(cluster, uid);`,
  },
  {
    where: '`deletionStartsWithFinalizer`',
    statement: 'false if it lacks the finalizer',
    line: `${BUILDER}, deletionStartsWith: marks[finalizer], taken for true`,
  },
  {
    where: '`deletionStartsWithFinalizer`',
    statement: 'true if there is no older object (foreground)',
    line: `${BUILDER}, insertNode: processTransitions(cluster, world, event);`,
  },
  {
    where: '`processGraphChanges`, add or update, known',
    statement: 'the new owners know of it as a dependent',
    line: `${BUILDER}, updateNode: addDependentToOwners(`,
  },
  {
    where: '`processGraphChanges`, add or update, known',
    statement: 'the former ones do not any more',
    line: `${BUILDER}, updateNode: removeDependentFromOwners(`,
  },
  {
    where: '`processGraphChanges`, delete',
    statement: '`absentOwnerCache`: if it had dependents, it is remembered as absent',
    line: ABSENT,
  },
  {
    where: '`classifyReferences`',
    statement: 'dangling: an owner in `absentOwnerCache`',
    line: `${CLASSES}, classify: isKnownAbsent(cluster, world, reference, item.namespace), taken for false`,
  },
  {
    where: '`classifyReferences`',
    statement: '`absentOwnerCache` has the objects whose delete event has come',
    line: ABSENT,
  },
  {
    where: '`classifyReferences`',
    statement: 'dangling: or one that the API server does not have',
    line: `${CLASSES}, classify: answer.object.uid !== reference.uid`,
  },
  {
    where: '`classifyReferences`',
    statement: 'an owner that cannot be looked up is an error: the item is tried again',
    line: `${CLASSES}, getOwner: found === 'failed'`,
  },
  {
    where: '`attemptToDeleteWorker`',
    statement: '`AddRateLimited`: so is one for which a request has failed',
    line: `${WORKER}, release: cluster.attemptToDelete[queuedAs] = `,
  },
  {
    where: '`attemptToDeleteItem`',
    statement:
      '`isBeingDeleted`, not `isDeletingDependents`: nothing to do, the deletion itself goes on',
    line: `${WORKER}, takeForDelete: leaving`,
  },
  {
    where: '`attemptToDeleteItem`',
    statement: 'any other error of `getObject` is returned, and the item is tried again',
    line: `${WORKER}, getItem: answer.code !== 200, taken for false`,
  },
  {
    where: '`attemptToDeleteItem`',
    statement: 'no owner references: nothing to do',
    line: `${WORKER}, getItem: live.ownerReferences.length === 0, taken for false`,
  },
  {
    where: '`processDeletingDependentsItem`',
    statement:
      'else each of the `blockingDependents` that is not itself `isDeletingDependents` is queued',
    line: `${WORKER}, readBlockingDependents: enqueueForDelete(cluster, uid);`,
  },
  {
    where: '`attemptToDeleteItem`, waiting owners and dependents',
    statement: 'the item is deleted in foreground, as its owners are',
    line: 'collector/item-deletion, readDependents: dependents.length === 0',
  },
  {
    where: '`attemptToDeleteItem`, some solid',
    statement: 'dangling references are taken off, the item stays',
    line: `${CLASSES}, goingReferences: 'danglingAndWaitingGo'`,
  },
  {
    where: '`addUnblockedOwnersToDeleteQueue`',
    statement: 'a removed reference that did not block queues nobody',
    line: `${BUILDER}, addUnblockedOwnersToDeleteQueue: reference.blockOwnerDeletion === true`,
  },
  {
    where: '`addUnblockedOwnersToDeleteQueue`',
    statement: 'nor does a changed reference that did not go from blocking to non-blocking',
    line: `${BUILDER}, addUnblockedOwnersToDeleteQueue: before.blockOwnerDeletion === true`,
  },
  {
    where: '`attemptToDeleteItem`, waiting owners and dependents',
    statement: 'without dependents the default case decides: Background',
    line: 'collector/item-deletion, readDependents: dependents.length === 0',
  },
];

export function lineOf(where: string, statement: string): string | null {
  const found = ROW_LINES.find((one) => one.where === where && one.statement === statement);
  return found?.line ?? null;
}
