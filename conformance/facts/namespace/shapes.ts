import * as z from 'zod';
import type { ApiObject, NamespaceCondition } from '../../../model/index.ts';
import { newObject } from '../fixtures.ts';

/** Parts of the cases about namespaces. */

const phase = z.enum(['Active', 'Terminating']);
const timestamp = z.enum(['set', 'unset']);

/** `specFinalizers` is `spec.finalizers`, `finalizers` is `metadata.finalizers`. */
export const namespaceGiven = z.strictObject({
  name: z.string(),
  uid: z.string().optional(),
  specFinalizers: z.array(z.string()).optional(),
  finalizers: z.array(z.string()).optional(),
  deletionTimestamp: timestamp.optional(),
  phase: phase.optional(),
});

/** Stated fields of a namespace. An absent field is not checked. */
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
  const { name, uid = `uid of ${name}` } = given;
  return newObject(
    { kind: 'Namespace', namespace: '', name, uid },
    {
      finalizers: given.finalizers ?? [],
      deletionTimestamp: given.deletionTimestamp === 'set' ? 0 : null,
      specFinalizers: given.specFinalizers ?? [],
      phase: given.phase ?? 'Active',
    },
  );
}

/** The namespace in the format of the cases. */
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
