import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check, defineModel, defineProperty } from '../../../checker/index.ts';
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

it('asks about the state that it means after another verdict has used the engine', async () => {
  const step = (from: string, to: string) => ({
    fairness: 'weak' as const,
    reduce(draft: { at: string }) {
      if (draft.at === from) draft.at = to;
    },
  });
  const model = defineModel({
    name: 'two beginnings',
    slots: { at: 'value' },
    initial: [{ at: 's0' }, { at: 's1' }],
    actions: { a: step('s0', 's2'), b: step('s1', 's3'), c: step('s2', 's0') },
  });
  const returns = defineProperty(model, {
    kind: 'eventually',
    name: 'returns',
    trigger: ({ at }) => at === 's2',
    goal: ({ at }) => at === 's0',
  });
  const arrives = defineProperty(model, {
    kind: 'witness',
    name: 'arrives',
    reached: ({ at }) => at === 's3',
  });
  const leaves = defineProperty(model, {
    kind: 'eventually',
    name: 'leaves',
    goal: ({ at }) => at === 's1' || at === 's3',
  });
  for (const properties of [
    [returns, leaves],
    [returns, arrives, leaves],
  ]) {
    const result = await check({ model, properties });
    expect(result.properties.at(-1)?.verdict).toBe('violated');
  }
});
