import { RULES, type RuleName, type Rules } from '../../model/index.ts';
import { type Fact, parseFact } from './fact.ts';
import type { Interpreter } from './interpreter.ts';
import { INTERPRETERS } from './interpreters.ts';
import { type CaseOutcome, failed, PASSED, Unsupported, unsupported } from './outcome.ts';

/** What the cases are judged by: a protocol by name, with its rule values. */
export interface Judged {
  readonly protocol: string;
  readonly rules: Rules;
  /** Long judgements call it now and then; true makes them inconclusive. */
  readonly interrupted?: () => boolean;
  /** The cases that are judged with this one, as read. */
  readonly others?: readonly unknown[];
}

export interface Judgement {
  readonly id: string;
  readonly area: string;
  readonly kind: string;
  readonly title: string;
  /**
   * - `stated`: judged by what the case states.
   * - `deviation`: the case names how this release deviates, and the model must deviate like that.
   * - `later`: a fact about later releases only, judged by the newest value of each rule.
   */
  readonly as: 'stated' | 'deviation' | 'later';
  readonly outcome: CaseOutcome;
}

/** The releases by which cases name a protocol, where the names differ. */
const RELEASES: Readonly<Record<string, string>> = { 'v1.20': '1.20.2' };

/** The values of each rule are in the order of releases: the last one is the newest. */
export const NEWEST_RULES: Rules = Object.fromEntries(
  (Object.keys(RULES) as RuleName[]).map((name) => [name, RULES[name].values.at(-1)]),
) as Rules;

/** Judges one case, given as read from a file. */
export async function judge(part: unknown, judged: Judged): Promise<Judgement> {
  let fact: Fact;
  try {
    fact = parseFact(part);
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return { ...labelsOf(part), as: 'stated', outcome: unsupported(error.message) };
  }
  const { id, area, kind, title } = fact;
  const labels = { id, area, kind, title };
  const interpret = Object.hasOwn(INTERPRETERS, kind) ? INTERPRETERS[kind] : undefined;
  if (interpret === undefined) {
    const outcome = unsupported(`kind: no interpreter reads ${kind}`);
    return { ...labels, as: 'stated', outcome };
  }
  try {
    return { ...labels, ...(await judgeFact(fact, interpret, judged)) };
  } catch (error) {
    throw new Error(`the interpreter of case ${id} failed: ${String(error)}`, { cause: error });
  }
}

async function judgeFact(
  fact: Fact,
  interpret: Interpreter,
  { protocol, rules, interrupted = () => false, others = [] }: Judged,
): Promise<Pick<Judgement, 'as' | 'outcome'>> {
  if (fact.since !== undefined && fact.differsIn === undefined) {
    return { as: 'later', outcome: await interpret(fact, NEWEST_RULES, interrupted, others) };
  }
  const release = RELEASES[protocol] ?? protocol.replace(/^v/, '');
  const deviation =
    fact.differsIn !== undefined && Object.hasOwn(fact.differsIn, release)
      ? fact.differsIn[release]
      : undefined;
  if (deviation === undefined)
    return { as: 'stated', outcome: await interpret(fact, rules, interrupted, others) };
  if ('expect' in deviation) {
    const stated = typeof fact.expect === 'object' && fact.expect !== null ? fact.expect : {};
    const deviating = { ...fact, expect: { ...stated, ...deviation.expect } };
    return { as: 'deviation', outcome: await interpret(deviating, rules, interrupted, others) };
  }
  const { firstStep, what } = deviation;
  return {
    as: 'deviation',
    outcome: deviatesAt(firstStep, what, await interpret(fact, rules, interrupted, others)),
  };
}

/** The model must agree with the case up to that step, and differ there. */
function deviatesAt(firstStep: number, what: string, outcome: CaseOutcome): CaseOutcome {
  if (outcome.verdict === 'unsupported' || outcome.verdict === 'inconclusive') return outcome;
  const rule = `the deviation of the release: ${what}`;
  if (outcome.verdict === 'passed') {
    return failed('expect', `a deviation at step ${firstStep}`, 'none', rule);
  }
  if (outcome.step === firstStep) return PASSED;
  return outcome;
}

function labelsOf(part: unknown): Pick<Judgement, 'id' | 'area' | 'kind' | 'title'> {
  const text = (key: string): string => {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return '';
    const value: unknown = Reflect.get(part, key);
    return typeof value === 'string' ? value : '';
  };
  const id = text('id');
  return {
    id: id === '' ? '(no id)' : id,
    area: text('area') === '' ? '(no area)' : text('area'),
    kind: text('kind'),
    title: text('title'),
  };
}
