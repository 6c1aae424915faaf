import { Document } from 'yaml';
import type { CheckResult } from '../../checker/index.ts';
import { propertyId } from '../../input/property-names.ts';
import { isOutcome } from '../../input/scenarios/outcomes.ts';
import type { NamedScenario } from './read.ts';

export interface Found {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** Of every property that was exercised. */
  readonly verdicts: Readonly<Record<string, string>>;
}

export function foundIn(result: CheckResult): Found {
  const { states, transitions, layers } = result.statistics;
  const exercised = result.properties.filter(
    ({ name, verdict }) => verdict !== 'vacuous' && !isOutcome(name),
  );
  return {
    states,
    transitions,
    depth: layers - 1,
    verdicts: Object.fromEntries(exercised.map(({ name, verdict }) => [name, verdict])),
  };
}

/** The outcomes that come about more or less often than the file says. */
export function wrongOutcomes({ properties }: CheckResult): readonly string[] {
  const wrong = properties.filter(({ name, verdict }) => isOutcome(name) && verdict !== 'holds');
  return wrong.map(({ name, verdict }) => `${name}: ${verdict}`);
}

export function expectedBy({ expectation }: NamedScenario): Partial<Found> {
  const { because: _, ...rest } = expectation;
  return rest;
}

/**
 * The scenario's file with what was found as what is expected. Reasons are written by people: a
 * violation that has none is left to them.
 */
export function withExpectation(scenario: NamedScenario, found: Found): string {
  const { because } = scenario.expectation;
  const violated = Object.keys(found.verdicts).filter(
    (name) => found.verdicts[name] === 'violated',
  );
  const unexplained = violated.filter((name) => because[name] === undefined);
  if (unexplained.length > 0) {
    throw new Error(`${scenario.name}: expect.because lacks ${unexplained.join(', ')}`);
  }
  const byId = <Value>(named: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(named).map(([name, value]) => [propertyId(name), value]));
  const explained = [...violated, ...Object.keys(because).filter(isOutcome)];
  const reasons = byId(Object.fromEntries(explained.map((name) => [name, because[name]])));
  const verdicts = byId(found.verdicts);
  const outcomes = Object.fromEntries(
    Object.entries(scenario.setup.outcomes ?? {}).flatMap(([name, { expect: often }]) =>
      often === 'sometimes' ? [] : [[name, often]],
    ),
  );
  const expect = {
    ...found,
    verdicts,
    ...(explained.length > 0 ? { because: reasons } : {}),
    ...(Object.keys(outcomes).length > 0 ? { outcomes } : {}),
  };
  const [head = ''] = scenario.text.split(/^expect:/m);
  return head + new Document({ expect }).toString({ lineWidth: 0 });
}
