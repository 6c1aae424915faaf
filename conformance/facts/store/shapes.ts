import * as z from 'zod';
import {
  type DefaultPolicy,
  type DeleteOptions,
  optionsOrImmediate,
} from '../../../model/index.ts';

/** Parts of the cases about the API server. */

export const deleteOptions = z
  .strictObject({
    orphanDependents: z.boolean().optional(),
    propagationPolicy: z.enum(['Foreground', 'Background', 'Orphan']).optional(),
    gracePeriodSeconds: z.number().int().optional(),
    dryRun: z.boolean().optional(),
    preconditions: z
      .strictObject({ uid: z.string().optional(), resourceVersion: z.string().optional() })
      .optional(),
  })
  .nullable();

export type StatedOptions = z.infer<typeof deleteOptions>;

/**
 * Options as the model has them. The model does not keep the resourceVersion of a precondition: the
 * client of the request represents it, because this client read the object at that version.
 */
export function asDeleteOptions(stated: StatedOptions): DeleteOptions {
  if (stated === null) return optionsOrImmediate(null);
  const { preconditions, orphanDependents, propagationPolicy, gracePeriodSeconds, dryRun } = stated;
  const { uid, resourceVersion } = preconditions ?? {};
  return {
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(preconditions === undefined
      ? {}
      : {
          preconditions: {
            ...(uid === undefined ? {} : { uid }),
            ...(resourceVersion === undefined ? {} : { resourceVersion: true as const }),
          },
        }),
  };
}

export const policyWord = z.enum(['none', 'OrphanDependents', 'DeleteDependents', 'Unsupported']);

const POLICIES: Readonly<Record<z.infer<typeof policyWord>, DefaultPolicy>> = {
  none: 'none',
  OrphanDependents: 'orphanDependents',
  DeleteDependents: 'deleteDependents',
  Unsupported: 'unsupported',
};

export function asPolicy(word: z.infer<typeof policyWord>): DefaultPolicy {
  return POLICIES[word];
}

export function policyName(policy: DefaultPolicy): string {
  const found = Object.entries(POLICIES).find(([, value]) => value === policy);
  return found?.[0] ?? policy;
}

/** Stated metadata. An absent field is not checked. */
export const statedMetadata = z.strictObject({
  name: z.string().optional(),
  uid: z.string().optional(),
  finalizers: z.array(z.string()).optional(),
  generation: z.number().int().optional(),
  deletionTimestamp: z.enum(['set', 'unset', 'earlier than before']).optional(),
  deletionGracePeriodSeconds: z.number().int().nullable().optional(),
});

export type StatedMetadata = z.infer<typeof statedMetadata>;

/** The Status with which `finalizeDelete` answers instead of the object. */
export const statedStatus = z.strictObject({
  status: z.string(),
  details: z
    .strictObject({
      name: z.string().optional(),
      group: z.string().optional(),
      kind: z.string().optional(),
      uid: z.string().optional(),
    })
    .optional(),
});

/** An object before its creation. */
export const givenObject = z.strictObject({
  name: z.string(),
  finalizers: z.array(z.string()).optional(),
  generation: z.number().int().nonnegative().optional(),
  uid: z.string().optional(),
  resourceVersion: z.string().optional(),
  /** For pods: assigned to a node. */
  scheduled: z.boolean().optional(),
});

export type GivenObject = z.infer<typeof givenObject>;

/** What must hold after a step. `status` and `details` are those of a returned Status. */
export const statedOutcome = z.strictObject({
  ...statedStatus.partial().shape,
  error: z.string().nullable().optional(),
  deletedImmediately: z.boolean().optional(),
  stored: z.union([z.null(), statedMetadata, z.array(statedMetadata)]).optional(),
  returned: z.union([z.number().int(), statedMetadata, statedStatus, z.null()]).optional(),
  resourceVersion: z.enum(['unchanged', 'changed']).optional(),
  validationCalls: z.number().int().optional(),
  watchEvents: z
    .array(
      z.strictObject({
        type: z.enum(['ADDED', 'MODIFIED', 'DELETED']),
        name: z.string().optional(),
        sameAsCreatedExcept: z.array(z.literal('resourceVersion')).optional(),
      }),
    )
    .optional(),
});

export type StatedOutcome = z.infer<typeof statedOutcome>;
export type StatedStatus = Pick<StatedOutcome, 'status' | 'details'>;

const stated = statedOutcome.optional();
/** The model keeps no labels, but writing them changes the resourceVersion. */
const labels = z.record(z.string(), z.string());

const change = z.strictObject({
  finalizers: z.array(z.string()).optional(),
  labels: labels.optional(),
});

const createFields = { do: z.literal('create'), name: z.string().optional() };

const deleteFields = {
  do: z.literal('delete'),
  name: z.string().optional(),
  options: deleteOptions,
};

const updateFields = {
  do: z.literal('update'),
  name: z.string().optional(),
  finalizers: z.array(z.string()).optional(),
  labels: labels.optional(),
  change: change.optional(),
};

const collectionFields = { do: z.literal('deleteCollection'), options: deleteOptions };

/** Of a request that runs in parallel with others, only the error can be stated. */
const statedError = z.strictObject({ error: z.string().nullable().optional() }).optional();

const branchRequest = z.discriminatedUnion('do', [
  z.strictObject({ ...createFields, stated: statedError }),
  z.strictObject({ ...deleteFields, stated: statedError }),
  z.strictObject({ ...updateFields, stated: statedError }),
  z.strictObject({ ...collectionFields, stated: statedError }),
]);

export const sequenceStep = z.discriminatedUnion('do', [
  z.strictObject({ ...createFields, stated }),
  z.strictObject({ ...deleteFields, stated }),
  z.strictObject({ ...updateFields, stated }),
  z.strictObject({ ...collectionFields, stated }),
  z.strictObject({ do: z.literal('watch'), from: z.literal('created').optional(), stated }),
  z.strictObject({
    do: z.literal('parallel'),
    branches: z.array(z.union([branchRequest, z.array(branchRequest)])),
    stated,
  }),
  z.strictObject({
    do: z.literal('race'),
    first: z.strictObject(deleteFields),
    duringValidation: z.strictObject(updateFields),
    stated,
  }),
  z.strictObject({ do: z.literal('finalizeDelete'), name: z.string().optional(), stated }),
]);

export type BranchRequest = z.infer<typeof branchRequest>;
export type StatedDelete = z.infer<z.ZodObject<typeof deleteFields>>;
export type StatedUpdate = z.infer<z.ZodObject<typeof updateFields>>;
export type StatedRequest =
  | z.infer<z.ZodObject<typeof createFields>>
  | StatedDelete
  | StatedUpdate
  | z.infer<z.ZodObject<typeof collectionFields>>;

export type SequenceStep = z.infer<typeof sequenceStep>;

export const sequenceGiven = z.strictObject({
  store: z.strictObject({
    graceful: z.boolean(),
    defaultPolicy: policyWord,
    gcEnabled: z.boolean(),
    defaultGraceSeconds: z.number().int().nullable().optional(),
  }),
  object: givenObject.optional(),
  objects: z.array(givenObject).optional(),
  /** What the cache holds; `first incarnation`: the object of the first create. */
  cachedCopy: z.union([givenObject, z.literal('first incarnation')]).optional(),
});

export type SequenceGiven = z.infer<typeof sequenceGiven>;
