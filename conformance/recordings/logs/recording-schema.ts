import * as z from 'zod';
import { seenMetadataSchema } from './seen-object.ts';

/** The format of recorded scenarios. It is strict: an unknown field is an error. */

const text = z.string();
const clock = z
  .string()
  .regex(/^\d\d:\d\d:\d\d\.\d{6}$/, { error: 'a time such as 15:10:25.321975' });

const metadataSchema = z.strictObject({
  ...seenMetadataSchema.shape,
  uid: z.string().min(1),
  phase: text.nullish(),
  specFinalizers: z.array(text).nullish(),
});

const requestSchema = z.strictObject({
  actor: text,
  verb: z.enum(['create', 'update', 'patch', 'delete', 'deletecollection', 'get']),
  resource: text,
  subresource: text.optional(),
  name: text.nullish(),
  namespace: text.nullish(),
  body: z.unknown().optional(),
  code: z.int(),
  received: clock,
  completed: clock,
  response: metadataSchema.optional(),
  message: text.optional(),
});

const watchSchema = z.strictObject({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED']),
  resource: text,
  name: text,
  namespace: text.nullish(),
  object: metadataSchema,
});

const eventSchema = z.strictObject({
  component: text,
  count: z.int(),
  involved: text,
  message: text,
  namespace: text.nullish(),
  reason: text,
  type: text,
});

const finalSchema = z.strictObject({
  ...seenMetadataSchema.shape,
  uid: z.string().min(1),
  id: text,
  kind: text,
  name: text,
  namespace: text.nullish(),
  labels: z.unknown().optional(),
});

export const recordingSchema = z.strictObject({
  name: text,
  group: text,
  description: text,
  kubernetes: text,
  gcWorkers: z.int().positive(),
  steps: z.array(z.unknown()),
  runsRecorded: z.int(),
  runs: z
    .array(
      z.strictObject({
        run: z.int(),
        requests: z.array(requestSchema),
        watch: z.array(watchSchema),
        events: z.array(eventSchema),
        final: z.array(finalSchema),
      }),
    )
    .min(1, { error: 'at least one run' }),
});

export type Recording = z.output<typeof recordingSchema>;
export type RecordedRun = Recording['runs'][number];
export type RecordedMetadata = z.output<typeof metadataSchema>;
