import { describe, expect, it } from 'vitest';
import { check } from '../../checker/index.ts';
import { deletionModel, FAMILY } from '../../model/system.ts';
import { scenarios } from '../scenarios/read.ts';
import { decideOutcomes, NOT_RECORDED, recordedFinals, SIZES } from './outcomes/decide.ts';
import {
  type FinalState,
  finalStateProperty,
  neighbouringFinals,
} from './outcomes/final-states.ts';
import { NOT_SEARCHED, outcomeSetup } from './outcomes/setup.ts';
import { programSchema } from './outcomes/steps.ts';
import { recordings } from './recordings.ts';

const LIMITS = { states: 100_000 };
const WALKS = 50;

/** The whole space is searched for neighbouring states, or they stay undecided. */
const NEIGHBOURS = { states: 15_000 };

const recorded = recordings().filter(({ name }) => !NOT_SEARCHED.includes(name));
const tally: Record<string, number> = {};

describe('the final states of the model contain what was recorded', () => {
  for (const recording of recorded) {
    it(recording.name, async () => {
      const { outcomes } = await decideOutcomes(recording, LIMITS, WALKS);
      expect(outcomes.length).toBeGreaterThan(0);
      for (const { found } of outcomes) tally[found] = (tally[found] ?? 0) + 1;
      expect(outcomes.filter(({ found }) => found !== 'explored' && found !== 'walked')).toEqual(
        [],
      );
    });
  }

  it('the explorer itself finds all of them but one', () => {
    expect(tally).toEqual({ explored: 134, walked: 1 });
  });
});

describe('what has come out in several ways', () => {
  const several = recorded.filter((recording) => recordedFinals(recording).length > 1);
  const builtIn = scenarios();
  it.each(several.map((recording) => [recording.name, recording] as const))(
    'is a scenario with a name for each: %s',
    (name, recording) => {
      const scenario = builtIn.find(({ source }) => source?.endsWith(`: ${name}`));
      const outcomes = Object.keys(scenario?.setup.outcomes ?? {});
      expect(outcomes.length).toBeGreaterThanOrEqual(recordedFinals(recording).length);
    },
  );
});

it('other final states are not possible', async () => {
  const possible: string[] = [];
  const decided = { impossible: 0, open: 0 };
  for (const recording of recorded) {
    const [, size = SIZES[0]!] = SIZES;
    const { setup, generated } = outcomeSetup(recording, size);
    const finals = recordedFinals(recording);
    const known = new Set(finals.map((final) => keyOfFinal(final)));
    const others = new Map(
      finals.flatMap((final) => [...neighbouringFinals(setup, final, generated)]),
    );
    const properties = [...others]
      .filter(([, final]) => !known.has(keyOfFinal(final)))
      .map(([name, final]) => finalStateProperty(setup, name, final, generated));
    if (properties.length === 0) continue;
    const model = { ...deletionModel(setup), family: FAMILY };
    const result = await check({ model, properties, limits: NEIGHBOURS });
    for (const { name, verdict } of result.properties) {
      if (verdict === 'holds') possible.push(`${recording.name} ${name}`);
      else decided[verdict === 'violated' ? 'impossible' : 'open']++;
    }
  }
  const known = Object.entries(NOT_RECORDED).flatMap(([recording, names]) =>
    names.map((name) => `${recording} ${name}`),
  );
  expect(possible.sort()).toEqual(known);
  expect(decided).toEqual({ impossible: 334, open: 27 });
});

function keyOfFinal(final: FinalState): string {
  return JSON.stringify(Object.entries(final).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('what is not known is an error', () => {
  it.each([
    [[{ do: 'explode', id: 'a' }]],
    [[{ do: 'delete', id: 'a', policy: 'Sideways' }]],
    [[{ do: 'create', id: 'a', colour: 'red' }]],
    [[{ do: 'parallel', steps: [[{ do: 'settle', slowly: true }]] }]],
  ])('%j', (steps) => {
    expect(programSchema.safeParse(steps).success).toBe(false);
  });
});
