import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Auditor } from '../../../checker/audit.ts';
import type { Encoding } from '../../../checker/engine/encoding.ts';
import type { Learner } from '../../../checker/engine/learner.ts';
import { TrackedEngine } from '../../../checker/engine/tracked.ts';
import { UNGUARDED } from '../../../checker/guard.ts';
import { Judge } from '../../../checker/judge.ts';
import type { Model } from '../../../checker/model.ts';
import { Clock } from '../../../checker/progress.ts';
import type { Property } from '../../../checker/property.ts';
import { prepareQuestion } from '../../../checker/question.ts';
import { search } from '../../../checker/search.ts';
import type { ColumnTable } from '../../../checker/values/columns.ts';
import { late, lateProperties } from '../support/late.ts';
import { modelOf, propertiesOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';
import {
  symmetricCases,
  symmetricModel,
  symmetricProperties,
} from '../support/random-symmetric.ts';
import { type Dice, diceOf } from '../support/same-search.ts';

/*
 * A replica runs neither reducers nor predicates. It must know what its engine knows by having run them.
 */

/** All that an engine knows, in an order that does not depend on how it came to know it. */
function knowledge(engine: TrackedEngine<never>): unknown {
  const learner = Reflect.get(engine, 'learner') as Learner<never>;
  const { store } = Reflect.get(engine, 'encoding') as Encoding<never>;
  const { slots, operations, dependencies, stepDependencies, readsAction } = learner;
  const columns = ({ columns }: ColumnTable) =>
    columns.map(({ slot, aspect, table }) => [
      slot.number,
      aspect,
      table && slot.values.map((_, local) => table[local]),
    ]);
  const { roots, nodes } = learner.tries;
  const paths = (node: number): unknown => {
    if (node <= 0) return node;
    const [column, capacity, least] = nodes.subarray(node, node + 3);
    const children = Array.from({ length: capacity! }, (_, place) => nodes[node + 3 + place]!);
    const known = children.flatMap((child, place) =>
      child === 0 ? [] : [[least! + place, paths(child)]],
    );
    return [column, known];
  };
  const reads = (of: typeof dependencies, predicate: number): readonly number[] =>
    Array.from(of.reads(predicate), ({ number }) => number).sort((one, other) => one - other);
  const state = learner.predicateTrie(0);
  const step = learner.stepTrie(0);
  return {
    slots: slots.slots.map(({ section, key, values }) => [section.key, key, [...values]]),
    present: slots.sections.map(({ present }) => present.map(({ key }) => key)),
    values: [...slots.interner.values],
    columns: columns(learner.columns),
    columnsAfter: columns(learner.columnsAfter),
    effects: [...learner.effects.list],
    operations: operations.list.map(({ slot, drop, replace, push }) => [
      ...[slot.number, drop, replace, push],
    ]),
    results: operations.list.map(({ slot }, number) =>
      slot.values.map((_, local) => operations.tables[number]![local]),
    ),
    paths: Array.from(roots, paths),
    reads: Array.from({ length: step - state }, (_, number) => reads(dependencies, number)),
    stepReads: Array.from(readsAction, (_, number) => reads(stepDependencies, number)),
    readsAction: [...readsAction],
    predecessors: Array.from({ length: 300 }, (_, number) =>
      number < store.count ? store.parentOf(number) : null,
    ),
  };
}

/** Searches, and lets a replica follow in one of so many states. Returns how often it did. */
async function followed<State>(
  model: Model<State>,
  properties: readonly Property<State>[],
  { states, every, dice }: { readonly states: number; readonly every: number; readonly dice: Dice },
): Promise<number> {
  const threads = { count: 2, module: new URL('file:///none') };
  const prepared = prepareQuestion({ model, properties, threads }, UNGUARDED);
  const engineOf = () =>
    new TrackedEngine(prepareQuestion({ model, properties, threads }, UNGUARDED).question);
  const engine = new TrackedEngine(prepared.question);
  const other = engineOf();
  const judge = new Judge(engine, prepared.compiled, prepared.reductions.orbits);
  const sharing = engine.share();
  const replica = other.replicate();
  let follows = 0;
  const ahead = {
    has: () => {
      if (dice(every) > 0 || !sharing.hasUpdate || sharing.isBehind) return false;
      replica.follow(structuredClone(sharing.update()));
      const { count } = (Reflect.get(engine, 'encoding') as Encoding<State>).store;
      (Reflect.get(other, 'encoding') as Encoding<State>).store.count = count;
      expect(knowledge(other as never)).toEqual(knowledge(engine as never));
      follows++;
      return false;
    },
    take: () => null,
  };
  const limits = { states };
  await search({
    ...{ engine, judge, limits, stopWhenDecided: false, within: prepared.within, ahead },
    auditor: new Auditor(engine, prepared.question, 0),
    clock: new Clock({ limits }),
  });
  return follows;
}

it('random models: a replica knows what its engine knows', async () => {
  let follows = 0;
  await fc.assert(
    fc.asyncProperty(randomCases, fc.nat(), async (random, seed) => {
      const way = { states: 300, every: 4, dice: diceOf(seed) };
      follows += await followed(modelOf(random), propertiesOf(random), way);
    }),
    { numRuns: randomRuns(30) },
  );
  expect(follows).toBeGreaterThan(30);
});

it('random symmetric models: the same', async () => {
  let follows = 0;
  await fc.assert(
    fc.asyncProperty(symmetricCases, fc.nat(), async (given, seed) => {
      const model = symmetricModel(given);
      const way = { states: 300, every: 2, dice: diceOf(seed) };
      follows += await followed(model, symmetricProperties(given), way);
    }),
    { numRuns: randomRuns(20) },
  );
  expect(follows).toBeGreaterThan(10);
});

it('what is learnt late is known, too', async () => {
  const way = { states: 4000, every: 200, dice: diceOf(1) };
  expect(await followed(late, lateProperties, way)).toBeGreaterThan(3);
});
