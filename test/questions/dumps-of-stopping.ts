import fc from 'fast-check';
import { CASCADES, type Plan } from '../../input/plan.ts';
import { type ApiObject, keyOf, type Operator, type UserStep } from '../../model/index.ts';
import { dumpPlan } from './dump-plan.ts';

const HOLD = 'example.com/hold';
const NAMES = ['a', 'b', 'c', 'd'] as const;
const SPACES = ['shop', 'data'] as const;

type Name = (typeof NAMES)[number];
type Space = (typeof SPACES)[number];

interface Item {
  readonly name: Name;
  readonly space: Space;
  /** Its owner, where that is in its namespace. */
  readonly owner: Name | null;
  readonly blocks: boolean;
  readonly held: boolean;
  readonly isPod: boolean;
  /** A second owner in its namespace. Absent: it has none. */
  readonly also?: Name | null;
  /** Whether all of its owners control it: the API server refuses two of these. */
  readonly isControlled?: boolean;
  /** Whether it has the finalizer `orphan`. */
  readonly orphans?: boolean;
  /** Whether it is being deleted already, if it has a finalizer. */
  readonly isGoing?: boolean;
}

interface Deleting {
  readonly parent: Name;
  /** Those of them that are there and not asked for. */
  readonly deletes: readonly (Name | Space)[];
  readonly waits: boolean;
  readonly pauses: boolean;
  /** Those of others that it waits for, or that pause it. Absent: none. */
  readonly waitsFor?: readonly (Name | Space)[];
  readonly pausedBy?: readonly (Name | Space)[];
  readonly foreground: boolean;
  /** Whether it deletes one after the other. */
  readonly waves?: boolean;
  /** Whether it may stop at any time. */
  readonly stops: boolean;
  /** Whether it waits for the other finalizers to come off its own object. */
  readonly isLast?: boolean;
}

/** A dump with two namespaces, and operators of which some may stop. */
export interface StoppingDump {
  readonly items: readonly Item[];
  readonly operators: readonly Deleting[];
  readonly asked: readonly (Name | 'shop')[];
  readonly cascade: (typeof CASCADES)[number];
  /** Whether the API server refuses to delete the namespace `data`. */
  readonly isSpared?: boolean;
  /** Whether `a` is an instance of a definition, which is asked for. */
  readonly isDefined?: boolean;
  /** Whether what is held stays. */
  readonly isStuck?: boolean;
  /** The namespace that is being deleted already. Absent: none. */
  readonly going?: Space | null;
  /** Whether all operators have one finalizer, each on its own object. */
  readonly isShared?: boolean;
  readonly deleteWorkers?: number;
  /** Whether nothing in the spec of the namespace `data` holds it. */
  readonly isBare?: boolean;
  /** Whether the machine of the node of all pods is gone. */
  readonly isLost?: boolean;
  readonly protocol?: (typeof PROTOCOLS)[number];
}

/** Before and after what controllers of namespaces and the collector do differently. */
const PROTOCOLS = ['newest', 'v1.15', 'v1.19', 'v1.29'] as const;

const DEFINITION = 'alphas.example.com';

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
          deletes: fc.shuffledSubarray<Name | Space>([...names, 'data'], {
            minLength: 1,
            maxLength: 2,
          }),
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

/** The same with operators that wait for others, and for each other. */
export const endingDumps: fc.Arbitrary<StoppingDump> = stoppingDumps.chain((dump) => {
  const here = [...dump.items.map(({ name }) => name), ...SPACES];
  const some = fc.subarray(here, { minLength: 1, maxLength: 2 });
  const more = fc.record({
    waitsFor: fc.oneof(fc.constant([]), some),
    pausedBy: fc.oneof(fc.constant([]), fc.constant([]), some),
    isChained: fc.boolean(),
    isLast: fc.constantFrom(...SELDOM),
    stops: fc.constantFrom(...SELDOM),
  });
  const seldom = fc.constantFrom(...SELDOM);
  const all = fc.tuple(fc.tuple(...dump.operators.map(() => more)), seldom, seldom, fc.boolean());
  return all.map(([all, isSpared, isDefined, isStuck]): StoppingDump => {
    const operators = dump.operators.map((one, place): Deleting => {
      const { isChained, ...own } = all[place]!;
      const before = NAMES.find((name) => dump.operators[place - 1]?.deletes.includes(name));
      const parent = isChained ? (before ?? one.parent) : one.parent;
      return { ...one, ...own, parent };
    });
    return { ...dump, operators, isSpared, isDefined, isStuck };
  });
});

/** The same with more owners, with what is being deleted already, and with options. */
export const widerDumps: fc.Arbitrary<StoppingDump> = endingDumps.chain((dump) => {
  const seldom = fc.constantFrom(...SELDOM);
  const also = fc.constantFrom(null, null, ...dump.items.map(({ name }) => name));
  const more = fc.record({ also, orphans: seldom, isGoing: seldom, isControlled: seldom });
  const items = fc
    .tuple(...dump.items.map(() => more))
    .map((all) => dump.items.map((item, place): Item => ({ ...item, ...all[place] })));
  return fc.record({
    ...{ items, operators: fc.constant(dump.operators), asked: fc.constant(dump.asked) },
    ...{ cascade: fc.constant(dump.cascade), isSpared: fc.constant(dump.isSpared === true) },
    isDefined: fc.constant(dump.isDefined === true),
    isStuck: fc.constant(dump.isStuck === true),
    going: fc.constantFrom(null, null, ...SPACES),
    isShared: seldom,
    deleteWorkers: fc.constantFrom(1, 1, 1, 2),
    ...{ isLost: fc.boolean(), isBare: seldom },
    protocol: fc.constantFrom('newest', ...PROTOCOLS),
  });
});

export async function planOfStopping(dump: StoppingDump): Promise<Plan> {
  const { items, operators, cascade, isSpared, isDefined, isStuck } = dump;
  const { going = null, deleteWorkers, protocol, isLost } = dump;
  const said = { with: [], without: [], cooperative: [], admitted: [] };
  const options = {
    ...(isLost === true ? { around: { ...said, lostNodes: ['n'] } } : {}),
    ...(deleteWorkers === undefined ? {} : { deleteWorkers }),
    ...(protocol === undefined ? {} : { protocol }),
  };
  const asked = [...dump.asked, ...(isDefined === true ? [DEFINITION] : [])];
  const here = new Map(items.map((item) => [item.name, item]));
  const named = { shop: 'shop', data: isSpared === true ? 'default' : 'data' } as const;
  const spaces = SPACES.map((name) => ({
    ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: named[name], uid: `u-${name}` } },
    spec: { finalizers: dump.isBare === true && name === 'data' ? [] : ['kubernetes'] },
  }));
  const definition = {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: DEFINITION, uid: `u-${DEFINITION}` },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'alphas', kind: 'Alpha' } },
  };
  const contents = items.map((item) => objectOf(item, here, named, isDefined === true));
  const all = [...spaces, ...(isDefined === true ? [definition] : []), ...contents];
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all });
  const targets = `ns/shop ns/${named.data}${isDefined === true ? ` crd/${DEFINITION}` : ''}`;
  const isHeld = isStuck === true && items.some(({ held }) => held);
  const plan = await dumpPlan(text, targets, cascade, isHeld ? [HOLD] : [], 'shop', options);
  const { cluster } = plan;
  const emptiedNamespaces = SPACES.filter(
    (name) =>
      asked.includes(name) || name === going || operators.some((one) => one.deletes.includes(name)),
  ).map((name) => named[name]);
  const { emptiedNamespaces: _, ...rest } = plan.setup;
  const setup = emptiedNamespaces.length === 0 ? rest : { ...rest, emptiedNamespaces };
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
  const parents = new Set(operators.map(({ parent }) => parent));
  const isShared = dump.isShared === true && parents.size === operators.length;
  const made = operators.flatMap((one, number) => {
    return operatorOf(one, number, keys, free, isShared);
  });
  const objects = setup.objects.map((object): ApiObject => {
    const own = made.filter(({ parent }) => parent.uid === object.uid);
    const more = own.flatMap(({ finalizer }) => finalizer ?? []);
    const finalizers = [...object.finalizers, ...more];
    const item = items.find(({ name }) => object.uid === `u-${name}`);
    const isGoing =
      object.uid === `u-${going}` ||
      (item?.isGoing === true && !item.isPod && finalizers.length > 0);
    return { ...object, finalizers, ...(isGoing ? { deletionTimestamp: 0 } : {}) };
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

function objectOf(
  item: Item,
  here: ReadonlyMap<Name, Item>,
  named: Readonly<Record<Space, string>>,
  isDefined: boolean,
): object {
  const { name, space, owner, also = null, blocks, held, isPod } = item;
  const kindOf = (one: Item | undefined): object => {
    if (one?.isPod === true) return { apiVersion: 'v1', kind: 'Pod' };
    if (one?.name === 'a' && isDefined) return { apiVersion: 'example.com/v1', kind: 'Alpha' };
    return { apiVersion: 'v1', kind: 'ConfigMap' };
  };
  const owners = [...new Set([owner, also])].flatMap((owner) => {
    const above = here.get(owner ?? name);
    const isOwned = owner !== null && owner !== name && above?.space === space;
    const reference = { name: owner, uid: `u-${owner}`, blockOwnerDeletion: blocks };
    const controller = item.isControlled === true ? { controller: true } : {};
    return isOwned ? [{ ...kindOf(above), ...reference, ...controller }] : [];
  });
  const finalizers = [...(held ? [HOLD] : []), ...(item.orphans === true ? ['orphan'] : [])];
  return {
    ...kindOf(item),
    metadata: {
      ...{ name, namespace: named[space], uid: `u-${name}`, finalizers },
      ownerReferences: owners,
    },
    ...(isPod ? { spec: { nodeName: 'n', containers: [] }, status: { phase: 'Running' } } : {}),
  };
}

function operatorOf(
  one: Deleting,
  number: number,
  keys: ReadonlyMap<string, string>,
  free: ReadonlySet<string>,
  isShared: boolean,
): readonly Operator[] {
  const { parent, deletes, waits, pauses, foreground, waves = false, stops, isLast } = one;
  const { waitsFor = [], pausedBy = [] } = one;
  const keysOf = (names: readonly (Name | Space)[]) =>
    names.flatMap((name) => (name === parent ? [] : (keys.get(`u-${name}`) ?? [])));
  const wanted = deletes.filter((one) => one !== parent && free.has(`u-${one}`));
  const deleted = wanted.flatMap((one) => keys.get(`u-${one}`) ?? []);
  const pausing = [...new Set([...(pauses ? deleted : []), ...keysOf(pausedBy)])];
  const propagationPolicy = foreground ? 'Foreground' : 'Background';
  return [
    {
      name: `operator ${number}`,
      parent: { key: keys.get(`u-${parent}`) ?? '', uid: `u-${parent}` },
      finalizer: `example.com/operator-${isShared ? 0 : number}`,
      addsFinalizer: false,
      creates: [],
      deletes: deleted.map((key, place) => {
        return { key, wave: waves ? place : 0, options: { propagationPolicy } };
      }),
      ...(isLast === true ? { after: [`example.com/operator-${1 - number}`, HOLD] } : {}),
      ...(pausing.length === 0 ? {} : { pausedBy: pausing }),
      waitsFor: [...new Set([...(waits ? deleted : []), ...keysOf(waitsFor)])],
      ...{ reads: 'live', fairness: stops ? 'none' : 'weak' },
    },
  ];
}
