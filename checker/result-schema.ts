import * as z from 'zod';
import {
  count,
  fairnessSchema,
  lines,
  parametersSchema,
  traceDifferenceSchema,
  traceSchema,
} from './trace-schema.ts';

/**
 * The result of a check as a schema: the one definition of its fields. The types in `result.ts` are
 * inferred from it, `result.schema.json` is generated from it, and the documents of programs that
 * embed a result extend it. This module loads zod, which a search does not need: the modules of the
 * search import types only.
 *
 * A reader ignores fields that it does not know, so that it can read what a later version wrote.
 * The JSON Schema describes what this version writes and allows no other fields.
 */

const quantity = z.number().nonnegative();

export const verdictSchema = z.enum(['holds', 'violated', 'inconclusive', 'vacuous']).meta({
  id: 'Verdict',
  description:
    'holds: judged in the whole reachable state space. violated: there is a counterexample, which ' +
    "was executed again through immer's produce; a witness that the whole space does not contain " +
    'is violated without one. inconclusive: a limit was hit first. vacuous: the whole space was ' +
    'searched and nothing triggered the property. Only holds counts as success.',
});

const kindSchema = z
  .enum(['invariant', 'step', 'eventually', 'witness', 'settled'])
  .meta({ id: 'PropertyKind', description: 'What kind of property it is.' });

export const alternativeSchema = z
  .object({
    parameters: parametersSchema.nullable().describe('Parameters of the violated instance.'),
    trace: traceSchema,
    broken: lines.describe('The clauses of the property that are false, as sentences.'),
    differs: traceDifferenceSchema.describe('How it differs from the first counterexample.'),
  })
  .meta({ id: 'Alternative', description: 'A further counterexample to the same property.' });

export const alternativesSchema = z
  .object({
    compared: z.string().describe('What the comparison looked at, as a sentence.'),
    classes: count.describe('How many classes of counterexamples were found, the first included.'),
    complete: z.boolean().describe('Whether these are all classes; if not, there may be more.'),
    counterexamples: z.array(alternativeSchema).describe('One for each class but the first.'),
  })
  .meta({
    id: 'Alternatives',
    description:
      'Counterexamples that differ from the first one, and from each other, in steps that matter.',
  });

export const propertyResultSchema = z
  .object({
    id: z
      .string()
      .exactOptional()
      .describe('A short name that never changes; absent if the property has none.'),
    name: z.string().describe('Name of the property, unique in a check.'),
    kind: kindSchema,
    verdict: verdictSchema,
    triggered: count.describe(
      'Number of states in which the trigger was true, summed over the parameters. Step rules count ' +
        'transitions, settled properties states without successors, witnesses parameters reached.',
    ),
    parameters: parametersSchema
      .nullable()
      .describe('Parameters of the violated instance; null if there is none.'),
    trace: traceSchema
      .nullable()
      .describe('The counterexample, or for a witness that holds the example; null without one.'),
    broken: lines.describe('The clauses of the property that are false, as sentences.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'For inconclusive and vacuous: why, and what to do next. For holds: null, or that it holds up ' +
          'to the constraint only.',
      ),
    alternatives: alternativesSchema
      .exactOptional()
      .describe('Only if further counterexamples were asked for and the property is violated.'),
    shortenedFrom: count
      .exactOptional()
      .describe(
        'Of a trace found by a walk or by a search with confluence: its number of steps before it ' +
          'was shortened. The trace need not be a shortest one.',
      ),
    continuedFrom: count
      .exactOptional()
      .describe(
        'Of a trace that begins with a given run: the number of steps of that run. Only the rest of ' +
          'the trace is as short as possible.',
      ),
  })
  .meta({ id: 'PropertyResult', description: 'What a check found out about one property.' });

export const actionCountSchema = z
  .object({
    action: z.string().describe('Name of the action.'),
    fairness: fairnessSchema,
    instances: count.describe('Number of parameter combinations of the action.'),
    transitions: count.describe(
      'Transitions of the action in the explored part; 0: it never happened.',
    ),
  })
  .meta({ id: 'ActionCount', description: 'How often an action happened.' });

export const statisticsSchema = z
  .object({
    states: count.describe('Distinct states, initial ones included.'),
    transitions: count.describe('Transitions that change the state.'),
    layers: count.describe('Number of breadth-first layers; 1 if there are only initial states.'),
    engine: z.enum(['tracked', 'naive']).describe('The search engine.'),
    reducerRuns: count.describe('How often a reducer really ran: the misses of the memo.'),
    bytesPerState: quantity.describe(
      'Bytes for each state: packed row, index table, predecessor; 0 for the naive engine.',
    ),
    cpuSeconds: quantity.describe('CPU time in seconds.'),
    wallSeconds: quantity.describe('Elapsed time in seconds.'),
    audited: count.describe("Transitions that the audit executed again through immer's produce."),
  })
  .meta({ id: 'Statistics', description: 'Size and cost of the search.' });

export const limitKindSchema = z
  .enum(['states', 'depth', 'time', 'memory', 'interrupted', 'walks'])
  .meta({ id: 'LimitKind', description: 'Which limit ended the search.' });

const limitSchema = z
  .object({
    kind: limitKindSchema,
    value: z.number().describe('The value of the limit, in its own unit.'),
    advice: z.string().describe('What to do next, as a sentence.'),
  })
  .meta({ id: 'Limit', description: 'The limit that ended the search.' });

export const modelDefectSchema = z
  .object({
    kind: z
      .enum([
        'nondeterministic',
        'leakedDraft',
        'badValue',
        'threw',
        'returned',
        'auditMismatch',
        'asymmetric',
        'notConfluent',
      ])
      .describe('What is wrong with the model.'),
    culprit: z.string().describe('Name of the action, or of the property whose predicate failed.'),
    parameters: parametersSchema,
    message: z.string().describe('What the engine observed.'),
  })
  .meta({ id: 'ModelDefect', description: 'A defect of the model itself, found by the engine.' });

export const symmetrySchema = z
  .object({
    renamings: z
      .int()
      .positive()
      .describe(
        'States that differ by one of this many renamings count as one; 1: no reduction. The largest ' +
          'safe integer means that there are at least that many.',
      ),
    groups: z
      .array(
        z
          .object({
            name: z.string().describe('Name of the group.'),
            members: lines.describe(
              'The members that were interchanged; if not applied, all declared members.',
            ),
            applied: z.boolean().describe('Whether the search used the symmetry of this group.'),
            reason: z
              .string()
              .nullable()
              .describe('Why it was not applied, or not to all members; null if it was to all.'),
          })
          .meta({ id: 'SymmetryGroup', description: 'A group of interchangeable names.' }),
      )
      .describe('The groups that the model declares.'),
    judgedWithout: lines.describe(
      'Names of the properties that a second search without symmetry judged.',
    ),
    shown: z
      .enum(['by every step', 'by a search without it', 'by a sample', 'elsewhere'])
      .exactOptional()
      .describe(
        'Only if a group was applied: how it is known that the model has this symmetry. By every step: ' +
          'each was tried under all renamings. By a search without it: that one had the same verdicts. ' +
          'By a sample: steps were tried under some of the renamings, so that a wrong declaration may ' +
          'have been missed. Elsewhere: this check did not try it.',
      ),
  })
  .meta({
    id: 'SymmetryReport',
    description: 'How the search used the symmetry that the model declares.',
  });

export const confluenceSchema = z
  .object({
    applied: z.boolean().describe('Whether the search took confluent steps first.'),
    reason: z.string().nullable().describe('Why it was not applied; null if it was.'),
    steps: count.describe('Transitions that were taken before all others of their states.'),
    judgedWithout: lines.describe(
      'Names of the properties that a second search without confluence judged.',
    ),
    leftOpen: lines.describe(
      'Names of the properties that only a second search could judge, where none was allowed.',
    ),
  })
  .meta({
    id: 'ConfluenceReport',
    description: 'How the search used the steps that the model declares confluent.',
  });

export const partialOrderSchema = z
  .object({
    applied: z.boolean().describe('Whether the search expanded stubborn sets.'),
    reason: z.string().nullable().describe('Why it was not applied; null if it was.'),
    states: count.describe('States in which not all enabled steps were expanded.'),
    judgedWithout: lines.describe(
      'Names of the properties that a second search without it judged.',
    ),
  })
  .meta({
    id: 'PartialOrderReport',
    description: 'How the search left out orders of independent steps.',
  });

export const simulationSchema = z
  .object({
    generator: z.literal('xoroshiro128plus').describe('The random number generator.'),
    seed: z.int().describe('The seed of the generator.'),
    walks: count.describe('Walks begun.'),
    steps: count.describe('Steps taken by all walks together.'),
    longest: count.describe('Steps of the longest walk.'),
    rested: count.describe('Walks that ended because no action that must happen was possible.'),
    loops: count.describe(
      'How often a walk returned to an earlier state by a loop that may repeat for ever.',
    ),
  })
  .meta({ id: 'Simulation', description: 'How random walks sampled the state space.' });

export const graphStateSchema = z
  .object({
    initial: z.boolean().describe('Whether it is an initial state.'),
    state: z
      .unknown()
      .describe('The whole state, in the form of the model. With symmetry, the representative.'),
    lines: lines.describe('The state in words, one line for each thing in it.'),
    broken: lines.describe(
      'Names of the properties that are false in the state; properties of whole runs are left out.',
    ),
  })
  .meta({ id: 'GraphState', description: 'A state of the recorded graph.' });

export const graphTransitionSchema = z
  .object({
    from: count.describe('Index of the state before.'),
    to: count.describe('Index of the state after.'),
    action: z.string().describe('Name of the action.'),
    parameters: parametersSchema,
    actor: z.string().describe('Who takes the step.'),
    sentence: z.string().describe('The step as one sentence.'),
    broken: lines.describe('Names of the step rules that the transition breaks.'),
  })
  .meta({ id: 'GraphTransition', description: 'A transition of the recorded graph.' });

export const stateGraphSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('recorded').describe('The graph was small enough to be recorded.'),
      renamings: z
        .int()
        .positive()
        .describe('States that differ by one of this many renamings are one state here.'),
      states: z
        .array(graphStateSchema)
        .describe('In the order in which they were found, the initial ones first.'),
      transitions: z.array(graphTransitionSchema).describe('The transitions between the states.'),
      runs: z
        .array(
          z.object({
            property: z.string().describe('Name of the property.'),
            states: z
              .array(count)
              .describe('Indexes of the states of the trace: one more than it has steps.'),
          }),
        )
        .describe(
          'The traces as paths in the graph. With confluence, traces that a second search found are ' +
            'left out.',
        ),
    }),
    z.object({
      kind: z.literal('omitted').describe('The graph was not recorded.'),
      reason: z.string().describe('Why not.'),
    }),
  ])
  .meta({ id: 'StateGraph', description: 'The graph of all states. It changes no verdict.' });

export const checkResultSchema = z
  .object({
    schema: z.literal('reapcheck.check/v1').describe('Kind and version of this document.'),
    model: z.string().describe('Name of the model.'),
    outcome: z
      .enum(['complete', 'limited', 'defect'])
      .describe(
        'complete: the whole state space was searched. limited: a limit ended the search. defect: ' +
          'the model itself is wrong.',
      ),
    simulation: simulationSchema
      .exactOptional()
      .describe('Only of random walks. They cannot show that a property holds, except a witness.'),
    limit: limitSchema.nullable().describe('The limit that ended the search; null without one.'),
    defect: modelDefectSchema
      .nullable()
      .describe('The defect that ended the search; null without one.'),
    symmetry: symmetrySchema
      .nullable()
      .describe('How symmetry was used; null if the model declares none.'),
    confluence: confluenceSchema
      .exactOptional()
      .describe('How confluence was used, only if it was asked for.'),
    partialOrder: partialOrderSchema
      .exactOptional()
      .describe('How partial-order reduction was used, only if it was asked for.'),
    statistics: statisticsSchema,
    properties: z.array(propertyResultSchema).describe('One result for each property.'),
    actions: z.array(actionCountSchema).describe('How often each action happened.'),
    constraint: z
      .object({
        outside: count.describe(
          'States that were reached outside of the constraint: judged, and not expanded.',
        ),
      })
      .exactOptional()
      .describe('Only with the option within: what the state constraint cut off.'),
    stateGraph: stateGraphSchema
      .exactOptional()
      .describe('The graph of all states, only if it was asked for.'),
  })
  .describe('The result of one check.');

/** The JSON Schema (2020-12) of a result: the content of `result.schema.json`. */
export function checkResultJsonSchema(): object {
  return { ...z.toJSONSchema(checkResultSchema), title: 'Result of a check, version 1' };
}
