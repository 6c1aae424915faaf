import * as z from 'zod';
import { checkResultSchema, type Limits, OWNER_SLOTS_MOST } from '../../checker/index.ts';
import type { Plan } from '../../input/plan.ts';
import { limitsSchema, planSchema } from '../jobs/plan-schema.ts';

/**
 * The jobs of a search, and what they answer. They are data: anybody who can write to Redis may
 * make them up.
 */

/** Partitions of a search, at most. */
export const PARTITIONS_MOST = 64;

const whole = z.int().nonnegative();
const wholes = z.array(whole).readonly();
const byPartition = z.array(whole).max(PARTITIONS_MOST).readonly();
const limitKind = z.enum(['states', 'depth', 'time', 'memory', 'interrupted', 'walks']);
const limit = limitKind.nullable();

/** The job to hold a partition until the search ends. */
export const holdSchema = z.strictObject({
  /** The id of the search. */
  search: z.string().regex(/^[0-9a-f]{32}$/),
  partition: whole.max(PARTITIONS_MOST - 1),
  /** How often it was held before. */
  before: whole,
  partitions: z.int().positive().max(PARTITIONS_MOST),
  plan: planSchema,
  limits: limitsSchema,
  reductions: z.array(z.literal('symmetry')).readonly(),
});

/** What partitions may use: all of them find the same representatives. */
export type DividedReduction = 'symmetry';

/** The job as it is: what the schema makes of a plan has the same fields. */
export interface Hold {
  readonly search: string;
  readonly partition: number;
  readonly before: number;
  readonly partitions: number;
  readonly plan: Plan;
  readonly limits: Limits;
  readonly reductions: readonly DividedReduction[];
}

export const heldSchema = z.strictObject({ kind: z.literal('ended') });

const slotName = z.strictObject({ section: z.string(), key: z.string() });

const at = {
  ...{ layer: whole, blocks: byPartition, first: whole, sizes: byPartition, undivided: whole },
  owners: z.strictObject({
    slots: z.array(slotName).max(OWNER_SLOTS_MOST).readonly(),
    salt: z.int32(),
  }),
};

/** A step of a partition: see `PartitionHolder`. */
export const stepSchema = z.discriminatedUnion('step', [
  z.strictObject({
    step: z.literal('first'),
    layerStates: z.int().positive(),
    mostStates: whole.nullable(),
    after: whole.nullable(),
    seconds: z.number().positive().nullable(),
  }),
  z.strictObject({
    step: z.literal('expand'),
    ...at,
    seconds: z.number().positive().nullable(),
  }),
  z.strictObject({ step: z.literal('fold'), before: z.strictObject(at), blocks: byPartition }),
]);

export type Step = Readonly<z.output<typeof stepSchema>>;

export const expandTallySchema = z.strictObject({
  judged: whole,
  terminal: whole,
  outside: whole,
  transitions: wholes,
  triggered: wholes,
  findings: z
    .array(
      z.strictObject({ judgement: whole, number: whole, instance: whole.nullable() }).nullable(),
    )
    .readonly(),
  reached: z.array(wholes).readonly(),
  reducerRuns: wholes,
  bytes: whole,
  rows: whole,
  sent: wholes,
  limit,
});

export const firstTallySchema = z.strictObject({
  layers: z.array(expandTallySchema).readonly(),
  sizes: wholes,
});

export const foldTallySchema = z.strictObject({ states: whole, limit });

/** What a step answers. */
export const stepAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('first'), tally: firstTallySchema }),
  z.strictObject({ kind: z.literal('expanded'), tally: expandTallySchema }),
  z.strictObject({ kind: z.literal('folded'), tally: foldTallySchema }),
  z.strictObject({ kind: z.literal('limit'), limit: limitKind }),
  z.strictObject({ kind: z.literal('defect'), defect: checkResultSchema.shape.defect.unwrap() }),
]);

export type StepAnswer = z.output<typeof stepAnswerSchema>;

export type StepDefect = Extract<StepAnswer, { readonly kind: 'defect' }>['defect'];
