import { z } from 'zod';

/** The file `reapcheck.lock.json`. */

export const LOCK_SCHEMA = 'reapcheck.lock/v2';

const counts = z.record(z.string(), z.int().min(1));
const count = z.int().min(0);
const words = z.record(z.string(), z.string());

const traceSchema = z.strictObject({
  steps: count,
  shape: z.enum(['path', 'stutter', 'lasso']),
  digest: z.string(),
});

/** As the rows of the file come to: facts that say nothing are left out. */
const cellSchema = z.strictObject({
  scenario: z.string(),
  question: z.string(),
  protocol: z.string(),
  rules: words.exactOptional(),
  outcome: z.enum(['complete', 'states', 'depth', 'time', 'memory']),
  states: count.exactOptional(),
  transitions: count.exactOptional(),
  depth: count.exactOptional(),
  verdicts: z
    .record(z.string(), z.enum(['holds', 'violated', 'inconclusive', 'vacuous']))
    .exactOptional(),
  triggered: counts.exactOptional(),
  traces: z.record(z.string(), traceSchema).exactOptional(),
  actions: counts.exactOptional(),
  fates: z.record(z.string(), z.enum(['goes', 'stays', 'either', 'open'])).exactOptional(),
});

export const lockSchema = z.strictObject({
  schema: z.literal(LOCK_SCHEMA),
  suite: z.string(),
  code: z.strictObject({
    checker: z.string(),
    model: z.string(),
    properties: z.string(),
    input: z.string(),
    packages: z.string(),
  }),
  protocols: z.record(z.string(), words),
  cells: z.record(z.string(), cellSchema),
});

export type LockFile = z.output<typeof lockSchema>;
export type CellEntry = z.output<typeof cellSchema>;
