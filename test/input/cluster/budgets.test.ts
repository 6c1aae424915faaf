import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgetsOver } from '../../../input/cluster/budgets.ts';
import type { Observation } from '../../../input/cluster/observations.ts';
import { meetsAll } from '../../../input/cluster/webhooks/asked.ts';
import { readDump } from '../../../input/manifests/dump.ts';
import { KindCatalogue } from '../../../input/manifests/kind-catalogue.ts';
import { type ApiObject, keyOf } from '../../../model/index.ts';
import { BUILT_IN_KINDS } from '../../../model/state/kind-table.ts';

const word = fc.constantFrom('a', 'b', 'c');
const namespace = fc.constantFrom('x', 'y');
const labels = fc.dictionary(word, word, { maxKeys: 2 });
const requirement = fc
  .record({ key: word, operator: fc.constantFrom('In', 'NotIn', 'Exists'), values: fc.array(word) })
  .map(({ values, ...rest }) => (rest.operator === 'Exists' ? rest : { ...rest, values }));
const selector = fc.record({
  matchLabels: fc.dictionary(word, word, { maxKeys: 1 }),
  matchExpressions: fc.array(requirement, { maxLength: 2 }),
});

test('the budgets over a pod are those whose selector its labels meet, in their order', () => {
  const given = fc.record({
    pods: fc.array(fc.record({ namespace, labels }), { minLength: 1, maxLength: 3 }),
    budgets: fc.array(fc.record({ namespace, selector }), { maxLength: 5 }),
  });
  let covered = 0;
  fc.assert(
    fc.property(given, ({ pods, budgets }) => {
      const items = [
        ...pods.map((metadata, index) => ({
          ...{ apiVersion: 'v1', kind: 'Pod' },
          metadata: { ...metadata, name: `p${index}`, uid: `p${index}` },
        })),
        ...budgets.map(({ selector: wanted, ...metadata }, index) => ({
          ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
          metadata: { ...metadata, name: `b${index}`, uid: `b${index}` },
          spec: { selector: wanted },
        })),
      ];
      const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
      const sources = [{ file: 'dump.json', text }];
      const dump = readDump(
        { inputs: ['dump.json'], sources, leftOut: [] },
        new KindCatalogue(BUILT_IN_KINDS),
      );
      const all = dump.objects.map(({ object }) => object);
      for (const pod of all.filter(({ kind }) => kind === 'Pod')) {
        const expected = all.filter((object) => {
          const observed = dump.observations.get(keyOf(object));
          return (
            observed?.of === 'PodDisruptionBudget' &&
            object.namespace === pod.namespace &&
            meetsAll(observed.selector, dump.labels.get(keyOf(pod)) ?? {})
          );
        });
        covered += expected.length;
        expect(budgetsOver(pod, { all, ...dump }).map(({ object }) => object)).toEqual(expected);
      }
    }),
    { numRuns: 100 },
  );
  expect(covered).toBeGreaterThan(20);
});

test('of many budgets that want the same label, only those that can be about a pod are read', () => {
  const pod = { kind: 'Pod', namespace: 'x', name: 'p', uid: 'p' } as ApiObject;
  let reads = 0;
  const budgets = [...Array(50).keys()].map((index) => {
    const name = `b${index}`;
    return { kind: 'PodDisruptionBudget', namespace: 'x', name, uid: name } as ApiObject;
  });
  const observations = new Map(
    budgets.map((budget, index): [string, Observation] => [
      keyOf(budget),
      {
        of: 'PodDisruptionBudget',
        allowed: 0,
        get selector() {
          reads += 1;
          return [
            { key: 'part-of', operator: 'In' as const, values: ['shop'] },
            { key: 'app', operator: 'In' as const, values: [`a${index}`] },
          ];
        },
      },
    ]),
  );
  const all = [pod, ...budgets];
  const of = (app: string) => new Map([[keyOf(pod), { 'part-of': 'shop', app }]]);
  const found = (app: string) => budgetsOver(pod, { all, observations, labels: of(app) });
  expect(found('a7').map(({ object }) => object.name)).toEqual(['b7']);
  reads = 0;
  expect(found('a9').map(({ object }) => object.name)).toEqual(['b9']);
  expect(reads).toBeLessThan(3);
});
