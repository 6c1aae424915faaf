import * as z from 'zod';
import { check, type PropertyResult, type Trace } from '../../../checker/index.ts';
import { deletionModel, describer } from '../../../model/index.ts';
import { type Fact, parseFact } from '../fact.ts';
import { type Interpreter, interpreter } from '../interpreter.ts';
import { type CaseOutcome, failed, PASSED, Unsupported, unsupported } from '../outcome.ts';
import { type CompiledScenario, compile } from './compile.ts';
import { propertyFor } from './question-properties.ts';
import { expectSchema, givenSchema, type Step, sentencesOf, stepSchema } from './schema.ts';
import type { Question } from './user-programs.ts';

/** At these limits the case is inconclusive. */
const LIMITS = { states: 20_000_000 };

/**
 * The assumption of Kubernetes' tests that the model can grant: when a DELETE is handled, the
 * collector knows all created objects and has no work left. So each DELETE waits until all is
 * quiet.
 *
 * That the collector has seen everything is not enough, not even for one orphaning as in
 * `scen-e2e-deployment-orphan`: if a pod was seen before its ReplicaSet, the ReplicaSet is still
 * queued as an owner to be looked up. A worker that reads the ReplicaSet before its owner reference
 * is removed, and looks for the Deployment after that was deleted, deletes the ReplicaSet by its
 * uid alone (before 1.34). The test of Kubernetes does not run into this, because it waits for
 * seconds in between.
 */
const KNOWS_FIRST = /^the collector knows .+ when it handles the delete$/;

const schemas = { given: givenSchema, steps: z.array(stepSchema), expect: expectSchema };

/**
 * `scenario`: the explorer decides the questions of the case over all interleavings of the model.
 */
export const interpretScenario: Interpreter = interpreter(
  schemas,
  async ({ given, steps, expected, fact, rules, interrupted, others }) => {
    const unknown = (fact.assumes ?? []).find((assumption) => !KNOWS_FIRST.test(assumption));
    if (unknown !== undefined) return unsupported(`assumes: ${unknown}`);
    for (const other of steps.flatMap((step) => namedCases(step, others))) {
      const outcome = await interpretScenario(other, rules, interrupted, []);
      if (outcome.verdict !== 'passed') return outcome;
    }
    const compiled = compile(fact, { given, steps, expected }, rules);
    return 'verdict' in compiled ? compiled : decide(compiled, interrupted);
  },
);

/**
 * The cases whose steps are branches of a `parallel` step. Their objects are others than those of
 * this case, and objects that do not refer to each other do not influence each other: the API
 * server and the collector handle one without reading another. So each of these cases is judged
 * alone.
 */
function namedCases(step: Step, others: readonly unknown[]): readonly Fact[] {
  if (step.do !== 'parallel') return [];
  const known = others.flatMap((other) => {
    const parsed = parsedScenario(other);
    return parsed === null ? [] : [parsed];
  });
  return sentencesOf(step).flatMap((sentence) => {
    const named = known.filter(({ id, title, source }) =>
      [id, title, source.test].some((name) => name !== null && names(sentence, name)),
    );
    if (named.length === 0) throw new Unsupported(`no case is named by: ${sentence}`);
    return named;
  });
}

function parsedScenario(part: unknown): Fact | null {
  try {
    const fact = parseFact(part);
    return fact.kind === 'scenario' ? fact : null;
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}

/** Whether a sentence has that name, and not only a longer one that begins or ends with it. */
function names(sentence: string, name: string): boolean {
  if (name === '') return false;
  return ` ${sentence} `.split(name).some((before, index, parts) => {
    const after = parts[index + 1];
    return after !== undefined && !/[\w-]$/.test(before) && !/^[\w-]/.test(after);
  });
}

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
