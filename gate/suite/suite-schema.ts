import * as z from 'zod';
import { MEMORY_LEAST } from '../../input/options/values.ts';
import { CASCADES } from '../../input/plan.ts';
import { WORKERS_HIGHEST } from '../../input/scenarios/terms.ts';

/** The format of `reapcheck.suite.yaml`. */

/** In a grid: what the scenario's file says. */
export const AS_WRITTEN = 'asWritten';

export const COMBINATIONS = ['full', 'pairwise'] as const;

const text = z.string().min(1);
const names = z.array(text).min(1);
const asWritten = z.literal(AS_WRITTEN);

/** The values of one parameter, `asWritten` among them. */
function axis<Value extends z.ZodType>(value: Value, error: string) {
  return z.array(z.union([asWritten, value], { error })).min(1);
}

const gridSchema = z.strictObject({
  protocol: names.exactOptional(),
  workers: axis(
    z.int().min(1).max(WORKERS_HIGHEST),
    `a whole number from 1 to ${WORKERS_HIGHEST}, or ${AS_WRITTEN}`,
  ).exactOptional(),
  relists: axis(z.int().min(0), `a whole number from 0, or ${AS_WRITTEN}`).exactOptional(),
  stuckFinalizer: names.exactOptional(),
  reduction: names.exactOptional(),
  rules: z.record(z.string(), names).exactOptional(),
});

const limitsSchema = z.strictObject({
  states: z.int().min(1).exactOptional(),
  depth: z.int().min(0).exactOptional(),
  seconds: z.number().gt(0).exactOptional(),
  megabytes: z.number().min(MEMORY_LEAST).exactOptional(),
});

const deletionSchema = z.strictObject({
  dump: names,
  delete: names,
  cascade: z.enum(CASCADES).exactOptional(),
  namespace: text.exactOptional(),
});

const groupSchema = z.strictObject({
  scenarios: names.exactOptional(),
  museum: names.exactOptional(),
  deletions: z.array(deletionSchema).min(1).exactOptional(),
  grid: gridSchema.exactOptional(),
  combine: z.enum(COMBINATIONS).exactOptional(),
  properties: names.exactOptional(),
  limits: limitsSchema.exactOptional(),
});

export const suiteSchema = z.strictObject({
  properties: names.exactOptional(),
  limits: limitsSchema.exactOptional(),
  groups: z.array(groupSchema).min(1),
});

export const SUITE_FIELDS: readonly string[] = [
  ...Object.keys(suiteSchema.shape),
  ...Object.keys(groupSchema.shape),
  ...Object.keys(gridSchema.shape),
  ...Object.keys(limitsSchema.shape),
  ...Object.keys(deletionSchema.shape),
];

export type SuiteFile = z.output<typeof suiteSchema>;
export type Group = z.output<typeof groupSchema>;
export type Grid = z.output<typeof gridSchema>;
export type DeletionEntry = z.output<typeof deletionSchema>;
