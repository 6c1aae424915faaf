import fc from 'fast-check';
import { expect, it } from 'vitest';
import { twoPhaseCommit } from '../../../bench/models/two-phase-commit.ts';
import type { Lookahead } from '../../../checker/engine/ahead/lookahead.ts';
import { Dependencies } from '../../../checker/engine/dependencies.ts';
import type { Encoding } from '../../../checker/engine/encoding.ts';
import { FoundNothing } from '../../../checker/engine/seeking/found-nothing.ts';
import { TrackedEngine } from '../../../checker/engine/tracked.ts';
import { UNGUARDED } from '../../../checker/guard.ts';
import type { CheckOptions, Limits } from '../../../checker/options.ts';
import { prepareQuestion } from '../../../checker/question.ts';
import { Layout } from '../../../checker/values/layout.ts';
import type { Slot } from '../../../checker/values/slots.ts';
import { delayed } from '../support/delayed.ts';
import { late, lateProperties } from '../support/late.ts';
import { modelOf, propertiesOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';
import { diceOf, searchAlone } from '../support/same-search.ts';

/*
 * Two shortcuts of a search: successors of several states are computed together, and no predicate is asked in
 * a state that differs from one before only in what none has read. The search without them leaves the same
 * behind, down to the order in which it has learnt.
 */

/** How often the shortcuts were taken. */
interface Taken {
  ahead: number;
  nothing: number;
}

/**
 * Re-encodes the rows now and then before a state is loaded, as what is learnt may do at any time.
 */
function reencode<State>(engine: TrackedEngine<State>, seed: number): void {
  const dice = diceOf(seed);
  const encoding = Reflect.get(engine, 'encoding') as Encoding<State>;
  engine.load = (state) => {
    if (dice(300) === 0) {
      Reflect.set(encoding, 'outgrown', true);
      encoding.adapt();
    }
    TrackedEngine.prototype.load.call(engine, state);
  };
}

/** Searches with the shortcuts and without, and adds up how often they were taken. */
async function compare<State>(
  options: CheckOptions<State>,
  taken: Taken,
  seed: number,
): Promise<void> {
  const quick = await searchAlone(options, (engine) => {
    reencode(engine, seed);
    const foundNothing = Reflect.get(engine, 'foundNothing') as FoundNothing;
    const has = foundNothing.has.bind(foundNothing);
    foundNothing.has = (...state) => {
      const answer = has(...state);
      if (answer) taken.nothing++;
      return answer;
    };
    afterExpandInOrder(engine, () => {
      const ahead = Reflect.get(engine, 'ahead') as Lookahead<State> | null;
      if (ahead === null) return;
      const enter = ahead.enter.bind(ahead);
      ahead.enter = () => {
        const { loaded } = engine;
        enter();
        if (loaded > (Reflect.get(ahead, 'first') as number)) taken.ahead++;
      };
    });
  });
  const slow = await searchAlone(options, (engine) => {
    reencode(engine, seed);
    Reflect.set(Reflect.get(engine, 'foundNothing') as object, 'has', () => false);
    afterExpandInOrder(engine, () => Reflect.set(engine, 'ahead', null));
  });
  expect(quick.found).toEqual(slow.found);
}

function afterExpandInOrder<State>(engine: TrackedEngine<State>, then: () => unknown): void {
  engine.expandInOrder = () => {
    TrackedEngine.prototype.expandInOrder.call(engine);
    then();
  };
}

const ways = fc.record({
  limits: fc.oneof<fc.Arbitrary<Limits>[]>(
    fc.constant({}) as never,
    fc.record({ states: fc.integer({ min: 100, max: 4000 }) }),
    fc.record({ depth: fc.integer({ min: 6, max: 12 }) }),
  ),
  auditEvery: fc.constantFrom(0, 37),
  stopWhenDecided: fc.boolean(),
});

it('random models', async () => {
  const taken = { ahead: 0, nothing: 0 };
  await fc.assert(
    fc.asyncProperty(randomCases, ways, fc.nat(), async (random, way, seed) => {
      const model = delayed(modelOf(random));
      await compare({ model, properties: propertiesOf(random) as never, ...way }, taken, seed);
    }),
    { numRuns: randomRuns(20) },
  );
  expect(taken.ahead).toBeGreaterThan(1000);
  expect(taken.nothing).toBeGreaterThan(500);
});

it('a model in which much is new in late states', async () => {
  const taken = { ahead: 0, nothing: 0 };
  await compare({ model: late, properties: lateProperties }, taken, 1);
  expect(taken.ahead).toBeGreaterThan(1000);
  expect(taken.nothing).toBeGreaterThan(500);
});

it('what is kept holds for the predicates that were asked, and for what they have read', () => {
  const slots = [0, 1].map((number) => ({ number }) as Slot);
  const dependencies = new Dependencies(2);
  dependencies.outdate(new Layout([1, 1], [[0, 1]]), true);
  slots.forEach((slot, predicate) => {
    dependencies.add(predicate, [slot], []);
  });
  const nothing = new FoundNothing(dependencies);
  const has = (row: number): boolean => nothing.has(Int32Array.of(row), 0, 1, 0);
  const keep = (row: number): void => {
    for (let states = 0; states < 100; states++) has(row);
    nothing.add();
  };
  const BOTH = Int32Array.of(0b11);
  const FIRST = Int32Array.of(0b01);
  nothing.ask(BOTH);
  keep(0b01);
  expect([0b01, 0b00, 0b11, 0b10].map(has)).toEqual([true, false, false, false]);
  dependencies.add(0, slots, []);
  expect(has(0b01)).toBe(false);
  // Until other predicates are asked.
  nothing.found(1);
  keep(0b01);
  expect(has(0b01)).toBe(false);
  nothing.ask(FIRST);
  keep(0b00);
  expect([0b00, 0b01].map(has)).toEqual([true, false]);
  // One of these was found.
  nothing.ask(BOTH);
  keep(0b00);
  expect(has(0b00)).toBe(false);
});

it('what is kept for some predicates says nothing of those that were not asked', () => {
  const dependencies = new Dependencies(2);
  dependencies.outdate(new Layout([1, 1], [[0, 1]]), true);
  dependencies.add(0, [{ number: 0 } as Slot], []);
  const nothing = new FoundNothing(dependencies);
  const hasAfter = (predicates: number): boolean => {
    nothing.ask(Int32Array.of(predicates));
    for (let states = 0; states < 100; states++) nothing.has(Int32Array.of(0), 0, 1, 0);
    nothing.add();
    return nothing.has(Int32Array.of(0), 0, 1, 0);
  };
  expect([0b01, 0b11, 0b01].map(hasAfter)).toEqual([true, false, true]);
});

it('the steps that are reported are those that are watched in that state', () => {
  const { question } = prepareQuestion({ model: twoPhaseCommit(4), properties: [] }, UNGUARDED);
  const engine = new TrackedEngine(question);
  engine.expandInOrder();
  const none = new Uint8Array(engine.actionCount);
  const all = new Uint8Array(engine.actionCount).fill(1);
  for (let state = 0; state < engine.stateCount; state++) {
    engine.load(state);
    const watched = state % 3 === 0 ? all : none;
    let told = 0;
    const transition = () => void told++;
    const count = engine.expand({ watched, transition });
    expect(told).toBe(watched === all ? count : 0);
  }
});
