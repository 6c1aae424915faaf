import * as z from 'zod';
import { stateGraphSchema } from './result-graph-schema.ts';
import { count, lines, parameters } from './schema-parts.ts';

/**
 * The result document as a schema, for those who read results from files. `result.schema.json` is
 * made from it; a test holds the two, and the type `CheckResult`, together.
 */
const fairness = z.enum(['none', 'weak', 'strong']);
const status = z.enum(['idle', 'holds', 'broken', 'pending', 'met', 'reached']);

const traceStep = z
  .strictObject({
    action: z.string(),
    parameters,
    fairness,
    actor: z.string().describe('Who takes the step.'),
    sentence: z.string().describe("One sentence in the words of the model's domain."),
    changes: lines.describe('What changed, one line each.'),
    beliefs: lines.describe('What somebody takes to be so in this step and is not.'),
    status: status.describe('How the judged property stands after the step.'),
    state: z.unknown().describe('The state that the step leads to.'),
  })
  .readonly();

const fairnessMet = z
  .strictObject({
    action: z.string(),
    parameters,
    fairness: z.enum(['weak', 'strong']),
    actor: z.string(),
    sentence: z.string(),
    by: z.enum(['taken', 'disabled']),
    step: count.describe('Index into steps.'),
  })
  .readonly();

const trace = z
  .strictObject({
    shape: z
      .enum(['path', 'stutter', 'lasso'])
      .describe(
        'path: finite, its end is the point; stutter: the run may stay in its last state for ever; ' +
          'lasso: the steps from loopStart on can be repeated for ever.',
      ),
    loopStart: count.nullable().describe('Index into steps; null unless the shape is lasso.'),
    initialIndex: count.describe("Index into the model's initial states."),
    initial: z.unknown(),
    initialLines: lines,
    initialStatus: status,
    steps: z.array(traceStep).readonly(),
    fairness: z
      .array(fairnessMet)
      .readonly()
      .describe('Of a lasso: how each action that is bound to happen gets what it is owed.'),
  })
  .readonly();

const alternative = z
  .strictObject({
    parameters: parameters.nullable(),
    trace,
    broken: lines,
    differs: z
      .strictObject({
        added: lines.describe('Steps that the first counterexample does not take.'),
        missing: lines.describe('Steps that only the first counterexample takes.'),
        reordered: z
          .array(z.strictObject({ first: z.string(), then: z.string() }).readonly())
          .readonly()
          .describe('Dependent steps that the first counterexample takes the other way round.'),
      })
      .readonly(),
  })
  .readonly();

const alternatives = z
  .strictObject({
    compared: z.string(),
    classes: count.describe('Classes of counterexamples found, that of the first one included.'),
    complete: z.boolean().describe('Whether these are all; if not, there are at least so many.'),
    counterexamples: z.array(alternative).readonly(),
  })
  .readonly();

const property = z
  .strictObject({
    id: z.string().exactOptional().describe('The stable id of the property, if it has one.'),
    name: z.string(),
    kind: z.enum(['invariant', 'step', 'eventually', 'witness', 'settled']),
    verdict: z
      .enum(['holds', 'violated', 'inconclusive', 'vacuous'])
      .describe('Only holds is good; inconclusive: a limit was hit; vacuous: nothing was judged.'),
    triggered: count.describe(
      'States (transitions, for step rules) in which the trigger was true, summed over parameters.',
    ),
    parameters: parameters.nullable().describe('Those of the violated instance.'),
    trace: trace.nullable().describe('Counterexample, or the example of a witness that holds.'),
    broken: lines.describe('The false clauses.'),
    reason: z.string().nullable().describe('For inconclusive and vacuous: why, and what to do.'),
    alternatives: alternatives
      .exactOptional()
      .describe('Only if more than one counterexample was asked for, and there is one.'),
    shortenedFrom: count
      .exactOptional()
      .describe(
        'Of a trace that a walk has found: how long it was. It need not be a shortest one.',
      ),
    continuedFrom: count
      .exactOptional()
      .describe('Of a trace that begins with a given run: the steps of that run.'),
  })
  .readonly();

const actionCount = z
  .strictObject({
    action: z.string(),
    fairness,
    instances: count,
    transitions: count.describe('0: the action never fired in the explored part.'),
  })
  .readonly();

const statistics = z
  .strictObject({
    states: count.describe('Distinct states, initial ones included.'),
    transitions: count.describe('Transitions that change the state.'),
    layers: count,
    engine: z.enum(['tracked', 'naive']),
    reducerRuns: count,
    bytesPerState: z.number().nonnegative(),
    cpuSeconds: z.number().nonnegative(),
    wallSeconds: z.number().nonnegative(),
    audited: count,
  })
  .readonly();

const limit = z
  .strictObject({
    kind: z.enum(['states', 'depth', 'time', 'memory', 'interrupted', 'walks']),
    value: z.number(),
    advice: z.string(),
  })
  .readonly();

const defect = z
  .strictObject({
    kind: z.enum([
      'nondeterministic',
      'leakedDraft',
      'badValue',
      'threw',
      'auditMismatch',
      'asymmetric',
      'notConfluent',
    ]),
    culprit: z.string().describe('Name of the action, or of the property whose predicate failed.'),
    parameters,
    message: z.string(),
  })
  .readonly();

const symmetry = z
  .strictObject({
    renamings: z
      .int()
      .positive()
      .describe('States that differ by one of so many renamings were counted as one.'),
    groups: z
      .array(
        z
          .strictObject({
            name: z.string(),
            members: lines.describe('Those that were taken for one another, if it was applied.'),
            applied: z.boolean(),
            reason: z.string().nullable().describe('Why not, or not to all of its members.'),
          })
          .readonly(),
      )
      .readonly(),
    judgedWithout: lines.describe('Properties that were judged by a second search without it.'),
  })
  .readonly();

const confluence = z
  .strictObject({
    applied: z.boolean(),
    reason: z.string().nullable().describe('Why it was not applied.'),
    steps: count.describe('Transitions that were taken before all others of their states.'),
    judgedWithout: lines.describe('Properties that were judged by a second search without it.'),
    leftOpen: lines.describe('Those that only such a search could judge, where none was wanted.'),
  })
  .readonly();

const simulation = z
  .strictObject({
    generator: z.literal('xoroshiro128plus'),
    seed: z.int(),
    walks: count,
    steps: count.describe('All walks together.'),
    longest: count.describe('Steps of the longest walk.'),
    rested: count.describe('Walks that came to rest.'),
    loops: count.describe('Times that a walk came back in a way that may go on for ever.'),
  })
  .readonly();

export const checkResultSchema = z
  .strictObject({
    schema: z.literal('reapcheck.check/v1'),
    model: z.string(),
    outcome: z.enum(['complete', 'limited', 'defect']),
    simulation: simulation
      .exactOptional()
      .describe('Only of random walks: nothing can be found to hold then, but for witnesses.'),
    limit: limit.nullable().describe('Which limit ended the search.'),
    defect: defect.nullable().describe('A defect of the model itself.'),
    symmetry: symmetry.nullable().describe('Null: the model declares none.'),
    confluence: confluence.exactOptional().describe('Only if it was asked for.'),
    statistics,
    properties: z.array(property).readonly(),
    actions: z.array(actionCount).readonly(),
    stateGraph: stateGraphSchema
      .exactOptional()
      .describe('The whole graph, only if it was asked for.'),
  })
  .readonly();

/** The JSON Schema (2020-12) of a result. */
export function checkResultJsonSchema(): object {
  return {
    ...z.toJSONSchema(checkResultSchema, { io: 'input' }),
    title: 'Result of a check, version 1',
  };
}
