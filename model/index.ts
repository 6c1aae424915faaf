export type { ItemCall } from './actions.ts';
export {
  actingCall,
  actingItemCall,
  collectorActions,
  continuedCall,
  continuedItemCall,
} from './actions.ts';
export { ACTORS, endsGracePeriod, isKeptByActor, isOwnedByActor } from './actors/index.ts';
export type { KubectlFlags } from './actors/kubectl.ts';
export { CASCADES, waiterOf, waitingUsers } from './actors/kubectl.ts';
export { namespaceClient } from './actors/namespaces/actor.ts';
export { contentTotals, isFinalized, updateConditions } from './actors/namespaces/conditions.ts';
export {
  beginNamespace,
  receive,
  requestOf as namespaceRequestOf,
} from './actors/namespaces/controller.ts';
export type { NamespaceAnswer, NamespaceRequest } from './actors/namespaces/requests.ts';
export type { NamespaceActor } from './actors/namespaces/sync.ts';
export type { NamespaceResult, NamespaceWorker, Unsupported } from './actors/namespaces/worker.ts';
export type { RunningPod } from './actors/nodes/containers.ts';
export { runningPod } from './actors/nodes/containers.ts';
export type { Task } from './actors/workloads/plan.ts';
export { refusalsOf } from './actors/workloads/refusals.ts';
export { kindOf } from './actors/workloads/workload-plan.ts';
export { cachedWorkloads, controllerReference } from './actors/workloads/workload-reconciler.ts';
export type { DeniedRight } from './apiserver/admission.ts';
export { judgeOwnerReferences } from './apiserver/admission.ts';
export { deletionStatus, notFound, ok } from './apiserver/answers.ts';
export { applyChange } from './apiserver/changes.ts';
export { finalizerClient } from './apiserver/client.ts';
export { definitionKey } from './apiserver/definition.ts';
export { updateBeforeDelete } from './apiserver/delete.ts';
export { optionsOrImmediate } from './apiserver/delete-options.ts';
export { describeChange, describeOptions } from './apiserver/describe.ts';
export { deletionFinalizers } from './apiserver/finalizers.ts';
export { beforeDelete, markAsDeleting, podGracePeriod } from './apiserver/graceful.ts';
export { advanceCall } from './apiserver/handle.ts';
export type { NamespaceUpdate } from './apiserver/namespace.ts';
export {
  phaseOf,
  prepareNamespace,
  prepareNamespaceUpdate,
  validateNamespaceUpdate,
} from './apiserver/namespace.ts';
export type { ApiServer } from './apiserver/port.ts';
export { modelApiServer } from './apiserver/port.ts';
export { hearsOf } from './apiserver/store.ts';
export { mergeReferences } from './apiserver/strategic-merge.ts';
export { readerOf } from './apiserver/update.ts';
export type { FieldError, Metadata } from './apiserver/validation.ts';
export { validateMetadata, validateMetadataUpdate } from './apiserver/validation.ts';
export { storedOwnerClass } from './collector/classification.ts';
export { ownerPatch, unblockPatch } from './collector/delete-requests.ts';
export { runDeleteStep, stepDeleteWorker, takeForDelete } from './collector/delete-worker.ts';
export type { Discovery, Monitors } from './collector/discovery.ts';
export {
  deletableResources,
  isSynced,
  listAgain,
  NO_MONITORS,
  parseGroupVersion,
  syncMonitors,
} from './collector/discovery.ts';
export { lookUpItem, lookUpOwner } from './collector/lookup.ts';
export {
  patchDependent,
  runOrphanStep,
  stepOrphanWorker,
  takeForOrphan,
} from './collector/orphan-worker.ts';
export { alternateOwnerIdentity } from './collector/owners.ts';
export type { CollectorPatch, CollectorRequest } from './collector/requests.ts';
export { requestOf } from './collector/requests.ts';
export type { SynchronousWorker } from './collector/synchronous-worker.ts';
export { SYNCHRONOUS_WORKER } from './collector/synchronous-worker.ts';
export { deliver, deliverVirtualDelete } from './collector/watch.ts';
export { confluenceOf } from './confluence.ts';
export type { ClusterDescriber } from './describe/describer.ts';
export { describer } from './describe/describer.ts';
export { describeMonitors } from './describe/monitors.ts';
export { describeEvent } from './describe/steps.ts';
export { initialCluster } from './initial.ts';
export type { Holders } from './quiescence.ts';
export { blockingDependents, isHeld, isOver, isQuiet } from './quiescence.ts';
export { DEFAULT_PROTOCOL, PROTOCOLS } from './rules/protocols.ts';
export type { RuleName, Rules } from './rules/rules.ts';
export { RULES } from './rules/rules.ts';
export type {
  Answer,
  Call,
  Change,
  DeleteCall,
  DeleteOptions,
  Failure,
  Preconditions,
  Progress,
  UpdateCall,
} from './state/calls.ts';
export type {
  Cluster,
  ClusterDraft,
  GraphNode,
  NodeId,
  Observed,
  WatchEvent,
} from './state/cluster.ts';
export { EMPTY_CLUSTER, identityOfNode, nodeId, SLOTS } from './state/cluster.ts';
export type { Controller } from './state/controllers.ts';
export { isInManager } from './state/controllers.ts';
export { equalJson } from './state/equal.ts';
export type { Fact } from './state/facts.ts';
export { isFact } from './state/facts.ts';
export type { Informer } from './state/informers.ts';
export { cached } from './state/informers.ts';
export { dependentKeys, identityIn, instancesOf, possibleObjects } from './state/instances.ts';
export { formatKey } from './state/keys.ts';
export { BUILT_IN_KINDS, customKind } from './state/kind-table.ts';
export type { DefaultPolicy, Kind, KindTable } from './state/kinds.ts';
export {
  defaultPolicy,
  isCustomResource,
  isWatched,
  resolveKind,
  servesVersion,
} from './state/kinds.ts';
export type {
  ApiObject,
  Identity,
  NamespaceCondition,
  NamespacePhase,
  ObjectKey,
  OwnerReference,
  PodGrace,
  Uid,
  VolumeBinding,
} from './state/objects.ts';
export {
  FOREGROUND,
  isBeingDeleted,
  isVisible,
  keyOf,
  ORPHAN,
  objectKey,
  sameIdentity,
  thirdPartyFinalizers,
} from './state/objects.ts';
export type {
  FinalizerOwner,
  Operator,
  Setup,
  UserRequest,
  UserStep,
  Workload,
} from './state/setup.ts';
export { surroundingsOf } from './state/surroundings.ts';
export type { DeleteWorker, OrphanWorker } from './state/workers.ts';
export type { CollectorWarning, World } from './state/world.ts';
export { symmetryOf } from './symmetry.ts';
export type { DeletionModel } from './system.ts';
export { deletionModel, worldOf } from './system.ts';
export { bringForward, restartCollector } from './users/restart.ts';
export { beginRequest, serve } from './users/users.ts';
export type { Names } from './words/names.ts';
export { namesOf } from './words/names.ts';
