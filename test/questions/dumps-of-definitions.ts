import fc from 'fast-check';
import { CASCADES, type Plan } from '../../input/plan.ts';
import type { ApiObject, Operator, UserStep } from '../../model/index.ts';
import { keyOf } from '../../model/index.ts';
import { dumpPlan } from './dump-plan.ts';

const HOLD = 'example.com/hold';

const RBAC = 'rbac.authorization.k8s.io/v1';

/** What can be in such a dump, by name. Those of `Alpha` are namespaced, those of `Beta` are not. */
const PLACES = {
  alphas: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', wide: true },
  betas: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', wide: true },
  a0: { apiVersion: 'example.com/v1', kind: 'Alpha', wide: false },
  a1: { apiVersion: 'example.com/v1', kind: 'Alpha', wide: false },
  b0: { apiVersion: 'example.com/v1', kind: 'Beta', wide: true },
  root: { apiVersion: RBAC, kind: 'ClusterRole', wide: true },
  role: { apiVersion: RBAC, kind: 'ClusterRole', wide: true },
  config: { apiVersion: 'v1', kind: 'ConfigMap', wide: false },
} as const;

type Name = keyof typeof PLACES;

interface Item {
  readonly name: Name;
  /** Its owners, where these can be its owners. */
  readonly owners: readonly Name[];
  readonly blocks: boolean;
  readonly held: boolean;
  /** Whether it is being deleted already. */
  readonly going: boolean;
  /** Whether it then waits for its dependents. Absent: it does not. */
  readonly waiting?: boolean;
}

interface Deleting {
  readonly parent: Name;
  readonly deletes: readonly Name[];
  readonly waits: boolean;
  readonly pauses: boolean;
  readonly foreground: boolean;
}

/** A dump with definitions, instances, and operators that delete other objects. */
export interface DefinitionsDump {
  readonly items: readonly Item[];
  readonly operators: readonly Deleting[];
  readonly asked: readonly Name[];
  /** Whether the namespace is there, and deleted as well. */
  readonly emptied: boolean;
  readonly cascade: (typeof CASCADES)[number];
  readonly workers: 1 | 2;
}

const MORE = ['role', 'config', 'betas', 'b0', 'a1'] as const;

/** Dumps of which operators are mostly left out (`withoutTeardowns`). */
export const definitionsDumps: fc.Arbitrary<DefinitionsDump> = fc
  .subarray([...MORE], { minLength: 1, maxLength: 3 })
  .chain((more) => {
    const names = ['alphas', 'a0', ...more] as const;
    const instances = names.filter(isInstance);
    const deleted = fc.shuffledSubarray<Name>(['a0', ...more], { minLength: 1, maxLength: 2 });
    return deleted.chain(([first = 'a0', ...others]) => {
      const rest = names.filter((name) => name !== first && !others.includes(name));
      // Where the objects of operators and what they delete are apart, definitions do not matter.
      const parent = fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...instances) },
        { weight: 1, arbitrary: fc.constantFrom(...names) },
      );
      const asked = fc.uniqueArray(fc.constantFrom(...rest), { minLength: 1, maxLength: 2 });
      return fc.record({
        items: fc.tuple(...names.map((one) => itemOf(one, rest.includes(one) ? names : []))),
        operators: fc.oneof(
          fc.tuple(deletingOf(parent, [first, ...others])),
          fc.tuple(deletingOf(parent, [first]), deletingOf(parent, others)),
        ),
        asked: fc.oneof({ weight: 2, arbitrary: fc.constant(['alphas'] as const) }, asked),
        emptied: fc.constantFrom(...MOSTLY_NOT),
        cascade: fc.constantFrom('background', 'background', ...CASCADES),
        workers: fc.constantFrom(1, 1, 1, 2),
      });
    });
  });

/** Dumps in which an owner of a definition may wait for it. */
export const waitingDumps: fc.Arbitrary<DefinitionsDump> = fc
  .subarray([...MORE, 'root', 'a0'] as const, { minLength: 1, maxLength: 3 })
  .chain((more) => {
    const names = [...new Set<Name>(['alphas', 'role', ...more])];
    const wide = names.filter((name) => PLACES[name].wide && !isDefinition(name));
    const item = (name: Name): fc.Arbitrary<Item> => {
      const own = itemOf(name, isInstance(name) ? names : wide);
      const owned = fc.constant(['role'] as const);
      const owners = isDefinition(name)
        ? fc.oneof(
            owned,
            owned,
            own.map((one) => one.owners),
          )
        : null;
      return fc
        .tuple(own, owners ?? own.map((one) => one.owners), fc.boolean())
        .map(([one, some, waiting]) => ({ ...one, owners: some, waiting }));
    };
    const asked = fc.oneof(
      fc.constant(['role'] as const),
      fc.constantFrom(...wide).map((name) => [name]),
      fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 }),
    );
    return fc.record({
      items: fc.tuple(...names.map(item)),
      operators: fc.constant([]),
      asked,
      emptied: fc.constantFrom(...MOSTLY_NOT, false, false),
      cascade: fc.constantFrom('foreground', 'foreground', ...CASCADES),
      workers: fc.constantFrom(1, 1, 1, 2),
    });
  });

const MOSTLY_NOT = [false, false, false, false, false, true] as const;

/** @param owners none: an operator deletes it, so it has no owner, and is not being deleted. */
function itemOf(one: Name, owners: readonly Name[]): fc.Arbitrary<Item> {
  const isFree = owners.length === 0;
  const choices = ['role' as const, ...owners.filter((name) => !isDefinition(name))];
  const owner = fc.constantFrom(...choices);
  const two = { minLength: Math.min(2, new Set(choices).size), maxLength: 2 };
  return fc.record({
    name: fc.constant(one),
    owners: isFree
      ? fc.constant([])
      : fc.oneof(
          { weight: 3, arbitrary: fc.constant([]) },
          { weight: 2, arbitrary: fc.tuple(owner) },
          { weight: 1, arbitrary: fc.uniqueArray(owner, two) },
        ),
    blocks: fc.boolean(),
    held: fc.constantFrom(...MOSTLY_NOT),
    going: isFree ? fc.constant(false) : fc.constantFrom(...MOSTLY_NOT),
  });
}

function deletingOf(parent: fc.Arbitrary<Name>, deletes: readonly Name[]): fc.Arbitrary<Deleting> {
  return fc.record({
    parent,
    deletes: fc.constant(deletes),
    waits: fc.boolean(),
    pauses: fc.constantFrom(false, false, true),
    foreground: fc.constantFrom(...MOSTLY_NOT),
  });
}

function isInstance(name: Name): boolean {
  return PLACES[name].apiVersion === 'example.com/v1';
}

function isDefinition(name: Name): boolean {
  return PLACES[name].kind === 'CustomResourceDefinition';
}

export async function planOfDefinitions(dump: DefinitionsDump): Promise<Plan> {
  const { items, operators, asked, emptied, cascade, workers } = dump;
  const here = new Set(items.map((one) => one.name));
  const shop = { kind: 'Namespace', metadata: { name: 'shop', uid: 'u-shop' } };
  const namespace = { apiVersion: 'v1', ...shop, spec: { finalizers: ['kubernetes'] } };
  const all = [...(emptied ? [namespace] : []), ...items.map((one) => objectOf(one, here))];
  const targets = [...here].map((one) => `${PLACES[one].kind.toLowerCase()}/${nameOf(one)}`);
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all });
  const every = [...(emptied ? ['ns/shop'] : []), ...targets].join(' ');
  const plan = await dumpPlan(text, every, cascade);
  const keys = new Map(plan.setup.objects.map((object) => [object.uid, keyOf(object)]));
  const wanted = new Set<string | undefined>(['shop', ...asked].map((one) => keys.get(`u-${one}`)));
  const isAsked = ({ request }: UserStep): boolean => 'key' in request && wanted.has(request.key);
  const users = Object.entries(plan.setup.users).map(
    ([user, steps]) => [user, steps.filter(isAsked)] as const,
  );
  const made = operators.map((one, number) => operatorOf(one, number, keys));
  const objects = plan.setup.objects.map((object): ApiObject => {
    const own = made.filter(({ parent }) => parent.uid === object.uid);
    const more = own.flatMap(({ finalizer }) => finalizer ?? []);
    return { ...object, finalizers: [...object.finalizers, ...more] };
  });
  const changed = { users: Object.fromEntries(users), deleteWorkers: workers };
  const acting = made.length === 0 ? {} : { operators: made };
  return { ...plan, setup: { ...plan.setup, objects, ...changed, ...acting } };
}

function nameOf(one: Name): string {
  return isDefinition(one) ? `${one}.example.com` : one;
}

function objectOf(
  { name: one, owners, blocks, held, going, waiting }: Item,
  here: ReadonlySet<Name>,
) {
  const { apiVersion, kind, wide } = PLACES[one];
  const isOwner = (other: Name): boolean =>
    other !== one && here.has(other) && (PLACES[other].wide || !wide);
  return {
    ...{ apiVersion, kind },
    metadata: {
      ...{ name: nameOf(one), uid: `u-${one}`, ...(wide ? {} : { namespace: 'shop' }) },
      finalizers: [
        ...(held || (going && waiting !== true) ? [HOLD] : []),
        ...(going && waiting === true ? ['foregroundDeletion'] : []),
        ...(going && isDefinition(one) ? ['customresourcecleanup.apiextensions.k8s.io'] : []),
      ],
      ...(going ? { deletionTimestamp: '2026-03-02T10:00:00Z' } : {}),
      ownerReferences: owners.filter(isOwner).map((other) => {
        const { apiVersion, kind } = PLACES[other];
        const reference = { apiVersion, kind, name: nameOf(other), uid: `u-${other}` };
        return { ...reference, blockOwnerDeletion: blocks };
      }),
    },
    ...(isDefinition(one) ? definitionOf(one) : {}),
    ...(kind === 'ClusterRole' ? { rules: [] } : {}),
  };
}

function definitionOf(one: Name): object {
  const [kind, scope] = one === 'alphas' ? ['Alpha', 'Namespaced'] : ['Beta', 'Cluster'];
  return { spec: { group: 'example.com', scope, names: { plural: one, kind } } };
}

function operatorOf(
  { parent, deletes, waits, pauses, foreground }: Deleting,
  number: number,
  keys: ReadonlyMap<string, string>,
): Operator {
  const deleted = deletes.flatMap((one) => keys.get(`u-${one}`) ?? []);
  return {
    name: `operator ${number}`,
    parent: { key: keys.get(`u-${parent}`) ?? '', uid: `u-${parent}` },
    finalizer: `example.com/operator-${number}`,
    addsFinalizer: false,
    creates: [],
    deletes: deleted.map((key) => ({
      ...{ key, wave: 0 },
      options: { propagationPolicy: foreground ? 'Foreground' : 'Background' },
    })),
    ...(pauses ? { pausedBy: deleted } : {}),
    waitsFor: waits ? deleted : [],
    ...{ reads: 'live', fairness: 'weak' },
  };
}
