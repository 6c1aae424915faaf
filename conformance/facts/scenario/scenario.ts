import { z } from 'zod';
import { check, type PropertyResult, type Trace } from '../../../checker/index.ts';
import { deletionModel, describer } from '../../../model/index.ts';
import { interpreter } from '../interpreter.ts';
import { type CaseOutcome, failed, PASSED, unsupported } from '../outcome.ts';
import { type CompiledScenario, compile } from './compile.ts';
import { propertyFor } from './question-properties.ts';
import { expectSchema, givenSchema, stepSchema } from './schema.ts';
import type { Question } from './user-programs.ts';

/** At these limits the case is inconclusive. */
const LIMITS = { states: 20_000_000 };

/**
 * The assumption of Kubernetes' tests that the model can grant: when a DELETE is handled, the
 * collector knows all created objects and has no work left. So each DELETE waits until all is quiet.
 *
 * That the collector has seen everything is not enough, not even for one orphaning as in
 * `scen-e2e-deployment-orphan`: if a pod was seen before its ReplicaSet, the ReplicaSet is still queued
 * as an owner to be looked up. A worker that reads the ReplicaSet before its owner reference is removed,
 * and looks for the Deployment after that was deleted, deletes the ReplicaSet by its uid alone (before
 * 1.34). The test of Kubernetes does not run into this, because it waits for seconds in between.
 */
const KNOWS_FIRST = /^the collector knows .+ when it handles the delete$/;

const schemas = { given: givenSchema, steps: z.array(stepSchema), expect: expectSchema };

/** `scenario`: the explorer decides the questions of the case over all interleavings of the model. */
export const interpretScenario = interpreter(
  schemas,
  ({ given, steps, expected, fact, rules, interrupted }) => {
    const unknown = (fact.assumes ?? []).find((assumption) => !KNOWS_FIRST.test(assumption));
    if (unknown !== undefined) return unsupported(`assumes: ${unknown}`);
    const compiled = compile(fact, { given, steps, expected }, rules);
    return 'verdict' in compiled ? compiled : decide(compiled, interrupted);
  },
);

async function decide(
  { setup, questions }: CompiledScenario,
  interrupted: () => boolean,
): Promise<CaseOutcome> {
  const names = questions.map(
    ({ step, ask }, index) => `${index + 1}: ${ask}, ${step === 'expect' ? step : `step ${step}`}`,
  );
  const result = await check({
    model: deletionModel(setup),
    properties: questions.map((question, index) =>
      propertyFor(setup, question, names[index] ?? ''),
    ),
    describe: describer(setup),
    limits: LIMITS,
    interrupted,
  });
  if (result.defect !== null) {
    throw new Error(`${result.defect.kind} in ${result.defect.culprit}: ${result.defect.message}`);
  }
  const wrong = result.properties.findIndex(({ verdict }) => verdict !== 'holds');
  const question = questions[wrong];
  const found = result.properties[wrong];
  if (question === undefined || found === undefined) return PASSED;
  return outcomeOf(question, found);
}

function outcomeOf(question: Question, found: PropertyResult): CaseOutcome {
  const { step, ask } = question;
  const rule = `${ask}, decided by the explorer over all interleavings`;
  const expected = 'facts' in question ? question.facts : question;
  switch (found.verdict) {
    case 'holds':
      return PASSED;
    case 'violated':
      return failed(step, expected, { broken: found.broken, run: runOf(found.trace) }, rule);
    case 'vacuous':
      return failed(step, expected, 'no state in which this could be asked', rule);
    case 'inconclusive':
      return { verdict: 'inconclusive', why: found.reason ?? 'the search was cut short' };
    default:
      throw new Error(`unknown verdict ${String(found.verdict satisfies never)}`);
  }
}

/** The counterexample, a sentence for each step. */
function runOf(trace: Trace | null): readonly string[] {
  if (trace === null) return [];
  const sentences = trace.steps.map(({ sentence }, index) =>
    index === trace.loopStart ? `from here it repeats: ${sentence}` : sentence,
  );
  return trace.shape === 'stutter' ? [...sentences, 'stays like this for ever'] : sentences;
}
