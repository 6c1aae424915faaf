import * as z from 'zod';

/** The format of `scenario`: API server and collector together, as a black box. */

const flags = {
  controller: z.boolean().optional(),
  blockOwnerDeletion: z.boolean().optional(),
};

/**
 * A reference to an object of the scenario, or with its own coordinates; `uidOf` is an object's
 * key.
 */
export const ownerSchema = z.union([
  z.strictObject({ to: z.string(), ...flags }),
  z.strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    name: z.string(),
    uid: z.string(),
    ...flags,
  }),
  z.strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    name: z.string(),
    uidOf: z.string(),
    ...flags,
  }),
]);

export type StatedOwner = z.infer<typeof ownerSchema>;

const policy = z.enum(['none', 'OrphanDependents', 'DeleteDependents']);

export const kindSchema = z.strictObject({
  apiVersion: z.string(),
  resource: z.string(),
  namespaced: z.boolean(),
  defaultPolicy: policy,
  custom: z.boolean().optional(),
});

export const givenSchema = z.strictObject({
  kinds: z.record(z.string(), kindSchema),
  namespaces: z.array(z.string()),
  collector: z.enum(['running', 'stopped']),
  /** Lists of references that several objects share. */
  ownerSets: z.record(z.string(), z.array(ownerSchema)).optional(),
});

export type Given = z.infer<typeof givenSchema>;

export const objectSchema = z.strictObject({
  key: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  finalizers: z.array(z.string()).optional(),
  /** A list, or the name of one of the `ownerSets`. */
  ownerReferences: z.union([z.string(), z.array(ownerSchema)]).optional(),
  /** No workload controller runs: steps create the replicas that matter. */
  replicas: z.number().int().optional(),
});

export type StatedObject = z.infer<typeof objectSchema>;

export const factSchema = z.union([
  z.strictObject({ object: z.string(), exists: z.boolean() }),
  z.strictObject({ object: z.string(), owners: z.array(z.string()) }),
  z.strictObject({ object: z.string(), ownerCount: z.number().int() }),
  z.strictObject({ object: z.string(), controller: z.string().nullable() }),
  z.strictObject({ object: z.string(), finalizers: z.array(z.string()) }),
  z.strictObject({ object: z.string(), deletionTimestamp: z.enum(['set', 'unset']) }),
  z.strictObject({
    count: z.strictObject({ kind: z.string(), namespace: z.string() }),
    equals: z.number().int(),
  }),
  z.strictObject({ collectorKnows: z.string(), equals: z.boolean() }),
  z.strictObject({ definition: z.string(), exists: z.boolean() }),
]);

export type StatedFact = z.infer<typeof factSchema>;

const options = z
  .strictObject({
    orphanDependents: z.boolean().optional(),
    propagationPolicy: z.enum(['Foreground', 'Background', 'Orphan']).optional(),
    gracePeriodSeconds: z.number().int().optional(),
    preconditions: z
      .strictObject({ uid: z.string().optional(), uidOf: z.string().optional() })
      .optional(),
  })
  .nullable();

export type StatedOptions = z.infer<typeof options>;

/** `error` is null, or the reason of the error. */
const stated = { stated: z.strictObject({ error: z.string().nullable().optional() }).optional() };

const remark = { upstream: z.string().optional(), notes: z.string().optional() };

/** Fields that describe a watch and its delay. They are not read. */
const WATCH_WORDS = [
  'what',
  'kind',
  'apiVersion',
  'group',
  'version',
  'resource',
  'namespace',
  'seconds',
  'delaySeconds',
  'secondsPerRead',
  'upstream',
  'notes',
] as const;
const watchWord = z.union([z.string(), z.number()]).optional();

/** The custom kind, under either field. */
const customKind = { kind: z.string().optional(), definition: z.string().optional() };

const plainSteps = [
  z.strictObject({ do: z.literal('create'), objects: z.array(objectSchema), ...stated }),
  z.strictObject({
    do: z.literal('delete'),
    object: z.string(),
    options: options.optional(),
    ...stated,
  }),
  z.strictObject({
    do: z.literal('patch'),
    object: z.string(),
    addOwner: ownerSchema.optional(),
    /** Path of the list that the patch removes. Only its last part is read. */
    remove: z.string().optional(),
    ...stated,
  }),
  z.strictObject({
    do: z.literal('update'),
    object: z.string(),
    finalizers: z.array(z.string()),
    ...stated,
  }),
  z.strictObject({ do: z.literal('deleteDefinition'), ...customKind, ...stated }),
  z.strictObject({ do: z.literal('createDefinition'), ...customKind, ...stated }),
  z.strictObject({ do: z.literal('startCollector'), untilSynced: z.boolean().optional() }),
  z.strictObject({
    do: z.literal('awaitCollectorKnows'),
    objects: z.array(z.string()),
    limitSeconds: z.number().optional(),
    ...remark,
  }),
  z.strictObject({
    do: z.literal('await'),
    facts: z.array(factSchema),
    limitSeconds: z.number().optional(),
    ...remark,
  }),
  z.strictObject({
    do: z.literal('hold'),
    facts: z.array(factSchema),
    seconds: z.number().optional(),
    ...remark,
  }),
  z.strictObject({ do: z.literal('check'), facts: z.array(factSchema), ...remark }),
  /** A watch with a delay. It changes nothing: every delay of every watch is explored anyway. */
  z.strictObject({
    do: z.literal('slowWatch'),
    ...Object.fromEntries(WATCH_WORDS.map((word) => [word, watchWord])),
  }),
] as const;

const plainStep = z.discriminatedUnion('do', plainSteps);
/** A sentence names other cases, whose steps are the branch. */
const branches = z.array(z.union([plainStep, z.array(plainStep), z.string()]));

export const stepSchema = z.discriminatedUnion('do', [
  ...plainSteps,
  /** The branches run concurrently; the steps of one branch run one after the other. */
  z.strictObject({
    do: z.literal('parallel'),
    branches: branches.optional(),
    steps: branches.optional(),
    ...remark,
  }),
]);

/** The branches of a `parallel` step, each as a sequence. */
export function branchesOf(
  step: Extract<Step, { do: 'parallel' }>,
): readonly (readonly PlainStep[])[] {
  return [...(step.branches ?? []), ...(step.steps ?? [])].flatMap((branch) =>
    typeof branch === 'string' ? [] : [[branch].flat()],
  );
}

/** The branches of a `parallel` step that are sentences. */
export function sentencesOf(step: Extract<Step, { do: 'parallel' }>): readonly string[] {
  return [...(step.branches ?? []), ...(step.steps ?? [])].filter(
    (branch) => typeof branch === 'string',
  );
}

export type PlainStep = z.infer<typeof plainStep>;
export type Step = z.infer<typeof stepSchema>;

export const expectSchema = z.strictObject({
  final: z.array(factSchema).optional(),
  always: z
    .array(z.strictObject({ never: z.strictObject({ fact: factSchema, without: factSchema }) }))
    .optional(),
});

export type Expected = z.infer<typeof expectSchema>;
