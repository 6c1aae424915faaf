import { z } from 'zod';
import { identity, servedKind, statedRequest, statedWarning, waitingChange } from '../shapes.ts';

/** The form of `controller-trace-recorded`. */

export const givenSchema = z.strictObject({
  served: z.array(servedKind),
  refs: z.record(z.string(), identity),
});

export const owner = z.strictObject({
  to: z.string(),
  blockOwnerDeletion: z.boolean().optional(),
  controller: z.boolean().optional(),
});

export const objectSchema = z.strictObject({
  object: z.string(),
  owners: z.array(owner),
  finalizers: z.array(z.string()),
  deleting: z.boolean(),
  uid: z.string().optional(),
});

export const event = z.strictObject({
  type: z.enum(['add', 'update', 'delete']),
  new: objectSchema,
  old: objectSchema.optional(),
});

const queued = z.array(z.strictObject({ ref: z.string(), virtual: z.boolean().optional() }));

export const statedSchema = z.strictObject({
  graph: z
    .array(
      z.strictObject({
        ref: z.string(),
        virtual: z.boolean(),
        beingDeleted: z.boolean().optional(),
        deletingDependents: z.boolean().optional(),
        owners: z.array(owner),
        dependents: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  attemptToDelete: queued.optional(),
  attemptToOrphan: queued.optional(),
  graphChanges: z.array(waitingChange).optional(),
  absentOwners: z.array(z.string()).optional(),
  requests: z.array(statedRequest).optional(),
  events: z.array(statedWarning).optional(),
});

const stated = { stated: statedSchema.optional() };
const count = z.number().int().positive();

export const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('server.set'), objects: z.array(objectSchema), ...stated }),
  z.strictObject({ do: z.literal('server.remove'), object: z.string(), ...stated }),
  z.strictObject({
    do: z.literal('server.answerOnce'),
    verb: z.enum(['get', 'delete', 'patch']),
    object: z.string(),
    status: z.number().int(),
    ...stated,
  }),
  z.strictObject({ do: z.literal('graph.event'), event, ...stated }),
  z.strictObject({ do: z.literal('graph.enqueueFront'), event, ...stated }),
  z.strictObject({ do: z.literal('graph.process'), count, ...stated }),
  z.strictObject({ do: z.literal('attemptToDelete.process'), count, ...stated }),
  z.strictObject({ do: z.literal('attemptToOrphan.process'), count, ...stated }),
]);

export type Step = z.infer<typeof stepSchema>;
export type StatedObject = z.infer<typeof objectSchema>;
