import { z } from 'zod';
import type { ApiObject, NamespaceCondition } from '../../../model/index.ts';

/** Pieces of the cases about namespaces. */

const phase = z.enum(['Active', 'Terminating']);
const timestamp = z.enum(['set', 'unset']);

/** `specFinalizers` is the namespace's own list, `finalizers` the ordinary metadata list. */
export const namespaceGiven = z.strictObject({
  name: z.string(),
  uid: z.string().optional(),
  specFinalizers: z.array(z.string()).optional(),
  finalizers: z.array(z.string()).optional(),
  deletionTimestamp: timestamp.optional(),
  phase: phase.optional(),
});

/** What must be there of a namespace; a field that is absent is not constrained. */
export const statedNamespace = namespaceGiven.partial();

export type NamespaceGiven = z.infer<typeof namespaceGiven>;
export type StatedNamespace = z.infer<typeof statedNamespace>;

export const condition = z.strictObject({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string().optional(),
  message: z.string().optional(),
});

export function asCondition(stated: z.infer<typeof condition>): NamespaceCondition {
  return { ...stated, reason: stated.reason ?? '', message: stated.message ?? '' };
}

export function namespaceOf(given: NamespaceGiven): ApiObject {
  return {
    kind: 'Namespace',
    namespace: '',
    name: given.name,
    uid: given.uid ?? `uid of ${given.name}`,
    generation: 0,
    finalizers: given.finalizers ?? [],
    ownerReferences: [],
    deletionTimestamp: given.deletionTimestamp === 'set' ? 0 : null,
    deletionGracePeriodSeconds: null,
    specFinalizers: given.specFinalizers ?? [],
    phase: given.phase ?? 'Active',
  };
}

/** The namespace in the words of the cases. */
export function shownNamespace(namespace: ApiObject): Required<StatedNamespace> {
  return {
    name: namespace.name,
    uid: namespace.uid,
    specFinalizers: [...(namespace.specFinalizers ?? [])],
    finalizers: [...namespace.finalizers],
    deletionTimestamp: namespace.deletionTimestamp === null ? 'unset' : 'set',
    phase: namespace.phase ?? 'Active',
  };
}
