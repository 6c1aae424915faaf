import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { check, type Model } from '../../checker/index.ts';
import { SCENARIO_FIELDS } from '../../input/scenarios/schema.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import { deletionModel } from '../../model/system.ts';
import { deletionProperties } from '../../properties/index.ts';
import { scenarioOf } from '../scenarios/read.ts';

const FILE = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/scenarios.md');
const text = readFileSync(FILE, 'utf8');

it('names every field', () => {
  const missing = SCENARIO_FIELDS.filter((field) => !text.includes(`\`${field}`));
  expect(missing).toEqual([]);
});

it('begins with a scenario that comes out as it says', async () => {
  const [, example = ''] = text.match(/```yaml\n([\s\S]*?)```/) ?? [];
  const { setup, expectation } = scenarioOf('example', 'docs/scenarios.md', example);
  const model: Model<Cluster> = deletionModel(setup);
  const { properties } = await check({ model, properties: deletionProperties(setup) });
  const found = Object.fromEntries(properties.map(({ name, verdict }) => [name, verdict]));
  expect(found).toMatchObject(expectation.verdicts);
});
