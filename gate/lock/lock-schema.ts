import * as z from 'zod';
import { codeDigestsSchema } from '../cell.ts';

/** The file `reapcheck.lock.json`. */

export const LOCK_SCHEMA = 'reapcheck.lock/v3';

const count = z.int().min(0);
const names = z.array(z.string());
const words = z.record(z.string(), z.string());

const traceSchema = z.strictObject({
  steps: count,
  shape: z.enum(['path', 'stutter', 'lasso']),
  digest: z.string(),
});

/**
 * What the lock says about one cell. The lock repeats nothing that the cell's scenario states under
 * `expect`. `entry.ts` completes the entry.
 */
const cellSchema = z.strictObject({
  scenario: z.string(),
  question: z.string(),
  /** Absent: a model of a module. */
  protocol: z.string().exactOptional(),
  rules: words.exactOptional(),
  /** Absent: `complete`. */
  outcome: z.enum(['states', 'depth', 'time', 'memory']).exactOptional(),
  /** Digest of the size and all verdicts. It shows whether the entry was completed correctly. */
  results: z.string(),
  states: count.exactOptional(),
  transitions: count.exactOptional(),
  depth: count.exactOptional(),
  /**
   * In how many states or steps each property was exercised: all but the vacuous ones, in order.
   */
  triggered: z.array(count).exactOptional(),
  actions: z.record(z.string(), z.int().min(1)).exactOptional(),
  fates: z.record(z.string(), z.enum(['goes', 'stays', 'either', 'open'])).exactOptional(),
  /**
   * The cell does not judge all properties of the lock: those that nothing names are not judged.
   */
  judges: z.literal('selected').exactOptional(),
  holds: names.exactOptional(),
  violated: names.exactOptional(),
  inconclusive: names.exactOptional(),
  vacuous: names.exactOptional(),
  /** Properties for which the scenario states a verdict although the cell does not judge them. */
  notJudged: names.exactOptional(),
  traces: z.record(z.string(), traceSchema).exactOptional(),
});

/** The parts of a cell that have rows of their own, in the order of the file. */
export const LISTS = ['holds', 'violated', 'inconclusive', 'vacuous', 'notJudged'] as const;

export const lockSchema = z.strictObject({
  schema: z.literal(LOCK_SCHEMA),
  suite: z.string(),
  code: codeDigestsSchema,
  /** The value of each rule in each protocol, so that a drift can name the rule that changed. */
  rules: z.record(z.string(), words),
  /** All properties that existed. A cell judges all of them unless it says otherwise. */
  properties: names,
  cells: z.record(z.string(), cellSchema),
});

/** What the gate has pinned: the content of `reapcheck.lock.json`. */
export type Lock = z.output<typeof lockSchema>;
export type CellEntry = z.output<typeof cellSchema>;
