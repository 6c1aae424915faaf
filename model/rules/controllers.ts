import { rule } from './rule.ts';

/** The controllers around the collector. */
export const CONTROLLER_RULES = {
  namespaceContentNotFound: rule({
    values: ['remembered', 'thisPassOnly'],
    proposals: ['remembered', 'remembered'],
    releases: ['remembered', ['v1.19', 'thisPassOnly']],
    about:
      'Whether a 404 or 405 for the contents of one namespace makes the controller skip that kind for good.',
    source: 'namespacedResourcesDeleter.deleteCollection; kubernetes/kubernetes#93790 (1.19)',
  }),
  namespaceContentPolicy: rule({
    values: ['none', 'orphanDependentsFalse', 'background'],
    proposals: ['none', 'orphanDependentsFalse'],
    releases: ['background'],
    about: 'How the namespace controller asks for the contents of a namespace to be deleted.',
    source:
      'namespacedResourcesDeleter.deleteCollection; kubernetes/kubernetes#32524 (1.4), kubernetes/kubernetes#47199 (1.7)',
  }),
  namespaceContentFinalizers: rule({
    values: ['unexpected', 'waited'],
    proposals: ['unexpected', 'waited'],
    releases: ['waited'],
    about:
      'What the namespace controller makes of contents that finalizers hold: an error, as of anything that should have gone, or a reason to look again later.',
    source:
      'namespacedResourcesDeleter.deleteAllContentForGroupVersionResource; kubernetes/kubernetes#32524 (1.4)',
  }),
  namespaceContentOrder: rule({
    values: ['anyOrder', 'podsFirst'],
    proposals: ['anyOrder', 'anyOrder'],
    releases: ['anyOrder', ['v1.33', 'podsFirst']],
    about: 'Whether the namespace controller waits for the pods to be gone before other contents.',
    source:
      'namespacedResourcesDeleter.deleteAllContent; KEP-5080, kubernetes/kubernetes#130035, on by default with kubernetes/kubernetes#130507 (1.33)',
  }),
  namespaceTotals: rule({
    values: ['reported', 'notWhilePodsRemain'],
    proposals: ['reported', 'reported'],
    releases: ['reported', ['v1.33', 'notWhilePodsRemain']],
    about:
      'Whether the conditions of a namespace that waits for its pods say what is left, or that nothing is (only with podsFirst).',
    source:
      'namespacedResourcesDeleter.deleteAllContent; kubernetes/kubernetes#130035 (1.33), reported as kubernetes/kubernetes#138208, whose repair is not merged',
  }),
  outOfServicePods: rule({
    values: ['left', 'removed'],
    proposals: ['left', 'left'],
    releases: ['left', ['v1.26', 'removed']],
    about:
      'Whether pod gc removes pods that are being deleted on a lost node with the taint out-of-service.',
    source:
      'PodGCController.gcTerminating; KEP-2268, kubernetes/kubernetes#108486 (1.24), on by default (1.26)',
  }),
  finalizedDefinition: rule({
    values: ['deletedAgain', 'left'],
    proposals: ['deletedAgain', 'deletedAgain'],
    releases: ['deletedAgain', ['v1.17', 'left']],
    about:
      'Whether the controller of definitions sends another DELETE once it has taken its finalizer off, or leaves the removal to that update.',
    source: 'CRDFinalizer.sync; kubernetes/kubernetes#82882 (1.17)',
  }),
  adoptionOwnerCheck: rule({
    values: ['cached', 'live'],
    proposals: ['cached', 'cached'],
    releases: ['live'],
    about:
      'Whether a controller that is about to adopt an object looks for a deletionTimestamp of its own in its cache, or reads itself once more.',
    source: 'RecheckDeletionTimestamp; kubernetes/kubernetes#42938 (1.6)',
  }),
  adoptionOfDeleted: rule({
    values: ['adopted', 'ignored'],
    proposals: ['adopted', 'ignored'],
    releases: ['ignored'],
    about: 'Whether controllers adopt what is being deleted itself.',
    source: 'BaseControllerRefManager.ClaimObject; kubernetes/kubernetes#44150 (1.7)',
  }),
  controllersOfDeleted: rule({
    values: ['act', 'onlyStatus'],
    proposals: ['onlyStatus', 'onlyStatus'],
    releases: ['onlyStatus'],
    about:
      'Whether the controller of a workload that is being deleted goes on creating, adopting and deleting.',
    source: 'ReplicaSetController.syncReplicaSet; kubernetes/kubernetes#27438 (1.4)',
  }),
  daemonSetHistoryOfDeleted: rule({
    values: ['constructed', 'leftAlone'],
    proposals: ['leftAlone', 'leftAlone'],
    releases: ['constructed', ['v1.11', 'leftAlone']],
    about:
      'Whether the controller of a DaemonSet that is being deleted still creates the ControllerRevision that its status is told from.',
    source: 'DaemonSetsController.syncDaemonSet; kubernetes/kubernetes#64797 (1.11)',
  }),
  terminatingPods: rule({
    values: ['counted', 'ignored'],
    proposals: ['ignored', 'ignored'],
    releases: ['ignored'],
    about:
      'Whether controllers that keep a number of pods count those that are being deleted, so that nothing takes their place before they are gone.',
    source: 'FilterActivePods; kubernetes/kubernetes#12957 (1.1)',
  }),
  finalizedNamespace: rule({
    values: ['deletedByController', 'removedByUpdate'],
    proposals: ['deletedByController', 'deletedByController'],
    releases: ['deletedByController', ['v1.15', 'removedByUpdate']],
    about:
      'Who removes a namespace whose spec.finalizers are empty: its controller with a DELETE, or the update that empties them.',
    source:
      'namespacedResourcesDeleter.Delete; kubernetes/kubernetes#77952 (1.15), kubernetes/kubernetes#82882 (1.17)',
  }),
  createdChildren: rule({
    values: ['plain', 'withOrphan'],
    proposals: ['withOrphan', 'plain'],
    releases: ['plain'],
    about:
      'Whether controllers create children that may have dependents with the finalizer orphan on.',
    source:
      'proposal garbage-collection (kubernetes/kubernetes#23656), "Life of a Deployment"; never shipped',
  }),
  claimRetention: rule({
    values: ['none', 'ownerReferences', 'controllerReferences'],
    proposals: ['none', 'none'],
    releases: ['none', ['v1.27', 'ownerReferences'], ['v1.31', 'controllerReferences']],
    about:
      'Whether the StatefulSet controller keeps owner references on claims, and whether these make it their controller; then it leaves alone what another controller, or an earlier set or pod of the name, owns.',
    source:
      'StatefulPodControl.UpdatePodClaimForRetentionPolicy; KEP-1847, kubernetes/kubernetes#99728, on by default with kubernetes/kubernetes#116501 (1.27), kubernetes/kubernetes#122499 (1.31)',
  }),
  jobTracking: rule({
    values: ['none', 'finalizer'],
    proposals: ['none', 'none'],
    releases: ['none', ['v1.23', 'finalizer'], ['v1.24', 'none'], ['v1.25', 'finalizer']],
    about:
      'Whether the Job controller creates pods with batch.kubernetes.io/job-tracking, which it takes off once it has counted them.',
    source:
      'Controller.manageJob; KEP-2307, on by default with kubernetes/kubernetes#105687 (1.23), off with kubernetes/kubernetes#109487 (1.24), on again with kubernetes/kubernetes#110948 (1.25)',
  }),
  claimUseCheck: rule({
    values: ['cachedPods', 'cachedThenLivePods'],
    proposals: ['cachedPods', 'cachedPods'],
    releases: ['cachedPods', ['v1.18', 'cachedThenLivePods']],
    about:
      'Where claim protection looks for pods that use a claim before it lets go: in its cache, or in a live list as well.',
    source: 'Controller.isBeingUsed; kubernetes/kubernetes#80492 (1.18)',
  }),
  claimPodEvents: rule({
    values: ['newPod', 'bothPods'],
    proposals: ['newPod', 'newPod'],
    releases: ['newPod', ['v1.16', 'bothPods']],
    about:
      'Whose claims protection checks when an update replaces a pod by another one of the same name: those of the new pod, or those of both.',
    source: 'Controller.podAddedDeletedUpdated; kubernetes/kubernetes#80476 (1.16)',
  }),
  vanishedNode: rule({
    values: ['podsThenNode', 'nodeOnly'],
    proposals: ['podsThenNode', 'podsThenNode'],
    releases: ['nodeOnly'],
    about:
      'What the node controller deletes when a machine is gone: the pods on it by force and then the node, or the node only.',
    source: 'forcefullyDeleteNode; kubernetes/kubernetes#35235 (1.5)',
  }),
  absentNode: rule({
    values: ['cached', 'liveGet'],
    proposals: ['cached', 'cached'],
    releases: ['liveGet'],
    about:
      'What tells pod gc that the node of a pod does not exist: its cache, or a live read as well.',
    source:
      'PodGCController.gcOrphaned; kubernetes/kubernetes#32495 (1.5), a list of all nodes with kubernetes/kubernetes#37365 (1.6), a GET with kubernetes/kubernetes#82365 (1.17)',
  }),
  podGcFinalizers: rule({
    values: ['left', 'removed'],
    proposals: ['left', 'removed'],
    releases: ['left'],
    about: 'Whether pod gc takes the finalizers off a pod before it deletes it.',
    source:
      'PodGCController.deletePod; asked for in proposal synchronous-garbage-collection (kubernetes/kubernetes#32628), never shipped',
  }),
  podGcPhase: rule({
    values: ['untouched', 'failedFirst'],
    proposals: ['untouched', 'untouched'],
    releases: ['untouched', ['v1.26', 'failedFirst']],
    about:
      'Whether pod gc marks a pod that has not ended as failed, by its uid, before it deletes it.',
    source:
      'PodGCController.markFailedAndDeletePod; KEP-3329, kubernetes/kubernetes#110959 (1.25), on by default with kubernetes/kubernetes#113360 (1.26)',
  }),
  kubectlCascade: rule({
    values: ['orphanDependents', 'boolean', 'strategy'],
    proposals: ['orphanDependents', 'orphanDependents'],
    releases: ['orphanDependents', ['v1.11', 'boolean'], ['v1.20', 'strategy']],
    about:
      'What `kubectl delete --cascade` may be and is sent as: true or false as orphanDependents, or as a propagationPolicy, or a policy by its name.',
    source:
      'kubectl DeleteOptions.DeleteResult, getCascadingStrategy; kubernetes/kubernetes#40576 (1.6), kubernetes/kubernetes#45661 (1.7), kubernetes/kubernetes#59851 (1.11), kubernetes/kubernetes#65908 (1.12), kubernetes/kubernetes#93384 (1.20)',
  }),
  kubectlWait: rule({
    values: ['byName', 'byUid'],
    proposals: ['byName', 'byName'],
    releases: ['byName', ['v1.12', 'byUid']],
    about: 'By what a waiting `kubectl delete` tells that the object is gone.',
    source: 'kubectl wait IsDeleted; kubernetes/kubernetes#66136 (1.12)',
  }),
} as const;
