import { DefectError } from '../errors.ts';
import type { Check, CheckOptions } from '../options.ts';
import type { CheckResult, PropertyResult } from '../result.ts';
import { uses, without } from './chosen.ts';
import type { Orbits } from './reduction.ts';
import { optionsAfter } from './second-search.ts';

/** A search is confirmed if the graph without symmetry can have no more states than this. */
const MOST_STATES = 20_000;

/** What the second search took, and whether it has shown that the model has the symmetry. */
interface Confirmation extends Pick<CheckResult['statistics'], 'cpuSeconds' | 'wallSeconds'> {
  readonly isShown: boolean;
}

/**
 * Judges a small model once more, without the symmetry that it declares. A declaration that is
 * wrong can turn any verdict, and only a sample of the steps is audited. Renamings make at most so
 * many states of one representative, which bounds this search.
 *
 * Throws `DefectError` if it finds other verdicts or more states.
 */
export async function confirmSymmetry<State>(
  options: CheckOptions<State>,
  orbits: Orbits<State> | null,
  first: CheckResult,
  check: Check<State>,
): Promise<Confirmation> {
  const { model, auditEvery } = options;
  const states = first.statistics.states * (orbits?.size ?? 1);
  const isWanted =
    orbits !== null && model.family === undefined && auditEvery !== 0 && states <= MOST_STATES;
  // The renamed states of a graph of ample sets need not be those of another such graph.
  const isBounded = !uses(options, 'confluence', 'confluence-only') && !options.stopWhenDecided;
  const none = { cpuSeconds: 0, wallSeconds: 0, isShown: false };
  if (!isWanted || !isBounded || first.outcome !== 'complete') return none;
  const { threads: _, storage: _storage, ...again } = optionsAfter(first, options);
  const second = await check({
    ...without(again, 'symmetry', 'partial-order'),
    limits: { ...again.limits, states },
    auditEvery: 0,
  });
  if (second.defect !== null) throw new DefectError(second.defect);
  const { cpuSeconds, wallSeconds } = second.statistics;
  if (second.limit?.kind === 'states') throw tooManyStates(states);
  if (second.outcome !== 'complete') return { cpuSeconds, wallSeconds, isShown: false };
  first.properties.forEach((property, index) => {
    const other = second.properties[index];
    if (other !== undefined) compare(property, other);
  });
  return { cpuSeconds, wallSeconds, isShown: true };
}

function compare(first: PropertyResult, second: PropertyResult): void {
  const verdicts = [first.verdict, second.verdict];
  if (first.verdict === second.verdict || verdicts.includes('inconclusive')) return;
  throw new DefectError({
    kind: 'asymmetric',
    culprit: first.name,
    parameters: second.parameters ?? {},
    message:
      'the symmetry that the model declares does not hold: with it the verdict is ' +
      `${first.verdict}, and without it ${second.verdict}`,
  });
}

function tooManyStates(states: number): DefectError {
  return new DefectError({
    kind: 'asymmetric',
    culprit: 'symmetry',
    parameters: {},
    message:
      'the symmetry that the model declares does not hold: there are more states than the ' +
      `${states} that its renamings make of those that were searched`,
  });
}
