import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Cluster, EMPTY_CLUSTER } from '../../model/state/cluster.ts';
import { type ApiObject, keyOf } from '../../model/state/objects.ts';
import type { RunData } from '../../report/page/browser/run-data.ts';
import { runDataOf } from '../../report/page/run-data.ts';
import { clusterOf, configMap, graphNode, ownedBy, setupOf } from '../properties/clusters.ts';
import { path, stepTo } from './documents.ts';

/** Uids and names that mean something to objects, maps or the layout. */
const word = fc.constantFrom(
  '',
  '__proto__',
  'constructor',
  'a b',
  '\u0000',
  '\u0001',
  'a',
  '1',
  ' ',
);

const objects = fc
  .uniqueArray(
    fc.record({ uid: word, owners: fc.uniqueArray(word, { maxLength: 3 }), name: word }),
    { minLength: 1, maxLength: 6, selector: ({ uid }) => uid },
  )
  .map((all) =>
    all.map(({ uid, owners, name }, index) =>
      configMap(`${name}${index}`, {
        uid,
        ownerReferences: owners.map((owner) => ownedBy('x', { uid: owner })),
      }),
    ),
  );

function mirrored(all: readonly ApiObject[]): Cluster {
  const store = Object.fromEntries(all.map((one) => [keyOf(one), one]));
  const graph = Object.fromEntries(all.map((one) => [one.uid, graphNode(one)]));
  return { ...EMPTY_CLUSTER, store, graph };
}

it('draws every object of a run, whatever it is called', () => {
  fc.assert(
    fc.property(objects, objects, (before, after) => {
      const trace = path(mirrored(before), [
        stepTo(mirrored(after), { sentence: 'a: b' }),
        stepTo(mirrored(before), { sentence: 'a: c' }),
      ]);
      const data = JSON.parse(JSON.stringify(runDataOf(setupOf(before), trace))) as RunData | null;
      const uids = new Set([...before, ...after].map(({ uid }) => uid));
      expect(data).not.toBeNull();
      const drawn = data?.cards.map(({ id }) => id) ?? [];
      expect(drawn).toEqual(expect.arrayContaining([...uids]));
      for (const id of drawn) {
        const box = Object.getOwnPropertyDescriptor(data?.drawing.boxes, id)?.value;
        expect([box?.x, box?.y].every(Number.isFinite), `the box of ${JSON.stringify(id)}`).toBe(
          true,
        );
      }
      for (const { id } of data?.lines ?? []) {
        const arrow = Object.getOwnPropertyDescriptor(data?.drawing.arrows, id)?.value;
        expect(arrow?.path, `the arrow ${JSON.stringify(id)}`).toMatch(/^M[-\d. CM]+$/);
      }
    }),
  );
});

it('leaves out the pictures of what are no states, and of nothing else', () => {
  const setup = setupOf([configMap('a')]);
  const real = clusterOf([configMap('a')]);
  for (const state of [
    null,
    1,
    'x',
    [],
    {},
    { store: 1 },
    { store: { a: null } },
    { graph: { a: 1 } },
  ]) {
    const trace = path(real, [stepTo(state as never, { sentence: 'a: b' })]);
    expect(() => runDataOf(setup, trace)).not.toThrow();
  }
  expect(runDataOf(setup, path(real, []))?.cards).toHaveLength(1);
});
