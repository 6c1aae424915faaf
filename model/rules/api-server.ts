import { rule } from './rule.ts';

/** The API server. */
export const API_SERVER_RULES = {
  finalizersWhileDeleting: rule({
    values: ['free', 'onlyRemoved'],
    protocols: ['free', 'free', 'onlyRemoved', 'onlyRemoved', 'onlyRemoved'],
    about: 'Whether an update may add finalizers once deletionTimestamp is set.',
    source: 'ValidateNoNewFinalizers, ValidateObjectMetaUpdate; kubernetes/kubernetes#32354 (1.4)',
  }),
  pendingFinalizersOnDelete: rule({
    values: ['ignored', 'keepObject'],
    protocols: ['keepObject', 'keepObject', 'keepObject', 'keepObject', 'keepObject'],
    about: 'Whether pending finalizers hold back a DELETE whose grace period is over.',
    source: 'Store.updateForGracefulDeletionAndFinalizers; kubernetes/kubernetes#32351 (1.4)',
  }),
  removeOnEmptyFinalizers: rule({
    values: ['deletionTimestampAndGracePeriodZero', 'gracePeriodZero', 'deletionTimestamp'],
    protocols: [
      'deletionTimestampAndGracePeriodZero',
      'deletionTimestampAndGracePeriodZero',
      'gracePeriodZero',
      'deletionTimestamp',
      'deletionTimestamp',
    ],
    about:
      'When an update that empties the finalizers removes the object: deletionGracePeriodSeconds present and 0, with or without a look at deletionTimestamp, or deletionTimestamp set and grace nil or 0.',
    source:
      'Store.deleteWithoutFinalizers, ShouldDeleteDuringUpdate; kubernetes/kubernetes#25599 (1.3), kubernetes/kubernetes#77952 (1.15)',
  }),
  deletePreconditionAfterUpdate: rule({
    values: ['original', 'updated'],
    protocols: ['original', 'original', 'original', 'updated', 'updated'],
    about:
      'Which resourceVersion a DELETE with that precondition demands of the object that it has just written itself.',
    source: 'Store.Delete; kubernetes/kubernetes#85516 (1.18)',
  }),
  collectorFinalizers: rule({
    values: ['disabled', 'orphanOnly', 'orphanOrForeground'],
    protocols: [
      'orphanOnly',
      'orphanOrForeground',
      'orphanOrForeground',
      'orphanOrForeground',
      'orphanOrForeground',
    ],
    about: 'Which finalizers of the collector a DELETE may put on: none, orphan only, or either.',
    source:
      'deletionFinalizersForGarbageCollection, Store.EnableGarbageCollection; kubernetes/kubernetes#25599 (1.3), kubernetes/kubernetes#38676 (1.6)',
  }),
  unsupportedPolicy: rule({
    values: ['ignored', 'honoured'],
    protocols: ['ignored', 'ignored', 'ignored', 'honoured', 'honoured'],
    about:
      'Whether a DELETE leaves finalizers of the collector off kinds that the collector does not watch.',
    source: 'shouldOrphanDependents; kubernetes/kubernetes#48354 (1.8)',
  }),
  strippedFinalizer: rule({
    values: ['written', 'goesWithObject'],
    protocols: ['written', 'goesWithObject', 'goesWithObject', 'goesWithObject', 'goesWithObject'],
    about:
      'Whether a DELETE that takes the last finalizer off stores the object without it before it removes the object.',
    source:
      'proposal garbage-collection (kubernetes/kubernetes#23656), "Life of a Deployment"; Store.updateForGracefulDeletionAndFinalizers, kubernetes/kubernetes#25599 (1.3)',
  }),
  initializers: rule({
    values: ['honoured', 'unlisted', 'ignored'],
    protocols: ['honoured', 'honoured', 'unlisted', 'ignored', 'ignored'],
    about:
      'Who sees an object with pending metadata.initializers: its initializers only; whoever asks for it by name, but no list and no watch; or everybody, as they are dropped.',
    source:
      'metav1.Initializers; kubernetes/kubernetes#36721 (1.7), gone with kubernetes/kubernetes#72972 (1.14)',
  }),
  negativeGracePeriod: rule({
    values: ['kept', 'oneSecond'],
    protocols: ['kept', 'kept', 'kept', 'kept', 'oneSecond'],
    about: 'What a negative grace period, stored or asked for, counts as.',
    source: 'BeforeDelete, CheckGracefulDelete; kubernetes/kubernetes#98866 (1.22)',
  }),
  shortenedGracePeriod: rule({
    values: ['mayEndInThePast', 'endsNowAtTheEarliest'],
    protocols: [
      'mayEndInThePast',
      'mayEndInThePast',
      'mayEndInThePast',
      'mayEndInThePast',
      'endsNowAtTheEarliest',
    ],
    about: 'Where deletionTimestamp goes when a grace period is shortened to one already over.',
    source: 'BeforeDelete; kubernetes/kubernetes#122646 (1.33)',
  }),
  deleteCollectionOptions: rule({
    values: ['shared', 'copied'],
    protocols: ['shared', 'shared', 'shared', 'shared', 'copied'],
    about:
      'Whether the grace period worked out for one object of a collection is that of the next one.',
    source: 'Store.DeleteCollection; kubernetes/kubernetes#100101 (1.22)',
  }),
  duplicateOwnerReferences: rule({
    values: ['kept', 'removed'],
    protocols: ['kept', 'kept', 'kept', 'removed', 'removed'],
    about: 'What becomes of owner references that a request names twice in every field.',
    source: 'dedupOwnerReferencesAndAddWarning; kubernetes/kubernetes#96185 (1.20)',
  }),
  namespaceDeleteFinalizers: rule({
    values: ['untouched', 'fromOptions'],
    protocols: ['untouched', 'untouched', 'untouched', 'fromOptions', 'fromOptions'],
    about:
      'Whether the first DELETE of a Namespace puts on and takes off finalizers of the collector.',
    source: 'namespace REST.Delete; kubernetes/kubernetes#76051 (1.15)',
  }),
  terminatingDefinition: rule({
    values: ['rejectsWrites', 'rejectsCreates'],
    protocols: [
      'rejectsWrites',
      'rejectsWrites',
      'rejectsWrites',
      'rejectsCreates',
      'rejectsCreates',
    ],
    about: 'Which writes of custom resources are refused once their definition is being deleted.',
    source: 'crdHandler.ServeHTTP; kubernetes/kubernetes#60542 (1.10)',
  }),
  etcdReads: rule({
    values: ['anyMember', 'quorum'],
    protocols: ['anyMember', 'anyMember', 'anyMember', 'quorum', 'quorum'],
    about:
      'Whether a GET is answered by any member of etcd, even one that lags behind the others, or by a quorum.',
    source: '--etcd-quorum-read of kube-apiserver; kubernetes/kubernetes#53717 (1.9)',
  }),
  notInstalledKinds: rule({
    values: ['notFound', 'unavailable'],
    protocols: ['notFound', 'notFound', 'notFound', 'notFound', 'unavailable'],
    about:
      'What an API server that has just started answers for kinds that it has yet to install: 404, as if there were none, or 503.',
    source: 'NotFoundHandler of kube-apiserver; kubernetes/kubernetes#104748 (1.23)',
  }),
} as const;
