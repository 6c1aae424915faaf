import { expect, it } from 'vitest';
import { defineModel, type Eventually, type Property } from '../../checker/index.ts';
import { type Cluster, EMPTY_CLUSTER, SLOTS } from '../../model/state/cluster.ts';
import { searchOn } from '../../run/extend.ts';

/** A user goes through the numbers from 0 to 3; alice and bob are asked for at the second one. */
const at = (step: number): Cluster => ({ ...EMPTY_CLUSTER, users: { alice: step } });

const model = defineModel<Cluster>({
  name: 'numbers',
  slots: SLOTS,
  initial: [at(0)],
  actions: {
    next: {
      fairness: 'weak',
      reduce: ({ users }) => {
        if (users.alice! < 3) users.alice!++;
      },
    },
  },
});

const describe = { action: () => 'next', changes: () => [], state: () => [] };

const next = { name: 'next', parameters: {} };
const run = { states: [at(0), at(1), at(2)], actions: [next, next] };
const search = { engine: 'tracked', limits: {}, auditEvery: 0 } as const;

/** Triggered at 1 only, which lies behind. */
function leadsTo(goal: number): Eventually<Cluster> {
  return {
    kind: 'eventually',
    name: `comes to ${goal}`,
    trigger: ({ users }) => users.alice === 1,
    goal: ({ users }) => users.alice === goal,
  };
}

it('asks for what the given steps have triggered', async () => {
  const properties = [leadsTo(3), leadsTo(4)];
  const result = await searchOn({ model, properties, describe }, run, search);
  const [reached, missed] = result.properties;
  expect(reached).toMatchObject({ name: 'comes to 3', verdict: 'holds', trace: null });
  expect(missed).toMatchObject({ name: 'comes to 4', verdict: 'violated', continuedFrom: 2 });
  expect(missed!.trace).toMatchObject({ shape: 'stutter', initial: at(0), initialIndex: 0 });
  expect(missed!.trace!.steps.map(({ state }) => state)).toEqual([at(1), at(2), at(3)]);
  expect(missed!.trace!.steps.map(({ status }) => status)).toEqual(Array(3).fill('pending'));
});

it('does not ask for what nothing has triggered', async () => {
  const never: Eventually<Cluster> = { ...leadsTo(4), trigger: ({ users }) => users.alice === 7 };
  const result = await searchOn({ model, properties: [never], describe }, run, search);
  expect(result.properties).toMatchObject([{ verdict: 'vacuous', trace: null }]);
});

it('does not forget what the given steps have broken', async () => {
  const invariant: Property<Cluster> = {
    kind: 'invariant',
    name: 'never at 1',
    holds: ({ users }) => users.alice !== 1,
  };
  const step: Property<Cluster> = {
    kind: 'step',
    name: 'from 1 to 3 only',
    holds: (before, _action, after) => before.users.alice! < 1 || after.users.alice === 3,
  };
  const properties = [invariant, step];
  const result = await searchOn({ model, properties, describe }, run, search);
  expect(result.properties).toMatchObject([
    {
      verdict: 'violated',
      broken: ['false here: never at 1'],
      trace: { steps: [{ state: at(1) }] },
    },
    { verdict: 'violated', broken: ['broken by next: from 1 to 3 only'], continuedFrom: 2 },
  ]);
});
