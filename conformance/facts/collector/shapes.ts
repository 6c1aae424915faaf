import * as z from 'zod';
import { identity, ownerReference } from '../shapes.ts';

/** Parts of the cases about the collector. */

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

/** An item in the event queue. */
export const waitingChange = z.strictObject({
  type: z.enum(['add', 'update', 'delete']),
  virtual: z.boolean().optional(),
  object: z.string(),
  owners: z.array(z.unknown()).optional(),
});

export const queuedItems = z.array(
  z.strictObject({ ref: z.string(), virtual: z.boolean().optional() }),
);

/**
 * What a step states about queues, memory, requests and warnings; an absent field is not checked.
 */
export const statedQueues = {
  attemptToDelete: queuedItems.optional(),
  attemptToOrphan: queuedItems.optional(),
  graphChanges: z.array(waitingChange).optional(),
  absentOwners: z.array(z.string()).optional(),
  requests: z.array(statedRequest).optional(),
  events: z.array(statedWarning).optional(),
};

/** A step that processes the first items of a queue. */
export interface ProcessingStep {
  readonly do: 'graph.process' | 'attemptToDelete.process' | 'attemptToOrphan.process';
  readonly count: number;
}

const count = z.number().int().positive();

/** @param stated the schema of what must hold after the step. */
export function processingSteps<Stated extends z.ZodType>(stated: Stated) {
  return [
    z.strictObject({ do: z.literal('graph.process'), count, stated }),
    z.strictObject({ do: z.literal('attemptToDelete.process'), count, stated }),
    z.strictObject({ do: z.literal('attemptToOrphan.process'), count, stated }),
  ] as const;
}
