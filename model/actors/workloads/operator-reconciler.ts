import type { ItemCall } from '../../state/calls.ts';
import { patchCall } from '../../state/calls.ts';
import { dependentKeys } from '../../state/instances.ts';
import { formatKey, kindOf } from '../../state/keys.ts';
import { type ApiObject, keyOf, type ObjectKey } from '../../state/objects.ts';
import type { Operator, Setup } from '../../state/setup.ts';
import { controllerReference } from '../../state/workloads.ts';
import type { Informer } from '../../state/world.ts';
import type { FinalizerRemoval } from '../actor.ts';
import { RECONCILED } from '../programs/described.ts';
import { planOperator } from './operator-plan.ts';
import type { Look, Task } from './plan.ts';
import type { Reconciler } from './reconciling.ts';
import { lookWith } from './workload-reconciler.ts';

/** The controllers that a scenario describes. */
export function operatorReconcilers(setup: Setup): readonly Reconciler[] {
  return ofReconcilers(setup).map((operator) => operatorReconciler(setup, operator));
}

/** Each operator is a separate process with its own informers. */
export function operatorInformers(setup: Setup): readonly Informer[] {
  return ofReconcilers(setup)
    .filter(({ reads }) => reads === 'cache')
    .flatMap((operator) =>
      [...new Set(keysOf(setup, operator).map(kindOf))].map((kind) => ({
        name: informerOf(operator, kind),
        words: operator.name,
        kind,
        inManager: false,
        readers: [operator.name],
      })),
    );
}

export function ofReconcilers(setup: Setup): readonly Operator[] {
  return RECONCILED.has(setup) ? (setup.operators ?? []) : [];
}

function informerOf({ name }: Operator, kind: string): string {
  return `${name}: ${kind}`;
}

function keysOf(setup: Setup, operator: Operator): readonly ObjectKey[] {
  const { parent, deletes, waitsFor, needs = [], adopts = [] } = operator;
  return [
    ...new Set([
      parent.key,
      ...childrenOf(operator).map(keyOf),
      ...needs,
      ...adopts,
      ...deletes.map(({ key }) => key),
      ...waitsFor.flatMap((what) =>
        what === 'dependents' ? (dependentKeys(setup).get(parent.uid) ?? []) : [what],
      ),
    ]),
  ];
}

/** Everything that it creates at any time. */
function childrenOf({ creates, createsInTeardown = [] }: Operator): readonly ApiObject[] {
  return [...creates, ...createsInTeardown];
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
function conditionsOf({ deletes, waitsFor, atOnce, needs = [] }: Operator): readonly string[] {
  const deleted = deletes.map(({ key }) => key);
  const gone = new Set([...(atOnce === true ? [] : deleted), ...waitsFor]);
  const sent = atOnce === true ? deleted.filter((key) => !gone.has(key)) : [];
  return [
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

function operatorReconciler(setup: Setup, operator: Operator): Reconciler {
  const dependents = dependentKeys(setup).get(operator.parent.uid) ?? [];
  const look: Reconciler['look'] =
    operator.reads === 'cache'
      ? lookWith((kind) => informerOf(operator, kind))
      : (cluster): Look =>
          (key) =>
            (cluster.store[key] as ReturnType<Look> | undefined) ?? null;
  const keepsFinalizer =
    operator.finalizer !== undefined && setup.finalizers[operator.finalizer] === 'stuck';
  return {
    role: 'operator',
    client: operator.name,
    words: operator.name,
    parent: operator.parent,
    children: childrenOf(operator),
    uidsReturn: operator.uidsReturn === true,
    fairness: operator.fairness,
    keys: keysOf(setup, operator),
    reads: operator.reads,
    look,
    plan: (cluster, isFree) =>
      planOperator(operator, { look: look(cluster), isFree, dependents, keepsFinalizer }),
    callFor: (task) => callFor(setup, operator, task),
  };
}

function callFor(setup: Setup, operator: Operator, task: Task): ItemCall {
  const { name: client, parent, finalizer = '', childFinalizer = '' } = operator;
  switch (task.do) {
    case 'create': {
      const object = childrenOf(operator).find(({ uid }) => uid === task.uid);
      if (object === undefined) throw new Error(`${client} creates no ${task.uid}`);
      return { verb: 'create', client, object };
    }
    case 'delete': {
      const options = operator.deletes.find(({ key }) => key === task.key)?.options ?? {};
      return { verb: 'delete', client, key: task.key, options, at: 'get' };
    }
    case 'addFinalizer':
    case 'removeFinalizer':
      return patchCall(client, parent.key, { do: task.do, finalizer }, parent.uid);
    case 'removeChildFinalizer': {
      const change = { do: 'removeFinalizer', finalizer: childFinalizer } as const;
      return patchCall(client, task.key, change, task.uid);
    }
    case 'adopt': {
      const reference = controllerReference(setup, parent);
      return patchCall(client, task.key, { do: 'adopt', reference }, task.uid);
    }
    case 'release':
      throw new Error(`${client} cannot release`);
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }
}
