import { z } from 'zod';
import { CASCADES } from '../../model/index.ts';
import { conditionSchema, objectSchema, phaseSchema, referenceSchema } from './object-schema.ts';

/** Schemas of the requests that the users of a setup send. */

const count = z.int().nonnegative();
const texts = z.array(z.string());

export const deleteOptionsSchema = z.strictObject({
  orphanDependents: z.boolean().exactOptional(),
  propagationPolicy: z.enum(['Foreground', 'Background', 'Orphan']).exactOptional(),
  gracePeriodSeconds: z.int().exactOptional(),
  preconditions: z
    .strictObject({
      uid: z.string().exactOptional(),
      resourceVersion: z.union([z.literal(true), z.literal('outdated')]).exactOptional(),
    })
    .exactOptional(),
  dryRun: z.boolean().exactOptional(),
});

const changeSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('nothing') }),
  z.strictObject({ do: z.literal('touch') }),
  z.strictObject({
    do: z.literal('setMetadata'),
    finalizers: texts.exactOptional(),
    ownerReferences: z.array(referenceSchema).exactOptional(),
    other: z.enum(['same', 'data', 'spec']),
  }),
  z.strictObject({ do: z.literal('setFinalizers'), finalizers: texts }),
  z.strictObject({ do: z.literal('removeFinalizer'), finalizer: z.string() }),
  z.strictObject({ do: z.literal('addFinalizer'), finalizer: z.string() }),
  z.strictObject({
    do: z.literal('setOwnerReferences'),
    ownerReferences: z.array(referenceSchema),
  }),
  z.strictObject({ do: z.literal('removeOwners'), uids: texts }),
  z.strictObject({ do: z.literal('unblockOwners'), ownerReferences: z.array(referenceSchema) }),
  z.strictObject({ do: z.literal('adopt'), reference: referenceSchema }),
  z.strictObject({ do: z.literal('relabel'), matches: z.boolean() }),
  z.strictObject({ do: z.literal('scale'), replicas: count }),
  z.strictObject({ do: z.literal('observeGeneration'), generation: count }),
  z.strictObject({ do: z.literal('finishPod') }),
  z.strictObject({ do: z.literal('releaseVolume') }),
  z.strictObject({
    do: z.literal('initialize'),
    initializer: z.string(),
    failed: z.boolean(),
  }),
  z.strictObject({
    do: z.literal('finalizeNamespace'),
    specFinalizers: texts.exactOptional(),
  }),
  z.strictObject({
    do: z.literal('setNamespaceStatus'),
    phase: phaseSchema,
    conditions: z.array(conditionSchema),
  }),
]);

const that = { key: z.string(), uid: z.string() };

export const factSchema = z.discriminatedUnion('fact', [
  z.strictObject({ ...that, fact: z.literal('exists'), is: z.boolean() }),
  z.strictObject({ ...that, fact: z.literal('owners'), uids: texts }),
  z.strictObject({ ...that, fact: z.literal('ownerCount'), count }),
  z.strictObject({ ...that, fact: z.literal('controller'), controller: z.string().nullable() }),
  z.strictObject({ ...that, fact: z.literal('finalizers'), finalizers: texts }),
  z.strictObject({ ...that, fact: z.literal('deletionTimestamp'), set: z.boolean() }),
  z.strictObject({ fact: z.literal('count'), keys: texts, count }),
  z.strictObject({ fact: z.literal('collectorKnows'), uid: z.string(), is: z.boolean() }),
  z.strictObject({ fact: z.literal('delivered') }),
]);

const requestSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('create'), object: objectSchema }),
  z.strictObject({
    do: z.literal('delete'),
    key: z.string(),
    options: deleteOptionsSchema,
    apiVersion: z.string().exactOptional(),
  }),
  z.strictObject({
    do: z.literal('update'),
    key: z.string(),
    change: changeSchema,
    put: z.boolean(),
    uid: z.string().nullable(),
    resourceVersion: z.boolean(),
  }),
  z.strictObject({
    do: z.literal('kubectlDelete'),
    key: z.string(),
    flags: z.strictObject({
      cascade: z.enum(CASCADES),
      wait: z.boolean(),
      gracePeriod: z.int().exactOptional(),
      dryRun: z.literal(true).exactOptional(),
    }),
  }),
  z.strictObject({ do: z.literal('loseNode'), node: z.string() }),
  z.strictObject({ do: z.literal('read'), key: z.string() }),
  z.strictObject({ do: z.literal('settle') }),
  z.strictObject({ do: z.literal('await'), facts: z.array(factSchema) }),
  z.strictObject({
    do: z.literal('deleteCollection'),
    kind: z.string(),
    namespace: z.string(),
    options: deleteOptionsSchema,
    apiVersion: z.string().exactOptional(),
  }),
  z.strictObject({ do: z.literal('serveVersion'), kind: z.string(), version: z.string() }),
  z.strictObject({ do: z.literal('stopControllers') }),
  z.strictObject({ do: z.literal('startControllers') }),
]);

const failureReasonSchema = z.enum([
  ...(['Forbidden', 'NotFound', 'MethodNotAllowed', 'Conflict', 'AlreadyExists'] as const),
  ...(['UnsupportedMediaType', 'Invalid', 'TooManyRequests', 'InternalError'] as const),
  ...(['ServiceUnavailable', 'Timeout'] as const),
]);

export const userStepSchema = z.strictObject({
  request: requestSchema,
  after: z.array(z.strictObject({ user: z.string(), steps: count })),
  answer: z.union([z.literal('success'), failureReasonSchema]).exactOptional(),
});
