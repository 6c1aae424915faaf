import * as z from 'zod';

/**
 * The steps of a recording: what the users of a recorded scenario did (create, delete, patch,
 * settle, ...), with their order and concurrency. They are compiled to a `Setup`; the explorer
 * enumerates its final states, which must include every recorded final state.
 *
 * The schema is strict: an unknown step or field is an error.
 */

/**
 * The id of an owner, or a reference with its own coordinates; omitted ones are those of the
 * owner.
 */
const ownerSchema = z.union([
  z.string(),
  z.strictObject({
    of: z.string().optional(),
    block: z.boolean().optional(),
    controller: z.boolean().optional(),
    apiVersion: z.string().optional(),
    kind: z.string().optional(),
    name: z.string().optional(),
    /** `$random`: a uid that no object has. */
    uid: z.string().optional(),
  }),
]);

export type StatedOwner = z.output<typeof ownerSchema>;

const finalizers = z.array(z.string());

const plainSteps = [
  z.strictObject({
    do: z.literal('create'),
    id: z.string(),
    kind: z.string().optional(),
    /** `other`: the second namespace of the scenario. */
    ns: z.literal('other').optional(),
    owners: z.array(ownerSchema).optional(),
    finalizers: finalizers.optional(),
    /** For a pod, or the pods of a workload: the node that it is bound to. */
    node: z.string().optional(),
    replicas: z.int().min(0).optional(),
    /** In milliseconds: the step is repeated until it is accepted. */
    retryUntil: z.number().optional(),
    retryEvery: z.number().optional(),
  }),
  z.strictObject({
    do: z.literal('delete'),
    id: z.string(),
    policy: z.enum(['Background', 'Foreground', 'Orphan']).optional(),
    orphanDependents: z.boolean().optional(),
    grace: z.int().optional(),
    noBody: z.boolean().optional(),
    pre: z
      .strictObject({
        /** `$ID`: the uid of that object. */
        uid: z.string().optional(),
        /** `live`: read just before; `$ID.rv`: as read by the step `get`. */
        rv: z.string().optional(),
      })
      .optional(),
  }),
  z.strictObject({
    do: z.literal('dropFinalizer'),
    id: z.string(),
    finalizer: z.string(),
    as: z.string().optional(),
  }),
  z.strictObject({ do: z.literal('setFinalizers'), id: z.string(), finalizers }),
  z.strictObject({ do: z.literal('setOwners'), id: z.string(), owners: z.array(ownerSchema) }),
  z.strictObject({
    do: z.literal('patch'),
    id: z.string(),
    merge: z.strictObject({ metadata: z.record(z.string(), z.unknown()) }),
  }),
  z.strictObject({
    do: z.literal('put'),
    id: z.string(),
    mutate: z.strictObject({ metadata: z.record(z.string(), z.unknown()) }),
  }),
  z.strictObject({ do: z.literal('get'), id: z.string() }),
  z.strictObject({
    do: z.literal('settle'),
    quiet: z.number().optional(),
    max: z.number().optional(),
  }),
  /** The model ignores the length: the recorded runs took several lengths. */
  z.strictObject({
    do: z.literal('sleep'),
    ms: z.union([z.number(), z.array(z.number())]),
  }),
  z.strictObject({ do: z.literal('waitCount'), kind: z.string(), count: z.int().min(0) }),
  /** Reads the collector's own graph. */
  z.strictObject({ do: z.literal('graph') }),
  /** The controller manager stops or starts. */
  z.strictObject({ do: z.literal('kcm'), action: z.enum(['stop', 'start']) }),
] as const;

const plainStep = z.discriminatedUnion('do', plainSteps);

export type PlainStep = z.output<typeof plainStep>;

export type Step =
  | PlainStep
  | { readonly do: 'repeat'; readonly times: number; readonly steps: readonly Step[] }
  | { readonly do: 'parallel'; readonly steps: readonly (Step | readonly Step[])[] };

const stepSchema: z.ZodType<Step> = z.lazy(() =>
  z.discriminatedUnion('do', [
    ...plainSteps,
    z.strictObject({
      do: z.literal('repeat'),
      times: z.int().min(1).max(100),
      steps: z.array(stepSchema),
    }),
    /** Concurrent entries; a list is a sequence. */
    z.strictObject({
      do: z.literal('parallel'),
      steps: z.array(z.union([stepSchema, z.array(stepSchema)])),
    }),
  ]),
);

export const programSchema = z.array(stepSchema);

/** The steps without their nesting. */
export function plainStepsOf(steps: readonly Step[]): readonly PlainStep[] {
  return steps.flatMap((step): readonly PlainStep[] => {
    switch (step.do) {
      case 'parallel':
        return plainStepsOf(step.steps.flat() as readonly Step[]);
      case 'repeat':
        return Array.from({ length: step.times }, () => plainStepsOf(step.steps)).flat();
      default:
        return [step];
    }
  });
}
