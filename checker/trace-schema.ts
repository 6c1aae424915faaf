import * as z from 'zod';

/** Runs of a model as schemas: the part of `result-schema.ts` that describes traces. */

export const count = z.int().nonnegative();
export const lines = z.array(z.string());

const parameterValueSchema = z
  .union([z.string(), z.number(), z.boolean()])
  .meta({ id: 'ParameterValue', description: 'The value of one parameter.' });

export const parametersSchema = z.record(z.string(), parameterValueSchema).meta({
  id: 'Parameters',
  description: 'The parameters of one instance of an action or a property, by name.',
});

export const fairnessSchema = z.enum(['none', 'weak', 'strong']).meta({
  id: 'Fairness',
  description:
    'What an action is promised. none: nothing, it need not happen; weak: it happens if it stays ' +
    'possible; strong: it happens if it is possible again and again.',
});

export const statusSchema = z.enum(['idle', 'holds', 'broken', 'pending', 'met', 'reached']).meta({
  id: 'PropertyStatus',
  description:
    'The status of the judged property at one point of a run. idle: its trigger is false, so there ' +
    'is nothing to judge. holds, broken: an invariant or a step rule is judged here. pending: a ' +
    'leads-to was triggered and its goal has not been seen since. met: the goal of a pending ' +
    'leads-to. reached: the state that a witness looks for.',
});

const pictureSchema = z
  .string()
  .describe("The author's picture of the state: text, or an SVG document; absent without one.");

export const traceStepSchema = z
  .object({
    action: z.string().describe('Name of the action.'),
    parameters: parametersSchema,
    fairness: fairnessSchema,
    actor: z.string().describe("Who takes the step, in the words of the model's domain."),
    sentence: z.string().describe("The step as one sentence in the words of the model's domain."),
    changes: lines.describe('What the step changes, one line each.'),
    beliefs: lines.describe('What the actor believes in this step although it is false.'),
    status: statusSchema.describe(
      'The status of the judged property after the step; of a step rule, in the step.',
    ),
    state: z.unknown().describe('The state that the step leads to, in the form of the model.'),
    picture: pictureSchema.exactOptional(),
  })
  .meta({
    id: 'TraceStep',
    description: 'One step of a trace: the action taken and the state that it leads to.',
  });

export const fairnessMetSchema = z
  .object({
    action: z.string().describe('Name of the action.'),
    parameters: parametersSchema,
    group: z
      .string()
      .exactOptional()
      .describe(
        'What the promise is made to, if not to this action alone: the names of the actions of the ' +
          'group. The action is the one that the loop takes, or one that it enables.',
      ),
    fairness: z.enum(['weak', 'strong']).describe('What the action, or the group, is promised.'),
    actor: z.string().describe('Who takes the action.'),
    sentence: z.string().describe('The action as one sentence.'),
    by: z
      .enum(['taken', 'disabled'])
      .describe(
        'How the loop keeps the promise. taken: it takes the action. disabled: the action is not ' +
          'possible in every state of the loop, and weak fairness promises no more.',
      ),
    step: count.describe(
      'Index into steps: the step that takes the action, or after which it is not possible.',
    ),
  })
  .meta({
    id: 'FairnessMet',
    description: 'How a lasso keeps the fairness promise to one action, or to a group of actions.',
  });

export const traceSchema = z
  .object({
    shape: z
      .enum(['path', 'stutter', 'lasso'])
      .describe(
        'path: finite; its last state or step shows what it is for. stutter: finite; no action that ' +
          'must happen is possible in the last state, so the system may stay there for ever. lasso: ' +
          'the steps from loopStart on lead back to the state before them and can repeat for ever.',
      ),
    loopStart: count
      .nullable()
      .describe('Index into steps at which the loop of a lasso starts; null for other shapes.'),
    initialIndex: count.describe("Index into the model's initial states."),
    initial: z.unknown().describe('The state in which the run starts.'),
    initialLines: lines.describe('The initial state in words, one line for each thing in it.'),
    initialPicture: pictureSchema.exactOptional(),
    initialStatus: statusSchema.describe('The status of the judged property in the initial state.'),
    steps: z.array(traceStepSchema).describe('The steps of the run, in order.'),
    fairness: z
      .array(fairnessMetSchema)
      .describe('Of a lasso: why it is fair. Actions that the loop never enables are left out.'),
  })
  .meta({ id: 'Trace', description: 'A run of the model.' });

export const traceDifferenceSchema = z
  .object({
    added: lines.describe('Steps that only this run takes.'),
    missing: lines.describe('Steps that only the other run takes.'),
    reordered: z
      .array(
        z.object({
          first: z.string().describe('The step that this run takes first.'),
          then: z.string().describe('The step that this run takes after it.'),
        }),
      )
      .describe('Pairs of dependent steps that the other run takes in the opposite order.'),
  })
  .meta({
    id: 'TraceDifference',
    description: 'How a run differs from another one, in sentences of steps.',
  });
