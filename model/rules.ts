/**
 * The differences between Kubernetes versions as named rules with named values. The reducers read
 * rule values; no reducer knows a version. `RULES` is the one table: values, meaning and source.
 */
export interface RuleDefinition {
  readonly values: readonly string[];
  readonly about: string;
  /** Section of the semantics, issue or change that the difference comes from. */
  readonly source: string;
}

export const RULES = {
  virtualNodeIdentity: {
    values: ['frozen', 'corrected'],
    about: 'Whether a virtual node takes over the coordinates that an event shows.',
    source: 'GraphBuilder.processGraphChanges; kubernetes/kubernetes#92743 (1.20)',
  },
  virtualDelete: {
    values: ['removes', 'matchingCoordinates'],
    about:
      'What a virtual delete event removes: the node of that uid, or only one with exactly the verified coordinates.',
    source: 'GraphBuilder.processGraphChanges; kubernetes/kubernetes#92743 (1.20)',
  },
  ownerMismatch: {
    values: ['ignored', 'enqueueDependent'],
    about:
      'Whether a dependent whose reference does not match the known owner is queued for a check.',
    source: 'GraphBuilder.addDependentToOwners; kubernetes/kubernetes#92743 (1.20)',
  },
  virtualOwnerNamespace: {
    values: ['trusted', 'checked'],
    about:
      'Whether a dependent in a namespace is queued for a check when its owner is known by a reference of a cluster-scoped object only.',
    source: 'GraphBuilder.addDependentToOwners; kubernetes/kubernetes#98068 (1.20.3)',
  },
  absentOwnerKey: {
    values: ['uid', 'coordinates'],
    about: 'What the memory of absent owners is keyed by.',
    source: 'GarbageCollector.isDangling; kubernetes/kubernetes#92743 (1.20)',
  },
  dequeuedVirtualNode: {
    values: ['processed', 'skippedWhenObserved'],
    about: 'Whether a queued virtual node is skipped once the graph has observed its uid.',
    source: 'GarbageCollector.attemptToDeleteWorker; kubernetes/kubernetes#92743 (1.20)',
  },
  missingNamespace: {
    values: ['lookedUp', 'dropped'],
    about:
      'A namespaced kind without a namespace, or a cluster-scoped dependent of a namespaced kind: looked up anyway, or dropped for good.',
    source: 'GarbageCollector.getObject, isDangling; kubernetes/kubernetes#92743 (1.20)',
  },
  deletionStart: {
    values: ['deletionTimestamp', 'deletionTimestampAndFinalizer'],
    about:
      'Which change starts orphaning or foreground deletion: deletionTimestamp appears, or it and the finalizer are both there for the first time.',
    source: 'deletionStartsWithFinalizer; kubernetes/kubernetes#81081 (1.16)',
  },
  collectorDeletePrecondition: {
    values: ['none', 'uid'],
    about: 'Preconditions of the DELETE that the collector sends.',
    source: 'GarbageCollector.deleteObject; kubernetes/kubernetes#22965 (1.3)',
  },
  collectorDeletePolicy: {
    values: ['none', 'explicit'],
    about: 'Whether the DELETE of the collector names a propagationPolicy.',
    source: 'GarbageCollector.attemptToDeleteItem; kubernetes/kubernetes#44058 (1.7)',
  },
  collectorDeleteNotFound: {
    values: ['retried', 'virtualDelete'],
    about: 'What the collector makes of a 404 to its own DELETE.',
    source: 'GarbageCollector.attemptToDeleteItem',
  },
  cycleBreaking: {
    values: ['none', 'unblockOwners'],
    about:
      'Whether a dependent of a waiting owner stops blocking when one of its own dependents is deleting its dependents.',
    source: 'GarbageCollector.attemptToDeleteItem; kubernetes/kubernetes#32628 (1.7)',
  },
  failedGroupDiscovery: {
    values: ['dropsMonitors', 'keepsMonitors'],
    about:
      'What becomes of the monitors of a group that discovery fails for: stopped like those of a group that is gone, or kept if they had synced.',
    source: 'GarbageCollector.Sync; kubernetes/kubernetes#117992 (1.28)',
  },
  finalizersWhileDeleting: {
    values: ['free', 'onlyRemoved'],
    about: 'Whether an update may add finalizers once deletionTimestamp is set.',
    source: 'ValidateFinalizersUpdate, ValidateObjectMetaUpdate; kubernetes/kubernetes#32339',
  },
  pendingFinalizersOnDelete: {
    values: ['ignored', 'keepObject'],
    about: 'Whether pending finalizers hold back a DELETE whose grace period is over.',
    source: 'Store.updateForGracefulDeletionAndFinalizers; kubernetes/kubernetes#32351 (1.4)',
  },
  removeOnEmptyFinalizers: {
    values: ['gracePeriodZero', 'deletionTimestamp'],
    about:
      'When an update that empties the finalizers removes the object: deletionGracePeriodSeconds present and 0, or deletionTimestamp set and grace nil or 0.',
    source:
      'Store.deleteWithoutFinalizers, ShouldDeleteDuringUpdate; kubernetes/kubernetes#77952 (1.15)',
  },
  deletePreconditionAfterUpdate: {
    values: ['original', 'updated'],
    about:
      'Which resourceVersion a DELETE with that precondition demands of the object that it has just written itself.',
    source: 'Store.Delete; kubernetes/kubernetes#85516 (1.18)',
  },
  collectorFinalizers: {
    values: ['disabled', 'orphanOnly', 'orphanOrForeground'],
    about: 'Which finalizers of the collector a DELETE may put on: none, orphan only, or either.',
    source:
      'deletionFinalizersForGarbageCollection, Store.EnableGarbageCollection; kubernetes/kubernetes#38676 (1.7)',
  },
  unsupportedPolicy: {
    values: ['ignored', 'honoured'],
    about:
      'Whether a DELETE leaves finalizers of the collector off kinds that the collector does not watch.',
    source: 'shouldOrphanDependents; kubernetes/kubernetes#48354 (1.8)',
  },
  negativeGracePeriod: {
    values: ['kept', 'oneSecond'],
    about: 'What a negative grace period, stored or asked for, counts as.',
    source: 'BeforeDelete, CheckGracefulDelete; kubernetes/kubernetes#98866 (1.22)',
  },
  shortenedGracePeriod: {
    values: ['mayEndInThePast', 'endsNowAtTheEarliest'],
    about: 'Where deletionTimestamp goes when a grace period is shortened to one already over.',
    source: 'BeforeDelete; kubernetes/kubernetes#122646 (1.33)',
  },
  deleteCollectionOptions: {
    values: ['shared', 'copied'],
    about:
      'Whether the grace period worked out for one object of a collection is that of the next one.',
    source: 'Store.DeleteCollection; kubernetes/kubernetes#100101 (1.21)',
  },
  duplicateOwnerReferences: {
    values: ['kept', 'removed'],
    about: 'What becomes of owner references that a request names twice in every field.',
    source: 'dedupOwnerReferencesAndAddWarning; kubernetes/kubernetes#96185 (1.20)',
  },
  namespaceDeleteFinalizers: {
    values: ['untouched', 'fromOptions'],
    about:
      'Whether the first DELETE of a Namespace puts on and takes off finalizers of the collector.',
    source: 'namespace REST.Delete; kubernetes/kubernetes#76051 (1.15)',
  },
  namespaceContentNotFound: {
    values: ['remembered', 'thisPassOnly'],
    about:
      'Whether a 404 or 405 for the contents of one namespace makes the controller skip that kind for good.',
    source: 'namespacedResourcesDeleter.deleteCollection; kubernetes/kubernetes#93790 (1.19)',
  },
  namespaceContentPolicy: {
    values: ['none', 'orphanDependentsFalse', 'background'],
    about: 'How the namespace controller asks for the contents of a namespace to be deleted.',
    source: 'namespacedResourcesDeleter.deleteCollection; kubernetes/kubernetes#32524 (1.4)',
  },
  namespaceContentOrder: {
    values: ['anyOrder', 'podsFirst'],
    about: 'Whether the namespace controller waits for the pods to be gone before other contents.',
    source: 'namespacedResourcesDeleter.deleteAllContent; KEP-5080 (1.33)',
  },
  terminatingDefinition: {
    values: ['rejectsWrites', 'rejectsCreates'],
    about: 'Which writes of custom resources are refused once their definition is being deleted.',
    source: 'crdHandler.ServeHTTP; kubernetes/kubernetes#60542 (1.10)',
  },
} as const satisfies Record<string, RuleDefinition>;

export type RuleName = keyof typeof RULES;

/** A protocol: one value for every rule. */
export type Rules = { readonly [Name in RuleName]: (typeof RULES)[Name]['values'][number] };
