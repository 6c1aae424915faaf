import { expect, it } from 'vitest';
import { PLAIN_WORLD } from '../../input/cluster/worlds.ts';
import { walked } from '../../run/questions/deciding/grow.ts';
import { budget, words } from './deciding.ts';
import { dumpPlan, objectsText } from './dump-plan.ts';

// With thousands of steps for each object, the JSON of 80 objects was longer than a string can be.
it('random walks leave no trace in a document', async () => {
  const plain = { block: true, held: false };
  const text = objectsText([
    { name: 'root', owner: null, ...plain },
    { name: 'child', owner: 'root', ...plain },
  ]);
  const decision = await walked(
    await dumpPlan(text, 'cm/root', 'background'),
    PLAIN_WORLD,
    budget(),
  );
  expect(decision.walks).toBeGreaterThan(0);
  expect(Object.keys(words(decision)).length).toBe(2);
  const found = decision.reports.flatMap(({ fates }) => fates);
  expect(found.map(({ mayGo }) => mayGo.verdict)).toEqual(['holds', 'holds']);
  expect(found.flatMap(({ goes, mayGo }) => goes.trace ?? mayGo.trace ?? [])).toEqual([]);
});
