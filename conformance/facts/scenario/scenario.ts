import { z } from 'zod';
import { check, type PropertyResult, type Trace } from '../../../checker/index.ts';
import { deletionModel, describer } from '../../../model/index.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { type CaseOutcome, failed, PASSED, unsupported } from '../outcome.ts';
import { compile, type Play } from './compile.ts';
import { NotUnderstood } from './fixture.ts';
import { propertyFor } from './question-properties.ts';
import { expectSchema, givenSchema, stepSchema } from './schema.ts';
import type { Question } from './user-programs.ts';

/** `scenario`: decided by the explorer over all interleavings of the model. */

/** Where to give up; what is cut off here is inconclusive. */
const LIMITS = { states: 20_000_000, seconds: 240 };

/**
 * What upstream relies on without enforcing it, as far as the model knows how to grant it: the
 * collector knows what has been created, and is done with looking at it: each DELETE waits until all
 * is quiet. To have seen everything is not enough, not even for one orphaning as in
 * `scen-e2e-deployment-orphan`: where a pod was seen before its ReplicaSet, that is still queued as an
 * owner to be looked up. A worker that has read it before its reference goes, and looks for the
 * Deployment after that has gone, deletes it by its uid alone (before 1.34). The test of Kubernetes
 * never meets this, as it waits for seconds in between.
 */
const KNOWS_FIRST = /^the collector knows .+ when it handles the delete$/;

export const interpretScenario: Interpreter = async (fact, rules, interrupted) => {
  const given = parseWith(givenSchema, fact.given, 'given');
  const steps = parseWith(z.array(stepSchema), fact.steps, 'steps');
  const expected = parseWith(expectSchema, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (steps.outcome !== null) return steps.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const unknown = (fact.assumes ?? []).find((assumption) => !KNOWS_FIRST.test(assumption));
  if (unknown !== undefined) return unsupported(`assumes: ${unknown}`);
  try {
    const play = compile(
      fact,
      { given: given.value, steps: steps.value, expected: expected.value },
      rules,
    );
    return 'verdict' in play ? play : await decide(play, interrupted);
  } catch (error) {
    if (error instanceof NotUnderstood) return unsupported(error.message);
    throw error;
  }
};

async function decide(
  { setup, questions }: Play,
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
