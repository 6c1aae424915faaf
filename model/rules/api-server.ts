import { rule } from './rule.ts';

/** The API server. */
export const API_SERVER_RULES = {
  finalizersWhileDeleting: rule({
    values: ['free', 'onlyRemoved'],
    proposals: ['free', 'free'],
    releases: ['onlyRemoved'],
    about: 'Whether an update may add finalizers once deletionTimestamp is set.',
    source: 'ValidateNoNewFinalizers, ValidateObjectMetaUpdate; kubernetes/kubernetes#32354 (1.4)',
  }),
  pendingFinalizersOnDelete: rule({
    values: ['ignored', 'keepObject'],
    proposals: ['keepObject', 'keepObject'],
    releases: ['keepObject'],
    about: 'Whether pending finalizers hold back a DELETE whose grace period is over.',
    source: 'Store.updateForGracefulDeletionAndFinalizers; kubernetes/kubernetes#32351 (1.4)',
  }),
  removeOnEmptyFinalizers: rule({
    values: ['deletionTimestampAndGracePeriodZero', 'gracePeriodZero', 'deletionTimestamp'],
    proposals: ['deletionTimestampAndGracePeriodZero', 'deletionTimestampAndGracePeriodZero'],
    releases: ['gracePeriodZero', ['v1.15', 'deletionTimestamp']],
    about:
      'When an update that empties the finalizers removes the object: deletionGracePeriodSeconds present and 0, with or without a look at deletionTimestamp, or deletionTimestamp set and grace nil or 0.',
    source:
      'Store.deleteWithoutFinalizers, ShouldDeleteDuringUpdate; kubernetes/kubernetes#25599 (1.3), kubernetes/kubernetes#77952 (1.15)',
  }),
  deletePreconditionAfterUpdate: rule({
    values: ['original', 'updated'],
    proposals: ['original', 'original'],
    releases: ['original', ['v1.18', 'updated']],
    about:
      'Which resourceVersion a DELETE with that precondition demands of the object that it has just written itself.',
    source: 'Store.Delete; kubernetes/kubernetes#85516 (1.18)',
  }),
  removalCondition: rule({
    values: ['asRequested', 'asDecided', 'asDecidedOrGone'],
    proposals: ['asRequested', 'asRequested'],
    releases: ['asRequested'],
    about:
      'Which object a request removes once it has decided to: the one that meets the preconditions of the request; only the one that it has decided on, or else it begins again; or that one as its own update left it, and it is no error if that is gone.',
    source:
      'Store.Delete, Store.deleteWithoutFinalizers; kubernetes/kubernetes#129768 for kubernetes/kubernetes#77988, reverted, and kubernetes/kubernetes#133995, not merged: no release has either',
  }),
  collectorFinalizers: rule({
    values: ['disabled', 'orphanOnly', 'orphanOrForeground'],
    proposals: ['orphanOnly', 'orphanOrForeground'],
    releases: ['orphanOrForeground'],
    about: 'Which finalizers of the collector a DELETE may put on: none, orphan only, or either.',
    source:
      'deletionFinalizersForGarbageCollection, Store.EnableGarbageCollection; kubernetes/kubernetes#25599 (1.3), kubernetes/kubernetes#38676 (1.6)',
  }),
  unsupportedPolicy: rule({
    values: ['ignored', 'honoured'],
    proposals: ['ignored', 'ignored'],
    releases: ['ignored', ['v1.8', 'honoured']],
    about:
      'Whether a DELETE leaves finalizers of the collector off kinds that the collector does not watch.',
    source: 'shouldOrphanDependents; kubernetes/kubernetes#48354 (1.8)',
  }),
  strippedFinalizer: rule({
    values: ['written', 'goesWithObject'],
    proposals: ['written', 'goesWithObject'],
    releases: ['goesWithObject'],
    about:
      'Whether a DELETE that takes the last finalizer off stores the object without it before it removes the object.',
    source:
      'proposal garbage-collection (kubernetes/kubernetes#23656), "Life of a Deployment"; Store.updateForGracefulDeletionAndFinalizers, kubernetes/kubernetes#25599 (1.3)',
  }),
  initializers: rule({
    values: ['honoured', 'unlisted', 'ignored'],
    proposals: ['honoured', 'honoured'],
    releases: ['unlisted', ['v1.14', 'ignored']],
    about:
      'Who sees an object with pending metadata.initializers: its initializers only; whoever asks for it by name, but no list and no watch; or everybody, as they are dropped.',
    source:
      'metav1.Initializers; kubernetes/kubernetes#36721 (1.7), gone with kubernetes/kubernetes#72972 (1.14)',
  }),
  orphanDependentsFalse: rule({
    values: ['keepsForeground', 'removesBoth'],
    proposals: ['keepsForeground', 'keepsForeground'],
    releases: ['removesBoth'],
    about:
      'Whether a DELETE with orphanDependents=false takes only orphan off, or foregroundDeletion as well.',
    source:
      'proposal synchronous-garbage-collection (kubernetes/kubernetes#32628), on the namespace controller: contents with that finalizer take their time; deletionFinalizersForGarbageCollection, kubernetes/kubernetes#38676 (1.6)',
  }),
  blockOwnerDeletionRight: rule({
    values: ['deleteOwner', 'updateOwnerFinalizers'],
    proposals: ['deleteOwner', 'deleteOwner'],
    releases: ['deleteOwner', ['v1.8', 'updateOwnerFinalizers']],
    about:
      'Which right on the owner admission asks for when a reference begins to block it: to delete it, as the user documentation still says, or to update its subresource finalizers.',
    source: 'gcPermissionsEnforcement.Validate; kubernetes/kubernetes#49133 (1.8)',
  }),
  negativeGracePeriod: rule({
    values: ['kept', 'oneSecond'],
    proposals: ['kept', 'kept'],
    releases: ['kept', ['v1.22', 'oneSecond']],
    about: 'What a negative grace period, stored or asked for, counts as.',
    source: 'BeforeDelete, CheckGracefulDelete; kubernetes/kubernetes#98866 (1.22)',
  }),
  shortenedGracePeriod: rule({
    values: ['mayEndInThePast', 'endsNowAtTheEarliest'],
    proposals: ['mayEndInThePast', 'mayEndInThePast'],
    releases: ['mayEndInThePast', ['v1.33', 'endsNowAtTheEarliest']],
    about: 'Where deletionTimestamp goes when a grace period is shortened to one already over.',
    source: 'BeforeDelete; kubernetes/kubernetes#122646 (1.33)',
  }),
  deleteCollectionOptions: rule({
    values: ['shared', 'copied'],
    proposals: ['shared', 'shared'],
    releases: ['shared', ['v1.22', 'copied']],
    about:
      'Whether the grace period worked out for one object of a collection is that of the next one.',
    source: 'Store.DeleteCollection; kubernetes/kubernetes#100101 (1.22)',
  }),
  duplicateOwnerReferences: rule({
    values: ['kept', 'removed'],
    proposals: ['kept', 'kept'],
    releases: ['kept', ['v1.20', 'removed']],
    about: 'What becomes of owner references that a request names twice in every field.',
    source: 'dedupOwnerReferencesAndAddWarning; kubernetes/kubernetes#96185 (1.20)',
  }),
  namespaceDeleteFinalizers: rule({
    values: ['untouched', 'fromOptions'],
    proposals: ['untouched', 'untouched'],
    releases: ['untouched', ['v1.15', 'fromOptions']],
    about:
      'Whether the first DELETE of a Namespace puts on and takes off finalizers of the collector.',
    source: 'namespace REST.Delete; kubernetes/kubernetes#76051 (1.15)',
  }),
  terminatingDefinition: rule({
    values: ['rejectsWrites', 'rejectsCreates'],
    proposals: ['rejectsWrites', 'rejectsWrites'],
    releases: ['rejectsWrites', ['v1.10', 'rejectsCreates']],
    about: 'Which writes of custom resources are refused once their definition is being deleted.',
    source: 'crdHandler.ServeHTTP; kubernetes/kubernetes#60542 (1.10)',
  }),
  etcdReads: rule({
    values: ['anyMember', 'quorum'],
    proposals: ['anyMember', 'anyMember'],
    releases: ['anyMember', ['v1.9', 'quorum']],
    about:
      'Whether a GET is answered by any member of etcd, even one that lags behind the others, or by a quorum.',
    source: '--etcd-quorum-read of kube-apiserver; kubernetes/kubernetes#53717 (1.9)',
  }),
  notInstalledKinds: rule({
    values: ['notFound', 'unavailable'],
    proposals: ['notFound', 'notFound'],
    releases: ['notFound', ['v1.23', 'unavailable']],
    about:
      'What an API server that has just started answers for kinds that it has yet to install: 404, as if there were none, or 503.',
    source: 'NotFoundHandler of kube-apiserver; kubernetes/kubernetes#104748 (1.23)',
  }),
  serviceCollections: rule({
    values: ['refused', 'deleted'],
    proposals: ['refused', 'refused'],
    releases: ['refused', ['v1.23', 'deleted']],
    about: 'What answers a DELETE of a collection of Services: 405, or its deletion.',
    source: 'service REST.DeleteCollection; kubernetes/kubernetes#98994 (1.23)',
  }),
  putOfMissing: rule({
    values: ['conflict', 'notFound'],
    proposals: ['conflict', 'conflict'],
    releases: ['conflict', ['v1.34', 'notFound']],
    about:
      'What answers a PUT that names a uid if there is no such object: 409, as the uid differs, or 404.',
    source: 'Store.Update; for kubernetes/kubernetes#124347 (1.34)',
  }),
} as const;
