import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { check, combinations, defineModel, until } from '../../../checker/index.ts';
import type { Eventually } from '../../../checker/property.ts';
import { shortestPrefixByRemoval } from '../support/liveness-oracle.ts';
import { explore, leadsToGraph, type OracleSpace } from '../support/oracle.ts';
import { modelOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';

/**
 * By the definition, on the graph of the model itself: from a reachable state with the trigger, is
 * there a way through states without the goal to one that has neither?
 */
function canBreak(
  { texts, initialCount, transitions }: OracleSpace,
  asks: ((state: unknown) => boolean) | null,
  holds: (state: unknown) => boolean,
  goal: (state: unknown) => boolean,
): boolean {
  const states = texts.map((text) => JSON.parse(text) as unknown);
  const open = states.flatMap((state, number) =>
    (asks === null ? number < initialCount : asks(state)) ? [number] : [],
  );
  const seen = new Set<number>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next) || goal(states[next]!)) continue;
    if (!holds(states[next]!)) return true;
    seen.add(next);
    for (const { from, to } of transitions) if (from === next) open.push(to);
  }
  return false;
}

/**
 * A predicate that is true in so many of eight states, at random; it knows nothing of the section.
 */
const sometimes = (salt: number, ofEight: number) => (state: unknown) => {
  const { u: _, ...own } = state as Readonly<Record<string, unknown>>;
  const entries = Object.entries(own).map(([key, value]) => `${key}${sortedText(value)}`);
  const text = entries.sort().join();
  let hash = salt;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619) >>> 0;
  return hash % 8 < ofEight;
};

const sortedText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part,
  );

describe('until, on random models', () => {
  it.each(['tracked', 'naive'] as const)('is what the definition says (%s)', async (engine) => {
    const seen = { holds: 0, early: 0, never: 0, both: 0 };
    const salts = fc.record({ asks: fc.nat(), met: fc.nat(), held: fc.nat() });
    await fc.assert(
      fc.asyncProperty(randomCases, salts, fc.boolean(), async (random, salt, isTriggered) => {
        const model = modelOf(random);
        const space = explore(model, 100);
        if (space === null) return;
        const asks = isTriggered ? sometimes(salt.asks, 2) : null;
        const goal = sometimes(salt.met, 3);
        const holds = sometimes(salt.held, 7);
        const trigger = asks === null ? {} : { trigger: asks };
        const watched = until(model, { name: 'u', ...trigger, holds, goal });
        const { properties } = await check({ ...watched, engine });
        const asked = { kind: 'eventually', name: 'q', ...trigger, goal } as Eventually<never>;
        const isEarly = canBreak(space, asks, holds, goal);
        const graph = leadsToGraph(space, model, asked, {});
        const isNever = shortestPrefixByRemoval(graph) !== null;
        const [before, comes] = properties.map(({ verdict }) => verdict === 'violated');
        expect(before).toBe(isEarly);
        // A run on which the goal never comes may have broken the rest already.
        if (!isEarly) expect(comes).toBe(isNever);
        expect(before || comes).toBe(isEarly || isNever);
        if (isEarly && isNever) seen.both++;
        else if (isEarly) seen.early++;
        else if (isNever) seen.never++;
        else seen.holds++;
      }),
      { numRuns: randomRuns(50) },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });
});

/** A walk along these states, in which the letters say what is true; it stays at the end. */
function along(...letters: readonly string[]) {
  const start: { readonly at: number } = { at: 0 };
  const model = defineModel({
    name: 'walk',
    initial: [start],
    slots: { at: 'value' },
    actions: {
      go: {
        fairness: 'weak',
        reduce(draft) {
          if (draft.at < letters.length - 1) draft.at++;
        },
      },
    },
  });
  const has = (letter: string) => (state: { readonly at: number }) =>
    letters[state.at]?.includes(letter) === true;
  return check(
    until(model, { name: 'u', trigger: has('t'), holds: has('p'), goal: has('q') }),
  ).then(({ properties }) => properties.map(({ verdict }) => verdict).join());
}

test.each([
  ['the goal at the trigger itself is enough', ['', 'tq', ''], 'holds,holds'],
  ['it must hold at the trigger', ['', 't', 'q'], 'violated,holds'],
  ['it need not hold where the goal is', ['tp', 'p', 'q', ''], 'holds,holds'],
  ['it need not hold before the trigger', ['', 'tp', 'q'], 'holds,holds'],
  ['it need not hold after the goal', ['tpq', '', ''], 'holds,holds'],
  ['a gap breaks it', ['tp', '', 'p', 'q'], 'violated,holds'],
  ['the goal must come, for ever is not enough', ['tp', 'p', 'p'], 'holds,violated'],
  ['a second trigger asks again', ['tp', 'q', 'tp', '', 'q'], 'violated,holds'],
  ['a second trigger while it waits changes nothing', ['tp', 'tp', 'q'], 'holds,holds'],
  ['without a trigger, nothing is judged', ['p', '', 'q'], 'vacuous,vacuous'],
])('%s', async (_, letters, verdicts) => {
  expect(await along(...letters)).toBe(verdicts);
});

it('judges each parameter on its own, shows the shortest way, and nests', async () => {
  const start: { readonly lit: Readonly<Record<string, true>>; readonly done: boolean } = {
    lit: { a: true, b: true },
    done: false,
  };
  const lamp = combinations({ lamp: ['a', 'b'] });
  const model = defineModel({
    name: 'lamps',
    initial: [start],
    slots: { lit: 'flags', done: 'value' },
    actions: {
      fail: {
        reduce(draft) {
          delete draft.lit.b;
        },
      },
      finish: {
        fairness: 'weak',
        reduce(draft) {
          draft.done = true;
        },
      },
    },
  });
  const stay = {
    ...{ name: 'lit until done', parameters: lamp },
    holds: ({ lit }: typeof start, { lamp: one }: { readonly lamp: string }) => one in lit,
    goal: ({ done }: typeof start) => done,
  };
  const once = until(model, stay);
  const twice = until(once.model, { ...stay, name: 'again' });
  const { properties } = await check({
    model: twice.model,
    properties: [...once.properties, ...twice.properties],
  });
  expect(properties.map(({ verdict }) => verdict)).toEqual([
    ...['violated', 'holds', 'violated', 'holds'],
  ]);
  expect(properties[0]?.parameters).toEqual({ lamp: 'b' });
  expect(properties[0]?.trace?.steps.map(({ action }) => action)).toEqual(['fail']);
  expect(() => until(once.model, stay)).toThrow(/section named "lit until done" already/);
});
