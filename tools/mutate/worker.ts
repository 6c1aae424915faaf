import type { Limits } from '../../checker/index.ts';
import type { Plan } from '../../input/plan.ts';
import type { RuleName, Setup } from '../../model/index.ts';
import { answerQuestions } from '../../run/worker-process.ts';
import { type Answer, type BaselineMessage, ENDLESS, type Question } from './messages.ts';
import { type DecisionSwitches, SWITCHES } from './modules.ts';
import type { Mutant } from './mutants.ts';
import type { Seen } from './seen.ts';
import type { Outcome } from './suite.ts';

/** The process that runs mutants. It answers one question at a time. */

let changed = -1;
/**
 * How many decisions the search of a mutant may still take: a change can cause an endless loop.
 * Counted in decisions, the limit does not depend on what else the machine does.
 */
let left = Number.POSITIVE_INFINITY;
/** Decisions that a search has reached, and those that a change would have decided differently. */
let reached = new Set<number>();
let decisive = new Set<number>();
/**
 * The decisions that are conditions: a change to the value that they have anyway changes nothing.
 */
const tests = new Set<number>();

Reflect.set(globalThis, Symbol.for(SWITCHES), {
  isChanged(decision) {
    if (changed < 0) reached.add(decision);
    left -= 1;
    if (left < 0) throw new Error(ENDLESS);
    return decision === changed;
  },
  noted(decision, value) {
    if (changed < 0) {
      if (value !== true) decisive.add(decision);
      if (value !== false) decisive.add(decision + 1);
      tests.add(decision).add(decision + 1);
    }
    return value;
  },
} satisfies DecisionSwitches);

// Imported only now: the modules of the model read the switches when they are loaded.
const { outcomeOf, suitePlans, watchingRules } = await import('./suite.ts');
const { seenGraph } = await import('./seen.ts');
const { answersOf, planOf } = await import('./rows/answers.ts');
let latest: { readonly command: string; readonly plan: Plan } | null = null;
const plans = new Map((await suitePlans()).map((plan) => [plan.title, plan]));

/** The search of a mutant may have this many times the states of the scenario. */
const GROWTH = 4;
const STATES_AT_LEAST = 2_000;
/** Many times what a search takes for each of its states. */
const DECISIONS_A_STATE = 20_000;

/** From now on the model has this change, null: none, in a search of at most so many states. */
function change(mutant: Mutant | null, states: number): void {
  changed = mutant?.kind === 'decision' ? mutant.number : -1;
  left = states * DECISIONS_A_STATE;
}

answerQuestions(answer);

async function answer(question: Question): Promise<Answer> {
  switch (question.ask) {
    case 'scenarios':
      return { answer: 'scenarios', names: [...plans.keys()] };
    case 'baseline':
      return {
        answer: 'baseline',
        baseline: await baselineOf(planNamed(question.scenario), question),
      };
    case 'mutant':
      return { answer: 'mutant', outcome: await tried(question.mutant, question) };
    case 'seen':
      return { answer: 'seen', ...(await seen(question)) };
    case 'row':
      return await rowAnswer(question);
    default:
      throw new Error(`unknown question ${JSON.stringify(question satisfies never)}`);
  }
}

function planNamed(name: string): Plan {
  const plan = plans.get(name);
  if (plan === undefined) throw new Error(`there is no scenario ${name}`);
  return plan;
}

type Memory = Pick<Question, 'megabytes'>;

function limitsOf(states: number | null, { megabytes }: Memory): Limits {
  return {
    ...(states === null ? {} : { states }),
    ...(megabytes === null ? {} : { megabytes }),
  };
}

async function baselineOf(plan: Plan, memory: Memory): Promise<BaselineMessage> {
  changed = -1;
  left = Number.POSITIVE_INFINITY;
  reached = new Set();
  decisive = new Set();
  const read = new Set<RuleName>();
  const before = performance.now();
  const outcome = await outcomeOf(plan, watchingRules(plan.setup, read), limitsOf(null, memory));
  return {
    scenario: plan.title,
    outcome,
    milliseconds: performance.now() - before,
    reached: [...reached],
    decisive: [...reached].filter((number) => !tests.has(number) || decisive.has(number)),
    rules: Object.fromEntries([...read].map((rule) => [rule, plan.setup.rules[rule]])),
  };
}

function setupUnder(mutant: Mutant | null, { setup }: Plan): Setup {
  return mutant?.kind === 'rule'
    ? { ...setup, rules: { ...setup.rules, [mutant.rule]: mutant.value } }
    : setup;
}

async function rowAnswer({
  command,
  question,
  mutant,
  states,
  megabytes,
}: Extract<Question, { ask: 'row' }>): Promise<Answer> {
  const plan = await rowPlan(command);
  change(mutant, states);
  reached = new Set();
  try {
    const limits = limitsOf(states, { megabytes });
    const setup = setupUnder(mutant, plan);
    const { words, result, isFull } = await answersOf(plan, [question], limits, setup);
    const verdict = result.defect === null ? (words[question] ?? null) : null;
    return { answer: 'row', verdict, isFull, reached };
  } catch {
    return { answer: 'row', verdict: null, isFull: false, reached };
  } finally {
    changed = -1;
  }
}

/** The rows of one scenario come one after the other. */
async function rowPlan(command: string): Promise<Plan> {
  if (latest?.command !== command) latest = { command, plan: await planOf(command) };
  return latest.plan;
}

async function seen({
  mutant,
  scenario,
  states,
  megabytes,
}: Extract<Question, { ask: 'seen' }>): Promise<Seen> {
  const plan = planNamed(scenario);
  const limit = Math.max(STATES_AT_LEAST, states * GROWTH);
  change(mutant, limit);
  try {
    return await seenGraph(setupUnder(mutant, plan), limitsOf(limit, { megabytes }));
  } catch {
    return { graph: null, isFull: false };
  } finally {
    changed = -1;
  }
}

async function tried(
  mutant: Mutant,
  { scenario, states, megabytes }: Extract<Question, { ask: 'mutant' }>,
): Promise<Outcome> {
  const plan = planNamed(scenario);
  const setup = setupUnder(mutant, plan);
  const limit = Math.max(STATES_AT_LEAST, states * GROWTH);
  change(mutant, limit);
  try {
    return await outcomeOf(plan, setup, limitsOf(limit, { megabytes }));
  } catch (error) {
    const defect = error instanceof Error ? error.message : String(error);
    return { verdicts: {}, states: 0, transitions: 0, defect, limit: null };
  } finally {
    changed = -1;
  }
}
