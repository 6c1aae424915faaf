import type { Immutable } from 'immer';
import * as z from 'zod';

const lines = z.array(z.string());
const counts = z.record(z.string(), z.int());

/** One root object and one policy. The answer to `reapcheck delete` has the rest. */
export const surveyRowSchema = z
  .object({
    object: z.string().describe('The object that is deleted, as Kind/name.'),
    uid: z.string().describe('Its uid.'),
    place: z
      .object({
        file: z.string().describe('The file, relative to the working directory.'),
        line: z.int().describe('The line, from 1.'),
      })
      .nullable()
      .describe('Where the object is in the input; null for what was read from stdin.'),
    cascade: z.string().describe('The propagation policy.'),
    verdict: z
      .enum(['hangs', 'risky', 'unexpected', 'open', 'plain'])
      .describe(
        'hangs: the object or another one hangs, or the object stays. risky: the order of events ' +
          'decides, or an invariant is violated. unexpected: something goes along that people do ' +
          'not expect. open: something is unknown or depends on a finalizer. plain: none of these.',
      ),
    goes: counts.describe('How many objects go, by kind, the object itself included.'),
    stays: counts.describe('How many objects stay, by kind.'),
    hangs: lines.describe('The objects that hang.'),
    open: lines.describe('The objects of which it is unknown, or depends, whether they go.'),
    admission: z
      .literal(true)
      .exactOptional()
      .describe('Nothing but admission leaves the row open.'),
    admitted: lines
      .exactOptional()
      .describe('The words of `--admitted` on which the row rests. Absent: none.'),
    unexpected: lines.describe('What goes along that people do not expect, as sentences.'),
    why: lines.describe('The reasons for what hangs, depends or is unknown.'),
    risks: z
      .array(
        z.object({
          text: z.string().describe('What can happen.'),
          token: z
            .string()
            .nullable()
            .describe('With it, `reapcheck replay` executes the run; null: no run is recorded.'),
        }),
      )
      .describe('What can go wrong.'),
    basis: z.string().describe('How sure the row is.'),
    exitCode: z.int().describe('The exit code of `command`.'),
    command: z.string().describe('The command that shows the row in full.'),
  })
  .meta({ id: 'SurveyRow', description: 'What the deletion of one object does, in short.' });

export type SurveyRow = Immutable<z.output<typeof surveyRowSchema>>;
