import { rule } from './rule.ts';

/** How the collector knows owners, and which of them keep their dependents. */
export const OWNERSHIP_RULES = {
  unknownOwner: rule({
    values: ['ignored', 'enqueueDependent', 'virtualNode'],
    proposals: ['ignored', 'enqueueDependent'],
    releases: ['virtualNode'],
    about:
      'What the graph builder makes of an owner that it has not observed: nothing, a check of the dependent, or a virtual node that is looked up.',
    source: 'GraphBuilder.addDependentToOwners; kubernetes/kubernetes#24509 (1.3)',
  }),
  absenceProof: rule({
    values: ['graph', 'liveRead'],
    proposals: ['graph', 'liveRead'],
    releases: ['liveRead'],
    about:
      'How a worker tells that an owner is absent: no node of the graph stands for it, or a GET finds none.',
    source:
      'proposal garbage-collection (kubernetes/kubernetes#23656); GarbageCollector.isDangling, kubernetes/kubernetes#24509 (1.3)',
  }),
  waitingOwner: rule({
    values: ['none', 'deletedWithoutOrphan', 'foreground'],
    proposals: ['none', 'deletedWithoutOrphan'],
    releases: ['foreground'],
    about:
      'Which owner does not keep a dependent although it is still stored: none, one that is being deleted without orphan, or one in foreground deletion.',
    source:
      'proposal synchronous-garbage-collection (kubernetes/kubernetes#32628); GarbageCollector.classifyReferences, kubernetes/kubernetes#38676 (1.6)',
  }),
  mixedOwners: rule({
    values: ['allStay', 'waitingGo', 'danglingAndWaitingGo'],
    proposals: ['allStay', 'waitingGo'],
    releases: ['danglingAndWaitingGo'],
    about:
      'Which references of a dependent are taken off when another of its owners keeps it: none, those to owners in foreground deletion, or also those to absent owners.',
    source: 'GarbageCollector.attemptToDeleteItem; kubernetes/kubernetes#38676 (1.6)',
  }),
  referenceRemoval: rule({
    values: ['update', 'patch'],
    proposals: ['update', 'update'],
    releases: ['patch'],
    about: 'How the collector takes references off a dependent: a PUT of the object, or a PATCH.',
    source:
      'proposal garbage-collection (kubernetes/kubernetes#23656); GarbageCollector.orphanDependents, kubernetes/kubernetes#25599 (1.3)',
  }),
  itemsBeingDeleted: rule({
    values: ['processed', 'skipped'],
    proposals: ['processed', 'processed'],
    releases: ['skipped'],
    about:
      'Whether a queued item that is being deleted, but not in the foreground, is passed over without a request.',
    source: 'GarbageCollector.attemptToDeleteItem; kubernetes/kubernetes#38676 (1.6)',
  }),
  foregroundDeletion: rule({
    values: ['none', 'synchronousQueue', 'deleteWorkers'],
    proposals: ['none', 'synchronousQueue'],
    releases: ['deleteWorkers'],
    about:
      'Who looks after objects in foreground deletion: nobody; a routine with a queue of its own, which every event of such an object and every deletion of a dependent fills, and for which all dependents block; or the delete workers, from the change that starts it on.',
    source:
      'proposal synchronous-garbage-collection (kubernetes/kubernetes#32628); GraphBuilder.processTransitions, GarbageCollector.processDeletingDependentsItem, kubernetes/kubernetes#38676 (1.6)',
  }),
  unblockedOwners: rule({
    values: ['ignored', 'enqueued'],
    proposals: ['ignored', 'ignored'],
    releases: ['enqueued'],
    about: 'Whether an owner is looked at again when a reference stops blocking it.',
    source: 'GraphBuilder.addUnblockedOwnersToDeleteQueue; kubernetes/kubernetes#38676 (1.6)',
  }),
} as const;
