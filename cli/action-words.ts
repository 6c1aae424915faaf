/** The actions of the model in words, for `reapcheck list actions`. */
export const ACTION_WORDS: Readonly<
  Record<string, { readonly fairness: 'none' | 'weak' | 'strong'; readonly about: string }>
> = {
  request: { fairness: 'none', about: 'A user sends the next request of its program.' },
  serve: {
    fairness: 'weak',
    about: 'The API server does the next step of a request: get, update or remove.',
  },
  removeThirdPartyFinalizer: {
    fairness: 'weak',
    about: 'The owner of a finalizer takes it off an object that is being deleted.',
  },
  deliver: { fairness: 'weak', about: 'A watch event of one kind reaches the graph builder.' },
  deliverVirtualDelete: {
    fairness: 'weak',
    about:
      'The graph builder handles a delete event that the collector has made itself, of any node that has one.',
  },
  takeForDelete: {
    fairness: 'strong',
    about: 'An idle delete worker takes an item from attemptToDelete.',
  },
  attemptToDelete: {
    fairness: 'weak',
    about: 'A delete worker does its next step: one API call or one look at the graph.',
  },
  takeForOrphan: {
    fairness: 'strong',
    about: 'An idle orphan worker takes an item from attemptToOrphan.',
  },
  orphanDependent: {
    fairness: 'weak',
    about: 'An orphan worker takes its owner off one dependent with a PATCH.',
  },
  attemptToOrphan: { fairness: 'weak', about: 'An orphan worker does its next step.' },
  emptyNamespace: {
    fairness: 'weak',
    about: 'The namespace controller does its next step in emptying a namespace.',
  },
  emptyDefinition: {
    fairness: 'weak',
    about: 'The controller of a CustomResourceDefinition does its next step in removing instances.',
  },
  endGracePeriod: {
    fairness: 'weak',
    about: 'A kubelet removes a pod whose deletion has a grace period (`environment.kubelets`).',
  },
  createChild: {
    fairness: 'weak',
    about: 'A Deployment or ReplicaSet controller decides to create a child that it wants.',
  },
  reconcile: {
    fairness: 'weak',
    about:
      'A controller that looks after one object does its next step: a look at its caches, or a request (`caches: own` in `environment.workloads`, `environment.controllers`).',
  },
  reconcileAtWill: {
    fairness: 'none',
    about: 'The same, of a controller that may stop for good (`fairness: none`).',
  },
  observeGeneration: {
    fairness: 'weak',
    about: 'A controller acknowledges the generation of an object in its status.',
  },
  startPod: {
    fairness: 'weak',
    about: 'A kubelet looks at the next claim of a pod, or starts its containers.',
  },
  stopPod: {
    fairness: 'weak',
    about: 'A kubelet sends TERM to the containers of a pod, or sees them end.',
  },
  reportPod: { fairness: 'weak', about: 'A kubelet reports that a pod has ended.' },
  protectClaim: {
    fairness: 'weak',
    about: 'Claim protection does its next step for a PersistentVolumeClaim.',
  },
  protectVolume: {
    fairness: 'weak',
    about: 'Volume protection does its next step for a PersistentVolume.',
  },
  releaseVolume: {
    fairness: 'weak',
    about: 'The volume controller does its next step for a volume whose claim is gone.',
  },
  removeNode: {
    fairness: 'weak',
    about: 'The node controller does its next step for a node whose machine is gone.',
  },
  collectPod: { fairness: 'weak', about: 'Pod gc does its next step for a pod.' },
  pollDeletion: {
    fairness: 'weak',
    about: 'A kubectl that waits for a deletion finds the object gone.',
  },
  deliverToInformer: {
    fairness: 'weak',
    about: 'A change reaches the cache of an actor that decides on one.',
  },
  initialize: {
    fairness: 'weak',
    about: 'The initializer whose turn it is finishes its work on a new object, or rejects it.',
  },
  takeForSynchronousDeletion: {
    fairness: 'strong',
    about: 'The routine for owners in foreground deletion takes an item from its queue.',
  },
  synchronousDeletion: {
    fairness: 'weak',
    about: 'That routine does its next step: one API call or one look at the graph.',
  },
  startControllers: {
    fairness: 'weak',
    about: 'The controller manager starts again, where a user has stopped it.',
  },
  deliverListed: {
    fairness: 'weak',
    about: 'An object of a first list after a restart, whichever, reaches the graph builder.',
  },
  discover: {
    fairness: 'weak',
    about: 'The sync loop of the collector asks discovery and finds other kinds than it watches.',
  },
  failDiscovery: {
    fairness: 'none',
    about: 'Discovery answers the sync loop with nothing, or fails for a version of a group.',
  },
  resyncMonitors: {
    fairness: 'weak',
    about: 'The sync loop holds the workers, if it does, and fits its monitors to the answer.',
  },
  listMonitored: {
    fairness: 'weak',
    about: 'A monitor that has been started lists the objects of its kind.',
  },
  releaseWorkers: {
    fairness: 'weak',
    about: 'The workers start, or go on after a sync: every monitor has synced, or time is up.',
  },
  lagBehind: {
    fairness: 'none',
    about: 'The member of etcd that the collector reads from lags behind for one object.',
  },
  catchUp: {
    fairness: 'weak',
    about: 'A member of etcd that lags has caught up on one object.',
  },
  installKind: {
    fairness: 'weak',
    about: 'An API server that has just started installs a kind (`environment.notInstalled`).',
  },
  relist: {
    fairness: 'none',
    about: 'A watch breaks; after the list that follows, only the difference is seen.',
  },
};
