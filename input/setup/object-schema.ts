import { z } from 'zod';

/** Strict schemas of objects in a setup (`ApiObject` in the model). */

const count = z.int().nonnegative();
const texts = z.array(z.string());
/** A field that is either absent or true. */
const set = z.literal(true).exactOptional();

export const referenceSchema = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z.boolean().exactOptional(),
  blockOwnerDeletion: z.boolean().exactOptional(),
});

export const conditionSchema = z.strictObject({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  message: z.string(),
});

export const phaseSchema = z.enum(['Active', 'Terminating']);

const podSchema = z.strictObject({
  terminationGracePeriodSeconds: z.int().nullable(),
  scheduled: z.boolean(),
  finished: z.boolean(),
  running: set,
  node: z.string().exactOptional(),
  claims: texts.exactOptional(),
});

const volumeSchema = z.strictObject({
  claim: z.string(),
  claimUid: z.string().exactOptional(),
  bound: z.boolean(),
});

export const objectSchema = z.strictObject({
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  uid: z.string(),
  generation: count,
  observedGeneration: count.exactOptional(),
  finalizers: texts,
  ownerReferences: z.array(referenceSchema),
  deletionTimestamp: z.int().nullable(),
  deletionGracePeriodSeconds: z.int().nullable(),
  initializers: z.strictObject({ pending: texts, failed: set }).exactOptional(),
  specFinalizers: texts.exactOptional(),
  phase: phaseSchema.exactOptional(),
  conditions: z.array(conditionSchema).exactOptional(),
  replicas: count.exactOptional(),
  otherLabels: set,
  pod: podSchema.exactOptional(),
  volume: volumeSchema.exactOptional(),
});

const policySchema = z.enum(['none', 'orphanDependents', 'deleteDependents', 'unsupported']);

export const kindSchema = z.strictObject({
  name: z.string(),
  kind: z.string(),
  apiVersions: texts,
  laterVersions: texts.exactOptional(),
  resource: z.string(),
  namespaced: z.boolean(),
  defaultPolicy: policySchema,
  defaultPolicyByVersion: z
    .strictObject({
      versions: z.record(z.string(), policySchema),
      otherVersions: policySchema,
      noRequest: policySchema,
    })
    .exactOptional(),
  graceful: z.boolean(),
  generation: z.boolean(),
  observesGeneration: set,
  storage: z.enum(['generic', 'namespace', 'customResourceDefinition']),
  finalizerNames: z.literal('qualified').exactOptional(),
  patchTypes: z.literal('mergeOnly').exactOptional(),
  extendsApi: set,
  singlyDeleted: set,
  watched: z.boolean(),
});
