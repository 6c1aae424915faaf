import fc from 'fast-check';
import { CASCADES, type Plan } from '../../input/plan.ts';
import { type ApiObject, keyOf, type Operator, type UserStep } from '../../model/index.ts';
import { dumpPlan } from './dump-plan.ts';

const HOLD = 'example.com/hold';
const NAMES = ['a', 'b', 'c', 'd'] as const;
const SPACES = ['shop', 'data'] as const;

type Name = (typeof NAMES)[number];

interface Item {
  readonly name: Name;
  readonly space: (typeof SPACES)[number];
  /** Its owner, where that is in its namespace. */
  readonly owner: Name | null;
  readonly blocks: boolean;
  readonly held: boolean;
  readonly isPod: boolean;
}

interface Deleting {
  readonly parent: Name;
  /** Those of them that are there and not asked for. */
  readonly deletes: readonly (Name | 'data')[];
  readonly waits: boolean;
  readonly pauses: boolean;
  readonly foreground: boolean;
  /** Whether it deletes one after the other. */
  readonly waves?: boolean;
  /** Whether it may stop at any time. */
  readonly stops: boolean;
}

/** A dump with two namespaces, and operators of which some may stop. */
export interface StoppingDump {
  readonly items: readonly Item[];
  readonly operators: readonly Deleting[];
  readonly asked: readonly (Name | 'shop')[];
  readonly cascade: (typeof CASCADES)[number];
}

const SELDOM = [false, false, false, true] as const;

export const stoppingDumps: fc.Arbitrary<StoppingDump> = fc
  .subarray([...NAMES], { minLength: 2 })
  .chain((names) =>
    fc.record({
      items: fc.tuple(
        ...names.map((name, place) =>
          fc.record({
            name: fc.constant(name),
            space: fc.constantFrom(...SPACES),
            owner: fc.constantFrom(null, null, ...names.slice(0, place)),
            blocks: fc.boolean(),
            held: fc.constantFrom(...SELDOM),
            isPod: fc.constantFrom(...SELDOM),
          }),
        ),
      ),
      operators: fc.array(
        fc.record({
          parent: fc.constantFrom(...names),
          deletes: fc.shuffledSubarray([...names, 'data' as const], { minLength: 1, maxLength: 2 }),
          waits: fc.boolean(),
          pauses: fc.constantFrom(...SELDOM),
          foreground: fc.constantFrom(...SELDOM),
          waves: fc.boolean(),
          stops: fc.constantFrom(true, true, true, false),
        }),
        { minLength: 1, maxLength: 2 },
      ),
      asked: fc.uniqueArray(fc.constantFrom(...names, 'shop' as const), {
        minLength: 1,
        maxLength: 2,
      }),
      cascade: fc.constantFrom('background', 'background', ...CASCADES),
    }),
  );

export async function planOfStopping(dump: StoppingDump): Promise<Plan> {
  const { items, operators, asked, cascade } = dump;
  const here = new Map(items.map((item) => [item.name, item]));
  const spaces = SPACES.map((name) => ({
    ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: `u-${name}` } },
    spec: { finalizers: ['kubernetes'] },
  }));
  const all = [...spaces, ...items.map((item) => objectOf(item, here))];
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all });
  const plan = await dumpPlan(text, 'ns/shop ns/data', cascade);
  const { cluster } = plan;
  const isEmptied = asked.includes('shop') || operators.some((one) => one.deletes.includes('data'));
  const { emptiedNamespaces, ...rest } = plan.setup;
  const setup = isEmptied && emptiedNamespaces !== undefined ? plan.setup : rest;
  const keys = new Map(setup.objects.map((object) => [object.uid, keyOf(object)]));
  const [step] = Object.values(setup.users).flat();
  const users = asked.flatMap((one): [string, readonly UserStep[]][] => {
    const key = keys.get(`u-${one}`);
    const request = step?.request;
    if (key === undefined || step === undefined || request?.do !== 'delete') return [];
    return [[`user ${one}`, [{ ...step, request: { ...request, key } }]]];
  });
  const isFree = ({ uid }: ApiObject): boolean => !asked.some((one) => uid === `u-${one}`);
  const free = new Set(setup.objects.filter(isFree).map(({ uid }) => uid));
  const made = operators.flatMap((one, number) => operatorOf(one, number, keys, free));
  const objects = setup.objects.map((object): ApiObject => {
    const own = made.filter(({ parent }) => parent.uid === object.uid);
    const more = own.flatMap(({ finalizer }) => finalizer ?? []);
    return { ...object, finalizers: [...object.finalizers, ...more] };
  });
  const [hold] = cluster!.finalizers;
  const acting = made.length === 0 ? {} : { operators: made };
  const unknown = made
    .filter(({ fairness }) => fairness === 'none')
    .map(({ finalizer = '', parent }) => ({
      ...{ evidence: '', settle: null, held: null, runs: false, known: null, reached: true },
      ...{ ...hold, runner: null, judgement: 'unknown' as const, rows: [] },
      ...{ finalizer, objects: [parent.key as string] },
    }));
  return {
    ...plan,
    cluster: { ...cluster!, finalizers: [...cluster!.finalizers, ...unknown] },
    setup: { ...setup, objects, users: Object.fromEntries(users), ...acting },
  };
}

function objectOf(item: Item, here: ReadonlyMap<Name, Item>): object {
  const { name, space, owner, blocks, held, isPod } = item;
  const above = here.get(owner ?? name);
  const isOwned = owner !== null && above?.space === space;
  const reference = {
    ...{ apiVersion: 'v1', kind: above?.isPod === true ? 'Pod' : 'ConfigMap' },
    ...{ name: owner, uid: `u-${owner}`, blockOwnerDeletion: blocks },
  };
  return {
    ...{ apiVersion: 'v1', kind: isPod ? 'Pod' : 'ConfigMap' },
    metadata: {
      ...{ name, namespace: space, uid: `u-${name}`, finalizers: held ? [HOLD] : [] },
      ownerReferences: isOwned ? [reference] : [],
    },
    ...(isPod ? { spec: { nodeName: 'n', containers: [] }, status: { phase: 'Running' } } : {}),
  };
}

function operatorOf(
  { parent, deletes, waits, pauses, foreground, waves = false, stops }: Deleting,
  number: number,
  keys: ReadonlyMap<string, string>,
  free: ReadonlySet<string>,
): readonly Operator[] {
  const wanted = deletes.filter((one) => one !== parent && free.has(`u-${one}`));
  const deleted = wanted.flatMap((one) => keys.get(`u-${one}`) ?? []);
  const propagationPolicy = foreground ? 'Foreground' : 'Background';
  return [
    {
      name: `operator ${number}`,
      parent: { key: keys.get(`u-${parent}`) ?? '', uid: `u-${parent}` },
      finalizer: `example.com/operator-${number}`,
      addsFinalizer: false,
      creates: [],
      deletes: deleted.map((key, place) => {
        return { key, wave: waves ? place : 0, options: { propagationPolicy } };
      }),
      ...(pauses ? { pausedBy: deleted } : {}),
      waitsFor: waits ? deleted : [],
      ...{ reads: 'live', fairness: stops ? 'none' : 'weak' },
    },
  ];
}
