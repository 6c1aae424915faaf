import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type EdgeGraph, withStoredEdges } from '../../../checker/liveness/edges.ts';
import { emptyTransitionBuffer, reserve } from '../../../checker/liveness/graph.ts';

const ACTIONS = 40;
const SELECTORS = [null, { name: 'one' }, { name: 'another' }];

/** By state: its transitions, and the selector that has chosen them. */
interface Drawn {
  readonly edges: readonly (readonly [action: number, target: number, renaming: number])[];
  readonly selector: number;
}

/** A graph that counts how often edges are computed. */
function graphOf(states: readonly Drawn[]): EdgeGraph & { readonly asked: { count: number } } {
  const asked = { count: 0 };
  const renamings = new Int32Array(ACTIONS);
  let last = 0;
  return {
    ...{ stateCount: states.length, initialCount: 1, actionCount: ACTIONS, asked, renamings },
    get reducedBy() {
      return SELECTORS[states[last]!.selector]!;
    },
    successors(state, into) {
      asked.count++;
      last = state;
      const { edges } = states[state]!;
      reserve(into, edges.length);
      edges.forEach(([action, target, renaming], index) => {
        into.actions[index] = action;
        into.targets[index] = target;
        renamings[index] = renaming;
      });
      return edges.length;
    },
  };
}

function asRead(graph: EdgeGraph, state: number): unknown {
  const buffer = emptyTransitionBuffer();
  const count = graph.successors(state, buffer);
  return [
    ...[buffer.actions, buffer.targets, graph.renamings].map((one) => [...one.subarray(0, count)]),
    graph.reducedBy,
  ];
}

const number = fc.nat(ACTIONS - 1);
const drawn = fc.array(
  fc.record({
    edges: fc.array(fc.tuple(number, number, number), { maxLength: ACTIONS, size: 'max' }),
    selector: fc.nat(SELECTORS.length - 1),
  }),
  { minLength: 1, maxLength: 60, size: 'max' },
);

it('gives the edges that it was given, in any order, with room or without', () => {
  let grown = 0;
  fc.assert(
    fc.property(
      drawn,
      fc.array(fc.nat(), { maxLength: 200, size: 'max' }),
      fc.nat(5),
      (states, order, rooms) => {
        let left = rooms;
        const plain = graphOf(states);
        const stored = withStoredEdges(graphOf(states), () => left-- > 0);
        for (const number of order) {
          const state = number % states.length;
          expect(asRead(stored, state)).toEqual(asRead(plain, state));
        }
        if (left < rooms - 1) grown++;
      },
    ),
  );
  expect(grown).toBeGreaterThan(10);
});

it('computes edges once where it has room, and every time where it has none', () => {
  const states: Drawn[] = [{ edges: [[1, 0, 2]], selector: 1 }];
  for (const [hasRoom, expected] of [
    [true, 1],
    [false, 3],
  ] as const) {
    const graph = graphOf(states);
    const stored = withStoredEdges(graph, () => hasRoom);
    for (let time = 0; time < 3; time++) asRead(stored, 0);
    expect(graph.asked.count).toBe(expected);
  }
});
