import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check, type Model } from '../../checker/index.ts';
import { outcomeProperties } from '../../input/scenarios/outcomes.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import { deletionModel } from '../../model/system.ts';
import { deletionProperties, PROPERTIES } from '../../properties/index.ts';
import { expectedBy, foundIn, withExpectation, wrongOutcomes } from './expectations.ts';
import { folder, scenarios } from './read.ts';

const LARGEST = 300_000;

/** The naive engine takes about a third of a second for this many states. */
const NAIVE = 500;

const exercised = new Set<string>();

describe('every scenario', () => {
  for (const scenario of scenarios()) {
    const { name, setup } = scenario;
    const model: Model<Cluster> = deletionModel(setup);
    const properties = [
      ...deletionProperties(setup).filter(
        (property) => scenario.properties?.includes(property.name) !== false,
      ),
      ...outcomeProperties(setup),
    ];

    it(`comes out as it says: ${name}`, async () => {
      const result = await check({
        model,
        properties,
        limits: { states: LARGEST },
        auditEvery: 20,
      });
      expect(result.outcome).toBe('complete');
      const found = foundIn(result);
      for (const property of Object.keys(found.verdicts)) exercised.add(property);
      if (process.env.UPDATE_GOLDEN === '1') {
        writeFileSync(join(folder, `${name}.yaml`), withExpectation(scenario, found));
        return;
      }
      expect(found).toEqual(expectedBy(scenario));
      expect(wrongOutcomes(result)).toEqual([]);
      if (result.statistics.states > NAIVE) return;
      const naive = await check({ model, properties, engine: 'naive' });
      expect(foundIn(naive)).toEqual(found);
    });
  }

  it('together they exercise every property', () => {
    const missing = PROPERTIES.filter(({ name }) => !exercised.has(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});
