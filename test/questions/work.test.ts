import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../input/cluster/doubts/evidence.ts';
import { ownerOf } from '../../input/cluster/finalizers.ts';
import { piecesOf } from '../../input/cluster/pieces.ts';
import { PLAIN_WORLD } from '../../input/cluster/worlds.ts';
import { withPolicy } from '../../input/manifests/deletion.ts';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import { findTarget } from '../../input/manifests/target.ts';
import { CASCADES, type Plan } from '../../input/plan.ts';
import { type ApiObject, BUILT_IN_KINDS, type Setup } from '../../model/index.ts';
import { treeRows } from '../../report/answer/tree.ts';
import { runPlan } from '../../run/assemble.ts';
import { assumptionsOf } from '../../run/assumptions.ts';
import { answered } from '../../run/questions/answer.ts';
import { decide } from '../../run/questions/deciding/decide.ts';
import { isFull } from '../../run/questions/deciding/decision.ts';
import { countingClock } from '../clock.ts';
import { budget } from './deciding.ts';
import { dumpPlan } from './dump-plan.ts';

interface Made {
  readonly kind: string;
  readonly name: string;
  readonly owners?: readonly string[];
  readonly fields?: object;
  readonly finalizers?: readonly string[];
}

const VERSIONS: Readonly<Record<string, string>> = { StatefulSet: 'apps/v1' };

/** A dump of these objects, and the plan that deletes the first. Owners are named `Kind/name`. */
function planOf(objects: readonly Made[]): Promise<Plan> {
  const items = objects.map(({ kind, name, owners = [], fields = {}, finalizers = [] }) => ({
    apiVersion: VERSIONS[kind] ?? 'v1',
    kind,
    metadata: {
      ...{ name, namespace: 'shop', uid: `u-${kind}-${name}`, finalizers },
      ownerReferences: owners.map((owner) => {
        const [of = '', called = ''] = owner.split('/');
        return {
          apiVersion: VERSIONS[of] ?? 'v1',
          kind: of,
          name: called,
          uid: `u-${of}-${called}`,
        };
      }),
    },
    ...fields,
  }));
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  return dumpPlan(text, `${objects[0]?.kind}/${objects[0]?.name}`, 'background');
}

const numbers = (count: number): readonly number[] => [...Array(count).keys()];
const map = (name: string, ...owners: readonly string[]): Made => ({
  ...{ kind: 'ConfigMap', name },
  owners: owners.map((owner) => `ConfigMap/${owner}`),
});

const chain = (count: number): readonly Made[] => [
  map('a'),
  ...numbers(count).map((number) => map(`c${number}`, number === 0 ? 'a' : `c${number - 1}`)),
];

/** Each has the one before it and the first one as owners. */
const ladder = (count: number): readonly Made[] => [
  map('a'),
  map('c0', 'a'),
  ...numbers(count).map((number) => map(`c${number + 1}`, 'a', `c${number}`)),
];

const SHAPES: Readonly<Record<string, (count: number) => readonly Made[]>> = {
  'dependents of two owners': (count) => [
    ...[map('a'), map('b')],
    ...numbers(count).map((number) => map(`c${number}`, 'a', 'b')),
  ],
  'pods and their claims': (count) => [
    { kind: 'StatefulSet', name: 'a', fields: { spec: { replicas: count, selector: {} } } },
    ...numbers(count / 2).flatMap((number): readonly Made[] => [
      {
        ...{ kind: 'Pod', name: `a-${number}`, owners: ['StatefulSet/a'] },
        fields: {
          spec: {
            nodeName: 'node-0',
            volumes: [{ name: 'data', persistentVolumeClaim: { claimName: `data-a-${number}` } }],
          },
        },
      },
      {
        ...{ kind: 'PersistentVolumeClaim', name: `data-a-${number}` },
        ...{ owners: ['StatefulSet/a'], finalizers: ['kubernetes.io/pvc-protection'] },
      },
    ]),
  ],
};

/** How often a field of an object is read for the answer. */
async function reads(objects: readonly Made[]): Promise<number> {
  const plan = await planOf(objects);
  let count = 0;
  const counted = <Value extends object>(value: Value): Value =>
    new Proxy(value, {
      get(target, field, receiver) {
        count += 1;
        return Reflect.get(target, field, receiver);
      },
    });
  const setup = { ...plan.setup, objects: plan.setup.objects.map(counted) };
  const { deadline: _deadline, known: _known, ...given } = budget();
  const column = { name: 'background', plan: { ...plan, setup } };
  const { answer } = await answered('delete', [column], 600, given);
  expect(answer.outcomes[0]?.basis.kind).toBe('search');
  expect(treeRows(answer).length).toBeGreaterThan(0);
  return count;
}

describe('an answer reads each object a fixed number of times', () => {
  test.each(Object.keys(SHAPES))('of %s', async (shape) => {
    const [few, many] = [await reads(SHAPES[shape]!(60)), await reads(SHAPES[shape]!(240))];
    expect(many / few).toBeLessThan(6);
  });
});

test('a chain longer than the stack is answered', async () => {
  const plan = await planOf(chain(12_000));
  const { deadline: _deadline, known: _known, ...given } = budget();
  const { answer } = await answered('delete', [{ name: 'background', plan }], 0, given);
  expect(treeRows(answer)).toHaveLength(12_001);
  expect(answer.outcomes[0]).toMatchObject({ basis: { kind: 'none' }, exitCode: 3 });
});

/** How often the owners of an object are read. */
function ownerReads(setup: Setup, work: (counted: Setup) => unknown): number {
  let count = 0;
  const objects = setup.objects.map((object) => ({
    ...object,
    get ownerReferences() {
      count += 1;
      return object.ownerReferences;
    },
  }));
  work({ ...setup, objects });
  return count;
}

test('which objects have pieces is found in linear time', async () => {
  const readsOf = async (count: number): Promise<number> => {
    const { setup } = await planOf(ladder(count));
    return ownerReads(setup, (counted) => expect(piecesOf(counted)).toHaveLength(count + 2));
  };
  expect((await readsOf(240)) / (await readsOf(60))).toBeLessThan(6);
});

test('all objects of a dump are named in linear time', () => {
  const readsOf = (count: number): number => {
    let reads = 0;
    const dump = numbers(count).map(
      (number): ApiObject => ({
        ...{ kind: 'ConfigMap', namespace: 'shop', uid: `u${number}`, generation: 0 },
        ...{ finalizers: [], ownerReferences: [] },
        ...{ deletionTimestamp: null, deletionGracePeriodSeconds: null },
        get name() {
          reads += 1;
          return `c${number}`;
        },
      }),
    );
    const kinds = new KindCatalogue(BUILT_IN_KINDS);
    for (const { uid } of dump) {
      const name = uid.replace('u', 'c');
      expect(findTarget(`cm/${name}.shop`, null, dump, kinds, 'dump.yaml').uid).toBe(uid);
    }
    return reads;
  };
  expect(readsOf(240) / readsOf(60)).toBeLessThan(6);
});

test('what runs the owner of a finalizer is found once for many volumes', () => {
  const readsOf = (count: number): number => {
    let reads = 0;
    const dump = numbers(count).map(
      (number): ApiObject => ({
        ...{ namespace: '', name: `v${number}`, uid: `u${number}`, generation: 0 },
        ...{ finalizers: [], ownerReferences: [] },
        ...{ deletionTimestamp: null, deletionGracePeriodSeconds: null },
        get kind() {
          reads += 1;
          return 'PersistentVolume';
        },
      }),
    );
    const evidence: Evidence = {
      ...{ objects: dump, dump, goes: () => false, observations: new Map(), kinds: {} },
      ...{
        nodes: { lost: new Map(), absent: new Set(), unready: new Map(), outOfService: new Set() },
      },
      ...{ labels: new Map(), trackedBy: () => [], off: [] },
    };
    for (const volume of dump) {
      const finalizer = 'external-provisioner.volume.kubernetes.io/finalizer';
      const { judgement } = ownerOf(finalizer, volume, evidence, { cooperative: [], stuck: [] });
      expect(judgement).toBe('unknown');
    }
    return reads;
  };
  expect(readsOf(240) / readsOf(60)).toBeLessThan(6);
});

test('what is assumed of finalizers is found in linear time', async () => {
  const readsOf = async (count: number): Promise<number> => {
    const held = numbers(count).map((number) => ({
      ...map(`h${number}`, 'a'),
      finalizers: ['kubernetes.io/pvc-protection', 'x.io/f'],
    }));
    const { setup } = await planOf([map('a'), ...held]);
    let reads = 0;
    const objects = setup.objects.map((object) => ({
      ...object,
      get kind() {
        reads += 1;
        return object.kind;
      },
    }));
    expect(assumptionsOf({ ...setup, objects }, 'newest').join()).toContain('x.io/f');
    return reads;
  };
  expect((await readsOf(240)) / (await readsOf(60))).toBeLessThan(6);
});

test('an answer that hits a limit names what is large, and a cheaper question', async () => {
  const smallerOf = async (objects: readonly Made[]): Promise<readonly string[]> => {
    const plan = await planOf(objects);
    const given = { ...budget(), limits: { seconds: 1 } };
    const { answer } = await answered('delete', [{ name: 'background', plan }], 0, given);
    return answer.outcomes[0]?.smaller ?? [];
  };
  expect(await smallerOf(chain(12))).toEqual([
    'what makes this question large: the chain of 12 owners above ConfigMap/c11.shop',
    'give it more than 1 second (--timeout)',
  ]);
  const star = [map('a'), ...numbers(9).map((number) => map(`c${number}`, 'a'))];
  expect(await smallerOf(star)).toEqual([
    'what makes this question large: 9 ConfigMap objects of ConfigMap/a.shop, ConfigMap/c0.shop to ConfigMap/c8.shop',
    'ask about one of them first, such as ConfigMap/c0.shop; or give it more than 1 second (--timeout)',
  ]);
  const held = numbers(2).map((number) => ({
    ...map(`h${number}`, 'a'),
    finalizers: [`x.io/f${number}`],
  }));
  expect((await smallerOf([map('a'), ...held])).join()).toMatch(
    /2 finalizers whose owner may act or not \(x\.io\/f0, x\.io\/f1\),ask with --cooperative-finalizer or --stuck-finalizer x\.io\/f0/,
  );
  // Of a comparison, --cascade only chooses the policy that stands first.
  const plan = await planOf([map('a'), map('b', 'a')]);
  const columns = CASCADES.map((name) => ({ name, plan: withPolicy(plan, name) ?? plan }));
  const { answer } = await answered('compare', columns, 0, budget());
  const all = answer.outcomes.flatMap(({ smaller = [] }) => smaller).join('\n');
  expect(all).toMatch(/ask reapcheck delete about one policy; or give it more time/);
  expect(all).not.toMatch(/--cascade/);
});

describe('where the time is up', () => {
  test('nothing is set up', async () => {
    const plan = await planOf(chain(3));
    const late = await decide(plan, PLAIN_WORLD, { ...budget(), deadline: Date.now() });
    expect(late).toMatchObject({ by: 'none', reports: [] });
  });

  test('and where the memory is full, no further search begins, and the answer says so', async () => {
    // More than 12 owners of one object are no pieces.
    const owners = numbers(60).map((number) => map(`o${number}`));
    const plan = await planOf([map('a', ...owners.map(({ name }) => name)), ...owners]);
    const { deadline: _deadline, known: _known, ...given } = budget();
    const limits = { megabytes: 1 };
    const column = { name: 'background', plan };
    const { answer } = await answered('delete', [column], 600, { ...given, limits });
    expect(answer.outcomes[0]).toMatchObject({
      exitCode: 3,
      basis: { kind: 'none', text: 'the memory was full before anything was found' },
    });
    expect(JSON.stringify(answer)).toContain('the memory was full before any search');
    expect(answer.outcomes[0]?.smaller?.join()).toMatch(/more than 1 MB \(--memory\)/);
    // A model takes memory before a search can look at it.
    const roomy = { ...budget(), limits: { megabytes: 1e6 } };
    expect([isFull(roomy, 60), isFull(roomy, 60e6)]).toEqual([false, true]);
  });

  test('a set-up ends', async () => {
    const plan = await planOf(chain(400));
    let calls = 0;
    countingClock(1, (call) => {
      calls = call;
    });
    const search = { engine: 'tracked', auditEvery: 0 } as const;
    const report = await runPlan(plan, { ...search, limits: { seconds: 0.1 } }, '');
    expect(report.result).toMatchObject({ outcome: 'limited', limit: { kind: 'time' } });
    expect(report.result.statistics.states).toBe(0);
    expect(report.result.properties.map(({ verdict }) => verdict)).toContain('inconclusive');
    expect(report.fates).toEqual([]);
    expect(calls).toBeLessThan(400);
  });
});
