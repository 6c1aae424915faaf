import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, checkDistinct, defineModel, defineProperty } from '../../../checker/index.ts';
import { checkLeadsTo } from '../../../checker/liveness/leads-to.ts';
import type { Eventually, Property } from '../../../checker/property.ts';
import { explicitGraphs, leadsToQuestion } from '../support/explicit-graph.ts';
import {
  isFair,
  shortestForeverByDefinition,
  shortestForeverByRemoval,
} from '../support/liveness-oracle.ts';
import { explore, leadsToGraph } from '../support/oracle.ts';
import { modelOf, propertiesOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';
import {
  symmetricCases,
  symmetricModel,
  symmetricProperties,
} from '../support/random-symmetric.ts';

describe('a goal that must stay true, on random graphs', () => {
  it('is violated if and only if a fair run lacks it again and again', () => {
    const seen = { holds: 0, stutters: 0, cycles: 0, through: 0 };
    fc.assert(
      fc.property(explicitGraphs({ states: 6, actions: 4, edges: 11 }), (graph) => {
        const shortest = shortestForeverByDefinition(graph);
        expect(shortestForeverByRemoval(graph)).toBe(shortest);
        const answer = checkLeadsTo({ ...leadsToQuestion(graph), isForever: true });
        expect(answer.kind === 'violated' ? answer.prefix.length : null).toBe(shortest);
        if (answer.kind === 'holds') {
          if (answer.triggered > 0) seen.holds++;
          return;
        }
        const run = [answer.initial, ...answer.prefix.map(({ state }) => state)];
        const end = run.at(-1)!;
        expect(run.some((state) => graph.trigger[state])).toBe(true);
        expect(graph.goal[end]).toBe(false);
        const loop = [end, ...answer.cycle.map(({ state }) => state)];
        expect(loop.at(-1)).toBe(end);
        const edges = answer.cycle.map(({ action, state: to }, index) => {
          const edge = { from: loop[index]!, action, to };
          expect(graph.edges).toContainEqual(edge);
          return edge;
        });
        expect(isFair(graph, [...new Set(loop)], edges)).toBe(true);
        if (answer.cycle.length === 0) seen.stutters++;
        else seen.cycles++;
        if (loop.some((state) => graph.goal[state])) seen.through++;
      }),
      { numRuns: randomRuns(400) },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
  });
});

const forever = <State>(properties: readonly Property<State>[]): readonly Property<State>[] =>
  properties.flatMap((property) =>
    property.kind === 'eventually' ? [{ ...property, forever: true }] : [],
  );

describe('a goal that must stay true, in models', () => {
  it.each(['tracked', 'naive'] as const)('agrees with an oracle (%s)', async (engine) => {
    const seen = { holds: 0, violated: 0, lassos: 0 };
    await fc.assert(
      fc.asyncProperty(randomCases, async (random) => {
        const model = modelOf(random);
        const space = explore(model, 100);
        const properties = forever(propertiesOf(random));
        if (space === null || properties.length === 0) return;
        const result = await check({ model, properties, engine });
        properties.forEach((property, index) => {
          const lengths = (property.parameters ?? [{}]).map((parameters) =>
            shortestForeverByRemoval(
              leadsToGraph(space, model, property as Eventually<never>, parameters),
            ),
          );
          const { verdict, trace } = result.properties[index]!;
          const isViolated = lengths.some((length) => length !== null);
          expect(verdict === 'violated').toBe(isViolated);
          if (verdict === 'holds') seen.holds++;
          if (verdict === 'violated') seen.violated++;
          if (trace?.shape === 'lasso') seen.lassos++;
        });
      }),
      { numRuns: randomRuns(60), seed: 14 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(2);
  });

  it('has the same verdict with symmetry', async () => {
    await fc.assert(
      fc.asyncProperty(symmetricCases, async (some) => {
        const model = symmetricModel(some);
        const properties = forever(symmetricProperties(some));
        if (properties.length === 0) return;
        const quotient = await check({ model, properties });
        const plain = await check({ model, properties, reductions: [] });
        const verdicts = plain.properties.map(({ verdict }) => verdict);
        expect(quotient.properties.map(({ verdict }) => verdict)).toEqual(verdicts);
      }),
      { numRuns: randomRuns(40) },
    );
  });

  const start: { readonly up: boolean } = { up: true };
  const flapping = defineModel({
    name: 'flapping',
    initial: [start],
    slots: { up: 'value' },
    actions: {
      fail: {
        reduce(draft) {
          draft.up = false;
        },
      },
      mend: {
        fairness: 'weak',
        reduce(draft) {
          draft.up = true;
        },
      },
    },
  });
  const again = defineProperty(flapping, {
    ...{ kind: 'eventually', name: 'again and again up' },
    trigger: () => true,
    goal: ({ up }) => up,
  });
  const stays = defineProperty(flapping, {
    ...{ kind: 'eventually', name: 'up for ever', forever: true },
    goal: ({ up }) => up,
  });

  it('differs from a goal that comes again and again', async () => {
    const result = await check({ model: flapping, properties: [again, stays] });
    expect(result.properties.map(({ verdict }) => verdict)).toEqual(['holds', 'violated']);
    const trace = result.properties[1]?.trace;
    expect(trace).toMatchObject({ shape: 'lasso', loopStart: 1 });
    expect(trace?.steps.map(({ action, status }) => `${action} ${status}`)).toEqual([
      ...['fail pending', 'mend met', 'fail pending'],
    ]);
    expect(result.properties[1]?.broken).toEqual(['never stays: up for ever']);
  });

  it('is refused with distinct counterexamples', async () => {
    const asked = checkDistinct({ model: flapping, properties: [stays] }, 2);
    await expect(asked).rejects.toMatchObject({ code: 'badOption' });
  });
});
