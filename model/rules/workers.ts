import { rule } from './rule.ts';

/** The workers of the collector. */
export const WORKER_RULES = {
  absentOwnerKey: rule({
    values: ['none', 'uid', 'coordinates'],
    proposals: ['none', 'none'],
    releases: ['uid', ['v1.20', 'coordinates']],
    about: 'What the memory of absent owners is keyed by; none: there is no such memory.',
    source:
      'GarbageCollector.isDangling; kubernetes/kubernetes#31167 (1.4), kubernetes/kubernetes#92743 (1.20)',
  }),
  dequeuedVirtualNode: rule({
    values: ['processed', 'skippedWhenObserved'],
    proposals: ['processed', 'processed'],
    releases: ['processed', ['v1.20', 'skippedWhenObserved']],
    about: 'Whether a queued virtual node is skipped once the graph has observed its uid.',
    source: 'GarbageCollector.attemptToDeleteWorker; kubernetes/kubernetes#92743 (1.20)',
  }),
  missingNamespace: rule({
    values: ['lookedUp', 'dropped'],
    proposals: ['lookedUp', 'lookedUp'],
    releases: ['lookedUp', ['v1.20', 'dropped']],
    about:
      'A namespaced kind without a namespace, or a cluster-scoped dependent of a namespaced kind: looked up anyway, or dropped for good.',
    source: 'GarbageCollector.getObject, isDangling; kubernetes/kubernetes#92743 (1.20)',
  }),
  collectorDeletePrecondition: rule({
    values: ['none', 'uid', 'uidAndResourceVersion'],
    proposals: ['none', 'none'],
    releases: ['uid', ['v1.34', 'uidAndResourceVersion']],
    about:
      'Preconditions of the DELETE that the collector sends: none, the uid, or also the resourceVersion that it decided on.',
    source:
      'GarbageCollector.deleteObject; kubernetes/kubernetes#24509 (1.3), kubernetes/kubernetes#132632 (1.34)',
  }),
  policyAfterConflict: rule({
    values: ['kept', 'decidedAgain'],
    proposals: ['kept', 'kept'],
    releases: ['kept'],
    about:
      'With which policy the collector repeats its DELETE after a conflict over the resourceVersion: the former one, or the one that the finalizers of the new version ask for.',
    source:
      'GarbageCollector.attemptToDeleteItem as of kubernetes/kubernetes#132632; the repair was never shipped',
  }),
  unblockedReferences: rule({
    values: ['ofGraph', 'asRead'],
    proposals: ['ofGraph', 'ofGraph'],
    releases: ['ofGraph'],
    about:
      'Which references a PATCH that unblocks the owners of an item sends: those that the graph knows, or those of the version that was read, if it is still the stored one.',
    source:
      'node.unblockOwnerReferencesStrategicMergePatch as of kubernetes/kubernetes#38676; the repair was never shipped',
  }),
  finalizerOwnerUid: rule({
    values: ['ignored', 'compared'],
    proposals: ['ignored', 'ignored'],
    releases: ['ignored'],
    about:
      'Whether the collector, before it takes its finalizer off an owner that it has found by name, looks at the uid.',
    source:
      'GarbageCollector.removeFinalizer as of kubernetes/kubernetes#75972; the repair was never shipped',
  }),
  collectorDeletePolicy: rule({
    values: ['none', 'orphanDependentsFalse', 'ofOwner', 'explicit'],
    proposals: ['orphanDependentsFalse', 'ofOwner'],
    releases: ['explicit'],
    about:
      'What the DELETE of the collector says of the dependents: nothing, unless an owner in foreground deletion waits for it; always orphanDependents=false; what the deletion of the owners says; or a propagationPolicy after the finalizers of the object.',
    source: 'GarbageCollector.attemptToDeleteItem; kubernetes/kubernetes#44058 (1.7)',
  }),
  collectorDeleteNotFound: rule({
    values: ['retried', 'virtualDelete'],
    proposals: ['retried', 'retried'],
    releases: ['retried', ['v1.36', 'virtualDelete']],
    about:
      'What the collector makes of a 404 to its own DELETE: it tries the item again, or removes it from the graph. A 404 to its GET after a conflict ends the work on the item, or removes it as well.',
    source: 'GarbageCollector.attemptToDeleteItem; kubernetes/kubernetes#136817 (1.36)',
  }),
  collectorRequestNamespace: rule({
    values: ['item', 'scope'],
    proposals: ['scope', 'scope'],
    releases: ['item', ['v1.10', 'scope']],
    about:
      'Where the requests of the collector go: into the namespace of the item whatever its kind, or into none for a cluster-scoped kind.',
    source: 'resourceDefaultNamespace, isDangling; kubernetes/kubernetes#57211 (1.10)',
  }),
  ownerPatchFallback: rule({
    values: ['none', 'jsonMerge'],
    proposals: ['jsonMerge', 'jsonMerge'],
    releases: ['none', ['v1.11', 'jsonMerge']],
    about:
      'What follows a strategic merge patch that a kind refuses (415): an error, or a JSON merge patch under the resourceVersion that was read.',
    source: 'GarbageCollector.patch; kubernetes/kubernetes#63386 (1.11)',
  }),
  finalizerRemoval: rule({
    values: ['put', 'patch'],
    proposals: ['put', 'put'],
    releases: ['put', ['v1.15', 'patch']],
    about:
      'How the collector takes its finalizer off: a PUT of the whole object, which carries the uid, or a PATCH under the resourceVersion.',
    source: 'GarbageCollector.removeFinalizer; kubernetes/kubernetes#75972 (1.15)',
  }),
  unobservedItem: rule({
    values: ['forgotten', 'requeued'],
    proposals: ['forgotten', 'forgotten'],
    releases: ['forgotten', ['v1.10', 'requeued']],
    about:
      'What becomes of a virtual node whose object was found: done, or looked up again until an event shows it.',
    source: 'GarbageCollector.attemptToDeleteWorker; kubernetes/kubernetes#57503 (1.10)',
  }),
  finishedItem: rule({
    values: ['remembered', 'forgotten'],
    proposals: ['forgotten', 'forgotten'],
    releases: ['remembered', ['v1.23', 'forgotten']],
    about:
      'Whether the rate limiter of a work queue forgets an item that a worker has finished. Only seen where the environment includes the rate limiter.',
    source: 'GarbageCollector.attemptToDeleteWorker; kubernetes/kubernetes#106029 (1.23)',
  }),
  cycleBreaking: rule({
    values: ['none', 'searchCycle', 'unblockOwners'],
    proposals: ['none', 'searchCycle'],
    releases: ['unblockOwners'],
    about:
      'How objects that wait for one another in a cycle get on: not at all; one that finds itself in such a cycle of the graph loses its own finalizer; or a dependent of a waiting owner stops blocking when one of its own dependents is deleting its dependents.',
    source:
      'proposal synchronous-garbage-collection (kubernetes/kubernetes#32628); GarbageCollector.attemptToDeleteItem, kubernetes/kubernetes#38676 (1.6)',
  }),
  observedGeneration: rule({
    values: ['ignored', 'awaited'],
    proposals: ['awaited', 'awaited'],
    releases: ['ignored'],
    about:
      'Whether the collector waits for the controller of an owner to acknowledge its deletion before it takes its own finalizer off.',
    source:
      'proposals garbage-collection (kubernetes/kubernetes#23656) and synchronous-garbage-collection (kubernetes/kubernetes#32628); never shipped: kubernetes/kubernetes#43032 was closed',
  }),
} as const;
