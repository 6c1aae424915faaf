import { readFileSync, writeFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import { consistent, twoPhaseCommit } from '../../bench/models/two-phase-commit.ts';
import { type CheckResult, check } from '../../checker/index.ts';
import { checkResultJsonSchema, checkResultSchema } from '../../checker/result-schema.ts';

const file = new URL('../../checker/result.schema.json', import.meta.url);

test('the published schema is up to date', () => {
  const schema = checkResultJsonSchema();
  if (process.env.UPDATE_SCHEMA === '1') writeFileSync(file, JSON.stringify(schema, null, 2));
  const published: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(published, 'run this test with UPDATE_SCHEMA=1, then format').toEqual(schema);
});

test('the schema has the type of results', () => {
  expectTypeOf<z.infer<typeof checkResultSchema>>().toEqualTypeOf<CheckResult>();
});

test('a result read from JSON fits the schema', async () => {
  const holds = consistent(3);
  const question = { model: twoPhaseCommit(3), properties: [holds] };
  const complete = await check(question);
  const limited = await check({ ...question, limits: { states: 20 } });
  const stuck = { kind: 'settled', name: 'never stuck', settled: () => false } as const;
  const violated = await check({ ...question, properties: [stuck] });
  const defect = await check({
    model: { ...question.model, actions: { bad: { reduce: () => expect.unreachable() } } },
    properties: [holds],
  });
  for (const result of [complete, limited, violated, defect]) {
    const read: unknown = JSON.parse(JSON.stringify(result));
    expect(checkResultSchema.parse(read)).toEqual(result);
  }
  expect(violated.properties[0]?.trace).not.toBe(null);
  expect(defect.outcome).toBe('defect');
  expect(checkResultSchema.safeParse({ ...complete, extra: 1 }).success).toBe(false);
});
