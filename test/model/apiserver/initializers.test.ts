import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { check, type Model } from '../../../checker/index.ts';
import { modelApiServer } from '../../../model/apiserver/port.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import type { ApiObject } from '../../../model/state/objects.ts';
import type { Setup } from '../../../model/state/setup.ts';
import { deletionModel } from '../../../model/system.ts';
import { alice, object, setupOf } from '../../properties/clusters.ts';
import { clusterOf, configMap, deletion, serve, update, world } from './fixtures.ts';

/** Objects that are not initialized yet. */

const WORLD = world({ initializers: 'honoured' });
const KEY = 'ConfigMap/default/a';
const a = configMap('a', { initializers: { pending: ['first', 'second'] } });

function initialize(cluster: Cluster, initializer: string, failed = false) {
  return serve(cluster, WORLD, update(KEY, { do: 'initialize', initializer, failed }));
}

function events({ watch }: Cluster): readonly string[] {
  return (watch.ConfigMap ?? []).map(({ type }) => type);
}

function get(cluster: Cluster): number {
  let code = 0;
  produce(cluster, (draft) => {
    ({ code } = modelApiServer.get(draft, WORLD, KEY));
  });
  return code;
}

describe('an object that waits for its initializers', () => {
  const { cluster: created, answer } = serve(clusterOf(), WORLD, {
    verb: 'create',
    client: 'user',
    object: a,
  });

  it('is stored, and no other client sees or changes it', () => {
    expect([answer.code, get(created), events(created)]).toEqual([201, 404, []]);
    expect(serve(created, WORLD, deletion(KEY)).answer.code).toBe(404);
    const patch = update(KEY, { do: 'addFinalizer', finalizer: 'example.com/hold' });
    expect(serve(created, WORLD, patch).answer.code).toBe(404);
  });

  it('is initialized in order; the last initializer makes it visible', () => {
    expect(initialize(created, 'second').cluster).toBe(created);
    const first = initialize(created, 'first').cluster;
    expect([first.store[KEY]?.initializers?.pending, events(first)]).toEqual([['second'], []]);
    const last = initialize(first, 'second').cluster;
    expect(last.store[KEY]).not.toHaveProperty('initializers');
    expect([get(last), events(last)]).toEqual([200, ['add']]);
  });

  it('becomes visible and is then deleted once an initializer rejects it', () => {
    const rejected = initialize(created, 'first', true);
    expect(rejected.steps).toEqual(['update', 'get', 'remove']);
    expect([rejected.cluster.store, events(rejected.cluster)]).toEqual([{}, ['add', 'delete']]);
  });

  it('is also deleted if it is created with the failure', () => {
    const failing: ApiObject = { ...a, initializers: { pending: [], failed: true } };
    const call = { verb: 'create', client: 'user', object: failing } as const;
    const { cluster, steps } = serve(clusterOf(), WORLD, call);
    expect([steps, events(cluster)]).toEqual([
      ['admission', 'get', 'remove'],
      ['add', 'delete'],
    ]);
  });

  it('is found by name, but not reported by watches, in 1.7', () => {
    const env = world({ initializers: 'unlisted' });
    const call = { verb: 'create', client: 'user', object: a } as const;
    const { cluster } = serve(clusterOf(), env, call);
    const { cluster: removed, answer } = serve(cluster, env, deletion(KEY));
    expect([answer.code, events(cluster), removed.store, events(removed)]).toEqual([
      200,
      [],
      {},
      [],
    ]);
  });

  it('is an object like any other if initializers are unknown', () => {
    const call = { verb: 'create', client: 'user', object: a } as const;
    const { cluster } = serve(clusterOf(), world(), call);
    expect(cluster.store[KEY]).not.toHaveProperty('initializers');
    expect(events(cluster)).toEqual(['add']);
  });
});

describe('initializers', () => {
  const created = object('ConfigMap', 'a', { initializers: { pending: ['one', 'two'] } });
  const runs = async (initializers: Setup['initializers']) => {
    const usual = setupOf([], alice({ do: 'create', object: created }));
    const setup: Setup = {
      ...usual,
      rules: { ...usual.rules, initializers: 'honoured' },
      ...(initializers === undefined ? {} : { initializers }),
    };
    const model: Model<Cluster> = deletionModel(setup);
    const is = (wanted: (object: ApiObject | undefined) => boolean) => ({
      kind: 'eventually' as const,
      name: 'it comes to this',
      trigger: (cluster: Cluster) => cluster.store[KEY] !== undefined,
      goal: (cluster: Cluster) => wanted(cluster.store[KEY]),
    });
    const verdict = async (wanted: (object: ApiObject | undefined) => boolean) =>
      (await check({ model, properties: [is(wanted)] })).properties[0]?.verdict;
    return {
      initialized: await verdict((one) => one !== undefined && one.initializers === undefined),
      gone: await verdict((one) => one === undefined),
    };
  };

  it('finish, reject, or never act', async () => {
    expect(await runs(undefined)).toEqual({ initialized: 'holds', gone: 'violated' });
    expect(await runs({ two: 'rejecting' })).toEqual({ initialized: 'violated', gone: 'holds' });
    expect(await runs({ two: 'stuck' })).toEqual({ initialized: 'violated', gone: 'violated' });
  });

  it('delay the caches and the controller of the kind', async () => {
    const hidden = object('Deployment.apps', 'web', {
      initializers: { pending: ['one'] },
      generation: 2,
      observedGeneration: 1,
    });
    const usual = setupOf([hidden], { initializers: { one: 'stuck' } });
    const rules = {
      ...usual.rules,
      initializers: 'honoured',
      observedGeneration: 'awaited',
    } as const;
    for (const caches of ['synced', 'cold'] as const) {
      const { initial, actions } = deletionModel({ ...usual, rules, caches });
      const [state] = initial;
      if (state === undefined) throw new Error('no initial state');
      expect([state.graph, state.watch]).toEqual([{}, { 'Deployment.apps': [] }]);
      const enabled = Object.entries(actions).filter(([, { parameters, reduce }]) =>
        parameters.some((chosen) => produce(state, (draft) => reduce(draft, chosen)) !== state),
      );
      expect(enabled.map(([name]) => name)).toEqual([]);
    }
  });
});
