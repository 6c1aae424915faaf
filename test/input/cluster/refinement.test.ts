import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coarsestStable, type Edge } from '../../../input/cluster/likeness/refinement.ts';

const VERTICES = 8;

const graphs = fc.record({
  given: fc.array(fc.constantFrom('red', 'red', 'blue'), { minLength: 1, maxLength: VERTICES }),
  edges: fc.array(
    fc.record({
      from: fc.nat(VERTICES - 1),
      to: fc.nat(VERTICES - 1),
      label: fc.constantFrom('a', 'b'),
    }),
    { maxLength: 14 },
  ),
});

/** Splits all classes by all edges until nothing changes. */
function slowly(given: readonly string[], edges: readonly Edge[]): readonly string[] {
  let classes = given;
  for (;;) {
    const next = classes.map((own, vertex) =>
      JSON.stringify([
        own,
        edges
          .filter(({ from }) => from === vertex)
          .map(({ label, to }) => `${label} ${classes[to]}`)
          .sort(),
      ]),
    );
    if (new Set(next).size === new Set(classes).size) return classes;
    classes = next;
  }
}

/** Which vertices are in one class: the first vertex of the class of each. */
function firsts<Name>(classes: ArrayLike<Name>): readonly number[] {
  const names = Array.from(classes);
  return names.map((name) => names.indexOf(name));
}

describe('the coarsest stable partition', () => {
  test('is what splitting all classes again and again ends with', () => {
    fc.assert(
      fc.property(graphs, ({ given, edges: any }) => {
        const edges = any.filter(({ from, to }) => Math.max(from, to) < given.length);
        expect(firsts(coarsestStable(given, edges))).toEqual(firsts(slowly(given, edges)));
      }),
      { numRuns: 2000 },
    );
  });

  /** How many labels are read for a graph of so many vertices. */
  function reads(vertices: number, edgesOf: (vertex: number) => readonly number[]): number {
    let count = 0;
    const counted = (from: number, to: number): Edge => ({
      from,
      to,
      get label() {
        count += 1;
        return 'a';
      },
    });
    const edges = Array.from({ length: vertices }, (_, from) =>
      edgesOf(from).flatMap((to) => (to < 0 ? [] : [counted(from, to), counted(to, from)])),
    ).flat();
    coarsestStable(Array(vertices).fill('all'), edges);
    return count / edges.length;
  }

  test.each([
    ['a chain', (vertex: number) => [vertex - 1]],
    ['a chain beside two hubs', (vertex: number) => [vertex - 2, vertex % 2]],
  ])('of %s takes few looks at each edge', (_name, edgesOf) => {
    expect(reads(2048, edgesOf)).toBeLessThan(2 * Math.log2(2048));
  });
});
