import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineModel, defineProperty } from '../../../checker/authoring/define.ts';
import { check } from '../../../checker/check.ts';
import { TrackedEngine } from '../../../checker/engine/tracked.ts';
import { UNGUARDED } from '../../../checker/guard.ts';
import { EdgeTable } from '../../../checker/liveness/edges.ts';
import { emptyTransitionBuffer } from '../../../checker/liveness/graph.ts';
import type { Model } from '../../../checker/model.ts';
import type { Property } from '../../../checker/property.ts';
import { prepareQuestion } from '../../../checker/question.ts';
import { modelOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';
import { symmetricCases, symmetricModel } from '../support/random-symmetric.ts';

const MOST_STATES = 600;
const NOTHING: readonly Property<never>[] = [
  { kind: 'settled', name: 'nothing is asked', settled: () => true },
];

/**
 * Searches while it watches one instance in `every`. Returns how many states have edges in the
 * table.
 */
function kept<State>(model: Model<State>, every: number, found: { renamed: number }): number {
  const { question } = prepareQuestion({ model, properties: NOTHING }, UNGUARDED);
  const engine = new TrackedEngine(question);
  const edges = new EdgeTable(() => true);
  engine.keepEdges(edges);
  engine.expandInOrder();
  const watched = Uint8Array.from({ length: engine.actionCount }, (_, instance) =>
    instance % every === 0 ? 1 : 0,
  );
  const observer = { watched, transition: () => undefined };
  let expanded = 0;
  for (; expanded < Math.min(engine.stateCount, MOST_STATES); expanded++) {
    engine.load(expanded);
    engine.expand(observer);
  }
  const [one, other] = [emptyTransitionBuffer(), emptyTransitionBuffer()];
  const renamings = new Int32Array(engine.actionCount);
  let states = 0;
  for (let state = 0; state < engine.stateCount; state++) {
    const count = edges.read(state, one, renamings);
    if (count < 0) continue;
    expect(state).toBeLessThan(expanded);
    states++;
    expect(engine.successors(state, other)).toBe(count);
    for (let index = 0; index < count; index++) {
      const [action, target] = [one.actions[index], one.targets[index]];
      expect([action, target]).toEqual([other.actions[index], other.targets[index]]);
      expect(renamings[index]).toBe(engine.renamings[index]);
      if (renamings[index] !== 0) found.renamed++;
    }
  }
  return states;
}

it('a search keeps the edges of states that it looked up all steps of, as they are computed later', () => {
  const found = { renamed: 0 };
  let states = 0;
  fc.assert(
    fc.property(
      randomCases,
      symmetricCases,
      fc.integer({ min: 1, max: 3 }),
      (one, other, every) => {
        states += kept(modelOf(one), every, found);
        states += kept(symmetricModel(other), every, found);
      },
    ),
    { numRuns: randomRuns(30) },
  );
  expect(states).toBeGreaterThan(1000);
  expect(found.renamed).toBeGreaterThan(100);
});

it('in a group too large to list, leads-tos are judged with the right renamings', async () => {
  const members = ['a', 'b', 'c', 'd'];
  const renamed = (name: unknown, renaming: ReadonlyMap<string, string>): string =>
    renaming.get(String(name)) ?? String(name);
  const queue = defineModel({
    name: 'queue',
    slots: { line: 'value' },
    initial: members.map((first) => ({ line: [first] })),
    actions: {
      join: {
        fairness: 'weak',
        parameters: members.map((who) => ({ who })),
        reduce(draft: { line: string[] }, { who }) {
          if (draft.line.length === 3 || draft.line.includes(String(who))) return;
          draft.line.unshift(String(who));
        },
      },
    },
    symmetry: {
      groups: [{ name: 'people', members }],
      renameKey: (_section, key) => key,
      renameValue: (_section, value, renaming) =>
        (value as string[]).map((name) => renamed(name, renaming)),
      renameParameters: ({ who }, renaming) => ({ who: renamed(who, renaming) }),
    },
  });
  const last = defineProperty(queue, {
    kind: 'eventually',
    name: 'the first one becomes the third one',
    parameters: members.map((who) => ({ who })),
    trigger: ({ line }, { who }) => line.length === 1 && line[0] === who,
    goal: ({ line }, { who }) => line[2] === who,
  });
  const result = await check({ model: queue, properties: [last] });
  expect(result.properties[0]?.verdict).toBe('holds');
  // Without a second search, which a wrong renaming leads to.
  expect(result).toMatchObject({ statistics: { states: 3 }, symmetry: { judgedWithout: [] } });
});
