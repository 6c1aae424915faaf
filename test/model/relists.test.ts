import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { INFORMERS } from '../../model/actors/informers.ts';
import type { Cluster, Unseen } from '../../model/state/cluster.ts';
import { cached, relistKey } from '../../model/state/informers.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import { keyOf } from '../../model/state/objects.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel, worldOf } from '../../model/system.ts';
import { alice, clusterOf, configMap, object, ownedBy, setupOf } from '../properties/clusters.ts';
import { judged, setupOf as scenario, sentences } from './judged-scenario.ts';
import { canEnd, key, operator } from './operators.ts';

/** Breaks of the watches of actors other than the collector. */

const STUCK = 'nothing is stuck';
const FINISHES = 'every deletion finishes';

describe('the list after a break', () => {
  const setup = setupOf([configMap('a')], { ...operator({}), relists: { ConfigMap: 1 } });
  const world = worldOf(setup);
  const [informer] = world.informers ?? [];
  if (informer === undefined) throw new Error('the operator has no informer');
  const { name } = informer;
  const relist = INFORMERS.actions.relistInformer!.reducer(setup, world);
  const deliver = INFORMERS.actions.deliverToInformer!.reducer(setup, world);

  const stepped = (cluster: Cluster, step: typeof relist): Cluster =>
    produce(cluster, (draft) => step(draft, { informer: name }));

  function pending(stored: Cluster['store'], unseen: readonly Unseen[]): Cluster {
    const budget = { [relistKey(informer!)]: 1 };
    return clusterOf(Object.values(stored), { unseen: { [name]: unseen }, budget });
  }

  const old = configMap('b', { uid: 'uid-old' });
  const now = configMap('b', { uid: 'uid-now' });
  const b = keyOf(now);

  it('has nothing of an object that came and went', () => {
    const before = pending({}, [
      { key: b, before: null },
      { key: b, before: old },
    ]);
    expect(stepped(before, relist).unseen[name]).toEqual([]);
  });

  it('has one update for an object that took the place of another one', () => {
    const before = pending({ [b]: now }, [
      { key: b, before: old },
      { key: b, before: null },
    ]);
    const listed = stepped(before, relist);
    expect(cached(listed, name, b)).toEqual(old);
    expect(cached(stepped(listed, deliver), name, b)).toEqual(now);
    expect(listed.unseen[name]).toHaveLength(1);
  });

  it('leaves the changes of other objects as they are, and uses up one break', () => {
    const before = pending({ [key('a')]: configMap('a') }, [
      { key: key('a'), before: null },
      { key: b, before: old },
      { key: key('a'), before: configMap('a', { generation: 1 }) },
    ]);
    const listed = stepped(before, relist);
    expect(listed.unseen[name]?.map((change) => change.key)).toEqual([key('a'), b]);
    expect(listed.budget).toEqual({});
    const more = { ...before.unseen };
    expect(stepped({ ...listed, unseen: more }, relist).unseen).toEqual(more);
  });
});

it('every informer of a kind has breaks of its own', () => {
  const setup = {
    ...scenario('claim-pod-replaced-in-gap'),
    ...operator({ deletes: [{ key: 'Pod/default/p', options: {} }] }),
    relists: { Pod: 2 },
  };
  const [initial] = deletionModel(setup).initial;
  expect(initial?.budget).toEqual({
    'relist Pod': 2,
    'relist of pods of claim protection': 2,
    'relist of example-operator: Pod': 2,
  });
});

describe('claim protection acts on events', () => {
  it('and misses a pod that another one replaced while its watch was broken (#80475)', async () => {
    const rules = { claimPodEvents: 'newPod' } as const;
    const found = await judged('claim-pod-replaced-in-gap', rules, STUCK);
    expect(found.verdict).toBe('violated');
    expect(sentences(found)).toContain(
      'informer of claim protection: its watch of Pod breaks, it lists anew and compares',
    );
    const repaired = { claimPodEvents: 'bothPods' } as const;
    expect((await judged('claim-pod-replaced-in-gap', repaired, FINISHES)).verdict).toBe('holds');
    const whole = (setup: Setup) => ({ ...setup, relists: {} });
    const without = await judged('claim-pod-replaced-in-gap', rules, FINISHES, whole);
    expect(without.verdict).toBe('holds');
  });

  it('and waits for those of a pod that its cache never has (#120041)', async () => {
    const found = await judged('claim-pod-comes-and-goes-in-gap', {}, FINISHES);
    expect(found.verdict).toBe('violated');
    const whole = (setup: Setup) => ({ ...setup, relists: {} });
    const without = await judged('claim-pod-comes-and-goes-in-gap', {}, FINISHES, whole);
    expect(without.verdict).toBe('holds');
  });

  it('and looks again once the claim itself is written', async () => {
    const setup = scenario('claim-pod-comes-and-goes-in-gap');
    const claim = 'PersistentVolumeClaim/default/data';
    const owned = { do: 'setOwnerReferences', ownerReferences: [ownedBy('b')] } as const;
    const update = (what: typeof owned) => ({
      request: {
        do: 'update' as const,
        key: claim,
        change: what,
        ...{ put: false, uid: null, resourceVersion: false },
      },
      after: [
        { user: 'alice', steps: 2 },
        { user: 'bob', steps: 1 },
      ],
    });
    const settle = { ...update(owned), request: { do: 'settle' as const } };
    const touched = { ...setup, users: { ...setup.users, carol: [settle, update(owned)] } };
    const stays = ({ store }: Cluster) => store[claim] !== undefined;
    expect(await canEnd(setup, stays)).toBe(true);
    expect(
      await canEnd(
        { ...touched, objects: [...setup.objects, configMap('b')], kinds: BUILT_IN_KINDS },
        stays,
      ),
    ).toBe(false);
  });
});

it('a controller tries again if no event is left of what it failed for', async () => {
  const pod = (uid: string) =>
    object('Secret', 'c', { uid, ownerReferences: uid === 'uid-c' ? [ownedBy('a')] : [] });
  const setup = setupOf([configMap('a')], {
    ...alice(
      { do: 'create', object: pod('uid-of-alice') },
      { do: 'delete', key: 'Secret/default/c', options: {} },
    ),
    ...operator({ creates: [pod('uid-c')] }),
    relists: { Secret: 1 },
  });
  const isThere = ({ store }: Cluster) => store['Secret/default/c']?.uid === 'uid-c';
  expect(await canEnd(setup, isThere)).toBe(true);
  expect(await canEnd(setup, (cluster) => !isThere(cluster))).toBe(false);
});
