import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, expectTypeOf, test } from 'vitest';
import { consistent, twoPhaseCommit } from '../../bench/models/two-phase-commit.ts';
import {
  type CheckResult,
  check,
  type Fairness,
  type Parameters,
  type Property,
  type PropertyResult,
  type TraceStep,
} from '../../checker/index.ts';
import { checkResultJsonSchema, checkResultSchema } from '../../checker/result-schema.ts';
import { undescribed } from '../json-schemas.ts';

const file = new URL('../../checker/result.schema.json', import.meta.url);

test('the published schema is up to date, and describes each field', () => {
  const schema = checkResultJsonSchema();
  if (process.env.UPDATE_SCHEMA === '1') {
    writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
  }
  const published: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(published, 'run this test with UPDATE_SCHEMA=1').toEqual(schema);
  expect(undescribed(schema)).toEqual([]);
});

test('no module of the search loads the schema library', () => {
  const folder = new URL('../../checker/', import.meta.url);
  const loads = /^(?:import|export) (?!type)[^;]*from '(?:zod|[^']*-schema\.ts)'/m;
  const loading = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => loads.test(readFileSync(new URL(name, folder), 'utf8')));
  // Blocks come from other machines, in searches that are divided among them.
  const known = ['index.ts', 'partitions/block.ts', 'result-schema.ts', 'trace-schema.ts'];
  expect(loading.sort()).toEqual(known);
});

test('results name actions and properties by the types of the model', () => {
  expectTypeOf<PropertyResult['kind']>().toEqualTypeOf<Property<unknown>['kind']>();
  expectTypeOf<TraceStep['fairness']>().toEqualTypeOf<Fairness>();
  expectTypeOf<TraceStep['parameters']>().toEqualTypeOf<Parameters>();
});

test('a result read from JSON fits the schema', async () => {
  const holds = consistent(3);
  const question = { model: twoPhaseCommit(3), properties: [holds] };
  const complete = await check(question);
  const limited = await check({ ...question, limits: { states: 20 } });
  const stuck = { kind: 'settled', name: 'never stuck', settled: () => false } as const;
  const violated = await check({ ...question, properties: [stuck], stateGraph: 1000 });
  const defect = await check({
    model: { ...question.model, actions: { bad: { reduce: () => expect.unreachable() } } },
    properties: [holds],
  });
  const takes = new Ajv2020({ strict: false }).compile(checkResultJsonSchema());
  for (const result of [complete, limited, violated, defect]) {
    const read = JSON.parse(JSON.stringify(result)) as CheckResult;
    expect(checkResultSchema.parse(read)).toEqual(result);
    takes(read);
    expect(takes.errors).toBeNull();
    expect(takes({ ...read, extra: 1 })).toBe(false);
    expect(takes({ ...read, statistics: { ...read.statistics, extra: 1 } })).toBe(false);
    // A reader passes over what a later version may have added.
    expect(checkResultSchema.parse({ ...read, extra: 1 })).toEqual(result);
  }
  expect(violated.properties[0]?.trace).not.toBe(null);
  expect(defect.outcome).toBe('defect');
});
