import type { PropertyResult } from '../../checker/index.ts';
import {
  isOutcome,
  type OutcomeWord,
  outcomeNamed,
  outcomeWord,
} from '../../input/scenarios/outcomes.ts';
import type { CheckReport } from './result-document.ts';

/** The word for a verdict: of an outcome, whether it is possible, and so on; else the verdict. */
export function wordOn(
  { name, verdict }: Pick<PropertyResult, 'name' | 'verdict'>,
  { setup }: Pick<CheckReport, 'setup'>,
): PropertyResult['verdict'] | OutcomeWord {
  const expect = expectedOf(name, { setup });
  return (expect === null ? null : outcomeWord(expect, verdict)) ?? verdict;
}

/** What was found of each outcome of the scenario, in the words of the text report. */
export function outcomesFound(
  setup: CheckReport['setup'],
  properties: readonly PropertyResult[],
): NonNullable<CheckReport['outcomes']> {
  return properties.flatMap(({ name, verdict }) => {
    const expected = expectedOf(name, { setup });
    if (expected === null) return [];
    const found = outcomeWord(expected, verdict);
    return [{ outcome: outcomeNamed(name), property: name, expected, found, verdict }];
  });
}

/** How often an outcome is to come about; null for another property. */
export function expectedOf(
  name: string,
  { setup }: Pick<CheckReport, 'setup'>,
): 'never' | 'sometimes' | 'always' | null {
  if (!isOutcome(name)) return null;
  return setup?.outcomes?.[outcomeNamed(name)]?.expect ?? null;
}
