import { interpretAlternateOwner } from './collector/alternate-owner.ts';
import { interpretControllerTrace } from './collector/controller-trace.ts';
import { interpretDeleteAttempt } from './collector/delete-attempt.ts';
import { interpretDeletableResources, interpretDiscoverySync } from './collector/discovery.ts';
import { interpretGraphTrace } from './collector/graph-trace.ts';
import { interpretOrphanStep } from './collector/orphan-step.ts';
import { interpretOwnerPatch } from './collector/owner-patch.ts';
import { interpretRecordedTrace } from './collector/recorded-trace.ts';
import type { Interpreter } from './interpreter.ts';
import {
  interpretNamespaceConditions,
  interpretNamespaceFinalized,
} from './namespace/conditions.ts';
import { interpretNamespaceFinalize, interpretNamespaceRetry } from './namespace/retry.ts';
import { interpretNamespaceStore } from './namespace/store.ts';
import { interpretNamespaceStrategy } from './namespace/strategy.ts';
import { interpretNamespaceSync } from './namespace/sync.ts';
import { interpretScenario } from './scenario/scenario.ts';
import { interpretBeforeDelete, interpretMarkDeleting, interpretPodGrace } from './store/grace.ts';
import { interpretOwnerAdmission } from './store/owner-admission.ts';
import { interpretDefaultPolicy, interpretDeleteFinalizers } from './store/policies.ts';
import { interpretStoreSequence } from './store/sequence.ts';
import { interpretValidateObject, interpretValidateUpdate } from './store/validation.ts';

/** The interpreter of each kind of case. */
export const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  // The collector alone.
  'controller-trace': interpretControllerTrace,
  'controller-trace-recorded': interpretRecordedTrace,
  'graph-trace': interpretGraphTrace,
  'alternate-owner': interpretAlternateOwner,
  'delete-attempt': interpretDeleteAttempt,
  'owner-patch': interpretOwnerPatch,
  'orphan-step': interpretOrphanStep,
  'deletable-resources': interpretDeletableResources,
  'discovery-sync': interpretDiscoverySync,
  // The API server.
  'store-sequence': interpretStoreSequence,
  'delete-finalizers': interpretDeleteFinalizers,
  'default-policy': interpretDefaultPolicy,
  'before-delete': interpretBeforeDelete,
  'mark-deleting': interpretMarkDeleting,
  'pod-grace': interpretPodGrace,
  'validate-update': interpretValidateUpdate,
  'validate-object': interpretValidateObject,
  'owner-admission': interpretOwnerAdmission,
  // Namespaces and their controller.
  'namespace-store': interpretNamespaceStore,
  'namespace-strategy': interpretNamespaceStrategy,
  'namespace-conditions': interpretNamespaceConditions,
  'namespace-finalized': interpretNamespaceFinalized,
  'namespace-finalize': interpretNamespaceFinalize,
  'namespace-sync': interpretNamespaceSync,
  'namespace-retry': interpretNamespaceRetry,
  // API server and collector together.
  scenario: interpretScenario,
};
