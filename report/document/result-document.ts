import type { Immutable } from 'immer';
import * as z from 'zod';
import { checkResultSchema, propertyResultSchema } from '../../checker/index.ts';
import { setupSchema } from '../../input/setup/setup-schema.ts';
import { answerSchema } from './answer.ts';

/**
 * What `reapcheck check` finds, as one JSON document. `result.schema.json` is generated from here,
 * `reapcheck replay` and `reapcheck render` read it back.
 */

const lines = z.array(z.string());
const index = z.int().nonnegative();

/** Where something is in the input. */
export const placeSchema = z.object({
  file: z.string().describe('The file, relative to the working directory.'),
  line: z.int().describe('The line, from 1.'),
});

const expectationSchema = z
  .object({
    states: z.int().exactOptional().describe('The exact number of states.'),
    transitions: z.int().exactOptional().describe('The exact number of transitions.'),
    depth: z.int().exactOptional().describe('The number of steps to the furthest state.'),
    verdicts: z
      .record(z.string(), z.enum(['holds', 'violated', 'vacuous']))
      .describe('The expected verdict of each property, by name.'),
    because: z
      .record(z.string(), z.string())
      .describe('Why a property is expected to be violated, by name.'),
    counterexample: z
      .object({
        property: z.string().describe('Name of the violated property.'),
        length: z.int().exactOptional().describe('The number of steps of the counterexample.'),
        mustShow: lines.describe('Texts that its lines contain, in this order.'),
      })
      .exactOptional()
      .describe('The expected counterexample to one property.'),
  })
  .meta({ id: 'Expectation', description: 'What the scenario itself expects.' });

export const fateWordSchema = z.enum(['goes', 'stays', 'either', 'open']).meta({
  id: 'FateWord',
  description:
    'What becomes of an object once all requests were sent. goes: it goes on every fair run. stays: ' +
    'it stays on every one. either: that depends on the order of events. open: a limit was hit ' +
    'before the answer.',
});

const fateSchema = z
  .object({
    object: z.string().describe('The object, as Kind/name.'),
    uid: z.string().describe('The uid of the object.'),
    members: z
      .array(
        z.object({
          object: z.string().describe('The object, as Kind/name.'),
          uid: z.string().describe('Its uid.'),
        }),
      )
      .exactOptional()
      .describe('All objects that are alike and share the fate, this one included.'),
    fate: fateWordSchema,
    begins: z.boolean().describe('On some run it is being deleted.'),
    replaced: z.boolean().describe('On every run, a controller creates another one in its place.'),
    always: z
      .object({
        begins: z.boolean().describe('It is being deleted in the end, or gone.'),
        leaves: z
          .array(z.boolean())
          .describe('By place of the owner: it is gone in the end, or has lost that owner.'),
        keeps: z
          .array(z.boolean())
          .describe('By place of the owner: it never goes, nor loses or unblocks that owner.'),
        waits: z.boolean().describe('Its deletion begins only in the foreground.'),
      })
      .exactOptional()
      .describe('What is true on every run; only where an object was searched with its owners.'),
    goes: propertyResultSchema.describe(
      'The leads-to "the object is gone"; its counterexample is a run on which the object stays.',
    ),
    mayGo: propertyResultSchema.describe(
      'The witness "the object is gone"; its example is a run on which the object goes.',
    ),
  })
  .meta({ id: 'Fate', description: 'What becomes of one object of a dump.' });

/** One check; the cache of the gate stores such documents. */
export const checkReportSchema = z
  .object({
    title: z
      .string()
      .describe('What was checked: the name of the scenario, or the deletion in words.'),
    about: z.string().nullable().describe('What the scenario is about; null for a deletion.'),
    source: z
      .string()
      .nullable()
      .describe(
        'The file, or the document that motivates the scenario, or the module; null without one.',
      ),
    protocol: z
      .string()
      .nullable()
      .describe(
        'Name of the protocol: the rules of one version of Kubernetes; null for a model in a module.',
      ),
    rules: z
      .record(z.string(), z.string())
      .describe('The rules whose values differ from those of the protocol, by name.'),
    assumptions: lines.describe('What the model assumes, as sentences.'),
    cut: lines.describe('What part of the input was left out, and why that is safe.'),
    unread: z
      .string()
      .exactOptional()
      .describe('The fields of a dump on which deletion does not depend; absent: none.'),
    warnings: lines.describe('What the reader should know about the input, as sentences.'),
    setup: setupSchema
      .nullable()
      .describe(
        'The whole model, so that the document can be replayed alone; null for a model in a module, ' +
          'whose file is `source`.',
      ),
    expectation: expectationSchema
      .nullable()
      .describe('What the scenario itself expects; null if it expects nothing.'),
    outcomes: z
      .array(
        z.object({
          outcome: z.string().describe('Its name in the scenario.'),
          property: z.string().describe('The name of its property in the result.'),
          expected: z
            .enum(['never', 'sometimes', 'always'])
            .describe('How often runs are to end so.'),
          found: z
            .enum(['possible', 'impossible', 'unavoidable', 'avoidable'])
            .nullable()
            .describe('What was found; null: a limit was hit first, or no run was over.'),
          verdict: propertyResultSchema.shape.verdict,
        }),
      )
      .exactOptional()
      .describe('The outcomes of the scenario that were judged; absent: there are none.'),
    asked: lines.describe('Properties that were asked for by name: they must not be vacuous.'),
    met: z.boolean().describe('Whether everything came out as expected.'),
    unmet: lines.describe('What did not come out as expected, one sentence each.'),
    fates: z.array(fateSchema).describe('Of a deletion in a dump: what becomes of each object.'),
    museum: z
      .object({
        entry: z.string().describe('Name of the entry.'),
        title: z.string().describe('Its title: what goes wrong, as a sentence.'),
        variant: z
          .enum(['before', 'after'])
          .describe('before: the rules of the time of the defect. after: those of its repair.'),
        property: z.string().describe('The property that shows the difference.'),
      })
      .nullable()
      .describe('The entry of the museum that this check belongs to; null without one.'),
    place: placeSchema
      .extend({
        properties: z
          .record(z.string(), z.int())
          .describe('The lines that name properties, by name of the property.'),
      })
      .nullable()
      .describe('Where the check is in the input; null for what was read from stdin.'),
    exitCode: z.int().describe('The exit code that this check alone would give.'),
    again: z.string().describe('The command line that repeats this check alone.'),
    tokens: z
      .array(
        z.object({
          property: z.string().describe('Name of the property.'),
          alternative: index
            .exactOptional()
            .describe('Index of the further counterexample; absent for the first one.'),
          token: z.string().describe('The token.'),
        }),
      )
      .describe('For each trace: the token with which `reapcheck replay` executes it again.'),
    result: checkResultSchema.meta({ id: 'CheckResult' }),
  })
  .meta({ id: 'CheckReport', description: 'One check: a scenario, or a deletion in a dump.' });

export const resultDocumentSchema = z
  .object({
    schema: z.literal('reapcheck.result/v1').describe('Kind and version of this document.'),
    command: z.string().describe('The command line that wrote the document.'),
    version: z.string().describe('The version of reapcheck.'),
    answer: answerSchema
      .nullable()
      .describe('The answer to a question about a dump; null for checks of scenarios.'),
    checks: z.array(checkReportSchema).describe('The checks, in order; evidence of the answer.'),
    notRun: lines.describe('Titles of the checks that an interruption left out.'),
    exitCode: z.int().describe('The exit code of the command.'),
  })
  .describe('What `reapcheck check` and `reapcheck simulate` find.');

/** What becomes of an object of a dump: see `fateWordSchema`. */
export type FateWord = z.output<typeof fateWordSchema>;

/** What becomes of one object of a dump, with the two answers that decide it. */
export type Fate = Immutable<z.output<typeof fateSchema>>;

/** One check: a scenario, or a deletion in a dump. */
export type CheckReport = Immutable<z.output<typeof checkReportSchema>>;

/** What `reapcheck check` and `reapcheck simulate` write. */
export type ResultDocument = Immutable<z.output<typeof resultDocumentSchema>>;
