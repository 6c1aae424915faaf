import { z } from 'zod';
import type { OwnerReference } from '../../model/index.ts';

/** Pieces of cases that several kinds share. */

export const identity = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  uid: z.string(),
});

export const ownerReference = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z.boolean().optional(),
  blockOwnerDeletion: z.boolean().optional(),
});

/** The same reference without keys that are undefined. */
export function asReference(parsed: z.infer<typeof ownerReference>): OwnerReference {
  const { controller, blockOwnerDeletion, ...coordinates } = parsed;
  return {
    ...coordinates,
    ...(controller === undefined ? {} : { controller }),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  };
}

export const servedKind = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  resource: z.string(),
  namespaced: z.boolean(),
});

const patch = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('removeOwners'),
    uids: z.array(z.string()),
    uidPrecondition: z.string().optional(),
  }),
  z.strictObject({
    do: z.literal('unblockOwners'),
    uids: z.array(z.string()),
    uidPrecondition: z.string().optional(),
  }),
  z.strictObject({
    do: z.literal('setFinalizers'),
    finalizers: z.array(z.string()),
    resourceVersion: z.string().optional(),
  }),
]);

/** A request as a case states it; what is absent is not constrained. */
export const statedRequest = z.strictObject({
  verb: z.enum(['get', 'delete', 'patch']),
  group: z.string().optional(),
  version: z.string().optional(),
  resource: z.string(),
  namespace: z.string(),
  name: z.string(),
  found: z.boolean().optional(),
  status: z.number().int().optional(),
  propagationPolicy: z.enum(['Orphan', 'Foreground', 'Background']).nullable().optional(),
  uidPrecondition: z.string().nullable().optional(),
  patch: patch.optional(),
});

export type StatedRequest = z.infer<typeof statedRequest>;

export const statedWarning = z.strictObject({
  type: z.literal('Warning').optional(),
  reason: z.string(),
  ownerRef: ownerReference.partial().optional(),
  notInNamespace: z.string().optional(),
  involvedObject: identity.partial().optional(),
});

export type StatedWarning = z.infer<typeof statedWarning>;

/** An item of the event queue that waits. */
export const waitingChange = z.strictObject({
  type: z.enum(['add', 'update', 'delete']),
  virtual: z.boolean().optional(),
  object: z.string(),
  owners: z.array(z.unknown()).optional(),
});
