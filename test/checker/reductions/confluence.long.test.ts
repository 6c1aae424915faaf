import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CheckResult, check, type Model, type Property } from '../../../checker/index.ts';
import { explore } from '../support/oracle.ts';
import { grouped, randomGroups } from '../support/random-groups.ts';
import type { RandomState } from '../support/random-language.ts';
import { modelOf, propertiesOf, type RandomCase, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';

/**
 * A random state and chores. Each chore comes up once, and no other action depends on whether it is
 * done.
 */
interface WithChores extends RandomState {
  chores: Record<string, true>;
  done: Record<string, true>;
}

const CHORES = ['c0', 'c1'];
const MOST_STATES = 150;

function withChores(given: RandomCase): Model<WithChores> {
  const core = modelOf(given);
  return {
    name: 'chores',
    slots: { ...core.slots, chores: 'flags', done: 'flags' },
    initial: given.initial.map((state) => ({ ...state, chores: {}, done: {} })),
    actions: {
      tidy: {
        fairness: 'strong',
        parameters: CHORES.map((chore) => ({ chore })),
        reduce(draft, { chore }) {
          if (draft.chores[String(chore)] === undefined) return;
          delete draft.chores[String(chore)];
          draft.done[String(chore)] = true;
        },
      },
      ...Object.fromEntries(
        Object.entries(core.actions).map(([name, action], index) => [
          name,
          {
            ...action,
            reduce(draft: WithChores, parameters: never) {
              action.reduce(draft as never, parameters);
              const chore = CHORES[index % 2]!;
              if (draft.done[chore] === undefined) draft.chores[chore] = true;
            },
          },
        ]),
      ),
    },
    confluence: {
      writes: ['chores', 'done'],
      actions: ['tidy'],
      isConfluent: () => true,
    },
  };
}

/** Step rules judge the steps of the other actions, not the chores. */
function judged(given: RandomCase): Property<WithChores>[] {
  const properties = propertiesOf(given).map((property) =>
    property.kind === 'step'
      ? { actions: given.actions.map((_, index) => `action${index}`), ...property }
      : property,
  ) as unknown as Property<WithChores>[];
  // Without `actions`, the same rules are about the confluent steps as well.
  const everywhere = propertiesOf(given).flatMap((property) =>
    property.kind === 'step' ? [{ ...property, name: `${property.name} everywhere` }] : [],
  ) as unknown as Property<WithChores>[];
  return [
    ...properties,
    ...everywhere,
    {
      kind: 'witness',
      name: 'much to do',
      reached: ({ chores }) => chores.c0 !== undefined && chores.c1 !== undefined,
    },
    {
      kind: 'eventually',
      name: 'tidy',
      trigger: ({ chores }) => chores.c1 !== undefined,
      goal: ({ done }) => done.c1 !== undefined,
    },
    { kind: 'settled', name: 'tidied', settled: ({ chores }) => Object.keys(chores).length === 0 },
  ];
}

it('has the verdicts of a search without it, with fewer states', async () => {
  let fewer = 0;
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(randomCases, fc.constantFrom('tracked', 'naive'), async (given, engine) => {
      const model = withChores(given);
      fc.pre(explore(model, MOST_STATES) !== null);
      const properties = judged(given);
      const full = await check({ model, properties, engine });
      const reduced = await check({ model, properties, reductions: ['confluence'], auditEvery: 1 });
      expect(full.confluence).toBe(undefined);
      expect(reduced.defect).toBe(null);
      expect(verdicts(reduced)).toEqual(verdicts(full));
      const { applied, judgedWithout } = reduced.confluence!;
      expect(applied).toBe(true);
      if (reduced.statistics.states < full.statistics.states) fewer++;
      expect(reduced.statistics.states).toBeLessThanOrEqual(full.statistics.states);
      for (const { kind, name, verdict } of reduced.properties) {
        const outcome = `${kind} ${verdict} ${judgedWithout.includes(name) ? 'without' : 'with'}`;
        outcomes.set(outcome, 1 + (outcomes.get(outcome) ?? 0));
      }
    }),
    { numRuns: randomRuns(50) },
  );
  expect(fewer).toBeGreaterThan(16);
  for (const outcome of [
    'eventually holds with',
    'eventually violated with',
    'step violated with',
  ]) {
    expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
  }
});

it('has the verdicts of a search without it, where groups are fair', async () => {
  const seen = { holds: 0, violated: 0 };
  await fc.assert(
    fc.asyncProperty(randomCases, randomGroups, async (given, groups) => {
      const model = grouped(withChores(given), groups, 'key', ['tidy']);
      fc.pre(explore(model, MOST_STATES) !== null);
      const properties = judged(given).filter(({ kind }) => kind === 'eventually');
      const full = await check({ model, properties });
      const reduced = await check({ model, properties, reductions: ['confluence'], auditEvery: 1 });
      expect(reduced.defect).toBe(null);
      expect(verdicts(reduced)).toEqual(verdicts(full));
      for (const { name, verdict } of reduced.properties) {
        if (reduced.confluence!.judgedWithout.includes(name)) continue;
        if (verdict === 'holds') seen.holds++;
        if (verdict === 'violated') seen.violated++;
      }
    }),
    { numRuns: randomRuns(30) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(1);
});

function verdicts({ properties }: CheckResult): unknown {
  return properties.map(({ name, verdict }) => [name, verdict]);
}
