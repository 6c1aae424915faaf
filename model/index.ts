export type { ItemCall } from './acting.ts';
export {
  actingCall,
  actingItemCall,
  collectorActions,
  continuedCall,
  continuedItemCall,
} from './acting.ts';
export type { RunningPod } from './actors/containers.ts';
export { runningPod } from './actors/containers.ts';
export type { Controller } from './actors/controller.ts';
export { isInManager } from './actors/controller.ts';
export { ACTORS, endsGracePeriod, isKeptByActor, isOwnedByActor } from './actors/index.ts';
export type { KubectlFlags } from './actors/kubectl.ts';
export { CASCADES, waiterOf, waitingUsers } from './actors/kubectl.ts';
export { namespaceClient } from './actors/namespaces.ts';
export type { Task } from './actors/plan.ts';
export { refusalsOf } from './actors/refusals.ts';
export { kindOf } from './actors/workload-plan.ts';
export { cachedWorkloads, controllerReference } from './actors/workload-reconciler.ts';
export type { DeniedRight } from './admission.ts';
export { judgeOwnerReferences } from './admission.ts';
export { deletionStatus, notFound, ok } from './apiserver/answers.ts';
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
} from './apiserver/call.ts';
export { applyChange } from './apiserver/changes.ts';
export { definitionKey } from './apiserver/definition.ts';
export { updateBeforeDelete } from './apiserver/delete.ts';
export { optionsOrImmediate } from './apiserver/delete-options.ts';
export { describeChange, describeOptions } from './apiserver/describe.ts';
export { deletionFinalizers } from './apiserver/finalizers.ts';
export { formatKey } from './apiserver/format.ts';
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
export { finalizerClient } from './clients.ts';
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
export type { DeleteWorker, OrphanWorker } from './collector/worker.ts';
export { confluenceOf } from './confluence.ts';
export type { ClusterDescriber } from './describe.ts';
export { describer } from './describe.ts';
export { equalJson } from './equal.ts';
export type { Fact } from './facts.ts';
export { isFact } from './facts.ts';
export type { Informer } from './informers.ts';
export { cached } from './informers.ts';
export { initialCluster } from './initial.ts';
export { dependentKeys, identityIn, instancesOf, possibleObjects } from './instances.ts';
export { BUILT_IN_KINDS, customKind } from './kind-table.ts';
export type { DefaultPolicy, Kind, KindTable } from './kinds.ts';
export { defaultPolicy, isCustomResource, isWatched, resolveKind, servesVersion } from './kinds.ts';
export type { NamespaceActor } from './namespace/actor.ts';
export { contentTotals, isFinalized, updateConditions } from './namespace/conditions.ts';
export {
  beginNamespace,
  receive,
  requestOf as namespaceRequestOf,
} from './namespace/controller.ts';
export type { NamespaceAnswer, NamespaceRequest } from './namespace/requests.ts';
export type { NamespaceResult, NamespaceWorker, Unsupported } from './namespace/worker.ts';
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
} from './objects.ts';
export {
  FOREGROUND,
  isBeingDeleted,
  isVisible,
  keyOf,
  ORPHAN,
  objectKey,
  sameIdentity,
  thirdPartyFinalizers,
} from './objects.ts';
export { DEFAULT_PROTOCOL, PROTOCOLS } from './protocols.ts';
export { bringForward, restartCollector } from './restart.ts';
export type { RuleName, Rules } from './rules.ts';
export { RULES } from './rules.ts';
export type { Holders } from './settled.ts';
export { blockingDependents, isHeld, isOver, isQuiet } from './settled.ts';
export type { FinalizerOwner, Operator, Setup, UserRequest, UserStep, Workload } from './setup.ts';
export type { Cluster, ClusterDraft, GraphNode, NodeId, Observed, WatchEvent } from './state.ts';
export { EMPTY_CLUSTER, identityOfNode, nodeId, SLOTS } from './state.ts';
export { surroundingsOf } from './surroundings.ts';
export { symmetryOf } from './symmetry.ts';
export type { DeletionModel } from './system.ts';
export { deletionModel, worldOf } from './system.ts';
export { beginRequest, serve } from './users.ts';
export { deliver, deliverVirtualDelete } from './watch.ts';
export { describeEvent } from './words/actions.ts';
export { describeMonitors } from './words/discovery.ts';
export type { Names } from './words/names.ts';
export { namesOf } from './words/names.ts';
export type { CollectorWarning, World } from './world.ts';
