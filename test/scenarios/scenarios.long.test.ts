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

/**
 * The gate of this repository (test/gate/own-suite) compares every scenario with its file as well.
 * Here the steps are audited, which takes long in large ones. No action occurs only in those of 300
 * to 400 states.
 */
const AUDITED = 300;

/** The naive engine takes about a twentieth of a second for this many states. */
const NAIVE = 70;

const UPDATE = process.env.UPDATE_GOLDEN === '1';

const exercised = new Set<string>();

describe('every scenario', () => {
  for (const scenario of scenarios()) {
    const { name, setup, expectation } = scenario;
    for (const [property, verdict] of Object.entries(expectation.verdicts)) {
      if (verdict !== 'vacuous') exercised.add(property);
    }
    if (!UPDATE && (expectation.states ?? 0) > AUDITED) continue;
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
      if (UPDATE) {
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
