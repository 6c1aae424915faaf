import {
  type CheckResult,
  check,
  type LimitKind,
  type Limits,
  type Property,
} from '../../../checker/index.ts';
import { checkArguments } from '../../../cli/check-arguments.ts';
import { parseCommandLine } from '../../../cli/command-line.ts';
import { gatherPlans } from '../../../input/gather.ts';
import type { Plan } from '../../../input/plan.ts';
import { type Cluster, deletionModel, describer, type Setup } from '../../../model/index.ts';
import { wordOn } from '../../../report/document/verdict-word.ts';
import { modelOf, propertiesOf } from '../../../run/assemble.ts';

/** Asks what a row of docs/sources.md asks. */

const WARNING = /^warning: (\w+) about (\S+)$/;
/** The whole sentence of a step, as a trace has it. */
const STEP = /^step: (.+)$/;

/** @param command `name --option value`, as on the command line. */
export async function planOf(command: string): Promise<Plan> {
  const words = ['check', ...command.split(' ')];
  const line = await parseCommandLine(words, '0');
  if (line.kind === 'print') throw new Error(`${command} runs nothing`);
  const plans = await gatherPlans(checkArguments(line.values, words), (async function* () {})());
  // With a protocol and rules of its own the two sides of an entry of the museum are the same.
  const [plan] = plans;
  if (plan === undefined) throw new Error(`${command} names no scenario`);
  return plan;
}

/** A search needs a property, also if the question is only about a warning. */
const ALWAYS = 'nothing is stuck';

export interface Answers {
  /** The verdict, or the word about an outcome, by question. */
  readonly words: Readonly<Record<string, string>>;
  readonly result: CheckResult;
  /** Whether the limit of memory ended a search. */
  readonly isFull: boolean;
}

/** @param setup instead of the setup of the plan. */
export async function answersOf(
  plan: Plan,
  questions: readonly string[],
  limits: Limits,
  setup: Setup = plan.setup,
): Promise<Answers> {
  const warnings = questions.some((question) => WARNING.test(question))
    ? await warningsOf(setup, limits)
    : NOTHING;
  const steps = questions.some((question) => STEP.test(question))
    ? await stepsOf(setup, limits)
    : NOTHING;
  const result = await check<Cluster>({
    model: modelOf(setup),
    properties: propertiesOf(setup, [...questions, ALWAYS]),
    limits,
  });
  const ends = [warnings.limit, steps.limit, result.limit?.kind];
  const verdicts = new Map<string, string>(
    result.properties.map((property) => [property.name, wordOn(property, plan)]),
  );
  // What a search that ends early has not met may still be there.
  const absent = (word: string) => (result.outcome === 'complete' ? word : 'inconclusive');
  const wordFor = (question: string): string => {
    if (WARNING.test(question)) return warnings.found.has(question) ? 'holds' : absent('violated');
    const [, sentence] = question.match(STEP) ?? [];
    if (sentence !== undefined)
      return steps.found.has(sentence) ? 'possible' : absent('impossible');
    return verdicts.get(question) ?? 'is neither a property nor an outcome';
  };
  return {
    words: Object.fromEntries(questions.map((question) => [question, wordFor(question)])),
    result,
    isFull: ends.includes('memory'),
  };
}

/** What a search has met. */
interface Met {
  readonly found: ReadonlySet<string>;
  readonly limit: LimitKind | null;
}

const NOTHING: Met = { found: new Set(), limit: null };

/** The sentences of all steps that are possible. */
export async function stepsOf(setup: Setup, limits: Limits): Promise<Met> {
  const sentences = new Set<string>();
  const words = describer(setup);
  const recorder: Property<Cluster> = {
    kind: 'step',
    name: 'records steps',
    holds: (before, action, after) => {
      sentences.add(words.action(action, before, after));
      return true;
    },
  };
  const { limit } = await check<Cluster>({
    model: modelOf(setup),
    properties: [recorder],
    limits,
    reductions: [],
    // The words repeat requests in the API server, which takes plain states.
    engine: 'naive',
  });
  return { found: sentences, limit: limit?.kind ?? null };
}

async function warningsOf(setup: Setup, limits: Limits): Promise<Met> {
  const warnings = new Set<string>();
  const model = deletionModel(setup, ({ reason, dependent }) => {
    warnings.add(`warning: ${reason} about ${dependent.kind}/${dependent.name}`);
  });
  const properties = propertiesOf(setup, [ALWAYS]);
  const { limit } = await check<Cluster>({ model, properties, limits });
  return { found: warnings, limit: limit?.kind ?? null };
}
