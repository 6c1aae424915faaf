import * as z from 'zod';
import { seenMetadataSchema } from './seen-object.ts';

/** The fields of `audit.k8s.io/v1` events that are read. The types of these fields are strict. */

const text = z.string();

const objectRefSchema = z.looseObject({
  resource: text.default(''),
  subresource: text.default(''),
  namespace: text.default(''),
  name: text.default(''),
  apiGroup: text.default(''),
  apiVersion: text.default(''),
});

const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/, {
  error: 'a time such as 2021-03-04T05:06:07.123456Z',
});

export const auditEventSchema = z.looseObject({
  apiVersion: z.literal('audit.k8s.io/v1'),
  kind: z.literal('Event'),
  level: z.enum(['None', 'Metadata', 'Request', 'RequestResponse']),
  auditID: z.string().min(1),
  stage: z.enum(['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic']),
  requestURI: text,
  verb: text,
  user: z.looseObject({ username: text.default('') }),
  userAgent: text.default(''),
  objectRef: objectRefSchema.optional(),
  responseStatus: z
    .looseObject({
      code: z.int().default(0),
      message: text.optional(),
      status: text.optional(),
    })
    .optional(),
  requestObject: z.unknown().optional(),
  responseObject: z.unknown().optional(),
  requestReceivedTimestamp: instant,
  stageTimestamp: instant,
});

export type AuditEvent = z.output<typeof auditEventSchema>;

/** An answer that holds an object. A `Status` does not match because it has no uid. */
export const answeredObjectSchema = z.looseObject({
  apiVersion: text.optional(),
  kind: text.optional(),
  metadata: seenMetadataSchema.extend({ name: text.default(''), namespace: text.nullish() }),
  spec: z.looseObject({}).nullish(),
  status: z.looseObject({}).nullish(),
});

export const typedSchema = z.looseObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
});

const auditHead = z.looseObject({ kind: z.literal('Event'), auditID: z.string() });

export function isAuditEvent(value: unknown): boolean {
  return auditHead.safeParse(value).success;
}
