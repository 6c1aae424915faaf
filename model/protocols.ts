import type { Rules } from './rules.ts';

/** Kubernetes versions as sets of rule values. A new version is a new row, never new code. */
export const PROTOCOLS: Readonly<Record<string, Rules>> = {
  'v1.20': {
    virtualNodeIdentity: 'corrected',
    virtualDelete: 'matchingCoordinates',
    ownerMismatch: 'enqueueDependent',
    virtualOwnerNamespace: 'trusted',
    absentOwnerKey: 'coordinates',
    dequeuedVirtualNode: 'skippedWhenObserved',
    missingNamespace: 'dropped',
    deletionStart: 'deletionTimestampAndFinalizer',
    collectorDeletePrecondition: 'uid',
    collectorDeletePolicy: 'explicit',
    collectorDeleteNotFound: 'retried',
    cycleBreaking: 'unblockOwners',
    failedGroupDiscovery: 'dropsMonitors',
    finalizersWhileDeleting: 'onlyRemoved',
    pendingFinalizersOnDelete: 'keepObject',
    removeOnEmptyFinalizers: 'deletionTimestamp',
    deletePreconditionAfterUpdate: 'updated',
    collectorFinalizers: 'orphanOrForeground',
    unsupportedPolicy: 'honoured',
    negativeGracePeriod: 'kept',
    shortenedGracePeriod: 'mayEndInThePast',
    deleteCollectionOptions: 'shared',
    duplicateOwnerReferences: 'removed',
    namespaceDeleteFinalizers: 'fromOptions',
    namespaceContentNotFound: 'thisPassOnly',
    namespaceContentPolicy: 'background',
    namespaceContentOrder: 'anyOrder',
    terminatingDefinition: 'rejectsCreates',
  },
};

export const DEFAULT_PROTOCOL = 'v1.20';
