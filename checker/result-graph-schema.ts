import * as z from 'zod';
import { count, lines, parameters } from './schema-parts.ts';

/** `StateGraphReport` as a schema. */
export const stateGraphSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('recorded'),
      renamings: z
        .int()
        .positive()
        .describe('States that differ by one of so many renamings are one here.'),
      states: z
        .array(
          z
            .strictObject({
              initial: z.boolean(),
              lines,
              broken: lines.describe('Names of the properties that are false of the state.'),
            })
            .readonly(),
        )
        .readonly(),
      transitions: z
        .array(
          z
            .strictObject({
              from: count.describe('Index of a state.'),
              to: count.describe('Index of a state.'),
              action: z.string(),
              parameters,
              actor: z.string(),
              sentence: z.string(),
              broken: lines.describe('Names of the rules over steps that are false of it.'),
            })
            .readonly(),
        )
        .readonly(),
      runs: z
        .array(
          z.strictObject({ property: z.string(), states: z.array(count).readonly() }).readonly(),
        )
        .readonly()
        .describe('Where the traces go: one state more than the trace has steps.'),
    }),
    z.strictObject({ kind: z.literal('omitted'), reason: z.string() }),
  ])
  .readonly();
