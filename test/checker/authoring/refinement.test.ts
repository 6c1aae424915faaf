import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check, combinations, defineModel, refinement } from '../../../checker/index.ts';
import { randomRuns } from '../support/random-runs.ts';

type Edges = readonly (readonly [number, number])[];

const graph = (name: string, initial: readonly number[], edges: Edges) =>
  defineModel({
    name,
    initial: initial.map((at) => ({ at })),
    slots: { at: 'value' },
    actions: {
      move: {
        parameters: combinations({ edge: edges.map((_, index) => index) }),
        reduce(draft, { edge }) {
          const [from, to] = edges[edge]!;
          if (draft.at === from) draft.at = to;
        },
      },
    },
  });

const node = fc.nat(4);
const edges = fc.array(fc.tuple(node, node), { minLength: 1, maxLength: 8 });
const some = fc.uniqueArray(node, { minLength: 1, maxLength: 2 });
const map = fc.array(node, { minLength: 5, maxLength: 5 });

it('agrees with the definition on random graphs', async () => {
  const seen = { refines: 0, initial: 0, step: 0 };
  await fc.assert(
    fc.asyncProperty(some, edges, some, edges, map, async (from, moves, start, allowed, image) => {
      const concrete = graph('concrete', from, moves);
      const abstract = graph('abstract', start, allowed);
      const properties = refinement(concrete, abstract, ({ at }) => ({ at: image[at]! }));
      const { properties: found } = await check({ model: concrete, properties });
      const reached = new Set(from);
      for (const at of reached) for (const [one, to] of moves) if (one === at) reached.add(to);
      const startsRight = from.every((at) => start.includes(image[at]!));
      const stepsRight = moves.every(
        ([one, to]) =>
          !reached.has(one) ||
          image[one] === image[to] ||
          allowed.some(([a, b]) => a === image[one] && b === image[to]),
      );
      expect(found[0]?.verdict).toBe(startsRight ? 'holds' : 'violated');
      expect(found[1]?.verdict === 'violated').toBe(!stepsRight);
      if (!startsRight) seen.initial++;
      if (!stepsRight) seen.step++;
      if (startsRight && stepsRight) seen.refines++;
    }),
    { numRuns: randomRuns(160) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(4);
});

it('names the step and the states that it is mapped to', async () => {
  const hours = graph(
    'hours',
    [0],
    [
      [0, 1],
      [1, 2],
    ],
  );
  const jumps = graph('jumps', [0], [[0, 2]]);
  const properties = refinement(jumps, hours, ({ at }) => ({ at }));
  const result = await check({ model: jumps, properties });
  expect(result.properties[1]?.broken).toEqual([
    'move is mapped to no step: from {"at":0} to {"at":2}',
  ]);
});

it.each([
  [() => undefined, /the map to the model hours gives no state, but undefined/],
  [() => ({ hour: 1 }), /the map gives no state of the model hours: /],
])('says what a map gives that gives no state', (map, message) => {
  const hours = graph('hours', [0], [[0, 1]]);
  expect(() => refinement(hours, hours, map as unknown as () => { at: number })).toThrow(message);
});
