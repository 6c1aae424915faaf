import * as z from 'zod';
import { identity, servedKind } from '../shapes.ts';
import { processingSteps, statedQueues } from './shapes.ts';

/** The format of `controller-trace-recorded`. */

export const givenSchema = z.strictObject({
  served: z.array(servedKind),
  refs: z.record(z.string(), identity),
});

const owner = z.strictObject({
  to: z.string(),
  blockOwnerDeletion: z.boolean().optional(),
  controller: z.boolean().optional(),
});

export type StatedOwner = z.infer<typeof owner>;

const objectSchema = z.strictObject({
  object: z.string(),
  owners: z.array(owner),
  finalizers: z.array(z.string()),
  deleting: z.boolean(),
  uid: z.string().optional(),
});

export type StatedObject = z.infer<typeof objectSchema>;

const event = z.strictObject({
  type: z.enum(['add', 'update', 'delete']),
  new: objectSchema,
  old: objectSchema.optional(),
});

export type StatedEvent = z.infer<typeof event>;

const statedSchema = z.strictObject({
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
  ...statedQueues,
});

export type StatedState = z.infer<typeof statedSchema>;

const stated = statedSchema.optional();

export const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('server.set'), objects: z.array(objectSchema), stated }),
  z.strictObject({ do: z.literal('server.remove'), object: z.string(), stated }),
  z.strictObject({
    do: z.literal('server.answerOnce'),
    verb: z.enum(['get', 'delete', 'patch']),
    object: z.string(),
    status: z.number().int(),
    stated,
  }),
  z.strictObject({ do: z.literal('graph.event'), event, stated }),
  z.strictObject({ do: z.literal('graph.enqueueFront'), event, stated }),
  ...processingSteps(stated),
]);

export type Step = z.infer<typeof stepSchema>;
