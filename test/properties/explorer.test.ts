import { describe, expect, it } from 'vitest';
import { check, type Model } from '../../checker/index.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import { deletionProperties } from '../../properties/index.ts';
import { EVERY_DELETION_FINISHES, NOTHING_STUCK } from '../../properties/objects/deletion.ts';
import { alice, configMap, HOLD, ownedBy, setupOf } from './clusters.ts';

const foreground = {
  do: 'delete',
  key: 'ConfigMap/default/a',
  options: { propagationPolicy: 'Foreground' },
} as const;
const orphan = { ...foreground, options: { propagationPolicy: 'Orphan' } } as const;
const background = { ...foreground, options: { propagationPolicy: 'Background' } } as const;
const a = configMap('a');
const b = configMap('b', { ownerReferences: [ownedBy('a')] });
const heldB = configMap('b', { ownerReferences: [ownedBy('a')], finalizers: [HOLD] });

const SETUPS: Readonly<Record<string, Setup>> = {
  'foreground, held dependent': setupOf([a, heldB], alice(foreground)),
  'orphan, then background': setupOf([a, b], alice(orphan, background)),
  'a self-owner': setupOf([configMap('a', { ownerReferences: [ownedBy('a')] })], alice(foreground)),
  'owner recreated over a relist': setupOf([a, b], {
    ...alice(background, { do: 'create', object: configMap('a', { uid: 'uid-a-2' }) }),
    relists: { ConfigMap: 1 },
  }),
};

async function verdicts(setup: Setup, engine: 'tracked' | 'naive') {
  const { properties, statistics } = await check({
    model: deletionModel(setup) satisfies Model<Cluster>,
    properties: deletionProperties(setup),
    engine,
  });
  return {
    states: statistics.states,
    verdicts: properties.map(({ name, verdict, triggered, trace, broken }) => ({
      name,
      verdict,
      triggered,
      length: trace?.steps.length ?? null,
      broken,
    })),
  };
}

describe('the properties on recorded views and on plain states', () => {
  for (const [title, setup] of Object.entries(SETUPS)) {
    it(`have the same verdicts: ${title}`, async () => {
      expect(await verdicts(setup, 'tracked')).toEqual(await verdicts(setup, 'naive'));
    });
  }
});

describe('a hold that ends', () => {
  const release = {
    do: 'update',
    key: 'ConfigMap/default/b',
    change: { do: 'removeFinalizer', finalizer: HOLD },
    put: false,
    uid: null,
    resourceVersion: false,
  } as const;
  const setup = setupOf([a, heldB], {
    ...alice(foreground, { do: 'settle' }, release),
    finalizers: { [HOLD]: 'stuck' },
  });
  const property = EVERY_DELETION_FINISHES.build(setup);

  it('excuses a stuck object only while it lasts', async () => {
    const model: Model<Cluster> = deletionModel(setup);
    const whole = await check({ model, properties: [property] });
    expect(whole.properties[0]?.verdict).toBe('holds');
    const { attemptToDelete, ...others } = model.actions;
    if (attemptToDelete === undefined) throw new Error('the action is missing');
    // Workers that stop for good once the hold has ended.
    const lazy: Model<Cluster> = {
      ...model,
      actions: {
        ...others,
        attemptToDelete: {
          ...attemptToDelete,
          reduce: (draft, parameters) => {
            if ((draft.users.alice ?? 0) < 3) attemptToDelete.reduce(draft, parameters);
          },
        },
      },
    };
    const [judged] = (await check({ model: lazy, properties: [property] })).properties;
    expect(judged?.verdict).toBe('violated');
    const last = judged?.trace?.steps.at(-1)?.state as Cluster;
    expect(last.store['ConfigMap/default/b']?.finalizers ?? []).not.toContain(HOLD);
  });
});

describe(NOTHING_STUCK.name, () => {
  it('ignores states in which something can still happen', async () => {
    const setup = setupOf([a, b], alice(foreground));
    const model: Model<Cluster> = deletionModel(setup);
    const clock: Model<Cluster> = {
      ...model,
      actions: {
        ...model.actions,
        tick: {
          reduce: (draft) => {
            draft.budget.tick = 1 - (draft.budget.tick ?? 0);
          },
        },
      },
    };
    const result = await check({ model: clock, properties: [NOTHING_STUCK.build(setup)] });
    expect(result.properties[0]).toMatchObject({ verdict: 'holds', triggered: 0 });
  });
});
