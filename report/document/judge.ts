import type { CheckResult, PropertyResult } from '../../checker/index.ts';
import type { Plan } from '../../input/plan.ts';
import type { Expectation } from '../../input/scenarios/scenario.ts';
import { askedOfObject } from '../../properties/index.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { expectedOf, wordOn } from './verdict-word.ts';

/**
 * What differs from the expectation of the scenario, one sentence each. A property that the file
 * does
 * not name must hold or be vacuous. Properties that a limit left open are not reported here.
 */
export function unmetExpectations(plan: Plan, result: CheckResult): readonly string[] {
  const { expectation } = plan;
  if (expectation === null || result.outcome === 'defect') return [];
  return [
    ...result.properties.flatMap((property) => [
      ...verdictFault(expectation, property, plan),
      ...counterexampleFaults(expectation, property, !hasAmpleSets(result)),
    ]),
    // Expected counts are those of the full graph; a reduced graph has fewer states.
    ...(result.outcome === 'complete' && !isReduced(result)
      ? countFaults(expectation, result)
      : []),
  ];
}

function isReduced(result: CheckResult): boolean {
  const { symmetry } = result;
  return (symmetry?.renamings ?? 1) > 1 || hasAmpleSets(result);
}

/** Whether some steps were left out, so that counterexamples may be longer than the shortest. */
function hasAmpleSets({ confluence, partialOrder }: CheckResult): boolean {
  return confluence?.applied === true || partialOrder?.applied === true;
}

function verdictFault(
  expectation: Expectation,
  property: PropertyResult,
  plan: Plan,
): readonly string[] {
  const { name, verdict } = property;
  if (verdict === 'inconclusive') return [];
  const expect = expectedOf(name, plan);
  if (expect !== null) {
    const found = wordOn(property, plan);
    return verdict === 'violated' ? [`"${name}": expected ${expect}, found ${found}`] : [];
  }
  const expected = Object.hasOwn(expectation.verdicts, name) ? expectation.verdicts[name] : null;
  if (expected === null) {
    // What is expected of all objects says nothing of each of them.
    const general = askedOfObject(name)?.property;
    if (general !== undefined && expectation.verdicts[general] === 'violated') return [];
    return verdict === 'violated' ? [`"${name}" is violated, which the file does not expect`] : [];
  }
  return verdict === expected ? [] : [`"${name}": expected ${expected}, found ${verdict}`];
}

function counterexampleFaults(
  { counterexample }: Expectation,
  { name, trace, broken }: PropertyResult,
  isShortest: boolean,
): readonly string[] {
  if (counterexample === undefined || name !== counterexample.property || trace === null) return [];
  const { length, mustShow } = counterexample;
  const lines = [
    ...trace.initialLines,
    ...trace.steps.flatMap(({ sentence, changes }) => [sentence, ...changes]),
    ...broken,
  ];
  const missing = firstMissing(lines, mustShow);
  const found = trace.steps.length;
  return [
    ...(length === undefined || length === found || !isShortest
      ? []
      : [`length of the counterexample to "${name}": expected ${length}, found ${found}`]),
    ...(missing === null
      ? []
      : [`the counterexample to "${name}" does not show, in this order: ${missing}`]),
  ];
}

/** The first text that no line contains after the line of the text before it. */
function firstMissing(lines: readonly string[], texts: readonly string[]): string | null {
  let at = 0;
  for (const text of texts) {
    const found = lines.findIndex((line, index) => index >= at && line.includes(text));
    if (found < 0) return text;
    at = found + 1;
  }
  return null;
}

/** Whether the scenario expects an exact size of the state space. */
export function expectsCounts(expectation: Expectation | null): boolean {
  return expectation !== null && COUNTS.some((name) => expectation[name] !== undefined);
}

const COUNTS = ['states', 'transitions', 'depth'] as const;

function countFaults(expectation: Expectation, { statistics }: CheckResult): readonly string[] {
  const found = {
    states: statistics.states,
    transitions: statistics.transitions,
    depth: statistics.layers - 1,
  };
  return COUNTS.flatMap((name) =>
    expectation[name] === undefined || expectation[name] === found[name]
      ? []
      : [`${name}: expected ${expectation[name]}, found ${found[name]}`],
  );
}

/** The exit code of this check if it were run alone. */
export function exitCodeOf(
  plan: Pick<Plan, 'expectation' | 'asked'>,
  result: CheckResult,
  unmet: readonly string[],
): ExitCode {
  if (result.outcome === 'defect') return EXIT.defect;
  if (result.limit?.kind === 'interrupted') return EXIT.interrupted;
  const has = (verdict: PropertyResult['verdict']): boolean =>
    result.properties.some((property) => property.verdict === verdict);
  if (plan.expectation === null ? has('violated') : unmet.length > 0) return EXIT.violated;
  if (has('inconclusive')) return EXIT.inconclusive;
  return vacuousFaults(plan, result).length > 0 ? EXIT.vacuous : EXIT.asExpected;
}

/**
 * The vacuous properties that count as a fault: all, if no property was exercised, otherwise those
 * that were asked for by name.
 */
export function vacuousFaults(
  { expectation, asked }: Pick<Plan, 'expectation' | 'asked'>,
  result: CheckResult,
): readonly string[] {
  const unexpected = result.properties.filter(
    ({ name, verdict }) => verdict === 'vacuous' && expectation?.verdicts[name] !== 'vacuous',
  );
  const names = unexpected.map(({ name }) => name);
  const isAll = names.length === result.properties.length;
  return isAll ? names : names.filter((name) => asked.includes(name));
}
