import type { Cluster } from '../../state/cluster.ts';
import { dependentKeys, instancesOf } from '../../state/instances.ts';
import { formatKey, kindOf } from '../../state/keys.ts';
import { type ApiObject, keyOf, type ObjectKey } from '../../state/objects.ts';
import type { Deletion, Operator } from '../../state/programs/operator.ts';
import type { ControllerProgram } from '../../state/programs/program.ts';
import type { Setup } from '../../state/setup.ts';
import type { FinalizerRemoval } from '../actor.ts';
import { describedPlan } from './described-plan.ts';

/** The controllers that a scenario describes (`setup.operators`), as programs. */

/** Memoized, because they depend on the setup only. */
const MADE = new WeakMap<Setup, readonly ControllerProgram[]>();

/** All controllers of a setup that are programs. */
export function programsOf(setup: Setup): readonly ControllerProgram[] {
  const known = MADE.get(setup);
  if (known !== undefined) return known;
  const described = (setup.operators ?? []).map((operator) => programOf(setup, operator));
  const made = [...described, ...(setup.programs ?? [])];
  MADE.set(setup, made);
  return made;
}

function programOf(setup: Setup, operator: Operator): ControllerProgram {
  const { name, parent, finalizer, childFinalizer, reads, fairness, adopts = [] } = operator;
  const possible = new Set(instancesOf(setup).keys);
  const keys = keysOf(setup, operator).filter((key) => possible.has(key));
  return {
    name,
    for: kindOf(parent.key),
    informers: reads === 'cache' ? [...new Set(keys.map(kindOf))] : [],
    reads,
    finalizers: [finalizer ?? [], childFinalizer ?? []].flat(),
    creates: childrenOf(operator),
    owners: adopts.length === 0 ? [] : [kindOf(parent.key)],
    outside: [],
    memory: [],
    restarts: 0,
    fairness,
    plan: describedPlan(operator, {
      dependents: dependentsOf(setup, operator),
      keepsFinalizer: finalizer !== undefined && setup.finalizers[finalizer] === 'stuck',
      checksOwner: setup.rules.adoptionOwnerCheck === 'live',
      namesOwner: false,
      possible,
    }),
    described: { object: parent.key, keys, uidsReturn: operator.uidsReturn === true },
  };
}

function keysOf(setup: Setup, operator: Operator): readonly ObjectKey[] {
  const { parent, deletes, waitsFor, pausedBy = [], needs = [], adopts = [] } = operator;
  return [
    ...new Set([
      parent.key,
      ...childrenOf(operator).map(keyOf),
      ...needs,
      ...pausedBy,
      ...adopts,
      ...deletes.map(({ key }) => key),
      ...waitsFor.flatMap((what) =>
        what === 'dependents' ? dependentsOf(setup, operator) : [what],
      ),
    ]),
  ];
}

/** Keys that objects with an owner reference to its object can have. */
export function dependentsOf(setup: Setup, { parent }: Operator): readonly ObjectKey[] {
  return dependentKeys(setup).get(parent.uid) ?? [];
}

/** Everything that it creates at any time. */
function childrenOf({ creates, createsInTeardown = [] }: Operator): readonly ApiObject[] {
  return [...creates, ...createsInTeardown];
}

/** Whether this operator removes the finalizer from the object that is stored at this key. */
export function owns(
  { parent, finalizer, childFinalizer }: Operator,
  cluster: Cluster,
  key: ObjectKey,
  asked: string,
): boolean {
  const isOnParent = parent.key === key && parent.uid === cluster.store[key]?.uid;
  return (finalizer === asked && isOnParent) || childFinalizer === asked;
}

/** From which objects this operator removes its finalizers. */
export function removalsBy(setup: Setup, operator: Operator): readonly FinalizerRemoval[] {
  const { name, parent, finalizer, childFinalizer, fairness } = operator;
  const isRemoved = (one: string | undefined): one is string =>
    one !== undefined && setup.finalizers[one] !== 'stuck';
  const conditions = conditionsOf(operator);
  const when = conditions.length === 0 ? '' : `, once ${conditions.join(' and ')}`;
  const by = `${name}${fairness === 'none' ? ' (which may stop)' : ''}`;
  const { key, uid } = parent;
  const whileThere = `${by}, while ${formatKey(key)} is there`;
  const children = [...new Set(childrenOf(operator).map(keyOf))];
  return [
    ...(isRemoved(finalizer) ? [{ finalizer, key, uid, by: `${by}${when}` }] : []),
    ...(isRemoved(childFinalizer)
      ? children.map((child) => ({ finalizer: childFinalizer, key: child, by: whileThere }))
      : []),
  ];
}

/** What is true before an operator removes its finalizer (`planTeardown`). */
function conditionsOf({ deletes, waitsFor, after = [], needs = [] }: Operator): readonly string[] {
  // It waits for all but the last wave.
  const [last] = deletes.slice(-1);
  const isSent = ({ wave }: Deletion): boolean => wave !== undefined && wave === last?.wave;
  const gone = new Set([
    ...deletes.filter((one) => !isSent(one)).map(({ key }) => key),
    ...waitsFor,
  ]);
  const sent = deletes.filter((one) => isSent(one) && !gone.has(one.key)).map(({ key }) => key);
  return [
    ...(after.length === 0 ? [] : [`${after.join(', ')} ${after.length === 1 ? 'is' : 'are'} off`]),
    ...(needs.length === 0
      ? []
      : [`${objectWords(needs)} ${needs.length === 1 ? 'is' : 'are'} there`]),
    ...(sent.length === 0 ? [] : [`it has deleted ${objectWords(sent)}`]),
    ...(gone.size === 0
      ? []
      : [
          `${objectWords([...gone])} ${gone.size === 1 && !gone.has('dependents') ? 'is' : 'are'} gone`,
        ]),
  ];
}

/** At most this many objects are named. */
const NAMED = 3;

function objectWords(keys: readonly ('dependents' | ObjectKey)[]): string {
  if (keys.length > NAMED) return `${keys.length} objects`;
  const names = keys.map((key) => (key === 'dependents' ? 'its dependents' : formatKey(key)));
  return names.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
