import fc from 'fast-check';
import { expect, test } from 'vitest';
import { check } from '../../checker/index.ts';
import { checkArguments } from '../../cli/check-arguments.ts';
import { gatherPlans } from '../../input/gather.ts';
import { RECONCILED } from '../../model/actors/programs/described.ts';
import { type ApiObject, keyOf } from '../../model/state/objects.ts';
import type { Operator, Setup } from '../../model/state/setup.ts';
import { deletionProperties } from '../../properties/index.ts';
import { modelOf } from '../../run/assemble.ts';
import { alice, configMap, object, ownedBy, setupOf } from '../properties/clusters.ts';

/** It judges by the tasks of one of the engines. */
const OF_ONE_ENGINE = 'custom-controller-as-described';

async function verdicts(setup: Setup) {
  const properties = deletionProperties(setup).filter(({ id }) => id !== OF_ONE_ENGINE);
  const model = modelOf(setup);
  const result = await check({ model, properties, limits: { states: 20_000 } });
  expect(result.defect).toBeNull();
  const found = result.properties.map(({ id = '', verdict }) => [id, verdict] as const);
  return {
    states: result.statistics.states,
    outcome: result.outcome,
    found: Object.fromEntries(found),
  };
}

async function both(setup: Setup) {
  const twin: Setup = { ...setup };
  RECONCILED.add(twin);
  return { own: await verdicts(setup), old: await verdicts(twin) };
}

test.each([
  'definition-in-two-namespaces',
  'operator-clean-up-job',
  'operator-deadlock',
  'operator-done-once',
  'operator-finalizer-forced',
  'operator-finalizer-on-child',
  'operator-live-upkeep',
  'operator-may-stop',
  'operator-teardown',
  'operator-without-finalizer',
])('%s has the same verdicts in both engines', async (name) => {
  const nothing = (async function* () {})();
  const [plan] = await gatherPlans(checkArguments({ input: [name] }, []), nothing);
  const { own, old } = await both(plan!.setup);
  expect(own.found).toEqual(old.found);
});

const MINE = 'example.com/mine';
const THEIRS = 'example.com/theirs';

const child = (name: string, finalizers: readonly string[] = [], owned = true): ApiObject =>
  object('Secret', name, {
    finalizers,
    ownerReferences: owned ? [{ ...ownedBy('a'), controller: true }] : [],
  });

const setups = fc
  .record({
    addsFinalizer: fc.boolean(),
    hasFinalizer: fc.boolean(),
    has: fc.boolean(),
    creates: fc.subarray(['b', 'c']),
    owned: fc.boolean(),
    returns: fc.boolean(),
    deletes: fc.subarray(['b', 'd']),
    policy: fc.constantFrom(undefined, 'Foreground' as const, 'Orphan' as const),
    atOnce: fc.boolean(),
    waits: fc.subarray(['dependents', 'b', 'd']),
    needs: fc.boolean(),
    adopts: fc.boolean(),
    onChild: fc.boolean(),
    cleansUp: fc.boolean(),
    reads: fc.constantFrom('cache' as const, 'live' as const),
    fairness: fc.constantFrom('weak' as const, 'none' as const),
    cascade: fc.constantFrom(undefined, 'Foreground' as const, 'Orphan' as const),
    second: fc.constantFrom('none', 'delete b', 'create b', 'touch'),
    stuck: fc.boolean(),
  })
  .map((drawn): Setup => {
    const { hasFinalizer, owned } = drawn;
    const theirs = drawn.onChild ? [THEIRS] : [];
    const operator: Operator = {
      name: 'example-operator',
      parent: { key: keyOf(configMap('a')), uid: 'uid-a' },
      ...(hasFinalizer ? { finalizer: MINE } : {}),
      addsFinalizer: hasFinalizer && drawn.addsFinalizer,
      creates: drawn.creates.map((name) => child(name, theirs, owned)),
      // With both, the old engine creates what it cleans up with again and again.
      ...(drawn.returns && !drawn.cleansUp ? { uidsReturn: true as const } : {}),
      deletes: drawn.deletes.map((name) => ({
        key: keyOf(object('Secret', name)),
        options: drawn.policy === undefined ? {} : { propagationPolicy: drawn.policy },
      })),
      ...(drawn.atOnce ? { atOnce: true as const } : {}),
      waitsFor: hasFinalizer
        ? drawn.waits.map((name) => (name === 'dependents' ? name : keyOf(object('Secret', name))))
        : [],
      ...(drawn.needs && hasFinalizer ? { needs: [keyOf(object('Secret', 'd'))] } : {}),
      ...(drawn.adopts ? { adopts: [keyOf(object('Secret', 'd'))] } : {}),
      ...(drawn.onChild ? { childFinalizer: THEIRS } : {}),
      ...(drawn.cleansUp && hasFinalizer
        ? { createsInTeardown: [child('job', theirs, owned)] }
        : {}),
      reads: drawn.reads,
      fairness: drawn.fairness,
    };
    const a = configMap('a', { finalizers: hasFinalizer && drawn.has ? [MINE] : [] });
    const options = drawn.cascade === undefined ? {} : { propagationPolicy: drawn.cascade };
    const removal = { do: 'delete' as const, key: keyOf(a), options };
    const users = {
      none: [removal],
      'delete b': [
        { do: 'delete' as const, key: keyOf(object('Secret', 'b')), options: {} },
        removal,
      ],
      'create b': [
        { do: 'create' as const, object: object('Secret', 'b', { uid: 'uid-of-user' }) },
        removal,
      ],
      touch: [removal, { do: 'delete' as const, key: keyOf(object('Secret', 'd')), options: {} }],
    }[drawn.second]!;
    return setupOf([a, object('Secret', 'd')], {
      ...alice(...users),
      operators: [operator],
      ...(drawn.stuck ? { finalizers: { [MINE]: 'stuck' as const } } : {}),
    });
  });

test('random descriptions have the same verdicts in both engines', async () => {
  await fc.assert(
    fc.asyncProperty(setups, async (setup) => {
      const { own, old } = await both(setup);
      fc.pre(own.outcome === 'complete' && old.outcome === 'complete');
      expect(own.found).toEqual(old.found);
    }),
    { numRuns: 100 },
  );
});
