import * as z from 'zod';

/** The jobs of `npm run mutate`: tools/mutate/messages.ts. */

const text = z.string();
const whole = z.int().nonnegative();

const mutantSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rule'), rule: text, value: text }),
  z.strictObject({
    kind: z.literal('decision'),
    number: whole,
    module: text,
    line: whole,
    function: text,
    change: text,
    code: text,
  }),
]);

const megabytes = z.number().positive().nullable();

export const mutantQuestionSchema = z.discriminatedUnion('ask', [
  z.strictObject({ ask: z.literal('scenarios'), megabytes }),
  z.strictObject({ ask: z.literal('baseline'), megabytes, scenario: text }),
  z.strictObject({
    ask: z.literal('mutant'),
    megabytes,
    mutant: mutantSchema,
    scenario: text,
    states: whole,
  }),
  z.strictObject({
    ask: z.literal('seen'),
    megabytes,
    mutant: mutantSchema.nullable(),
    scenario: text,
    states: whole,
  }),
]);

const outcomeSchema = z.strictObject({
  verdicts: z.record(text, text),
  states: whole,
  transitions: whole,
  defect: text.nullable(),
  limit: text.nullable(),
});

export const mutantAnswerSchema = z.discriminatedUnion('answer', [
  z.strictObject({ answer: z.literal('scenarios'), names: z.array(text) }),
  z.strictObject({
    answer: z.literal('baseline'),
    baseline: z.strictObject({
      scenario: text,
      outcome: outcomeSchema,
      milliseconds: z.number().nonnegative(),
      reached: z.array(whole),
      decisive: z.array(whole),
      rules: z.record(text, text),
    }),
  }),
  z.strictObject({ answer: z.literal('mutant'), outcome: outcomeSchema }),
  z.strictObject({
    answer: z.literal('seen'),
    graph: text.nullable(),
    isFull: z.boolean(),
  }),
]);
