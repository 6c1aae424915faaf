import type { Interpreter } from '../fact.ts';
import { interpretBeforeDelete, interpretMarkDeleting, interpretPodGrace } from './grace.ts';
import { interpretOwnerAdmission } from './owner-admission.ts';
import { interpretDefaultPolicy, interpretDeleteFinalizers } from './policies.ts';
import { interpretStoreSequence } from './sequence.ts';
import { interpretValidateObject, interpretValidateUpdate } from './validation.ts';

/** The kinds of case that judge the API server. */
export const STORE_INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  'store-sequence': interpretStoreSequence,
  'delete-finalizers': interpretDeleteFinalizers,
  'default-policy': interpretDefaultPolicy,
  'before-delete': interpretBeforeDelete,
  'mark-deleting': interpretMarkDeleting,
  'pod-grace': interpretPodGrace,
  'validate-update': interpretValidateUpdate,
  'validate-object': interpretValidateObject,
  'owner-admission': interpretOwnerAdmission,
};
