/** The model of Kubernetes' deletion machinery. Code outside this folder imports only this file. */

// The parts of a model, and how to make one.

export type { Candidates, OpenKeys } from './actors/actor.ts';
export { initialCluster } from './initial.ts';
export type { OpenAction, OpenModel, OpenStep } from './open.ts';
export { openModel } from './open.ts';
export type { Condition } from './state/conditions.ts';
export { factsIn, hasSubject, isTrue } from './state/conditions.ts';
export { isObserved } from './state/observed.ts';
export { type Deletion, isToDelete, type Operator } from './state/programs/operator.ts';
export type {
  ClaimRetention,
  DeniedRight,
  DependentsEnd,
  FinalizerOwner,
  KubectlFlags,
  OtherDependents,
  Outcome,
  OwnProperty,
  Propagation,
  Setup,
  UserRequest,
  UserStep,
  Workload,
} from './state/setup.ts';
export { CASCADES, OWN_FORMS } from './state/setup.ts';
export { monitorsComeAndGo, surroundingsOf } from './state/surroundings.ts';
export type { CollectorWarning, Informer, World } from './state/world.ts';
export type { DeletionModel } from './system.ts';
export { deletionModel, emptyModel, FAMILY, worldOf } from './system.ts';
export { factWords, keysIn } from './words/facts.ts';

// Versions of Kubernetes: each protocol is one value for every rule.

export { DEFAULT_PROTOCOL, PROTOCOLS, protocolRanges } from './rules/protocols.ts';
export type { RuleName, Rules } from './rules/rules.ts';
export { RULES } from './rules/rules.ts';

// Objects and kinds.

export { equalJson } from './state/equal.ts';
export { formatKey, kindOf, splitKey } from './state/keys.ts';
export { BUILT_IN_KINDS, customKind } from './state/kind-table.ts';
export type { DefaultPolicy, Kind, KindTable } from './state/kinds.ts';
export {
  defaultPolicy,
  isCustomResource,
  isWatched,
  listsWithStatus,
  resolveKind,
  servesIn,
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
  Tolerance,
  Uid,
  VolumeBinding,
} from './state/objects.ts';
export {
  allFinalizers,
  FOREGROUND,
  isBeingDeleted,
  isVisible,
  keyOf,
  NAMESPACE_TOKEN,
  ORPHAN,
  objectKey,
  otherSpecFinalizers,
  sameIdentity,
  thirdPartyFinalizers,
} from './state/objects.ts';
export {
  isRemoved,
  kindsServedIn,
  removedSince,
  servedLater,
} from './state/removed-versions.ts';

// States, requests and answers.

export type {
  Answer,
  Call,
  Change,
  DeleteCall,
  DeleteOptions,
  Failure,
  ItemCall,
  Preconditions,
  Progress,
  UpdateCall,
} from './state/calls.ts';
export type {
  Cluster,
  ClusterDraft,
  ControllerState,
  GraphNode,
  Observed,
  WatchEvent,
} from './state/cluster.ts';
export { EMPTY_CLUSTER, SLOTS } from './state/cluster.ts';
export type { NodeId } from './state/nodes.ts';
export { identityOfNode, nodeId } from './state/nodes.ts';
export type { DeleteWorker, OrphanWorker, SynchronousWorker } from './state/workers.ts';

// Controllers in TypeScript.

export { dependentsOf } from './actors/programs/described.ts';
export type { CreatedInTeardown } from './actors/programs/described-plan.ts';
export { describedPlan, nameOf } from './actors/programs/described-plan.ts';
export { type LiveRead, liveReads } from './actors/programs/live-reads.ts';
export { keyFor, kindFor } from './actors/programs/reading.ts';
export { isJson } from './actors/programs/tasks.ts';
export { stateOf } from './state/controllers.ts';
export { PROGRAMMED } from './state/programs/process.ts';
export type {
  ControllerProgram,
  Look,
  Memory,
  Owner,
  ProgramTask,
  Self,
  Task,
} from './state/programs/program.ts';

// Questions about a state or a setup.

export { isOver, isQuiet } from './actors/quiescence.ts';
export { definitionKey } from './apiserver/definition.ts';
export { receivesEvents } from './apiserver/store.ts';
export type { Holders } from './state/blockers.ts';
export { blockingDependents, isHeld } from './state/blockers.ts';
export { finalizerClient } from './state/client-names.ts';
export type { Fact } from './state/facts.ts';
export { isFact } from './state/facts.ts';
export {
  JOB_TRACKING,
  plainFinalizer,
  RECLAIM_FINALIZERS,
  STANDING_IN,
  withPlainFinalizers,
} from './state/finalizers.ts';
export { cached } from './state/informers.ts';
export {
  dependentKeys,
  identityIn,
  instancesOf,
  possibleObjects,
  referencesByObject,
  requestsOf,
} from './state/instances.ts';
export { cachedWorkloads, controllerReference, podReference } from './state/workloads.ts';

// Actions and actors.

export type { ActionSummary } from './actions.ts';
export {
  actingCall,
  actingItemCall,
  actionSummaries,
  collectorActions,
  continuedCall,
  continuedItemCall,
} from './actions.ts';
export { waiterOf, waitingUsers } from './actors/kubectl.ts';
export { namespaceClient, namespaceStateOf } from './actors/namespaces/actor.ts';
export type { NamespaceActor } from './actors/namespaces/sync.ts';
export type { RunningPod } from './actors/nodes/kubelet.ts';
export { runningPod } from './actors/nodes/kubelet.ts';
export { toleratesLoss } from './actors/nodes/taint-eviction.ts';
export {
  ACTORS,
  controllerWork,
  endsGracePeriod,
  finalizerRemovals,
  isInManager,
  isKeptByActor,
  isOwnedByActor,
  isRemovedByActor,
  isRemovedByNone,
  WORKLOAD_CONTROLLERS,
} from './actors/registry.ts';
export { isInRange, retainedReferences } from './actors/workloads/claim-retention.ts';
export { mayHaveLived } from './actors/workloads/lived.ts';
export { refusalsOf } from './actors/workloads/refusals.ts';

// Words for states and steps.

export { describeChange, describeOptions } from './apiserver/describe.ts';
export type { ClusterDescriber } from './describe/describer.ts';
export { describer, namesOf } from './describe/describer.ts';
export { describeMonitors } from './describe/monitors.ts';
export { describeEvent } from './words/events.ts';
export type { Names } from './words/names.ts';

// Reductions of the search.

export { onlyLocalActorsAct } from './acting.ts';
export { kubeletClient } from './actors/nodes/kubelet.ts';
export { confluenceOf } from './confluence.ts';
export { ALIKE, interchangeableObjects, symmetryOf } from './symmetry.ts';

// Parts of the API server, for tests of the parts.

export { judgeOwnerReferences } from './apiserver/admission.ts';
export { deletionStatus, notFound, ok } from './apiserver/answers.ts';
export { applyChange } from './apiserver/changes.ts';
export { proceed } from './apiserver/client.ts';
export { updateBeforeDelete } from './apiserver/delete.ts';
export { optionsOrImmediate, validateDeleteOptions } from './apiserver/delete-options.ts';
export { deletionFinalizers } from './apiserver/finalizers.ts';
export {
  beforeDelete,
  DEFAULT_GRACE_PERIOD,
  markAsDeleting,
  podGracePeriod,
} from './apiserver/graceful.ts';
export { advanceCall, hasBegunRemoval } from './apiserver/handle.ts';
export { refusedDeletion } from './apiserver/immortal.ts';
export { inPatchOrder } from './apiserver/list-order.ts';
export type { NamespaceUpdate } from './apiserver/namespace.ts';
export {
  phaseOf,
  prepareNamespace,
  prepareNamespaceUpdate,
  validateNamespaceUpdate,
} from './apiserver/namespace.ts';
export { modelApiServer } from './apiserver/port.ts';
export { mergeReferences } from './apiserver/strategic-merge.ts';
export { readerOf } from './apiserver/update.ts';
export type { FieldError, Metadata } from './apiserver/validation.ts';
export { validateMetadata, validateMetadataUpdate } from './apiserver/validation.ts';
export type { ApiServer } from './state/world.ts';

// Parts of the collector and of a restart, for tests of the parts.

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
export { SYNCHRONOUS_WORKER } from './collector/synchronous-worker.ts';
export { deliver, deliverVirtualDelete, listDifference } from './collector/watch.ts';
export { serve } from './users/api-server.ts';
export { bringForward, restartCollector } from './users/restart.ts';
export { sendingOf } from './users/sending.ts';
export { beginRequest } from './users/users.ts';

// Parts of the namespace controller, for tests of the parts.

export { contentTotals, isFinalized, updateConditions } from './actors/namespaces/conditions.ts';
export {
  beginNamespace,
  receive,
  requestOf as namespaceRequestOf,
} from './actors/namespaces/controller.ts';
export type { NamespaceAnswer, NamespaceRequest } from './actors/namespaces/requests.ts';
export type { NamespaceResult, NamespaceWorker, Unsupported } from './actors/namespaces/worker.ts';
export { CLAIM_FINALIZER, usesClaim, VOLUME_FINALIZER } from './actors/storage-protection.ts';

export { startControllers, stopControllers } from './users/restart.ts';
