import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  check,
  checkDistinct,
  type Eventually,
  type Fairness,
  type GroupFairness,
  type Model,
  refinement,
  simulate,
} from '../../../checker/index.ts';
import { notShown } from '../../../run/replay.ts';
import { reachable } from '../support/liveness-oracle.ts';
import { randomRuns } from '../support/random-runs.ts';

interface At {
  readonly at: number;
}
type Edge = readonly [from: number, to: number];
interface Moves {
  readonly fairness: Fairness;
  readonly edges: readonly Edge[];
}
interface RandomGraph {
  readonly actions: readonly Moves[];
  readonly group: GroupFairness | null;
}

/** One action for each list of edges; from a node, it takes the first edge that it has there. */
function graph(name: string, start: number, { actions, group }: RandomGraph): Model<At> {
  const named = actions.map(({ fairness, edges }, index) => [
    `move${index}`,
    {
      fairness,
      reduce(draft: { at: number }) {
        const taken = edges.find(([from, to]) => from === draft.at && to !== from);
        if (taken !== undefined) draft.at = taken[1];
      },
    },
  ]);
  return {
    ...{ name, initial: [{ at: start }], slots: { at: 'value' } },
    actions: Object.fromEntries(named),
    ...(group === null ? {} : { fairness: [group] }),
  };
}

const stepsOf = ({ actions }: RandomGraph) =>
  actions.flatMap(({ edges }, action) => {
    const froms = [...new Set(edges.flatMap(([from, to]) => (from === to ? [] : [from])))];
    return froms.map((from) => ({
      ...{ from, action },
      to: edges.find(([one, to]) => one === from && to !== from)![1],
    }));
  });

interface Promise {
  readonly kind: Fairness;
  readonly members: readonly number[];
}

function promises({ actions, group }: RandomGraph): readonly Promise[] {
  const alone = actions.map(({ fairness: kind }, action) => ({ kind, members: [action] }));
  if (group === null) return alone;
  const names = group.weak ?? group.strong;
  const kind = group.weak === undefined ? 'strong' : 'weak';
  return [...alone, { kind, members: names.map((name) => Number(name.slice(4))) }];
}

const keeps = (kind: Fairness, enabled: readonly boolean[], isTaken: boolean): boolean => {
  if (kind === 'none' || isTaken) return true;
  return kind === 'weak' ? enabled.includes(false) : !enabled.includes(true);
};

/**
 * By definition, for each promise of the abstract graph: whether there is a fair endless run whose
 * image breaks it. What a run does for ever is a strongly connected set of steps, or to stay.
 */
function broken(concrete: RandomGraph, abstract: RandomGraph, image: readonly number[]) {
  const reached = reachable(0, stepsOf(concrete) as never);
  const steps = stepsOf(concrete).filter(({ from }) => reached.has(from));
  const above = stepsOf(abstract);
  const endless: { states: readonly number[]; taken: typeof steps }[] = [...reached].map(
    (state) => ({ states: [state], taken: [] }),
  );
  for (let subset = 1; subset < 2 ** steps.length; subset++) {
    const taken = steps.filter((_, index) => (subset & (1 << index)) !== 0);
    const states = [...new Set(taken.flatMap(({ from, to }) => [from, to]))];
    const isConnected = states.every(
      (state) => reachable(state, taken as never).size === states.length,
    );
    if (isConnected) endless.push({ states, taken });
  }
  const fair = endless.filter(({ states, taken }) =>
    promises(concrete).every(({ kind, members }) =>
      keeps(
        kind,
        states.map((at) =>
          steps.some(({ from, action }) => from === at && members.includes(action)),
        ),
        taken.some(({ action }) => members.includes(action)),
      ),
    ),
  );
  return promises(abstract).map(({ kind, members }) => ({
    kind,
    isBroken: fair.some(({ states, taken }) => {
      const own = above.filter(({ action }) => members.includes(action));
      return !keeps(
        kind,
        states.map((state) => own.some(({ from }) => from === image[state])),
        taken.some(({ from, to }) =>
          own.some((step) => step.from === image[from] && step.to === image[to]),
        ),
      );
    }),
  }));
}

const node = fc.nat(3);
const randomGraph = (most: number): fc.Arbitrary<RandomGraph> =>
  fc.record({
    actions: fc.array(
      fc.record({
        fairness: fc.constantFrom<Fairness>('none', 'weak', 'strong'),
        edges: fc.array(fc.tuple(node, node), { minLength: 1, maxLength: 3, size: 'max' }),
      }),
      { minLength: 2, maxLength: most, size: 'max' },
    ),
    group: fc.constantFrom<GroupFairness | null>(
      null,
      { weak: ['move0', 'move1'] },
      { strong: ['move0', 'move1'] },
    ),
  });
const map = fc.array(node, { minLength: 4, maxLength: 4 });

describe('what the abstract model promises', () => {
  it('is kept by mapped fair runs exactly if the definition says so', async () => {
    const seen = { weak: 0, strong: 0, kept: 0, lassos: 0, stutters: 0 };
    await fc.assert(
      fc.asyncProperty(randomGraph(3), randomGraph(3), map, async (low, high, image) => {
        const concrete = graph('concrete', 0, low);
        const abstract = graph('abstract', image[0]!, high);
        const properties = refinement(concrete, abstract, ({ at }) => ({ at: image[at]! }));
        const result = await check({ model: concrete, properties });
        expect(result.defect).toBe(null);
        const found = result.properties.slice(2);
        const expected = broken(low, high, image).filter(({ kind }) => kind !== 'none');
        expect(found.map(({ verdict }) => verdict === 'violated')).toEqual(
          expected.map(({ isBroken }) => isBroken),
        );
        found.forEach(({ verdict, trace }, index) => {
          if (verdict === 'holds') seen.kept++;
          if (verdict !== 'violated' || trace === null) return;
          if (expected[index]!.kind === 'weak') seen.weak++;
          else seen.strong++;
          if (trace.shape === 'lasso') seen.lassos++;
          else seen.stutters++;
          const states = [trace.initial, ...trace.steps.map(({ state }) => state)] as At[];
          const actions = trace.steps.map(({ action }) => ({ name: action, parameters: {} }));
          const run = { ...trace, states, actions };
          expect(notShown(concrete, properties[index + 2] as Eventually<At>, {}, run)).toBe(null);
        });
      }),
      { numRuns: randomRuns(320) },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(6);
  });
});

/** A clock that shows hours, and one that shows minutes, too: two to an hour. */
const hours: Model<{ hour: number }> = {
  ...{ name: 'hours', initial: [{ hour: 0 }], slots: { hour: 'value' } },
  actions: {
    strike: {
      fairness: 'weak',
      reduce(draft) {
        draft.hour = 1 - draft.hour;
      },
    },
  },
};
interface Minutes {
  readonly hour: number;
  readonly minute: number;
}
const minutes = (stops: boolean): Model<Minutes> => ({
  name: 'minutes',
  initial: [{ hour: 0, minute: 0 }],
  slots: { hour: 'value', minute: 'value' },
  actions: {
    tick: {
      fairness: 'weak',
      reduce(draft) {
        if (draft.minute === 1) draft.hour = 1 - draft.hour;
        draft.minute = 1 - draft.minute;
      },
    },
    // The hand falls back, and so the hour may never be struck.
    ...(stops
      ? {
          fall: {
            reduce(draft: { minute: number }) {
              draft.minute = 0;
            },
          },
        }
      : {}),
  },
});
const asHours = ({ hour }: Minutes) => ({ hour });

describe('a clock', () => {
  it('refines hours if its minutes pass, and does not if they may fall back', async () => {
    const verdicts = [];
    for (const stops of [false, true]) {
      const model = minutes(stops);
      const result = await check({ model, properties: refinement(model, hours, asHours) });
      verdicts.push(result.properties.map(({ verdict }) => verdict));
      if (!stops) continue;
      const [, , fair] = result.properties;
      expect(fair?.name).toBe('hours, which the model refines, is weakly fair to strike');
      expect(fair?.trace?.steps.map(({ action }) => action)).toEqual(['tick', 'fall']);
      expect(fair?.broken).toEqual([
        'strike stays possible in mapped states, such as {"hour":0}, and is never taken',
      ]);
    }
    expect(verdicts).toEqual([
      ['holds', 'holds', 'holds'],
      ['holds', 'holds', 'violated'],
    ]);
  });

  it('is never green where the promise was not judged', async () => {
    const model = minutes(false);
    const properties = refinement(model, hours, asHours);
    const walked = await simulate({ model, properties, walks: 5, steps: 20, seed: 1 });
    const limited = await check({ model, properties, limits: { states: 2 } });
    const within = ({ hour }: Minutes) => hour === 0;
    const bounded = await check({ model, properties, within });
    for (const result of [walked, limited, bounded]) {
      expect(result.properties[2]?.verdict).toBe('inconclusive');
    }
    await expect(checkDistinct({ model, properties }, 2)).rejects.toThrow(/metBy does not go with/);
  });

  it('is vacuous where no mapped state enables the action', async () => {
    const still: Model<{ hour: number }> = {
      ...hours,
      actions: { ...hours.actions, late: { fairness: 'strong', reduce: () => {} } },
    };
    const model = minutes(false);
    const result = await check({ model, properties: refinement(model, still, asHours) });
    expect(result.properties.map(({ verdict }) => verdict)).toEqual([
      ...['holds', 'holds', 'holds', 'vacuous'],
    ]);
  });

  it('has the same verdict with confluence, by a second search', async () => {
    const model: Model<Minutes> = {
      ...minutes(true),
      confluence: { writes: ['minute'], actions: ['tick'], isConfluent: () => false },
    };
    const properties = refinement(model, hours, asHours);
    const result = await check({ model, properties, reductions: ['confluence'] });
    const { name, verdict } = result.properties[2]!;
    expect(verdict).toBe('violated');
    expect(result.confluence?.judgedWithout).toContain(name);
  });
});
